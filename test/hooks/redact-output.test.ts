import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import redactOutput from "../../hooks/redact-output.ts";
import { mayResultHoldSecret } from "../../src/call/screen/result-secrets.ts";
import { makeSamples, SAMPLE_FORMS } from "../author/secret-samples.ts";
import { askHook } from "../support/ask-hook.ts";
import { ROOT } from "../support/fixtures.ts";
import { MADE_UP_SECRETS, makeAlphanumeric, makeHex } from "../support/made-up-secrets.ts";

const TOKEN = `ghp_${makeAlphanumeric(36, 11)}`;
const MARK = "[redacted: github-token]";

interface Result {
  text: string;
  raw: unknown;
}
const askAbout = (output: Result, options: object = {}, call: object = {}) =>
  askHook(
    redactOutput,
    {
      event: "PostToolUse",
      cwd: "/srv/it",
      ...{ tool: "Bash", tool_name: "Bash", input: { command: "x" } },
      ...call,
      output,
    },
    options,
  );
/** Returns what the model reads in place of the original text; undefined if it reads the original. */
const redactText = async (text: string, options?: object, call?: object) =>
  (await askAbout({ text, raw: text }, options, call))?.modified_output as string | undefined;

/** Lists the parts of a secret that would give it away. A URL has none, because its host may remain. */
const listParts = (secret: string): string[] =>
  secret.includes("://") ? [] : secret.split(/\\n|\s|-----[A-Z ]+-----/).filter((part) => part.length >= 30);

describe("redact-output removes", () => {
  for (const [at, [kind, secret, text = `x=${secret} y`]] of MADE_UP_SECRETS.entries())
    test(`a made-up ${kind} (${at})`, async () => {
      const redacted = (await redactText(text)) ?? "";
      expect(redacted).toContain("[redacted: ");
      expect(redacted).not.toContain(secret);
      for (const part of listParts(secret)) expect(redacted).not.toContain(part);
    });
  /** Places where a secret can occur in a result. */
  const places: Record<string, (secret: string) => string> = {
    "on its own line": (secret) => `a\n${secret}\nb\n`,
    "after a name": (secret) => `PORT=80\nexport TOKEN="${secret}"\nA=1\n`,
    "in JSON": (secret) => JSON.stringify({ a: [{ token: secret }] }, null, 2),
    "in JSON in a string": (secret) => JSON.stringify({ text: JSON.stringify({ log: `a\n${secret}\n` }) }),
    "with CRLF line endings": (secret) => `a\r\n${secret}\r\nb\r\n`,
    "in a match colored by grep": (secret) =>
      `.env:T=\x1b[01;31m\x1b[K${secret.slice(0, 5)}\x1b[m\x1b[K${secret.slice(5)}\n`,
    "after a color": (secret) => `\x1b[33m${secret}\x1b[0m`,
    "in a diff": (secret) => `@@ -1 +1 @@\n-${secret}\n+KEY\n`,
    "after a line number": (secret) => `     7→${secret}\n12:${secret}\n`,
  };
  for (const [place, put] of Object.entries(places))
    test(`each format of secrets ${place}`, async () => {
      const kept: string[] = [];
      for (const form of SAMPLE_FORMS.filter(({ names }) => names === undefined))
        for (const secret of makeSamples(form, 2)) {
          const text = put(secret);
          const redacted = (await redactText(text)) ?? text;
          const isGone = redacted.includes("[redacted: ") && !redacted.includes(JSON.stringify(secret).slice(1, -1));
          if (!isGone) kept.push(`${form.kind}: ${form.form}`);
        }
      expect([...new Set(kept)]).toEqual([]);
    });
  test("a secret wherever it is repeated, and nothing around it", async () => {
    const other = `npm_${makeAlphanumeric(36, 3)}`;
    const text = `a ${TOKEN} b\n${TOKEN}\n"${other}" ${TOKEN}`;
    expect(await redactText(text)).toBe(`a ${MARK} b\n${MARK}\n"[redacted: npm-token]" ${MARK}`);
  });
  test("a complete private key", async () => {
    const lines = Array.from({ length: 20 }, (_, at) => makeAlphanumeric(64, at + 40));
    for (const end of ["\n", "\r\n", "\\n", "\n   "]) {
      const key = ["-----BEGIN RSA PRIVATE KEY-----", ...lines, "-----END RSA PRIVATE KEY-----"].join(end);
      expect(await redactText(`a${end}${key}${end}b`)).toBe(`a${end}[redacted: private-key]${end}b`);
    }
  });
  test("only the username and password of a URL", async () => {
    const password = makeAlphanumeric(18);
    const url = (login: string) => `DB=postgres://${login}@db.corp.net:5432/shop?x=1\n`;
    expect(await redactText(url(`app:${password}`))).toBe(url("[redacted: database-url]"));
  });
  test("a token without the colors around it", async () => {
    const text = `\x1b[1mT=\x1b[31m${TOKEN.slice(0, 9)}\x1b[0m${TOKEN.slice(9)}\n`;
    expect(await redactText(text)).toBe(`\x1b[1mT=\x1b[31m${MARK}\x1b[0m\n`);
  });
});

