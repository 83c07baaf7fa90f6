import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { planInstall } from "../../../src/cli/install/install.ts";
import { isToolCallEvent } from "../../../src/protocol/event.ts";
import { defineHook, createHookEntry } from "../../../src/protocol/hook.ts";
import type { AnyEvent } from "../../../src/protocol/event.ts";
import { type Host, type Payload, getCapabilityRow } from "../../../src/protocol/host/host.ts";
import { deny } from "../../../src/protocol/response.ts";
import type { IHookResponse } from "../../../src/protocol/response.ts";
import { hosts } from "../../../src/hosts/index.ts";
import { hostRegistry } from "../../../src/hosts/registry.ts";
import { omitNulls } from "../../../src/protocol/object.ts";
import { detectHost } from "../../../src/call/identify/detect.ts";
import { answerCall } from "../../support/answer-call.ts";
import { fixtures } from "../../support/fixtures.ts";
import { createHome } from "../../support/homes.ts";

// Payloads whose spelling was never recorded are based on documentation and reports.

const grok = hosts.find(({ id }) => id === "grok") as Host;

/** Field names that the latest releases send in both spellings. */
const BOTH: Record<string, string> = {
  sessionId: "session_id",
  toolName: "tool_name",
  toolInput: "tool_input",
  toolUseId: "tool_use_id",
  toolResult: "tool_response",
  transcriptPath: "transcript_path",
  permissionMode: "permission_mode",
};

/** Returns an event's payload as several releases would spell it. */
const spellings = (event: string, more: Payload): [name: string, payload: Payload][] => {
  const snake = event.replace(/(?<=.)[A-Z]/g, "_$&").toLowerCase();
  const camel: Payload = { sessionId: "s", cwd: "/w", ...more };
  const also = Object.fromEntries(
    Object.entries(camel).flatMap(([key, value]) => (BOTH[key] ? [[BOTH[key], value]] : [])),
  );
  const documented = {
    ...camel,
    hookEventName: snake,
    workspaceRoot: "/w",
    timestamp: "2026-11-22T10:00:00Z",
    permissionMode: "default",
  };
  return [
    ["as documented", documented],
    ["in PascalCase with few fields", { ...camel, hookEventName: event }],
    [
      "in both spellings",
      { ...documented, ...also, hook_event_name: event, transcriptPath: "/t", transcript_path: "/t" },
    ],
    ["in both spellings without a transcript", { ...documented, ...also, hook_event_name: event }],
  ];
};
const snaked = (event: string, more: Payload): Payload => ({
  hook_event_name: event,
  session_id: "s",
  cwd: "/w",
  ...Object.fromEntries(Object.entries(more).map(([key, value]) => [BOTH[key] ?? key, value])),
});

const call = (toolName: string, toolInput: unknown): Payload => ({
  toolName,
  toolInput,
  toolUseId: "1",
  toolInputTruncated: false,
});

const guard = createHookEntry(
  defineHook({
    event: "PreToolUse",
    handler: (event) =>
      event.tool === "Bash" && event.input.command.includes("push -f") ? deny("no forced push") : undefined,
  }),
  "guard",
);
const asked = (flags: readonly string[], payload: unknown, env = {}, entries = [guard]) =>
  answerCall(entries, {}, flags, { env, read: () => payload });

const CLAUDE = ["--host", "claude", "--on-error", "deny", "--event", "PreToolUse"];
const CURSOR = ["--host", "cursor", "--on-error", "deny", "--event", "preToolUse"];
const DENIED = {
  stdout: '{"decision":"deny","reason":"no forced push"}',
  stderr: expect.stringMatching(/^no forced push$/m),
  exit_code: 2,
};

