import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import blockDestructive from "../../hooks/block-destructive.ts";
import protectHooks from "../../hooks/protect-hooks.ts";
import protectSecrets from "../../hooks/protect-secrets.ts";
import type { AnyEvent } from "../../src/protocol/event.ts";
import { createHookEntry, type Hook } from "../../src/protocol/hook.ts";
import type { Payload } from "../../src/protocol/host/host.ts";
import { extractShellText } from "../../src/protocol/shell-text.ts";
import { commands, paths, shellCall } from "../../src/index.ts";
import { answerCall } from "../support/answer-call.ts";
import { getPayload } from "../support/fixtures.ts";
import { measureCpuTime, scaleMs } from "../support/machine.ts";
import { ORDINARY_CALLS } from "../support/ordinary-calls.ts";

const cwd = mkdtempSync(join(tmpdir(), "shells-"));
beforeAll(() => {
  // Files that wildcards and words might match.
  for (const file of [".env", "server.key", "config.pem"]) writeFileSync(join(cwd, file), "x");
  mkdirSync(join(cwd, ".claude"));
  writeFileSync(join(cwd, ".claude/settings.json"), "{}");
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** Returns Claude Code's answer to a call to an MCP server's tool. */
async function answerTo(hooks: readonly Hook[], tool_name: string, tool_input: Payload): Promise<Payload | undefined> {
  const payload = getPayload("claude", "PreToolUse-Bash", { tool_name, tool_input, cwd });
  const entries = hooks.map((hook, at) => createHookEntry(hook, `hook-${at}`));
  const args = ["--host", "claude", "--on-error", "deny", "--timeout-ms", String(scaleMs(4_000))];
  const { stdout } = await answerCall(entries, {}, args, {
    env: {},
    read: () => payload,
  });
  return stdout === "" ? undefined : (JSON.parse(stdout).hookSpecificOutput as Payload);
}

test("no ordinary call of an MCP tool is denied by the starter hooks", async () => {
  const stopped: unknown[] = [];
  for (const [tool, input] of ORDINARY_CALLS) {
    const answer = await answerTo([blockDestructive, protectHooks, protectSecrets], tool, input);
    if (answer !== undefined) stopped.push([tool, input, answer.permissionDecisionReason]);
  }
  expect(stopped).toEqual([]);
  expect(ORDINARY_CALLS.length).toBeGreaterThan(300);
});

describe("an MCP call with a shell command", () => {
  const RUN = { command: "cd x && git push -f", cwd: "/w", note: 1 };
  const NONE = { query: "git push -f" };
  const seenBy = async (asking: object, input: Payload, event = "PreToolUse") => {
    const calls: unknown[] = [];
    const handler = (seen: { tool: string; input: unknown; guessed?: true }) =>
      void calls.push([seen.tool, seen.input, seen.guessed]);
    const spy = { event, ...asking, handler } as unknown as Hook;
    const file = event === "PreToolUse" ? "PreToolUse-Bash" : "PostToolUse-Bash";
    const payload = getPayload("claude", file, { tool_name: "mcp__ci__run", tool_input: input, cwd });
    await answerCall([createHookEntry(spy, "spy")], {}, ["--host", "claude"], { env: {}, read: () => payload });
    return calls;
  };
  const asShell = [["Bash", RUN, true]];
  const asIs = (input: Payload) => [["MCP", { server: "ci", tool: "run", arguments: input }, undefined]];
  for (const asking of [
    { tool: "Bash" },
    { tool: ["Bash", "Write"] },
    { matcher: "Bash" },
    { matcher: "Bash(git push*)" },
  ])
    test(`is shown as a shell call to a hook with ${JSON.stringify(asking)}`, async () => {
      expect(await seenBy(asking, RUN)).toEqual(asShell);
      expect(await seenBy(asking, NONE)).toEqual([]);
      expect(await seenBy(asking, RUN, "PostToolUse")).toEqual([]);
    });
  test("is not approved by a hook for the shell, because it only resembles a shell call", async () => {
    const answer = async (asking: object) => {
      const hook = createHookEntry(
        { event: "PreToolUse", ...asking, handler: () => ({ decision: "allow", reason: "R" }) } as unknown as Hook,
        "spy",
      );
      const payload = getPayload("claude", "PreToolUse-Bash", { tool_name: "mcp__ci__run", tool_input: RUN, cwd });
      return answerCall([hook], {}, ["--host", "claude"], { env: {}, read: () => payload });
    };
    const dropped =
      'decision "allow" from the hook "spy" was dropped: this MCP call merely has arguments that look like a shell call';
    for (const asking of [{ tool: "Bash" }, { matcher: "Bash(git push*)" }])
      expect(await answer(asking)).toMatchObject({
        stdout: "",
        stderr: `bridge-hooks: claude PreToolUse: ${dropped}; to approve MCP calls, match the tool by name`,
        exit_code: 0,
      });
    expect((await answer({ matcher: "mcp__ci__run" })).stdout).toContain('"permissionDecision":"allow"');
  });
  test("is shown as a shell call to a hook for Bash that matches one server", async () =>
    expect(await seenBy({ tool: "Bash", matcher: "mcp__ci__.*" }, RUN)).toEqual(asShell));
  for (const asking of [
    {},
    { tool: "MCP" },
    { tool: ["Bash", "MCP"] },
    { matcher: "mcp__ci__run" },
    { matcher: "Bash|mcp__ci__.*" },
  ])
    test(`is shown as an MCP call to a hook with ${JSON.stringify(asking)}`, async () => {
      expect(await seenBy(asking, RUN)).toEqual(asIs(RUN));
      expect(await seenBy(asking, NONE)).toEqual(asIs(NONE));
    });
  for (const asking of [
    { tool: "Other" },
    { matcher: "Other" },
    { tool: "Write" },
    { tool: "Bash", matcher: "Bash(npm *)" },
  ])
    test(`is not shown to a hook with ${JSON.stringify(asking)}`, async () =>
      expect(await seenBy(asking, RUN)).toEqual([]));
});

describe("a shell hook's rewrite of an MCP call", () => {
  const rewriting = (patch: Payload) =>
    ({ event: "PreToolUse", tool: "Bash", handler: () => ({ modified_input: patch }) }) as Hook;
  test("changes the argument that contains the command", async () => {
    expect(await answerTo([rewriting({ command: "true" })], "mcp__ci__run", { cmd: "ls", n: 1 })).toMatchObject({
      updatedInput: { cmd: "true", n: 1 },
    });
  });
  test("is seen by later hooks", async () => {
    const lines: string[] = [];
    const spy = {
      event: "PreToolUse",
      tool: "Bash",
      handler: (event: AnyEvent) => void lines.push(shellCall(event)?.input.command ?? ""),
    };
    await answerTo([rewriting({ command: "true" }), spy as unknown as Hook], "mcp__ci__run", { cmd: "ls" });
    expect(lines).toEqual(["true"]);
  });
  for (const input of [{ command: "ls", args: ["-l"] }, { commands: ["ls", "pwd"] }, { params: { command: "ls" } }])
    test(`is a denial if the command comes from more than one text: ${JSON.stringify(input)}`, async () =>
      expect(await answerTo([rewriting({ command: "true" })], "mcp__ci__run", input)).toMatchObject({
        permissionDecision: "deny",
      }));
  test("is a denial if the call lacks the field", async () =>
    expect(await answerTo([rewriting({ timeout_ms: 5 })], "mcp__ci__run", { command: "ls" })).toMatchObject({
      permissionDecision: "deny",
    }));
});

describe("for an MCP call with a shell command,", () => {
  const event = (given: Payload, tool = "run") =>
    ({
      event: "PreToolUse",
      native_event: "PreToolUse",
      host: "claude",
      session_id: "s",
      cwd,
      _native: {},
      tool: "MCP",
      tool_name: `mcp__ci__${tool}`,
      input: { server: "ci", tool, arguments: given },
    }) as AnyEvent;
  const programs = (given: Payload, tool?: string) => commands(event(given, tool)).map(({ words }) => words.join(" "));
  test("commands() returns its commands", () => {
    expect(programs({ command: "cd x && sudo rm a" })).toEqual(["cd x", "sudo rm a"]);
    expect(programs({ command: ["sh", "-c", "rm a"] })).toEqual(["sh -c rm a", "rm a"]);
    expect(programs({ command: ["bash"], stdin: "rm a" })).toEqual(["bash", "rm a"]);
    expect(programs({ query: "rm a" })).toEqual([]);
  });
  test("paths() finds files in the command and in the other arguments", () => {
    const found = paths(event({ command: "cat a", cwd: "/w", output_file: "/v/b" }));
    expect(found.map(({ named }) => named)).toEqual(expect.arrayContaining(["/w/a", "/v/b"]));
  });
  test("paths() finds a file in each directory that the arguments name", () => {
    const found = paths(event({ command: "cat a", options: { cwd: "/v" }, directory: "/w" }));
    expect(found.map(({ named }) => named)).toEqual(expect.arrayContaining(["/v/a", "/w/a"]));
  });
  test("shellCall() takes less than a second for huge arguments", async () => {
    const deep = Array.from({ length: 5_000 }).reduce<Payload>((inner) => ({ a: inner, command: "ls" }), {});
    const wide = {
      rows: Array.from({ length: 200_000 }, () => ({ command: "ls" })),
      commands: Array.from({ length: 200_000 }, () => "ls"),
    };
    for (const given of [deep, wide]) {
      const work = () => expect(shellCall(event(given))?.input.command).toStartWith("ls");
      expect(await measureCpuTime(work)).toBeLessThan(1_000);
    }
  });
});

describe("extractShellText", () => {
  const SHELL = [
    "import os\nrm -rf /",
    "const a = b; cat .env",
    "f() { rm -rf /; }; f",
    "function f { shutdown now; }; f",
    "# cleanup\nrm -rf /",
    "from a import b && env",
    "export A=1",
    "select x in a b; do rm -rf $x; done",
    "rm = / -rf",
    "(cd x && rm -rf y)",
    "{ rm -rf x; }",
    "[ -f x ] && rm x",
    '[ "$CI" = true ] && git push origin main',
    "[[ -n $CI ]] && npm publish",
    '{ "$BIN" build; npm publish; }',
    "deploy()\n{\n  npm publish\n}\ndeploy",
    "if true; then # as always:\n  npm publish\nfi",
    "<.env cat",
    "return 0; env",
    "RM -rf /",
    "X=1 env",
    "#!/bin/zsh\nenv",
  ];
  const OTHER = [
    "#!/usr/bin/env python3\nprint(1)",
    "'use strict';\nmodule.exports = (a) => a.key;",
    '"""Prints.\n\nUse it.\n"""\nimport os\nprint(os.name)',
    "HGETALL user:1",
    '{"a": 1}',
    '["a", "b"]',
    '[ "a", [ "b" ] ]',
    "[[1, 2], [3]]",
    "{ 'a': 1 }\n[] ".replaceAll("'", '"'),
    "<div>x</div>",
    "/* style */\nconst a = 1;",
    "x => x.key",
    "async function f(a) {\n  return a.key;\n}",
    "await page.click('#a')",
    "-- all\nselect * from users",
    'tell application "Finder"\n  activate\nend tell',
  ];
  test("returns the rows of code that only a shell can run", () => {
    expect(extractShellText("import os\nrm -rf /\nprint(1)\ncat .env")).toBe("rm -rf /\ncat .env");
    expect(extractShellText("#!/usr/bin/env python3\nrm -rf /")).toBe("rm -rf /");
    expect(extractShellText('"""rm""" -rf /')).toBe('"""rm""" -rf /');
  });
  for (const text of SHELL) test(`treats as shell code: ${text}`, () => expect(extractShellText(text)).not.toBe(""));
  for (const text of OTHER)
    test(`does not treat as shell code: ${text}`, () => expect(extractShellText(text)).toBe(""));
});
