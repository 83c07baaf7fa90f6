import { describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SECRET_RULES } from "../../src/secrets/kinds/index.ts";
import { secrets } from "../../src/author/kit/secrets.ts";
import { formatMarks, MARKS_FILE } from "../../tools/secret-marks.ts";
import { ROOT } from "../support/fixtures.ts";
import { makeAlphanumeric, MADE_UP_SECRETS, makeHex, makeLetters } from "../support/made-up-secrets.ts";
import { startCpuClock } from "../support/machine.ts";
import { expectLinear, repeatToSize } from "../attack/growth.ts";

/** Returns the secrets found in a text. */
const seen = async (text: string) =>
  (await secrets(text)).map(({ kind, start, end }) => ({ kind, secret: text.slice(start, end) }));

describe("secrets()", () => {
  for (const [at, [kind, secret, text = secret]] of MADE_UP_SECRETS.entries())
    test(`finds ${kind} ${at}`, async () => {
      expect(await seen(`before ${text}\nafter`)).toEqual([{ kind, secret }]);
      expect(await seen(`ключ🔑: "${text}"`)).toEqual([{ kind, secret }]);
      // Long strings are searched differently.
      expect(await seen(`${"const count = 1;\n".repeat(1_500)}${text}\nafter`)).toEqual([{ kind, secret }]);
    });

  test("has a kind, an issuer, a URL as its source and prefixes without spaces for each rule", () => {
    expect(MADE_UP_SECRETS.length).toBe(97);
    expect(SECRET_RULES.length).toBeGreaterThan(185);
    const flaws = SECRET_RULES.filter(
      ({ kind, issuer, prefixes, pattern, source, position: place, lead }) =>
        !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(kind) ||
        issuer === "" ||
        prefixes.length === 0 ||
        prefixes.some((piece) => piece.length < 2 || /\s/.test(piece)) ||
        // Patterns list letters in both cases, because the engine searches faster without the "i" flag.
        pattern.flags !== "y" ||
        (source !== undefined && !/^https:\/\/\S+$/.test(source)) ||
        (place === "inside") !== (lead !== undefined),
    );
    expect(flaws.map(({ issuer }) => issuer)).toEqual([]);
  });

  test("loads markers that match the rules", () => {
    const joinLines = (code: string) => code.replace(/\s+/g, " ");
    expect(joinLines(readFileSync(MARKS_FILE, "utf8"))).toBe(joinLines(formatMarks()));
  });

  test("finds several secrets in one text in order", async () => {
    const picked = MADE_UP_SECRETS.filter((_, at) => at % 3 === 0);
    const text = picked.map(([, secret, around = secret]) => around).join("\n\n");
    expect(await seen(text)).toEqual(picked.map(([kind, secret]) => ({ kind, secret })));
  });

  test("finds a secret despite comments that turn off other scanners", async () => {
    const [kind, secret] = MADE_UP_SECRETS.find(([one]) => one === "npm-token") as (typeof MADE_UP_SECRETS)[number];
    for (const comment of ["secretlint-disable", "gitleaks:allow", "nosec", "pragma: allowlist secret"])
      expect(await seen(`// ${comment}\n// ${comment}\n${secret} // ${comment}`)).toEqual([{ kind, secret }]);
  });
});

