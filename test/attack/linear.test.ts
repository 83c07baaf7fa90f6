import { describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { evaluateTest } from "../../hooks/_protect-find-predicates.ts";
import type { AnyEvent } from "../../src/protocol/event.ts";
import { createHookEntry } from "../../src/protocol/hook.ts";
import { foldConstants } from "../../src/shell/code/constants.ts";
import { findPatchedFiles } from "../../src/shell/files/patch.ts";
import { readLine, shellLine } from "../../src/shell/index.ts";
import { callNames } from "../../src/protocol/tool.ts";
import { parsePatch } from "../../src/protocol/patch.ts";
import { paths } from "../../src/author/kit/paths.ts";
import { runHooks } from "../../src/call/ask/dispatch.ts";
import { runLimited } from "../../src/system/limit.ts";
import { answerCall } from "../support/answer-call.ts";
import { describeError } from "../../src/system/errors.ts";
import { decodeFixture, getPayload } from "../support/fixtures.ts";
import type { CommandResult } from "../../src/protocol/host/install.ts";
import { measureCpuTime, scaleMs } from "../support/machine.ts";
import { expectLinear, repeatToSize, type MeasuredWork } from "./growth.ts";

const inPatch = (text: string) => `*** Begin Patch\n${text}\n*** End Patch\n`;

/** Operations that once took quadratic time or worse. */
const CASES: readonly (readonly [name: string, work: MeasuredWork])[] = [
  [
    "a patch with a run of spaces inside a line",
    (size) => parsePatch(inPatch(`*** Add File: a\n x${repeatToSize(" ", size)}x`)),
  ],
  [
    "a patch with a run of spaces in a file name",
    (size) => parsePatch(inPatch(`*** Add File: ${repeatToSize(" ", size)}x\u0085${repeatToSize(" ", size)}x`)),
  ],
  [
    "a patch in a shell command, with a run of carriage returns",
    (size) => findPatchedFiles(inPatch(`${repeatToSize("\r", size)}x`)),
  ],
  ["an error message with a run of spaces", (size) => describeError(new Error(`a${repeatToSize(" ", 4 * size)}b`))],
  [
    "a tool name with many hyphens",
    (size) =>
      callNames({ tool: "MCP", tool_name: "x", input: { tool: repeatToSize("a-", 4 * size), arguments: {} } }).join(),
  ],
];

describe("time grows linearly with the input", () => {
  for (const [name, work] of CASES) test(name, () => expectLinear(work));
});

/** Code of maximum length with constants to resolve. Most samples contain unclosed brackets. */
const COSTLY_CODE: Readonly<Record<string, string>> = {
  brackets: "[".repeat(19_990),
  calls: "f(".repeat(9_900),
  "calls of a known function": "join('a',".repeat(2_200),
  "arrays that are joined": "['a'+".repeat(3_900),
  "members that refer to themselves": "*[".repeat(9_900),
  "a sum": `a = 'x';${"a+".repeat(9_900)}`,
  indexes: `a = ['x'];${"a[0]".repeat(4_900)}`,
  loops: Array.from({ length: 300 }, (_, at) => `for a${at} in ['x', 'y']: run(a${at})\n`).join(""),
  "interpolated strings": "f'{a}'+".repeat(2_800),
};

describe("constants in code are resolved in time", () => {
  for (const [name, code] of Object.entries(COSTLY_CODE))
    test(name, async () => expect(await measureCpuTime(() => foldConstants(code))).toBeLessThan(400));
});

test("spaces around a patch line and a file name are trimmed", () => {
  const text = inPatch(" \u0085\t*** Add File: \u0085 a b \r\n+x\n*** Update File: c\n*** Move to:  d\u0085");
  const expected = [
    { file_path: "a b", operation: "add" },
    { file_path: "c", operation: "move", moved_to: "d" },
  ];
  expect(parsePatch(text).map(({ edits: _, ...file }) => file)).toEqual(expected as never);
  expect(findPatchedFiles(text)).toEqual(expected as never);
});

test("a multi-line error is reported on one line", () =>
  expect(describeError(new Error("a \r\n\n  b\tc\n"))).toBe("a b\tc"));

test("a find pattern with many stars takes linear time", async () => {
  const visited = { printedPath: "", name: "a".repeat(40), stat: statSync(".") };
  const ms = await measureCpuTime(() =>
    expect([
      evaluateTest({ word: "-name", values: [`${"*a".repeat(10)}b`], kind: "name", at: 0 }, visited),
      evaluateTest({ word: "-iname", values: ["*A*[x-z]?\\*"], kind: "name", at: 0 }, { ...visited, name: "aay!*" }),
    ]).toEqual([false, true]),
  );
  expect(ms).toBeLessThan(500);
});

describe("input that took too long to parse is rejected immediately for the next hook:", () => {
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
    expect(() => shellLine(event)).toThrow("the command line takes too long to parse");
  });
  test("the files of a call", async () => {
    const event = eventWith("PreToolUse-Write", "file_path");
    expect(await runLimited(() => paths(event) && undefined, 50).catch(String)).toContain("it took longer than 50 ms");
    expect(() => paths(event)).toThrow("checking the files in this call took too long");
  });
});

test("a line whose groups nest deeper than the engine's stack is a shell error, not a crash", () =>
  expect(() => readLine("f(){".repeat(15_000))).toThrow(expect.objectContaining({ name: "ShellError" }) as never));

describe("a payload with lists of millions of items", () => {
  const seen: AnyEvent[] = [];
  const look = createHookEntry({ event: "PreToolUse", handler: (event: never) => void seen.push(event) }, "look");
  test("is answered in linear time", async () => {
    const list = Array.from({ length: 3_000_000 }, () => 0);
    const payload = getPayload("claude", "PreToolUse-Bash", { list });
    // The deadline is so long that it doesn't end the call.
    const argv = ["--host", "claude", "--timeout-ms", String(scaleMs(10_000))];
    let result: CommandResult | undefined;
    const ms = await measureCpuTime(async () => {
      result = await answerCall([look], {}, argv, { env: {}, read: () => payload });
    });
    expect(result).toMatchObject({ exit_code: 0, stderr: "" });
    expect(ms).toBeLessThan(2_000);
  });
  test("reaches hooks as a frozen input", () =>
    expect(Object.isFrozen((seen[0] as { input?: object } | undefined)?.input)).toBe(true));
});

describe("a working directory longer than any system allows", () => {
  const look = createHookEntry({ event: "PreToolUse", handler: () => undefined }, "look");
  const long = repeatToSize("/../", 70_000);
  test("is an error for the session's directory", async () => {
    const event = { ...decodeFixture("claude", "PreToolUse-Bash"), cwd: long } as AnyEvent;
    const ms = await measureCpuTime(() =>
      expect(runHooks([look], event, performance.now() + scaleMs(5_000))).rejects.toThrow(
        "the path of the working directory is too long (70000 characters; at most 4096)",
      ),
    );
    expect(ms).toBeLessThan(200);
  });
  test("is denied for the command's directory if failures deny", async () => {
    const payload = getPayload("cursor", "beforeShellExecution", { cwd: long });
    const guard = { ...look, onError: "deny" as const };
    const { stdout } = await answerCall([guard], {}, ["--host", "cursor"], { env: {}, read: () => payload });
    expect(stdout).toContain("the working directory is too long");
  });
});
