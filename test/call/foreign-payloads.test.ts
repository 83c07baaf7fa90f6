import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import blockDestructive from "../../hooks/block-destructive.ts";
import protectHooks from "../../hooks/protect-hooks.ts";
import protectSecrets from "../../hooks/protect-secrets.ts";
import { passCall } from "../../src/call/answer.ts";
import { ask, deny, modify } from "../../src/index.ts";
import { createHookEntry, type HookDescriptor } from "../../src/protocol/hook.ts";
import type { HostAnswer, Payload } from "../../src/protocol/host/host.ts";
import { hosts } from "../../src/hosts/index.ts";
import { answerCall } from "../support/answer-call.ts";
import { fixtures, getPayload } from "../support/fixtures.ts";
import { CHANGES, type Envelope, ENVELOPES, type Input, LINES, READS } from "./strangers.ts";

const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-strangers-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;
const createEnv = () => ({ XDG_STATE_HOME: join(folder, String(++count)) });

const starters: readonly HookDescriptor[] = [
  createHookEntry(protectHooks as never, "protect-hooks"),
  createHookEntry(protectSecrets as never, "protect-secrets"),
  createHookEntry(blockDestructive as never, "block-destructive"),
];
const hook = (handler: (event: any) => unknown, event: readonly string[] = ["PreToolUse"]): HookDescriptor =>
  createHookEntry({ event, handler } as never, "guard");

const ARGV = ["--host", "claude", "--on-error", "deny"];
const send = (
  payload: unknown,
  entries = starters,
  argv: readonly string[] = [...ARGV, "--event", "PreToolUse"],
  env = createEnv(),
) => answerCall(entries, {}, argv, { env, read: () => JSON.stringify(payload) });
const isFailure = ({ stdout }: HostAnswer) => stdout.includes("No hook made a decision");
const isDenied = (answer: HostAnswer) => answer.exit_code === 2 && answer.stderr !== "" && !isFailure(answer);

const SECRET = `token = "ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}"`;
/** Calls of tools with each known name, with harmful and with harmless inputs. */
const CALLS: readonly (readonly [tool: string, harmful: readonly Input[], harmless: readonly Input[]])[] = [
  ...LINES.map(
    ([tool, build]) =>
      [tool, ["git push --force", "rm -rf /", "cat .env"].map(build), ["ls -la", "git status"].map(build)] as const,
  ),
  ...READS.map(
    ([tool, build]) =>
      [tool, [".env", "/home/dev/.ssh/id_rsa"].map(build), ["src/a.ts", "README.md"].map(build)] as const,
  ),
  ...CHANGES.map(
    ([tool, build]) =>
      [
        tool,
        [build("/home/dev/app/.claude/settings.json", "{}"), build("src/a.ts", SECRET)],
        [build("src/a.ts", "const a = 1;")],
      ] as const,
  ),
];

describe("a call of a program that reads Claude Code's settings", () => {
  /** Expects every harmful call to be denied and every harmless one to be allowed. */
  async function expectJudged(calls: typeof CALLS, envelope: Envelope, argv: readonly string[]) {
    for (const [tool, harmful, harmless] of calls) {
      for (const input of harmful) {
        const answer = await send(envelope(tool, input), starters, argv);
        const { stderr, stdout } = answer;
        expect([tool, input, stderr, isDenied(answer)]).toEqual([tool, input, stderr, true]);
        const { hookSpecificOutput = {}, decision = hookSpecificOutput.permissionDecision } = JSON.parse(stdout);
        expect(decision).toBe("deny");
      }
      for (const input of harmless) {
        const { exit_code, stdout, stderr } = await send(envelope(tool, input), starters, argv);
        expect([tool, input, stderr, exit_code, stdout]).toEqual([tool, input, stderr, 0, ""]);
      }
    }
  }
  for (const [way, envelope] of Object.entries(ENVELOPES)) {
    test(`sent ${way} is judged by its fields`, () =>
      expectJudged(CALLS, envelope, [...ARGV, "--event", "PreToolUse"]));
    test(`sent ${way} is judged by its fields if the entry names no event`, () =>
      expectJudged(
        CALLS.filter((_, at) => at % 6 === 0),
        envelope,
        ARGV,
      ));
  }
});

test("a prompt that is an array of blocks is judged by its text", async () => {
  const prompts = [hook(({ prompt }) => (prompt === "a\nb" ? deny("no") : undefined), ["UserPromptSubmit"])];
  const prompt = ["a", "b"].map((text) => ({ type: "text", text }));
  const payload = { hook_event_name: "UserPromptSubmit", session_id: "s", cwd: "/w", prompt };
  expect((await send(payload, prompts, ARGV)).exit_code).toBe(2);
});

test("a payload with the fields of a known host is answered as that host's, with exit code 2 as well", async () => {
  const call = { toolName: "Bash", toolInput: { cmd: "git push --force" } };
  const answer = await send({ hookEventName: "PreToolUse", sessionId: "s", ...call });
  expect([isDenied(answer), answer.stderr.includes("the answer is for grok")]).toEqual([true, true]);
});

