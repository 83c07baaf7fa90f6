import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compareHookOrder, createHookEntry, type Hook } from "../../src/protocol/hook.ts";
import type { Payload } from "../../src/protocol/host/host.ts";
import { hosts } from "../../src/hosts/index.ts";
import { answerCall } from "../support/answer-call.ts";
import { readFixtures, getPayload, ROOT } from "../support/fixtures.ts";
import { scaleCases } from "../support/fuzz.ts";
import { scaleMs } from "../support/machine.ts";
import { repeatToSize, repeatNumberedToSize, findSuperlinearGrowth } from "./growth.ts";
import { LINE_BEGINNINGS, COSTLY_COMMANDS, COUNTED_PIECES, COSTLY_LINES, REPEATED_PIECES } from "./costly-lines.ts";

const folder = join(ROOT, "hooks");
const starters = await Promise.all(
  readdirSync(folder)
    .filter((file) => /^[a-z-]+\.ts$/.test(file))
    .map(async (file) =>
      createHookEntry(((await import(join(folder, file))) as { default: Hook }).default, file.slice(0, -3)),
    ),
);
const entries = starters.sort(compareHookOrder);

const state = mkdtempSync(join(tmpdir(), "bridge-hooks-pump-"));
afterAll(() => rmSync(state, { recursive: true, force: true }));
const env = { XDG_STATE_HOME: state, LOCALAPPDATA: state };

/** A deadline that no call reaches. */
const TIMEOUT = String(scaleMs(4_000));

/** Makes one call with all starter hooks. Only the time matters, not the answer. */
const call = (host: string, payload: unknown) =>
  answerCall(entries, {}, ["--host", host, "--timeout-ms", TIMEOUT], { env, read: () => JSON.stringify(payload) });

/** Yields the paths to the strings in a payload. In each array, only the first item is visited. */
function* texts(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  if (typeof value === "string") yield path;
  else if (Array.isArray(value)) yield* texts(value[0], [...path, "0"]);
  else if (typeof value === "object" && value !== null)
    for (const [key, part] of Object.entries(value)) yield* texts(part, [...path, key]);
}

/** Returns a copy of a payload with the string at a given path replaced. */
function changed(payload: Payload, path: readonly string[], change: (text: string) => string): Payload {
  const copy = structuredClone(payload);
  const [last = "", ...above] = path.toReversed();
  const at = above.reduceRight<Payload>((part, key) => part[key] as Payload, copy);
  at[last] = change(at[last] as string);
  return copy;
}

/**
 * Number of repeated strings tried per field; each field gets a different selection. The last tests try all strings,
 * but only on the events that hooks inspect most thoroughly.
 */
const RUNS_PER_FIELD = scaleCases(6);
const CLOSE = new Set(["PreToolUse", "PermissionRequest", "UserPromptSubmit"]);
const RUNS_PER_CLOSE_FIELD = scaleCases(16);

describe("time grows linearly with any field of a recorded payload up to 60,000 characters:", () => {
  for (const host of hosts)
    test(host.id, async () => {
      const seen = new Set<string>();
      const slow: string[] = [];
      let turn = 0;
      for (const { payload } of readFixtures(host)) {
        const event = host.getEventName(payload);
        const unified = Object.hasOwn(host.capabilities, event) ? host.capabilities[event]?.().event : undefined;
        const tool = payload.tool_name ?? payload.toolName ?? "";
        for (const path of texts(payload)) {
          const field = [event, tool, ...path].join(" ");
          if (seen.has(field)) continue;
          seen.add(field);
          for (let count = CLOSE.has(unified ?? "") ? RUNS_PER_CLOSE_FIELD : RUNS_PER_FIELD; count > 0; count--) {
            const piece = REPEATED_PIECES[turn++ % REPEATED_PIECES.length] as string;
            const pumped = (text: string, size: number) =>
              turn % 2 ? repeatToSize(piece, size) : `${text}\n${repeatToSize(piece, size)}x`;
            const flaw = await findSuperlinearGrowth((size) =>
              call(
                host.id,
                changed(payload, path, (text) => pumped(text, size)),
              ),
            );
            if (flaw !== undefined) slow.push(`${field}, ${JSON.stringify(piece)}: ${flaw}`);
          }
        }
      }
      expect(seen.size).toBeGreaterThan(20);
      expect(slow).toEqual([]);
    });
});