/** Strings that resemble secrets but aren't. */
const HARMLESS = [
  "",
  "plain text about tokens, secrets, passwords and API keys",
  makeHex(40),
  makeHex(64),
  "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
  `sha512-${makeLetters("ABCDEFabcdef0123456789+/", 86)}==`,
  `data:image/png;base64,${makeAlphanumeric(20_000)}`,
  `AKIA${"IOSFODNN7EXAMPLE"}`,
  `AWS_SECRET_ACCESS_KEY=${"wJalrXUtnFEMI/K7MDENG/bPxRfiCY"}EXAMPLEKEY`,
  "AWS_SECRET_ACCESS_KEY=$AWS_SECRET_ACCESS_KEY",
  "const key = process.env.AWS_SECRET_ACCESS_KEY;",
  "secretAccessKey: config.aws.secretAccessKey,",
  "arn:aws:iam::123456789012:role/deploy",
  `AROA${makeLetters("ABCDEFGHIJKLMNOP", 16)}:session`,
  "aws_account_id = 1234-5678-9012",
  `ghp_${"x".repeat(36)}`,
  `ghp_${"1234567890"}abcdefghijklmnopqrstuvwxyz`,
  "ghp_shortened…",
  `Authorization: Bearer \${{ secrets.GITHUB_TOKEN }}`,
  `https://x-access-token:\${{ secrets.TOKEN }}@github.com/a/b.git`,
  "https://x-access-token:$TOKEN@github.com/a/b.git",
  "https://user:password@host.corp.net/",
  "https://username:<token>@host.corp.net/",
  "https://user:secret123@example.com/",
  "git clone git@github.com:a/b.git && ssh://git@github.com:22/a/b",
  "https://fonts.googleapis.com/css2?family=Inter:wght@400",
  "postgres://postgres:postgres@db.corp.net/app",
  "postgres://app:dev-only-42@localhost:5432/app",
  "postgresql://app:dev-only-42@127.0.0.1/app",
  "DATABASE_URL=postgres://app:dev-only-42@db:5432/app",
  "redis://default:dev-only-42@redis:6379",
  "mysql://${USER}:${PASSWORD}@db.corp.net/app",
  "mongodb://%s:%s@db.corp.net/app",
  "mongodb://<user>:<password>@cluster0.abcde.mongodb.net",
  "docker://alpine:3.21@sha256:abc",
  "//registry.npmjs.org/:_authToken=${NPM_TOKEN}",
  '"//registry.npmjs.org/:_authToken=\\${NPM_TOKEN}"',
  "//registry.npmjs.org/:_authToken=YOUR_TOKEN",
  "-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----",
  "-----BEGIN PRIVATE KEY-----\nyour key here\n-----END PRIVATE KEY-----",
  `-----BEGIN CERTIFICATE-----\n${makeAlphanumeric(800)}\n-----END CERTIFICATE-----`,
  `-----BEGIN PUBLIC KEY-----\n${makeAlphanumeric(300)}\n-----END PUBLIC KEY-----`,
  `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${makeAlphanumeric(43)} me@host`,
  'if (text.includes("-----BEGIN PRIVATE KEY-----")) throw new Error("no keys");',
  "a task-based-approach-with-many-hyphenated-words-in-one-name",
  "risk-assessment sk-learn npm_config_registry npm_package_version",
  "hf_hub_download(repo_id) gsk_test r8_output pk_live_ hvs.token xoxb-your-token",
  `pk_live_${makeAlphanumeric(24)}`,
  "SG.example.message tskey- dapi figd_ sbp_",
  `xoxb-${"your"}-token-here`,
];

describe("secrets() finds nothing", () => {
  for (const [at, text] of HARMLESS.entries())
    test(`in ${at}: ${text.slice(0, 50)}`, async () => expect(await seen(text)).toEqual([]));

  test("in the lock file, the sources and the recorded payloads of this project", async () => {
    const files = ["package-lock.json", ...new Bun.Glob("{src,hooks,test}/**/*.{ts,js,json,tsv,md}").scanSync(ROOT)];
    expect(files.length).toBeGreaterThan(400);
    for (const file of files)
      expect({ file, found: await seen(readFileSync(join(ROOT, file), "utf8")) }).toEqual({ file, found: [] });
  });
});