describe("redact-output preserves the structure of", () => {
  const redactRaw = async (raw: unknown, text = JSON.stringify(raw)) =>
    (await askAbout({ raw, text }))?.modified_output;
  test("streams", async () => {
    const raw = { stdout: `a ${TOKEN}`, stderr: "b", interrupted: false };
    expect(await redactRaw(raw, `a ${TOKEN}b`)).toEqual({ ...raw, stdout: `a ${MARK}` });
  });
  test("blocks from an MCP tool, as an object and as a list", async () => {
    const blocks = (text: string) => [
      { type: "text", text },
      { type: "image", data: "aGk=", mimeType: "image/png" },
    ];
    expect(await redactRaw(blocks(TOKEN))).toEqual({ content: blocks(MARK) });
    const whole = (text: string) => ({ content: blocks(text).slice(0, 1), isError: false });
    expect(await redactRaw(whole(TOKEN), TOKEN)).toEqual(whole(MARK));
  });
  test("a host's own object, including lists and bytes", async () => {
    const bytes = (text: string) => [...Buffer.from(text)];
    const raw = (text: string) => ({ mode: "content", lines: [text, null, 5, true], deep: { raw: bytes(text) } });
    expect(await redactRaw(raw(`ä ${TOKEN}`))).toEqual(raw(`ä ${MARK}`));
  });
  test("the text of an object that the host also sends as text", async () => {
    expect(await redactRaw({ llmContent: TOKEN, returnDisplay: TOKEN }, TOKEN)).toBe(MARK);
  });
});

test("redact-output reports the kinds that it found, and never the secret", async () => {
  const answer = await askAbout({ text: `${TOKEN} ${TOKEN}`, raw: `${TOKEN} ${TOKEN}` });
  expect(answer?.reason).toBe("the result of Bash contains a secret (github-token)");
  expect(JSON.stringify(answer)).not.toContain(TOKEN.slice(8));
});