/** Tests each string in the fields that hooks inspect most thoroughly. */
async function flawsOf(
  pieces: Iterable<readonly [beginning: string, piece: string]>,
  payload: (text: string) => [string, Payload],
) {
  const slow: string[] = [];
  for (const [beginning, piece] of pieces) {
    const flaw = await findSuperlinearGrowth((size) => call(...payload(beginning + repeatToSize(piece, size))));
    if (flaw !== undefined) slow.push(`${JSON.stringify(beginning)}, ${JSON.stringify(piece)}: ${flaw}`);
  }
  return slow;
}

const inLine = (command: string): [string, Payload] => [
  "claude",
  getPayload("claude", "PreToolUse-Bash", { tool_input: { command } }),
];
const inFile = (content: string): [string, Payload] => [
  "claude",
  getPayload("claude", "PreToolUse-Write", { tool_input: { file_path: "/a/b.ts", content } }),
];
const inPatch = (text: string): [string, Payload] => [
  "codex",
  getPayload("codex", "PreToolUse-apply_patch", {
    tool_input: { command: `*** Begin Patch\n*** Update File: a\n@@\n${text}\n*** End Patch` },
  }),
];
const inPrompt = (prompt: string): [string, Payload] => [
  "claude",
  getPayload("claude", "UserPromptSubmit", { prompt }),
];

const PAIRS_PER_PIECE = scaleCases(8);
/** Combines each prefix with some of the repeated strings, and vice versa. */
const pairs = function* (): Generator<readonly [string, string]> {
  for (const [at, piece] of REPEATED_PIECES.entries())
    for (let count = 0; count < PAIRS_PER_PIECE; count++)
      yield [LINE_BEGINNINGS[(at + 5 * count) % LINE_BEGINNINGS.length] as string, piece];
};
const alone = (pieces: readonly string[]) => pieces.map((piece) => ["", piece] as const);

/** Prefixes that look like secrets, so that the whole string is searched. */
const SECRETS = ["AKIA0123456789ABCDEF ", "-----BEGIN RSA PRIVATE KEY-----\n"];
const withSecrets = REPEATED_PIECES.map((piece, at) => [SECRETS[at % SECRETS.length] as string, piece] as const);

describe("time grows linearly up to 60,000 characters in", () => {
  test("a command that repeats one string", async () =>
    expect(await flawsOf(alone(REPEATED_PIECES), inLine)).toEqual([]));
  test("a command whose prefix makes hooks inspect it thoroughly", async () =>
    expect(await flawsOf(pairs(), inLine)).toEqual([]));
  test("commands that once took quadratic time", async () => expect(await flawsOf(COSTLY_LINES, inLine)).toEqual([]));
  test("a command line that repeats one command", async () =>
    expect(await flawsOf(alone(COSTLY_COMMANDS), inLine)).toEqual([]));
  test("a command line with the maximum number of different words", async () => {
    for (const [beginning, piece] of COUNTED_PIECES) {
      const line = (size: number) => beginning + repeatNumberedToSize(piece, size / 3);
      expect([beginning, piece(1), await findSuperlinearGrowth((size) => call(...inLine(line(size))))]).toEqual([
        beginning,
        piece(1),
        undefined,
      ]);
    }
  });
  test("a patch that repeats one string", async () =>
    expect(await flawsOf(alone(REPEATED_PIECES), inPatch)).toEqual([]));
  test("file content that starts like a secret", async () => expect(await flawsOf(withSecrets, inFile)).toEqual([]));
  test("a prompt that repeats one string", async () =>
    expect(await flawsOf(alone(REPEATED_PIECES), inPrompt)).toEqual([]));
});
