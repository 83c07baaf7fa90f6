import { describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { evaluateTest } from "../../hooks/_protect-find-predicates.ts";
import type { AnyEvent } from "../../src/protocol/event.ts";
import { createHookEntry } from "../../src/protocol/hook.ts";
import { findPatchedFiles } from "../../src/shell/patch.ts";
import { readLine, shellLine } from "../../src/shell/index.ts";
import { callNames } from "../../src/protocol/tool.ts";
import { parsePatch } from "../../src/protocol/patch.ts";
import { mayAffectHooks } from "../../src/author/kit/guarded-lines.ts";
import { paths } from "../../src/author/kit/paths.ts";
import { runHooks } from "../../src/run/dispatch.ts";
import { runLimited } from "../../src/run/limit.ts";
import { answerCall } from "../../src/run/run.ts";
import { describeError } from "../../src/run/errors.ts";
import { decodeFixture, getPayload } from "../support/fixtures.ts";
import { expectLinear, repeatToSize, type MeasuredWork } from "./growth.ts";

const place = { home: "/home/dev", platform: "linux", env: {} } as const;
const inPatch = (text: string) => `*** Begin Patch\n${text}\n*** End Patch\n`;

/** What grew with the square of its input, or faster. */
const CASES: readonly (readonly [name: string, work: MeasuredWork])[] = [
  [
    "a patch with a run of blanks inside a line",
    (size) => parsePatch(inPatch(`*** Add File: a\n x${repeatToSize(" ", size)}x`)),
  ],
  [
    "a patch with a run of blanks in a file's name",
    (size) => parsePatch(inPatch(`*** Add File: ${repeatToSize(" ", size)}x\u0085${repeatToSize(" ", size)}x`)),
  ],
  [
    "a patch in a shell line, with a run of carriage returns",
    (size) => findPatchedFiles(inPatch(`${repeatToSize("\r", size)}x`)),
  ],
  ["an error's text with a run of blanks", (size) => describeError(new Error(`a${repeatToSize(" ", 4 * size)}b`))],
  [
    "a tool's name of hyphens",
    (size) =>
      callNames({ tool: "MCP", tool_name: "x", input: { tool: repeatToSize("a-", 4 * size), arguments: {} } }).join(),
  ],
  [
    "a line of redirections, at a glance",
    (size) => mayAffectHooks(`ls ${repeatToSize(">", size)}`, place, () => false),
  ],
];

describe("time grows with the input, not with its square", () => {
  for (const [name, work] of CASES) test(name, () => expectLinear(work));
});

test("blanks around a line and a file's name are taken off as before", () => {
  const text = inPatch(" \u0085\t*** Add File: \u0085 a b \r\n+x\n*** Update File: c\n*** Move to:  d\u0085");
  const expected = [
    { file_path: "a b", operation: "add" },
    { file_path: "c", operation: "move", moved_to: "d" },
  ];
  expect(parsePatch(text).map(({ edits: _, ...file }) => file)).toEqual(expected as never);
  expect(findPatchedFiles(text)).toEqual(expected as never);
});

test("a long error is one line", () => expect(describeError(new Error("a \r\n\n  b\tc\n"))).toBe("a b\tc"));

test("a pattern of find with many stars is tried once for each letter", () => {
  const started = performance.now();
  const visited = { shown: "", name: "a".repeat(40), stat: statSync(".") };
  expect([
    evaluateTest({ word: "-name", values: [`${"*a".repeat(10)}b`], kind: "name", at: 0 }, visited),
    evaluateTest({ word: "-iname", values: ["*A*[x-z]?\\*"], kind: "name", at: 0 }, { ...visited, name: "aay!*" }),
  ]).toEqual([false, true]);
  expect(performance.now() - started).toBeLessThan(500);
});

describe("what took too long to be read is not read again by the next hook", () => {
  const endless = () => {
    for (;;);
  };
  const eventWith = (file: string, field: string) => {
    const event = decodeFixture("claude", file) as AnyEvent & { input: object };
    return { ...event, input: Object.defineProperty({ ...event.input }, field, { get: endless }) } as AnyEvent;
  };
  test("a shell line", async () => {
    const event = eventWith("PreToolUse-Bash", "command");
    expect(await runLimited(() => shellLine(event) && undefined, 50).catch(String)).toContain(
      "it took longer than 50 ms",
    );
    expect(() => shellLine(event)).toThrow("the shell line takes too long to be read");
  });
  test("the files of a call", async () => {
    const event = eventWith("PreToolUse-Write", "file_path");
    expect(await runLimited(() => paths(event) && undefined, 50).catch(String)).toContain("it took longer than 50 ms");
    expect(() => paths(event)).toThrow("the files of this call take too long to look at");
  });
});

test("groups in one another, deeper than the engine goes, are an error of the line", () =>
  expect(() => readLine("f(){".repeat(15_000))).toThrow(expect.objectContaining({ name: "ShellError" }) as never));

describe("a payload with lists of millions", () => {
  const seen: AnyEvent[] = [];
  const look = createHookEntry({ event: "PreToolUse", handler: (event: never) => void seen.push(event) }, "look");
  test("is looked at, and answered in time", async () => {
    const list = Array.from({ length: 3_000_000 }, () => 0);
    const payload = getPayload("claude", "PreToolUse-Bash", { list });
    const started = performance.now();
    const { exit_code, stderr } = await answerCall([look], {}, ["--host", "claude"], { env: {}, read: () => payload });
    expect({ exit_code, stderr, ms: performance.now() - started < 1_000 }).toEqual({
      exit_code: 0,
      stderr: "",
      ms: true,
    });
  });
  test("its input is constant all the same", () =>
    expect(Object.isFrozen((seen[0] as { input?: object } | undefined)?.input)).toBe(true));
});

describe("a working directory that no system has", () => {
  const look = createHookEntry({ event: "PreToolUse", handler: () => undefined }, "look");
  const long = repeatToSize("/../", 70_000);
  test("the session's is refused", async () => {
    const event = { ...decodeFixture("claude", "PreToolUse-Bash"), cwd: long } as AnyEvent;
    const started = performance.now();
    await expect(runHooks([look], event, started + 5_000)).rejects.toThrow(
      "the working directory is too long (70000 characters; at most 4096)",
    );
    expect(performance.now() - started).toBeLessThan(200);
  });
  test("a command's own is refused, which a guard's policy makes a denial", async () => {
    const payload = getPayload("cursor", "beforeShellExecution", { cwd: long });
    const guard = { ...look, onError: "deny" as const };
    const { stdout } = await answerCall([guard], {}, ["--host", "cursor"], { env: {}, read: () => payload });
    expect(stdout).toContain("the working directory is too long");
  });
});