describe("redact-output does not change", () => {
  const base64 = Buffer.from(Array.from({ length: 30_000 }, (_, at) => (at * 7919 + (at >> 3)) & 255)).toString(
    "base64",
  );
  const encode = (fields: object) => Buffer.from(JSON.stringify(fields)).toString("base64url");
  const ordinary: Record<string, string> = {
    "a commit": `commit ${makeHex(40)}\nAuthor: a <a@example.com>\n`,
    "a lock file's hash": `"integrity": "sha512-${base64.slice(0, 86)}=="`,
    "a UUID": "id: 3f2b8c1e-9d4a-4f6b-8e7c-1a2b3c4d5e6f",
    base64,
    "multi-line base64": base64.replaceAll(/.{76}/g, "$&\n"),
    "an image": `data:image/png;base64,${base64}`,
    "a password without a known format": "PASSWORD=hunter2\nDB_PASSWORD=correct-horse\n",
    "a reference": "token: ${{ secrets.GITHUB_TOKEN }}\nAPI_KEY=$API_KEY\n",
    "a placeholder": `GITHUB_TOKEN=ghp_${"x".repeat(36)}\nAWS=AKIAIOSFODNN7EXAMPLE\n`,
    "a local database": "postgres://app:dev@localhost:5432/app",
    "a public key": `-----BEGIN PUBLIC KEY-----\n${base64.slice(0, 64)}\n-----END PUBLIC KEY-----`,
    "a certificate": `-----BEGIN CERTIFICATE-----\n${base64.slice(0, 640).replaceAll(/.{64}/g, "$&\n")}-----END CERTIFICATE-----`,
    "a documented web token": `${encode({ alg: "HS256", typ: "JWT" })}.${encode({ some: "payload" })}.${makeAlphanumeric(43)}`,
    "minified code": readFileSync(join(ROOT, "node_modules/zod/v4/core/util.cjs"), "utf8").replaceAll(/\s+/g, ""),
    nothing: "",
  };
  for (const [what, text] of Object.entries(ordinary))
    test(what, async () => {
      expect(await redactText(text)).toBeUndefined();
      expect(await askAbout({ raw: { content: [{ type: "text", text }] }, text })).toBeUndefined();
    });
  test("ignored kinds", async () => {
    expect(await redactText(`${TOKEN} npm_${makeAlphanumeric(36, 3)}`, { ignore: ["github-token"] })).toBe(
      `${TOKEN} [redacted: npm-token]`,
    );
    expect(await redactText(TOKEN, { ignore: ["github-token"] })).toBeUndefined();
  });
  test("allowed files, if the call reads no other file", async () => {
    const read = (file_path: string, file_paths?: string[]) => ({
      tool: "Read",
      tool_name: "Read",
      input: { file_path, ...(file_paths && { file_paths }) },
    });
    const options = { allow: ["*.test.ts", "test/keys/**"] };
    for (const path of ["/srv/it/src/a.test.ts", "test/keys/a.pem"])
      expect(await redactText(TOKEN, options, read(path))).toBeUndefined();
    for (const call of [read("src/a.ts"), read("a.test.ts b.ts", ["a.test.ts", "b.ts"]), {}])
      expect(await redactText(TOKEN, options, call)).toBe(MARK);
  });
});

/** Lists files in installed packages, at most three per directory. */
function listPackageFiles(most: number): string[] {
  const found: string[] = [];
  const visit = (folder: string) => {
    const entries = readdirSync(folder, { withFileTypes: true });
    const files = entries.filter(
      (entry) => entry.isFile() && /\.(?:m?[jt]s|cjs|json|md|map|ya?ml|txt)$/.test(entry.name),
    );
    for (const { name } of files.slice(0, 3)) found.push(join(folder, name));
    for (const entry of entries) if (found.length < most && entry.isDirectory()) visit(join(folder, entry.name));
  };
  visit(join(ROOT, "node_modules"));
  return found.filter((file) => statSync(file).size < 1_000_000);
}

test("redact-output changes none of 1,500 package files, and most of them are handled by the prefilter", async () => {
  const touched: string[] = [];
  let looked = 0;
  const files = listPackageFiles(1_500);
  expect(files.length).toBeGreaterThan(1_000);
  for (const file of files) {
    const text = readFileSync(file, "utf8");
    if (!mayResultHoldSecret({ tool_response: { stdout: text } })) continue;
    looked++;
    if ((await redactText(text)) !== undefined) touched.push(file);
  }
  expect(touched).toEqual([]);
  expect(looked / files.length).toBeLessThan(0.03);
});