describe("a payload of Grok Build", () => {
  for (const [how, payload] of spellings("PreToolUse", call("run_terminal_command", { command: "git push -f" })))
    for (const flags of [CLAUDE, CURSOR, [], ["--host", "grok"]])
      test(`${how} is answered in its format with ${flags.slice(0, 2).join(" ") || "no --host"}`, async () => {
        expect(await asked(flags, payload)).toMatchObject(DENIED);
        const harmless = { ...payload, toolInput: { command: "ls" } };
        const named = flags[1] === "claude" || flags[1] === "cursor";
        const stderr = named ? expect.stringContaining(`Grok Build called bridge-hooks with --host ${flags[1]}`) : "";
        expect(await asked(flags, harmless)).toEqual({ stdout: "", stderr, exit_code: 0 });
      });
  const snake = snaked("PreToolUse", call("run_terminal_command", { command: "git push -f" }));
  test("with only snake_case names is denied, and in its format if GROK_SESSION_ID matches", async () => {
    expect(await asked(CLAUDE, snake, { GROK_SESSION_ID: "s" })).toMatchObject(DENIED);
    expect(await asked([], snake)).toMatchObject(DENIED);
    // The answer is in Claude Code's format, but its exit code is a denial for Grok Build as well.
    const { stdout, exit_code } = await asked(CLAUDE, snake, { GROK_SESSION_ID: "another" });
    expect([exit_code, stdout]).toEqual([2, expect.stringContaining("no forced push")]);
  });
  test("is not confused with a recorded payload of another host", async () => {
    for (const { host, payload, file } of fixtures) {
      const found = await detectHost(hostRegistry, omitNulls(payload), { env: {} });
      expect([file, "host" in found && found.host.id]).toEqual([file, host.id]);
    }
  });
  test("with a truncated input is a failure", async () => {
    for (const [, payload] of spellings(
      "PreToolUse",
      call("run_terminal_command", '{"command": "git pu [truncated]'),
    )) {
      const cut = { ...payload, toolInputTruncated: true };
      const { stdout, exit_code } = await asked(CLAUDE, cut);
      expect([exit_code, JSON.parse(stdout)]).toEqual([
        2,
        { decision: "deny", reason: expect.stringContaining("split the call") },
      ]);
      expect((await asked(["--host", "claude"], cut)).exit_code).toBe(1);
    }
  });
  test("with an unreadable shell command is a failure", async () => {
    const [[, payload] = ["", {}]] = spellings("PreToolUse", call("run_terminal_command", { command: 5 }));
    expect(await asked(CLAUDE, payload)).toMatchObject({
      exit_code: 2,
      stdout: expect.stringContaining('"decision":"deny"'),
    });
  });
});

const decoded = (event: string, more: Payload): AnyEvent[] =>
  [...spellings(event, more).map(([, payload]) => payload), snaked(event, more)].map((payload) => {
    const name = grok.getEventName(payload);
    expect(name).toBe(event);
    return grok.decodePayload(payload, name, getCapabilityRow(grok, name)).event;
  });

describe("a tool call of Grok Build", () => {
  const edit = (operation: string, file_path: string, old_string: string, new_string: string) => ({
    files: [{ file_path, operation, edits: [{ old_string, new_string }] }],
  });
  const cases: [tool_name: string, input: Payload, tool: string, unified?: object][] = [
    [
      "run_terminal_command",
      { command: "ls", background: true, description: "d" },
      "Bash",
      { command: "ls", run_in_background: true, description: "d" },
    ],
    ["run_terminal_cmd", { command: "ls" }, "Bash", { command: "ls" }],
    ["monitor", { command: "tail -f x" }, "Bash", { command: "tail -f x" }],
    ["read_file", { target_file: "a" }, "Read", { file_path: "a" }],
    ["read_file", { target_file: "/a", offset: 1 }, "Read", { file_path: "/a", offset: 1 }],
    ["read_file", { target_file: "a", file_path: ".env" }, "Read", { file_path: "a" }],
    ["search_replace", { file_path: "a", old_string: "x", new_string: "y" }, "Edit", edit("update", "a", "x", "y")],
    ["search_replace", { file_path: "a", old_string: "", new_string: "y" }, "Edit", edit("add", "a", "", "y")],
    ["edit_file", { target_file: "a", code_edit: "y" }, "Other"],
    ["write", { file_path: "a", content: "y" }, "Write", { file_path: "a", content: "y" }],
    ["write", { file_path: "a", path: ".env", content: "y" }, "Write", { file_path: "a", content: "y" }],
    ["grep", { pattern: "x", path: "/a" }, "Grep", { pattern: "x", path: "/a" }],
    ["list_dir", { target_directory: "/a" }, "Glob", { pattern: "*", path: "/a" }],
    ["web_fetch", { url: "https://a.example" }, "WebFetch", { url: "https://a.example" }],
    ["web_search", { query: "q" }, "WebSearch", { query: "q" }],
    ["spawn_subagent", { prompt: "p", subagent_type: "explore" }, "Task", { prompt: "p", agent_type: "explore" }],
    ["linear__save_issue", { id: 1 }, "MCP", { server: "linear", tool: "save_issue", arguments: { id: 1 } }],
    [
      "linear__save_issue",
      { tool_name: "linear__save_issue", tool_input: { id: 1 } },
      "MCP",
      { server: "linear", tool: "save_issue", arguments: { id: 1 } },
    ],
    [
      "linear__save_issue",
      { tool_name: "linear__save_issue", tool_input: '{"id":1}', more: 1 },
      "MCP",
      { server: "linear", tool: "save_issue", arguments: { id: 1 } },
    ],
    [
      "run_terminal_command",
      { tool_name: "run_terminal_command", tool_input: { command: "ls" } },
      "Bash",
      { command: "ls" },
    ],
    ["monitor", { command: "ls", timeout_ms: 5 }, "Bash", { command: "ls", timeout_ms: 5 }],
    ["search_tool", { query: "q", command: "ls" }, "Other", { query: "q", command: "ls" }],
    ["todo_write", { todos: [] }, "Other", { todos: [] }],
  ];
  for (const [tool_name, input, tool, unified = input] of cases)
    test(`of ${tool_name} with ${Object.keys(input).join(", ")} is decoded as ${tool}`, () => {
      for (const event of decoded("PreToolUse", call(tool_name, input))) {
        expect(event).toMatchObject({
          event: "PreToolUse",
          host: "grok",
          session_id: "s",
          cwd: "/w",
          tool_use_id: "1",
          tool,
          tool_name,
        });
        expect(isToolCallEvent(event) && event.input).toEqual(unified as never);
      }
    });
  test("of write without a path is a failure", () => {
    expect(() => decoded("PreToolUse", call("write", { content: "y" }))).toThrow(
      "toolInput of write: file_path is missing",
    );
  });
  test("that has finished has its result", () => {
    for (const event of decoded("PostToolUse", {
      ...call("run_terminal_command", { command: "ls" }),
      toolResult: { stdout: "a" },
    }))
      expect(event).toMatchObject({ event: "PostToolUse", tool: "Bash", output: { raw: { stdout: "a" } } });
  });
});