describe("an ambiguous payload", () => {
  const ambiguous: readonly (readonly [what: string, payload: Payload])[] = [
    [
      "two calls",
      {
        tool_calls: [
          { name: "Bash", input: { command: "ls" } },
          { name: "Bash", input: { command: "pwd" } },
        ],
      },
    ],
    ["two paths", ENVELOPES["as documented"]?.("Read", { path: "a", filename: "b" }) ?? {}],
    ["two new strings", ENVELOPES["as documented"]?.("Edit", { file_path: "a", new_str: "b", newText: "c" }) ?? {}],
    ["a path that is not a string", ENVELOPES["as documented"]?.("Read", { path: ["a"] }) ?? {}],
    ["no path", ENVELOPES["as documented"]?.("Read", { where: "a" }) ?? {}],
    ["no tool", { hook_event_name: "PreToolUse", cwd: "/", input: { command: "ls" } }],
  ];
  for (const [what, payload] of ambiguous)
    test(`is a failure: ${what}`, async () => {
      const answer = await send(payload);
      expect([answer.exit_code, isFailure(answer)]).toEqual([2, true]);
    });
});

describe("a call with fields under other names", () => {
  const seen = async (tool: string, input: Input) => {
    const { observedCall: found } = await passCall(
      { entries: [hook(() => undefined)], explicit: {}, argv: [...ARGV, "--event", "PreToolUse"] },
      { env: createEnv(), read: () => JSON.stringify(ENVELOPES["as documented"]?.(tool, input)) },
    );
    return found?.event;
  };
  test("is treated as a guess, with all of its fields", async () => {
    expect(await seen("Read", { path: "a", pages: "1" })).toMatchObject({
      tool: "Read",
      guessed: true,
      input: { file_path: "a", pages: "1" },
    });
    expect(await seen("Edit", { path: "a", old_str: "1", new_str: "2" })).toMatchObject({
      tool: "Edit",
      guessed: true,
      input: { files: [{ file_path: "a", operation: "update", edits: [{ old_string: "1", new_string: "2" }] }] },
    });
    expect(await seen("PowerShell", "dir")).toMatchObject({
      tool: "Bash",
      guessed: true,
      input: { command: "dir", shell: "powershell" },
    });
    expect(await seen("Read", { file_path: "a" })).not.toHaveProperty("guessed");
    expect(await seen("Edit", { file_path: "a", old_string: "1", new_string: "2" })).not.toHaveProperty("guessed");
  });
  test("is allowed if it removes a secret from a file", async () => {
    const answer = await send(ENVELOPES["as documented"]?.("Edit", { path: "a", old_str: SECRET, new_str: "x" }));
    expect(answer.exit_code).toBe(0);
  });

  const rewriting = (patch: Payload) => [hook(() => modify(patch))];
  /** Answers a payload that differs from Claude Code's format only in its input. */
  const rewrite = (tool_name: string, tool_input: Input, patch: Payload) =>
    send(getPayload("claude", "PreToolUse-Bash", { tool_name, tool_input }), rewriting(patch));
  test("is rewritten in its original field, or denied", async () => {
    const { stdout } = await rewrite("Bash", { cmd: "ls", note: "n" }, { command: "pwd" });
    expect(JSON.parse(stdout).hookSpecificOutput.updatedInput).toEqual({ cmd: "pwd", note: "n" });
    const refused: readonly (readonly [string, Input, Payload])[] = [
      ["Read", { path: "a" }, { file_path: "b" }],
      ["Write", { path: "a", content: "c" }, { content: "d" }],
      [
        "Edit",
        { path: "a", old_str: "1", new_str: "2" },
        { files: [{ file_path: "b", operation: "update", edits: [] }] },
      ],
      ["Bash", "ls", { command: "pwd" }],
      ["Bash", JSON.stringify({ command: "ls" }), { command: "pwd" }],
      ["Bash", { value: "ls" }, { command: "pwd" }],
      ["Bash", { command: "ls", cwd: "/srv" }, { command: "pwd" }],
      ["Grep", { pattern: "x", file_path: "a" }, { pattern: "y" }],
      ["mcp__box__run", JSON.stringify({ line: "ls" }), { arguments: { line: "pwd" } }],
    ];
    for (const [tool, input, patch] of refused) {
      const { exit_code, stdout: document } = await rewrite(tool, input, patch);
      expect([tool, exit_code, document.includes("updatedInput")]).toEqual([tool, 2, false]);
    }
  });
});

