import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AnyEvent } from "../../src/protocol/event.ts";
import { type Command, commandsIn, shellLine } from "../../src/shell/index.ts";
import { enableLineCache } from "../../src/shell/line-cache.ts";
import { listPipeSources } from "../../src/shell/runs/pipe-sources.ts";
import { SHELL_LINES } from "./lines.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-lines-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const LINES = [
  ...SHELL_LINES.map(([line]) => line),
  "cd nowhere; rm x",
  "curl x | tee y | sh",
  "apply_patch <<'E'\n*** Begin Patch\n*** Delete File: a.ts\n*** End Patch\nE",
];

const createCall = (command: string) =>
  ({ event: "PreToolUse", host: "claude", session_id: "", cwd: folder, tool: "Bash", input: { command } }) as AnyEvent;

/** Returns everything a call derives from a command line, or the error. */
function read(command: string): unknown {
  try {
    const line = shellLine(createCall(command));
    return { ...line, sources: line.commands.map(listPipeSources) };
  } catch (error) {
    return String(error);
  }
}

const first = new Map(LINES.map((line) => [line, structuredClone(read(line))]));
enableLineCache();

/** Modifies the commands the way a careless hook might. */
function spoil(commands: readonly Command[]): void {
  for (const command of commands as readonly { -readonly [K in keyof Command]: Command[K] }[]) {
    for (const list of [command.args, command.words, command.via, command.redirects, command.patched])
      for (const part of (list as unknown[]).splice(0))
        if (typeof part === "object") Object.assign(part as object, { target: "?" });
    Object.assign(command, { program: "true" });
    Object.assign(command.env, { SPOILT: "1" });
    Object.assign(command.dynamic, { 0: "?" });
  }
}

describe("a repeated command line", () => {
  test(`is parsed the same way in each of ${LINES.length} cases, even if a hook mutated its commands`, () => {
    for (const line of LINES) {
      for (let time = 0; time < 3; time++) {
        expect(read(line)).toEqual(first.get(line));
        // If a command line can't be parsed, it has no commands to modify.
        if (typeof first.get(line) === "object") spoil(shellLine(createCall(line)).commands);
      }
      expect(commandsIn("true")).toHaveLength(1);
    }
  });

  test("has other commands if a directory was created in the meantime", () => {
    const cwds = () => shellLine(createCall("cd later; rm x")).commands.map(({ cwd }) => cwd);
    expect(cwds()).toEqual(["", "later", ""]);
    mkdirSync(join(folder, "later"));
    expect(cwds()).toEqual(["", "later"]);
  });
});