describe("the result of a call of Grok Build", () => {
  const bytes = (text: string) => [...Buffer.from(text)];
  const shapes: [tool_name: string, result: Payload, text: string, replaced?: Payload][] = [
    [
      "run_terminal_command",
      { type: "Bash", output: bytes("a\n"), output_for_prompt: "exit: 0\na\n", exit_code: 0 },
      "exit: 0\na\n",
      { type: "Bash", output: [], output_for_prompt: "NEW", exit_code: 0 },
    ],
    [
      "read_file",
      { type: "ReadFile", FileContent: { content: "1→é\n", raw_output: "é\n", total_lines: 1 } },
      "é\n",
      { type: "ReadFile", FileContent: { content: "NEW", raw_output: "NEW", total_lines: 1 } },
    ],
    [
      "search_replace",
      { type: "SearchReplace", EditsApplied: { tool_output_for_prompt: "updated" } },
      "updated",
      { type: "SearchReplace", EditsApplied: { tool_output_for_prompt: "NEW" } },
    ],
    [
      "list_dir",
      { type: "ListDir", Content: { content: "- a" } },
      "- a",
      { type: "ListDir", Content: { content: "NEW" } },
    ],
    [
      "grep",
      { type: "GrepSearch", stdout: bytes("é"), file_matches: [{ path: "a" }] },
      "é",
      { type: "GrepSearch", stdout: bytes("NEW"), file_matches: [] },
    ],
    ["web_search", { type: "WebSearch", content: "none" }, "none", { type: "WebSearch", content: "NEW" }],
    ["read_file", { type: "Later", content: "x" }, '{"type":"Later","content":"x"}'],
    ["run_terminal_command", { output_for_prompt: "a" }, "a"],
  ];
  for (const [tool_name, toolResult, text, replaced] of shapes)
    test(`of type ${toolResult.type} is parsed, and ${replaced ? "replaced in its shape" : "not replaced"}`, () => {
      const input = { command: "ls", target_file: "a", file_path: "a", old_string: "b", new_string: "", query: "q" };
      for (const event of decoded("PostToolUse", { ...call(tool_name, input), toolResult })) {
        expect(event).toMatchObject({ output: { text, raw: toolResult } });
        expect(grok.replaceOutput?.(event, "NEW")).toEqual(
          replaced ? { output: replaced } : { unsupported: expect.stringContaining("rejects this result") },
        );
        const { type } = toolResult;
        if (type) expect(grok.replaceOutput?.(event, { type, a: 1 })).toEqual({ output: { type, a: 1 } });
        expect(grok.replaceOutput?.(event, { type: "Else" })).toHaveProperty("unsupported");
      }
    });
  test("of an MCP tool is replaced by text", () => {
    const toolResult = { type: "MCP", server_name: "a", tool_name: "b", output: { OkayOutput: "echo" } };
    for (const event of decoded("PostToolUse", { ...call("a__b", {}), toolResult })) {
      expect(event).toMatchObject({ tool: "MCP", output: { text: "echo" } });
      expect(grok.replaceOutput?.(event, "NEW")).toEqual({ output: "NEW" });
      expect(grok.replaceOutput?.(event, { a: 1 })).toEqual({ output: '{"a":1}' });
    }
  });
});