describe("a difference from Claude Code's payloads", () => {
  const quiet = [hook(() => undefined, ["PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop", "SessionStart"])];
  const first = (payload: Payload, argv = ARGV, env = createEnv()) => send(payload, quiet, argv, env);

  test("is reported once per session", async () => {
    const env = createEnv();
    const payload = { ...ENVELOPES["in camel case"]?.("shell", { command: "ls" }), cwd: "/w" };
    const { stderr } = await first(payload, ARGV, env);
    expect(stderr).toBe(
      'bridge-hooks: claude PreToolUse: stdin doesn\'t look like a payload from Claude Code: "threadId" instead of "session_id", no "transcript_path", "eventName" instead of "hook_event_name", "toolName" instead of "tool_name", "toolInput" instead of "tool_input", no "tool_use_id", and 1 more; the call was evaluated from its fields; if Claude Code sent it, update bridge-hooks; otherwise check that the sender honors denials (bridge-hooks docs strangers)',
    );
    const second = await first({ ...payload, toolName: "read_file", toolInput: { path: "a" } }, ARGV, env);
    const prompt = await first({ eventName: "UserPromptSubmit", threadId: "s", prompt: "p", cwd: "/w" }, ARGV, env);
    expect([second.stderr, prompt.stderr, second.exit_code, prompt.exit_code]).toEqual(["", "", 0, 0]);
    expect((await first({ ...payload, threadId: "another" }, ARGV, env)).stderr).toContain("doesn't look like");
  });
  const cases: readonly (readonly [what: string, change: Payload, warning: string])[] = [
    ["a tool with another name", { tool_name: "run_shell_command" }, 'a tool "run_shell_command"'],
    ["a field with another name", { tool_name: "Read", tool_input: { path: "a" } }, '"path" in the input for Read'],
    ["an input that is a string", { tool_input: "ls" }, "input for Bash that is not an object"],
    ["a field in another place", { tool_input: { command: "ls", cwd: "/" } }, '"cwd" in the input for Bash'],
  ];
  for (const [what, change, warning] of cases)
    test(`names ${what}`, async () => {
      const { stderr } = await first(getPayload("claude", "PreToolUse-Bash", change));
      expect(stderr).toContain(`doesn't look like a payload from Claude Code: ${warning};`);
    });
  const harmless: readonly (readonly [what: string, change: Payload])[] = [
    ["an additional field", { of_tomorrow: 1 }],
    ["a tool from a later release", { tool_name: "Monitor", tool_input: { command: "tail -f a" } }],
    ["an MCP tool", { tool_name: "mcp__box__run_it", tool_input: { command: "ls" } }],
    ["an additional field of a known tool", { tool_input: { command: "ls", of_tomorrow: true } }],
    ["a missing field, with a sign of Claude Code", { tool_use_id: undefined, transcript_path: undefined }],
  ];
  for (const [what, change] of harmless)
    test(`does not include ${what}`, async () =>
      expect((await first(getPayload("claude", "PreToolUse-Bash", change))).stderr).toBe(""));
  test("does not occur in any recorded payload", async () => {
    const recorded = fixtures.filter(({ host }) => host.id === "claude");
    const all = [
      hook(
        () => undefined,
        [
          ...new Set(
            recorded.map(
              ({ host, payload }) => host.capabilities[String(payload.hook_event_name)]?.().event ?? "Native",
            ),
          ),
        ],
      ),
    ];
    for (const { file, payload } of recorded)
      for (const argv of [ARGV, [...ARGV, "--event", String(payload.hook_event_name)]])
        expect([file, (await send(payload, all, argv)).stderr]).toEqual([file, ""]);
    expect(recorded.length).toBeGreaterThan(100);
  });

  test("turns an ask or a rewrite into a denial, unless the payload contains a sign of Claude Code", async () => {
    const foreign = ENVELOPES["in camel case"]?.("Bash", { command: "ls" });
    const own = getPayload("claude", "PreToolUse-Bash", { tool_input: { cmd: "ls" } });
    for (const response of [ask("sure?"), modify({ command: "pwd" })]) {
      const denied = await send(foreign, [hook(() => response)]);
      expect([denied.exit_code, denied.stdout.includes('"permissionDecision":"deny"')]).toEqual([2, true]);
      const kept = await send(own, [hook(() => response)]);
      expect([kept.exit_code, kept.stdout.includes("deny")]).toEqual([0, false]);
    }
  });
});

test("a denial is exit code 2, text on stderr and Claude Code's document, on each event where denials take effect", async () => {
  const claude = hosts.find(({ id }) => id === "claude");
  const answers = {
    PreToolUse: "permissionDecision",
    PermissionRequest: "behavior",
    PostToolUse: "block",
    UserPromptSubmit: "block",
    Stop: "block",
  };
  for (const [native_event, part] of Object.entries(answers)) {
    const fields = {
      prompt: "p",
      toolName: "Bash",
      toolInput: { command: "ls" },
      toolResponse: "o",
      stopHookActive: false,
    };
    const { exit_code, stderr, stdout } = await send(
      { eventName: native_event, ...fields },
      [hook(() => deny("no"), [claude?.capabilities[native_event]?.().event ?? ""])],
      [...ARGV, "--event", native_event],
    );
    const isTold = /^no(?:\n|$)/.test(stderr);
    expect([native_event, exit_code, isTold, stdout.includes(part)]).toEqual([native_event, 2, true, true]);
  }
});