describe("secrets()", () => {
  const filler = "the quick brown fox jumps over the lazy dog; 0f3a9c\n";
  const [kind, secret] = MADE_UP_SECRETS[0] as (typeof MADE_UP_SECRETS)[number];

  test("reads a text of 64 MB to its end", async () => {
    const large = filler.repeat(Math.ceil(64_000_000 / filler.length));
    const readCpuTime = startCpuClock();
    expect(await seen(`${large} ${secret}`)).toEqual([{ kind, secret }]);
    expect(readCpuTime()).toBeLessThan(10_000);
  });

  test("finds a secret anywhere in a large text", async () => {
    const text = [999_990, 1_000_000, 2_000_000].reduce(
      (before, length) => `${before.padEnd(length, filler)} ${secret} `,
      filler,
    );
    expect(await seen(text)).toEqual(Array.from({ length: 3 }, () => ({ kind, secret })));
  });

  test("rejects a text of more than 64 MB", () =>
    expect(secrets(" ".repeat(68_000_000))).rejects.toThrow(
      "secrets() accepts at most 67108864 characters, not 68000000; split the text",
    ));

  /** Strings that might slow down the patterns when repeated. */
  const PIECES = [
    "https://a:",
    "https://a:bcde@",
    "://",
    `https://${"a".repeat(255)}:${"b".repeat(255)}@`,
    `postgres://${"a".repeat(99)}:${"b".repeat(1999)}`,
    "xoxb-a-",
    "xoxb-",
    "xoxb-12345678-",
    "xoxe-",
    "eyJ",
    `eyJ${"a".repeat(20)}.`,
    `eyJ${"a".repeat(20)}.eyJ`,
    `"eyJ${"a".repeat(1_500)}`,
    "fm2_",
    "fm2_lJPE/",
    "glpat-",
    "sk-",
    `sk-${"a".repeat(30)}T3BlbkFJ`,
    "ya29.",
    "IQoJb3JpZ2luX2/",
    "bedrock-api-key-",
    "sl.u.",
    "t1.a",
    "12345678:AA",
    ".webhook.office.com/webhookb2/",
    `${"a".repeat(32)}-us`,
    "secret_access_key = ",
    "&sig=",
    "sntrys_",
    "dp.st.",
    `SG.${"a".repeat(128)}.${"b".repeat(300)}-`,
    "mongodb://a:",
    "-----BEGIN PRIVATE KEY-----\n",
    `-----BEGIN PRIVATE KEY-----\n${"A".repeat(9_000)}`,
    `-----BEGIN PRIVATE KEY-----\n${"A ".repeat(200)}`,
    "Private-Lines: 1\n",
    "ghs_1_a.",
    `ghs_1_${"a".repeat(900)}.${"b".repeat(9_000)}`,
    `ops_ey${"fQ".repeat(600)}`,
    `sk-proj-${"a".repeat(74)}T3BlbkFJ`,
    "secretaccesskey                    ",
    ":_authToken=  a\n",
    `AKIA${"A".repeat(16)}A`,
    "A",
    " ",
    "\n",
  ];
  for (const piece of PIECES)
    test(`takes time proportional to the length of a text of ${JSON.stringify(piece.slice(0, 30))}`, () =>
      expectLinear((size) => secrets(`${secret} ${repeatToSize(piece, size)}`)));
});

describe("secrets() in a new process", () => {
  const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-secrets-"));
  const text = join(folder, "text.txt");
  writeFileSync(
    join(folder, "main.ts"),
    `import { readFileSync } from "node:fs";
import { secrets } from ${JSON.stringify(join(ROOT, "src/author/kit/secrets.ts"))};
const text = readFileSync(process.argv.at(-1), "utf8");
const before = process.cpuUsage();
const found = await secrets(text);
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ ms: (user + system) / 1_000, kinds: found.map(({ kind }) => kind) }));
`,
  );
  const compiled = Bun.build({
    entrypoints: [join(folder, "main.ts")],
    target: "bun",
    minify: true,
    bytecode: true,
    format: "esm",
    splitting: true,
    metafile: true,
    compile: { outfile: join(folder, "main"), autoloadDotenv: false, autoloadBunfig: false },
  } as Bun.BuildConfig);
  const run = (content: string) => {
    writeFileSync(text, content);
    const { stdout, stderr } = Bun.spawnSync([join(folder, "main"), text], { cwd: folder, env: {} });
    if (stdout.length === 0) throw new Error(stderr.toString());
    return JSON.parse(stdout.toString()) as { ms: number; kinds: string[] };
  };

  test("takes less than 50 ms for 100 kB, including loading the rules", async () => {
    expect((await compiled).success).toBe(true);
    const [, secret] = MADE_UP_SECRETS[0] as (typeof MADE_UP_SECRETS)[number];
    const best = Math.min(...[1, 2, 3].map(() => run(`${"const a = 1; // nothing\n".repeat(4_200)}${secret}`).ms));
    expect(run(secret).kinds).toEqual(["aws-access-key"]);
    expect(best).toBeLessThan(50);
  });

  test("does not load the rules with the entry chunk", async () => {
    const { outputs } = (
      (await compiled) as unknown as { metafile: { outputs: Record<string, { entryPoint?: string; inputs: object }> } }
    ).metafile;
    const entry = Object.values(outputs).find(({ entryPoint }) => entryPoint?.endsWith("main.ts"));
    expect(Object.keys(entry?.inputs ?? {}).filter((file) => /secrets\/(?:find|kinds)/.test(file))).toEqual([]);
    rmSync(folder, { recursive: true, force: true });
  });
});