test("a rewrite of an MCP call of Grok Build stays inside the dispatcher's input", () => {
  const toolInput = { tool_name: "a__b", tool_input: { text: "x" } };
  for (const event of decoded("PreToolUse", call("a__b", toolInput)))
    expect(isToolCallEvent(event) && grok.rewriteInput(event, { arguments: { text: "y" } }, undefined)).toEqual({
      input: { tool_name: "a__b", tool_input: { text: "y" } },
    });
});

test("a call inside a subagent of Grok Build names the subagent and uses its session", () => {
  for (const event of decoded("PreToolUse", { ...call("read_file", { target_file: "a" }), subagentType: "explore" }))
    expect(event).toMatchObject({ agent_id: "s", agent_type: "explore" });
});

describe("on Grok Build,", () => {
  const stop = createHookEntry(defineHook({ event: "Stop", handler: () => deny("go on") }), "stop");
  test("Stop can be blocked at the end of a turn, but not at the end of the session", async () => {
    for (const [, payload] of spellings("Stop", {
      reason: "end_turn",
      stopHookActive: false,
      lastAssistantMessage: "done",
    })) {
      const { stdout, exit_code } = await asked(
        ["--host", "claude", "--event", "Stop"],
        payload,
        { XDG_STATE_HOME: "/nonexistent" },
        [stop],
      );
      expect([exit_code, JSON.parse(stdout)]).toEqual([2, { decision: "block", reason: "go on" }]);
    }
    for (const [, payload] of spellings("Stop", { reason: "shutdown", stopHookActive: false }))
      expect(await asked(["--host", "claude", "--event", "Stop"], payload, {}, [stop])).toMatchObject({
        stdout: "",
        exit_code: 0,
      });
  });
  test("lowercase event names are recognized, and unknown names are kept", () => {
    expect(grok.getEventName({ hookEventName: "stop" })).toBe("Stop");
    expect(grok.getEventName({ hookEventName: "user_prompt_submit" })).toBe("UserPromptSubmit");
    expect(grok.getEventName({ hookEventName: "stop_forgotten" })).toBe("stop_forgotten");
    expect(grok.getEventName({}, "preToolUse")).toBe("PreToolUse");
  });
  test("only PreToolUse can stop a call", () => {
    const gates = Object.entries(grok.capabilities).filter(([, row]) => row().shape === "gate");
    expect(gates.map(([name]) => name)).toEqual(["PreToolUse"]);
  });
  const answer = async (payload: Payload, response: IHookResponse) => {
    const entry = createHookEntry(defineHook({ event: "PreToolUse", handler: () => response }), "careful");
    const { stdout, exit_code } = await asked(CLAUDE, payload, {}, [entry]);
    return { exit_code, ...JSON.parse(stdout) };
  };
  const [[, payload] = ["", {}]] = spellings(
    "PreToolUse",
    call("run_terminal_command", { command: "ls", description: "d" }),
  );
  test("an ask becomes a denial", async () => {
    expect(await answer(payload, { decision: "ask", reason: "sure?" })).toMatchObject({
      exit_code: 2,
      decision: "deny",
    });
  });
  test("a rewrite is sent as the whole input, without an approval", async () => {
    expect(await answer(payload, { modified_input: { command: "true" }, additional_context: "C" })).toEqual({
      exit_code: 0,
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        updatedInput: { command: "true", description: "d" },
        additionalContext: "C",
      },
    });
  });
});

describe("an installation", () => {
  const planned = async (host: string, home: ReturnType<typeof createHome>) =>
    (await planInstall({ hosts: [host], scope: "user", events: [], on_error: "deny" }, home)).notes;
  test("for Claude Code notes that Grok Build calls the same entries; Cursor's are not called", async () => {
    using home = createHome();
    mkdirSync(`${home.machine.home}/.grok`);
    expect((await planned("claude", home)).filter((note) => note.startsWith("Grok Build"))).toEqual([
      `Grok Build also reads ${home.machine.home}/.claude/settings.json, and Claude Code's entries answer in Grok Build's format; for separate entries: --host grok`,
    ]);
    for (const host of ["cursor", "codex"])
      expect((await planned(host, home)).filter((note) => note.includes("Grok Build"))).toEqual([]);
  });
});
