import { describe, expect, test } from "bun:test";
import { SECRET_RULES } from "../../src/secrets/kinds/index.ts";
import { secrets } from "../../src/author/kit/secrets.ts";
import { CONTEXTS, formatChecksum, makeChance, makeSamples, NAMELESS, SAMPLE_FORMS } from "./secret-samples.ts";
import { scaleCases } from "../support/fuzz.ts";

const SAMPLES_PER_FORM = scaleCases(40);
const MIN_RECALL = 0.95;

/** Prefix that makes a string long; long strings are searched differently. */
const LONG = "const count = 1;\n".repeat(1_000);

/**
 * Yields strings that contain a secret. Omits contexts that don't suit the secret: a multi-line key isn't put into a
 * URL, and a secret that's recognized only by its variable name keeps that name.
 */
function* placeSample(secret: string, names: readonly string[] | undefined): Generator<readonly [string, string]> {
  for (const [context, place] of Object.entries(CONTEXTS)) {
    if (names && (NAMELESS.includes(context) || (names[0]?.endsWith("Key") && context !== "env"))) continue;
    if (secret.includes("\n") && ["url", "header", "escaped"].includes(context)) continue;
    for (const name of names ?? ["API_TOKEN"]) yield [context, place(secret, name)];
  }
}

/** Returns the secrets found in a string, with escaped newlines restored. */
async function findIn(text: string): Promise<(readonly [kind: string, secret: string])[]> {
  return (await secrets(text)).map(({ kind, start, end }) => [kind, text.slice(start, end).replaceAll("\\n", "\n")]);
}

test("more than 200 formats and at least 130 kinds have samples", () => {
  expect(new Set(SAMPLE_FORMS.map(({ kind, form }) => `${kind} ${form}`)).size).toBeGreaterThan(200);
  const sampled = new Set(SAMPLE_FORMS.map(({ kind }) => kind));
  const kinds = new Set(SECRET_RULES.map(({ kind }) => kind));
  expect([...sampled].filter((kind) => !kinds.has(kind))).toEqual([]);
  expect(sampled.size).toBeGreaterThanOrEqual(130);
});

describe("secrets() finds well-formed samples with their kind and boundaries:", () => {
  for (const kind of new Set(SAMPLE_FORMS.map((form) => form.kind)))
    test(kind, async () => {
      let all = 0;
      const missed: string[] = [];
      for (const form of SAMPLE_FORMS.filter((one) => one.kind === kind))
        for (const secret of makeSamples(form, SAMPLES_PER_FORM))
          for (const [context, text] of placeSample(secret, form.names)) {
            all++;
            const found = await findIn(all % 2 === 0 ? text : LONG + text);
            if (!found.some(([name, shown]) => name === kind && shown === secret))
              missed.push(`${form.form} ${context}`);
          }
      expect(all).toBeGreaterThanOrEqual(SAMPLES_PER_FORM);
      expect({ missed: missed.length / all < 1 - MIN_RECALL ? [] : missed.slice(0, 5) }).toEqual({ missed: [] });
    });
});

test("GitHub's checksum is the CRC-32 in base 62", () => {
  // Standard check value: the CRC-32 of "123456789" is 0xcbf43926.
  const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  const value = [...formatChecksum("123456789")].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
  expect(value.toString(16)).toBe("cbf43926");
});

/** Joins the parts of a published key, so that no file contains it literally. */
const join = (...parts: string[]) => parts.join("");
const encode = (fields: object) => Buffer.from(JSON.stringify(fields)).toString("base64url");
const signature = join("SflKxwRJSMeKKF2QT4fwpMeJf36P", "Ok6yJV_adQssw5c");

