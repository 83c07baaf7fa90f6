import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Payload } from "../../src/protocol/host/host.ts";
import { getPayload, ROOT } from "../support/fixtures.ts";

const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-run-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
/** Runs a program that uses the library, passing a payload on stdin. */
function program(text: string, payload: Payload, args: string[] = []) {
  const file = join(folder, `program-${++count}.ts`);
  writeFileSync(file, text.replaceAll("bridge-hooks", join(ROOT, "src/index.ts")));
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, file, ...args], {
    stdin: Buffer.from(JSON.stringify(payload)),
    cwd: folder,
  });
  return { code: exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}

describe("run() in another program", () => {
  const map = `import { run, deny, context } from "bridge-hooks";
await run({ PreToolUse: (event) => (event.tool === "Bash" ? deny("no " + event.input.command) : undefined), SessionStart: () => context("hello") }`;

  test("accepts a map of handlers, and the host from --host", () => {
    const { code, stderr } = program(`${map});`, getPayload("codex", "PreToolUse-Bash"), ["--host", "codex"]);
    expect([code, stderr]).toEqual([2, "no echo original > marker.txt\n"]);
  });
  test("detects the host from stdin", () => {
    expect(program(`${map});`, getPayload("claude", "SessionStart-startup"))).toEqual({
      code: 0,
      stdout: '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"hello"}}\n',
      stderr: "",
    });
  });
  test("prefers options from code to the command line", () => {
    const { stdout } = program(
      `${map}, { host: "cursor", cursorDeny: "json" });`,
      getPayload("cursor", "beforeShellExecution"),
      ["--host", "claude", "--cursor-deny", "exit"],
    );
    expect(JSON.parse(stdout)).toMatchObject({ permission: "deny", agent_message: "no echo HI" });
  });
  test("accepts stdin, argv and the failure policy from code", () => {
    const payload = JSON.stringify(getPayload("claude", "PreToolUse-Bash"));
    const text = `import { run } from "bridge-hooks";
await run({ PreToolUse: () => { throw new Error("broken"); } }, { stdin: ${JSON.stringify(payload)}, argv: ["--host", "claude"], onError: "deny" });`;
    expect(program(text, {})).toMatchObject({ code: 2, stdout: expect.stringContaining("broken") });
  });
  test("runs a list of hooks in their order", () => {
    const text = `import { run, defineHook, context } from "bridge-hooks";
const hook = (name, order) => defineHook({ name, order, event: "UserPromptSubmit", handler: () => context(name) });
await run([hook("c", 2), hook("a"), hook("b", 1), hook("first", -1)]);`;
    const { stdout } = program(text, getPayload("claude", "UserPromptSubmit"));
    expect(JSON.parse(stdout).hookSpecificOutput.additionalContext).toBe("first\n\na\n\nb\n\nc");
  });
});
