import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import protectSecrets from "../../../hooks/protect-secrets.ts";
import { listMentionedFiles } from "../../../src/hosts/claude/mentions.ts";
import { createHookEntry } from "../../../src/protocol/hook.ts";
import { prepareComparison } from "../../call/screen/differential.ts";
import { getPayload } from "../../support/fixtures.ts";
import { app } from "./project.ts";

const compare = prepareComparison([createHookEntry(protectSecrets, "protect-secrets")]);
const keys = join(app, "../keys");
const { HOME } = process.env;
beforeAll(() => {
  process.env.HOME = keys;
  for (const file of [join(app, ".env.local"), join(app, ".env.production"), join(keys, ".ssh/id_ed25519")]) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "KEY=1\n");
  }
});
afterAll(() => {
  if (HOME !== undefined) process.env.HOME = HOME;
});

/** Returns Claude Code's answer to a prompt, and whether it came from the quick path. */
const askPrompt = async (prompt: string) => {
  const payload = JSON.stringify(getPayload("claude", "UserPromptSubmit", { cwd: app, prompt }));
  const { isTaken, said } = await compare(["--host", "claude"], payload, true);
  return { isTaken, answer: said?.stdout ? (JSON.parse(said.stdout) as { decision?: string; reason?: string }) : {} };
};

const DENIED = [
  "@.env",
  "explain @.env please",
  "what is in @.env?",
  "look at @./.env, then @README.md",
  "@sub/.env#L1-3",
  `read @${join(app, ".env")}`,
  "read @~/.aws/credentials",
  "compare\n@README.md\n@.env.local",
  '@"my notes"',
  String.raw`@my\ notes`,
  "@notes.txt",
  "@pair.pem",
  "@cloud/credentials",
  "@~/.ssh/id_ed25519",
  "/review @.env.production",
  "看 @.env。",
  "看 @.env。然后",
  "see @.env…",
  "（@README.md @.env）",
  "@.env| head",
  "@.env#heading",
  "read @.env\u200b now",
  "@.env”",
];
const ALLOWED = [
  "mail me@example.com about .env",
  "add @types/node and @scope/pkg to package.json",
  "read @.env.example",
  "what is @.env-handling",
  "what is @.env-handling?",
  "@.env.absent",
  "read @README.md and @src/",
  "why is .env ignored?",
  "use `dotenv -e .env`, @alice",
  "fix user@.env in the docs",
  "@",
  "@ .env",
  "@readme-link",
  "@cert.pem",
];
describe("a Claude Code prompt with a secret file attached", () => {
  for (const prompt of DENIED)
    test(`is denied: ${JSON.stringify(prompt)}`, async () => {
      const { isTaken, answer } = await askPrompt(prompt);
      expect([isTaken, answer.decision]).toEqual([false, "block"]);
      expect(JSON.stringify(answer)).toContain("secrets/attach-file");
    });
  for (const prompt of ALLOWED)
    test(`is not one, and is allowed: ${JSON.stringify(prompt)}`, async () => {
      expect((await askPrompt(prompt)).answer).toEqual({});
    });
});

test("names are parsed as Claude Code parses them, with and without punctuation", () => {
  const cases: [prompt: string, files: string[]][] = [
    ["see @a.ts, @b.ts.", ["a.ts,", "a.ts", "b.ts.", "b.ts"]],
    ['@"a b.txt" @c#L10 @d#12-20', ["a b.txt", "c", "d"]],
    ["a@b.c (@d)", []],
  ];
  for (const [prompt, files] of cases) expect(listMentionedFiles(prompt)).toEqual(files);
  for (const prompt of [undefined, 5, "", `${"@".repeat(100_000)}`, `@"${"a ".repeat(100_000)}`])
    expect(listMentionedFiles(prompt).length).toBeLessThanOrEqual(1);
});