/** Strings that resemble a secret format but aren't secrets. */
const HARMLESS: readonly (readonly [name: string, text: string])[] = [
  ["letters of joy", "xoxo xoxo- xoxoxoxoxoxoxoxoxoxoxoxo-xoxoxoxoxoxo-xoxoxo"],
  ["a signed letter", "xoxo-gossip-girl-was-here-today-and-tomorrow"],
  ["a Slack token without digits", "SLACK_TOKEN=xoxb-your-token-goes-right-here-please"],
  ["a Slack token of words", "xoxb-not-a-real-token-not-a-real-token xoxp-test-token-for-unit-tests-only"],
  [
    "a Slack token in documentation",
    "xoxb-XXXXXXXXXXXX-XXXXXXXXXXXX-XXXXXXXXXXXXXXXXXXXXXXXX xoxp-1234567890-1234567890-abc",
  ],
  [
    "AWS's examples",
    join(
      "AKIA",
      "IOSFODNN7EXAMPLE AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCY",
      "EXAMPLEKEY AKIAI44QH8DHB",
      "EXAMPLE",
    ),
  ],
  ["Stripe's example", join("sk_test_", "4eC39HqLyjWDarjtT1zdp7dc sk_test_", "BQokikJOvBiI2HlWgH4olfQ2")],
  ["a published key of Stripe's", join("pk_live_", "51HqLyjWDarjtT1zdp7dcabcDEF1234567890")],
  [
    "jwt.io's token",
    `${encode({ alg: "HS256", typ: "JWT" })}.${encode({ sub: "1234567890", name: "John Doe", iat: 1516239022 })}.${signature}`,
  ],
  [
    "jwt.io's newer token",
    `${encode({ alg: "HS256", typ: "JWT" })}.${encode({ sub: "1234567890", name: "John Doe", admin: true, iat: 1516239022 })}.${signature}`,
  ],
  ["an expired token", `${encode({ alg: "HS256" })}.${encode({ sub: "u-42", exp: 1300819380 })}.${signature}`],
  ["an unsigned token", `${encode({ alg: "none" })}.${encode({ sub: "u-42" })}.${signature}`],
  [
    "a token for browsers",
    `${encode({ alg: "HS256" })}.${encode({ iss: "supabase", ref: "abcdwxyz", role: "anon", exp: 4000000000 })}.${signature}`,
  ],
  ["words in base64 after dots", `eyJhbGciOiJIUzI1NiJ9.eyJub3QganNvbg.${signature}`],
  ["a UUID", "id: 3f2504e0-4f89-41d3-9a0c-0305e82c3301 sdk_3f2504e0-4f89-41d3-9a0c-0305e82c3301"],
  ["hashes of git", "commit e6a6a2d3f1b0c4d5e6f708192a3b4c5d6e7f8091 (HEAD -> main)\nindex 0f3a9c1..7be21d4 100644"],
  ["an image digest", "FROM node@sha256:4a1c8f0b9d3e7f625c1b0a9e8d7c6b5a4f3e2d1c0b9a8f7e6d5c4b3a29180f7e"],
  [
    "placeholders",
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx glpat-<your-token> sk-ant-api03-... npm_YOUR_TOKEN hf_your_token_here",
  ],
  [
    "placeholders made of asterisks",
    "sk_live_************************ SG.****.**** key-********************************",
  ],
  [
    "names that begin like a secret",
    "glrt-a-long-hyphenated-name-of-a-thing sk-learn-compatible-estimators-and-others xai-explainability-of-deep-models",
  ],
  [
    "further names that begin like a secret",
    "pa-some-part-of-a-name-with-many-words-in-it-and-more md-docs-and-more-of-them-x1 api-gateway-internal-service-name",
  ],
  [
    "constant names",
    "SKIP_ALL_THE_TESTS_ON_WINDOWS_AND_MAC API-GATEWAY-INTERNAL-NAMES MDNSRESPONDER.service.example ODT.FILES.AND.MORE",
  ],
  ["numbers and dates", "1/2 2/12/2025 0/1 1//0 t1.micro v1.0-alpha v1.0-rc.1 12345678:AABB"],
  ["paths", "fc-cache -f && cat src/pa-types/sl.config.ts && ls r8_output hf_hub re_export_all_of_them"],
  [
    "variables",
    "-H 'Authorization: Bearer $GITHUB_TOKEN' https://x:${TOKEN}@host.corp.net AccountKey=${KEY} SharedAccessKey=<key>",
  ],
  ["an escaped name", "%(asctime)s\\nghp_token\\nsk_live_key"],
];

describe("secrets() finds nothing in", () => {
  for (const [name, text] of HARMLESS) test(name, async () => expect(await findIn(text)).toEqual([]));

  const chance = makeChance(7);
  const bytes = (length: number) => Buffer.from(Array.from({ length }, () => Math.floor(chance() * 256)));
  test("integrity lines of a lock file", async () => {
    const lines = Array.from({ length: 5_000 }, () => `      "integrity": "sha512-${bytes(64).toString("base64")}",`);
    expect(await findIn(lines.join("\n"))).toEqual([]);
  });
  test("base64, hexadecimal and UUIDs", async () => {
    const prose = "Words of ordinary text, which says little and goes on for a while; number 42. ".repeat(500);
    const texts = [
      Buffer.from(prose).toString("base64"),
      bytes(200_000).toString("base64"),
      bytes(100_000).toString("base64").replace(/.{76}/g, "$&\n"),
      bytes(100_000).toString("hex"),
      Array.from({ length: 5_000 }, () => bytes(20).toString("hex")).join(" "),
      Array.from({ length: 5_000 }, () =>
        bytes(16)
          .toString("hex")
          .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-"),
      ).join("\n"),
      Array.from({ length: 5_000 }, () => `"${bytes(24).toString("base64url")}"`).join(","),
    ];
    for (const text of texts) expect(await findIn(text)).toEqual([]);
  });
  test("minified and generated code", async () => {
    for (const file of [
      "typescript/lib/typescript.js",
      "zod/index.cjs",
      "diff/dist/diff.min.js",
      "dts-bundle-generator/package.json",
    ])
      expect({
        file,
        found: await findIn(await Bun.file(`${import.meta.dir}/../../node_modules/${file}`).text()),
      }).toEqual({ file, found: [] });
    const statement = (index: number) =>
      `function ${String.fromCharCode(97 + (index % 26))}${index}(t,e){return t[e]||(t[e]=sk_(e,${index}),eyJ[t])}`;
    expect(await findIn(Array.from({ length: 20_000 }, (_, index) => statement(index)).join(";"))).toEqual([]);
  });
});
