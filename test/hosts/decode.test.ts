import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { hosts } from "../../src/hosts/index.ts";
import { parseMcpName } from "../../src/hosts/codec/wire.ts";
import { omitNulls } from "../../src/protocol/object.ts";
import { EVENTS } from "../../src/protocol/event.ts";
import { defineHook, createHookEntry } from "../../src/protocol/hook.ts";
import { type Payload, getCapabilityRow } from "../../src/protocol/host/host.ts";
import { deny } from "../../src/protocol/response.ts";
import { detectHost } from "../../src/call/identify/detect.ts";
import { answerCall } from "../support/answer-call.ts";
import { fixtures, getPayload, ROOT } from "../support/fixtures.ts";
import { getHost, decodePayload, getEventName } from "./decode-support.ts";

/** For each recorded payload, one line with the file, event, tool and input. */
const expected = new Map(
  hosts.flatMap(({ id }) => {
    const folder = join(ROOT, "test/hosts", id, "recordings");
    return readdirSync(folder).flatMap((version) =>
      readFileSync(join(folder, version, "expected.tsv"), "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => [`${id} ${version} ${line.split("\t")[0]}`, line.split("\t").slice(1)] as const),
    );
  }),
);

describe("the recorded payload", () => {
  for (const { host, version, file, payload } of fixtures) {
    test(`${host.id} ${version} ${file} is decoded as expected`, () => {
      const event = decodePayload(host.id, payload, getEventName(file, payload));
      const { tool = "-", input } = event;
      expect([event.event, tool, input === undefined ? "-" : JSON.stringify(input)]).toEqual(
        expected.get(`${host.id} ${version} ${file}`) as string[],
      );
      expect(event).toMatchObject({
        host: host.id,
        native_event: getEventName(file, payload),
        cwd: expect.stringContaining("/home/dev/app"),
      });
      // Events about the whole program don't belong to a session.
      if (event.event !== "Native") expect(event.session_id).not.toBe("");
    });

    test(`${host.id} ${version} ${file} is recognized`, async () => {
      expect(await detectHost(hosts, omitNulls(payload), { env: {} })).toEqual({ host });
      // If started in another host's terminal, a host inherits that host's environment.
      const inherited = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "another", CURSOR_PROJECT_DIR: "/elsewhere" };
      expect(await detectHost(hosts, omitNulls(payload), { env: inherited })).toEqual({ host });
      const signed = host.signs.some(
        ({ all = [], test }) => all.every((key) => payload[key] != null) && (!test || test(payload, {})),
      );
      // Gemini CLI's session events can be recognized only by the environment.
      const env = host.id === "gemini" ? { GEMINI_SESSION_ID: String(payload.session_id) } : {};
      for (const named of hosts) {
        const found = await detectHost(hosts, omitNulls(payload), { env }, named);
        expect(found).toEqual(named === host || !signed ? { host: named } : { host, contradicted: named });
      }
    });
  }
  test("of every expectation exists", () => {
    expect(fixtures.length).toBe(expected.size);
    expect(fixtures.length).toBeGreaterThan(200);
  });
});

describe("with a wrong --host,", () => {
  const guard = createHookEntry(defineHook({ event: "PreToolUse", handler: () => deny("no") }), "guard");
  const asked = (host: string, payload: object, ...flags: string[]) =>
    answerCall([guard], {}, ["--host", host, ...flags], { env: {}, read: () => JSON.stringify(payload) });
  const payload = getPayload("claude", "PreToolUse-Bash", { prompt_id: undefined });
  const strangers = hosts.filter(({ capabilities }) => !Object.hasOwn(capabilities, "PreToolUse"));
  for (const { id, name, getEventName } of strangers) {
    // On hosts with plugins, the event isn't named in this field.
    const isUnnamed = getEventName({ hook_event_name: "PreToolUse" }) === "";
    test(`a call of an event that ${name} lacks is answered as the recognized host`, async () => {
      const { stdout, stderr, exit_code } = await asked(id, payload);
      expect([exit_code, JSON.parse(stdout).hookSpecificOutput.permissionDecision]).toEqual([2, "deny"]);
      expect(stderr).toContain(`Claude Code called bridge-hooks with --host ${id}, but the answer is for claude`);
    });
    test(`an event that ${name} lacks is unknown if no host is recognized, and its call fails`, async () => {
      const { stderr, exit_code } = await asked(id, { hook_event_name: "PreToolUse", session_id: "s" });
      expect([exit_code, stderr]).toEqual(
        isUnnamed
          ? [1, expect.stringContaining(`doesn't name the ${name} event`)]
          : [0, expect.stringContaining(`unknown ${name} event`)],
      );
      // A tool call isn't let through just because its event is unknown.
      const call = await asked(id, { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" } });
      expect([id, call.exit_code]).toEqual([id, isUnnamed ? 1 : 2]);
    });
  }
  test("some hosts lack PreToolUse", () => expect(strangers.length).toBeGreaterThan(3));
  test("an invalid flag is reported before the payload", async () => {
    for (const flags of [
      ["--hots", "claude"],
      ["--on-error", "block"],
    ])
      expect((await answerCall([guard], {}, flags, { env: {}, read: () => "" })).stderr).toContain(flags[0] as string);
  });
});

const CURSOR_EVENTS =
  "sessionStart sessionEnd preToolUse postToolUse postToolUseFailure subagentStart subagentStop beforeShellExecution afterShellExecution beforeMCPExecution afterMCPExecution beforeReadFile afterFileEdit beforeSubmitPrompt preCompact stop afterAgentResponse afterAgentThought beforeTabFileRead afterTabFileEdit workspaceOpen".split(
    " ",
  );
const CODEX_EVENTS =
  "SessionStart SessionEnd UserPromptSubmit PreToolUse PermissionRequest PostToolUse PreCompact PostCompact SubagentStart SubagentStop Stop Interrupt".split(
    " ",
  );
const GEMINI_EVENTS =
  "SessionStart SessionEnd BeforeAgent AfterAgent BeforeModel AfterModel BeforeToolSelection BeforeTool AfterTool PreCompress Notification".split(
    " ",
  );
/** Events passed to plugins. The event bus has many more. */
const OPENCODE_EVENTS =
  "session.created session.idle session.deleted session.error session.compacted permission.asked tool.execute.before tool.execute.after chat.message command.execute.before experimental.session.compacting dispose".split(
    " ",
  );
const CLAUDE_EVENTS =
  "SessionStart SessionEnd UserPromptSubmit UserPromptExpansion PreToolUse PostToolUse PostToolUseFailure PostToolBatch PermissionRequest PermissionDenied Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact Notification PreModelSwitch PostModelSwitch Setup TeammateIdle TaskCreated TaskCompleted Elicitation ElicitationResult ConfigChange WorktreeCreate WorktreeRemove InstructionsLoaded CwdChanged FileChanged DirectoryAdded MessageDisplay".split(
    " ",
  );

const COPILOT_EVENTS =
  "sessionStart sessionEnd userPromptSubmitted userPromptTransformed preToolUse postToolUse postToolUseFailure agentStop subagentStart subagentStop errorOccurred preCompact permissionRequest notification preMcpToolCall SessionStart SessionEnd UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure Stop SubagentStart SubagentStop ErrorOccurred PreCompact PermissionRequest Notification PreMcpToolCall".split(
    " ",
  );

describe("the capability table of", () => {
  const known = {
    cursor: CURSOR_EVENTS,
    codex: CODEX_EVENTS,
    claude: CLAUDE_EVENTS,
    gemini: GEMINI_EVENTS,
    copilot: COPILOT_EVENTS,
    opencode: OPENCODE_EVENTS,
  };
  const counts = { cursor: 21, codex: 12, claude: 33, gemini: 11, copilot: 29, opencode: 12 };
  for (const id of ["cursor", "codex", "claude", "gemini", "copilot", "opencode"] as const) {
    test(`${id} has a row for every documented event`, () => {
      expect(known[id].length).toBe(counts[id]);
      for (const name of known[id]) {
        expect(Object.keys(getHost(id).capabilities)).toContain(name);
        expect(EVENTS).toContain(getCapabilityRow(getHost(id), name).event);
      }
    });
    test(`${id} has every unified event, or lists it as absent`, () => {
      const has = new Set(Object.values(getHost(id).capabilities).map((make) => make().event));
      for (const event of EVENTS)
        expect([event, has.has(event) !== getHost(id).absentEvents.includes(event)]).toEqual([event, true]);
    });
    test(`${id} decodes an unknown event as Native, with its own name`, () => {
      for (const name of ["FutureEvent", "futureEvent", "constructor", "toString"]) {
        expect(
          decodePayload(id, { hook_event_name: name, event: name, session_id: "s", cwd: "/", anything: [1] }),
        ).toMatchObject({
          event: "Native",
          native_event: name,
        });
      }
    });
  }
});

test("an empty string as input gives no arguments, on every host", () => {
  const call = (tool_name: string, tool_input: unknown) => ({ session_id: "s", cwd: "/", tool_name, tool_input });
  const payloads: [id: string, payload: Payload, hint?: string][] = [
    ["claude", { ...call("mcp__s__t", ""), hook_event_name: "PreToolUse" }],
    ["codex", { ...call("mcp__s__t", ""), hook_event_name: "PreToolUse" }],
    ["cursor", { ...call("MCP:t", ""), hook_event_name: "preToolUse" }],
    ["cursor", getPayload("cursor", "beforeMCPExecution", { tool_input: "" })],
    ["cursor", { tool: "t", params: "" }],
    ["gemini", { ...call("mcp_s_t", ""), hook_event_name: "BeforeTool" }],
    ["copilot", getPayload("copilot", "preToolUse", { toolName: "s-t", toolArgs: "" })],
    [
      "opencode",
      {
        host: "opencode",
        event: "tool.execute.before",
        cwd: "/",
        input: { tool: "s_t" },
        output: { args: "" },
        mcp: ["s"],
      },
    ],
  ];
  for (const [id, payload] of payloads)
    expect([id, decodePayload(id, payload)]).toEqual([
      id,
      expect.objectContaining({ tool: "MCP", input: expect.objectContaining({ arguments: {} }) }),
    ]);
});

describe("a tool call", () => {
  const BEFORE: Record<string, string> = { cursor: "preToolUse", gemini: "BeforeTool" };
  const plugged = (tool: string, args: Payload) =>
    decodePayload("opencode", {
      host: "opencode",
      event: "tool.execute.before",
      cwd: "/",
      input: { tool },
      output: { args },
      mcp: ["a", "a b"],
    });
  const pre = (id: string, tool_name: string, tool_input: Payload) =>
    id === "opencode"
      ? plugged(tool_name, tool_input)
      : decodePayload(id, {
          hook_event_name: BEFORE[id] ?? "PreToolUse",
          session_id: "s",
          cwd: "/",
          tool_name,
          tool_input,
        });
  const cases: [host: string, tool_name: string, input: Payload, tool: string, unified?: object][] = [
    ["claude", "Bash", { command: "ls", timeout: 5 }, "Bash", { command: "ls", timeout_ms: 5 }],
    ["claude", "PowerShell", { command: "dir" }, "Bash", { command: "dir" }],
    [
      "claude",
      "MultiEdit",
      {
        file_path: "/a",
        edits: [
          { old_string: "1", new_string: "2" },
          { old_string: "3", new_string: "4" },
        ],
      },
      "Edit",
      {
        files: [
          {
            file_path: "/a",
            operation: "update",
            edits: [
              { old_string: "1", new_string: "2" },
              { old_string: "3", new_string: "4" },
            ],
          },
        ],
      },
    ],
    [
      "claude",
      "NotebookEdit",
      { notebook_path: "/n.ipynb", new_source: "x" },
      "Edit",
      { files: [{ file_path: "/n.ipynb", operation: "update", edits: [{ old_string: "", new_string: "x" }] }] },
    ],
    ["claude", "Glob", { pattern: "*.ts" }, "Glob", { pattern: "*.ts" }],
    [
      "claude",
      "Grep",
      { pattern: "x", path: "/a", glob: "*.ts", output_mode: "content" },
      "Grep",
      { pattern: "x", path: "/a", glob: "*.ts" },
    ],
    ["claude", "WebSearch", { query: "q" }, "WebSearch", { query: "q" }],
    [
      "claude",
      "Task",
      { prompt: "p", description: "d", subagent_type: "t" },
      "Task",
      { prompt: "p", description: "d", agent_type: "t" },
    ],
    ["claude", "AskUserQuestion", { questions: [] }, "Other", { questions: [] }],
    ["claude", "mcp__my_server__do__it", { a: 1 }, "MCP", { server: "my_server", tool: "do__it", arguments: { a: 1 } }],
    ["cursor", "Shell", { command: "ls", working_directory: "/w" }, "Bash", { command: "ls", cwd: "/w" }],
    ["cursor", "WebFetch", { url: "u" }, "WebFetch", { url: "u" }],
    ["cursor", "Task", { task: "t", subagent_type: "explore" }, "Task", { prompt: "t", agent_type: "explore" }],
    ["cursor", "Task", { prompt: "p", task: "t" }, "Task", { prompt: "p\nt" }],
    ["cursor", "ListMcpResources", {}, "Other", {}],
    [
      "opencode",
      "bash",
      { command: "ls", timeout: 5, workdir: "/w" },
      "Bash",
      { command: "ls", timeout_ms: 5, cwd: "/w" },
    ],
    ["opencode", "websearch", { query: "q", numResults: 3 }, "WebSearch", { query: "q" }],
    ["opencode", "grep", { pattern: "x", include: "*.ts" }, "Grep", { pattern: "x", glob: "*.ts" }],
    ["opencode", "a_b_c", { x: 1 }, "MCP", { server: "a b", tool: "c", arguments: { x: 1 } }],
    ["opencode", "a_c", { x: 1 }, "MCP", { server: "a", tool: "c", arguments: { x: 1 } }],
    ["opencode", "skill", { name: "s" }, "Other", { name: "s" }],
    ["codex", "view_image", { path: "/i.png" }, "Read", { file_path: "/i.png" }],
    [
      "codex",
      "spawn_agent",
      {
        items: [
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ],
      },
      "Task",
      { prompt: "a\nb" },
    ],
    [
      "codex",
      "spawn_agent",
      { message: "m", items: [{ type: "local_image", path: "/i" }] },
      "Task",
      { prompt: 'm\n[{"type":"local_image","path":"/i"}]' },
    ],
    ["codex", "update_plan", { plan: [] }, "Other", { plan: [] }],
    ["codex", "mcp__s__t", { x: 1 }, "MCP", { server: "s", tool: "t", arguments: { x: 1 } }],
    [
      "gemini",
      "run_shell_command",
      { command: "ls", dir_path: "sub", is_background: true },
      "Bash",
      { command: "ls", cwd: "sub", run_in_background: true },
    ],
    [
      "gemini",
      "read_file",
      { file_path: "a", start_line: 3, end_line: 5 },
      "Read",
      { file_path: "a", offset: 3, limit: 3 },
    ],
    ["gemini", "read_many_files", { include: ["a", "b/*"] }, "Read", { file_path: "a b/*" }],
    ["gemini", "list_directory", { dir_path: "/a" }, "Glob", { pattern: "*", path: "/a" }],
    [
      "gemini",
      "grep_search",
      { pattern: "x", dir_path: "a", include_pattern: "*.ts" },
      "Grep",
      { pattern: "x", path: "a", glob: "*.ts" },
    ],
    [
      "gemini",
      "web_fetch",
      { prompt: "compare https://a.example/x and http://b.example" },
      "WebFetch",
      { url: "https://a.example/x http://b.example", prompt: "compare https://a.example/x and http://b.example" },
    ],
    ["gemini", "web_fetch", { url: "https://a.example" }, "WebFetch", { url: "https://a.example" }],
    ["gemini", "search_file_content", { pattern: "x" }, "Grep", { pattern: "x" }],
    ["gemini", "google_web_search", { query: "q" }, "WebSearch", { query: "q" }],
    ["gemini", "invoke_agent", { agent_name: "a", prompt: "p" }, "Task", { prompt: "p", agent_type: "a" }],
    ["gemini", "mcp_my_server_do_it", { a: 1 }, "MCP", { tool: "my_server_do_it", arguments: { a: 1 } }],
    ["gemini", "save_memory", { fact: "f" }, "Other", { fact: "f" }],
    ["copilot", "view", { path: "/a", view_range: [5, 9] }, "Read", { file_path: "/a", offset: 5, limit: 5 }],
    ["copilot", "rg", { pattern: "x", paths: ["/a", "/b"] }, "Grep", { pattern: "x", path: "/a /b" }],
    ["copilot", "web_fetch", { url: "u" }, "WebFetch", { url: "u" }],
    ["copilot", "powershell", { command: "dir" }, "Bash", { command: "dir" }],
    ["copilot", "sql", { query: "q" }, "Other", { query: "q" }],
    ["copilot", "my-server-tool", { x: 1 }, "MCP", { tool: "my-server-tool", arguments: { x: 1 } }],
  ];
  for (const [id, tool_name, input, tool, unified] of cases) {
    test(`of ${id} ${tool_name} is decoded as ${tool}`, () =>
      expect(pre(id, tool_name, input)).toMatchObject({ tool, tool_name, input: unified as object }));
  }
  test("whose input lacks a field that policies judge is an error", () => {
    expect(() => pre("claude", "Bash", { command: ["rm"] })).toThrow(
      "tool_input of Bash: command is Array, not string",
    );
    expect(() => pre("opencode", "bash", {})).toThrow("args of bash: command is missing");
    expect(() => pre("opencode", "apply_patch", { patchText: "nonsense" })).toThrow("the patch doesn't name a file");
    expect(() => pre("cursor", "Shell", {})).toThrow("tool_input of Shell: command is missing");
    for (const [tool, input] of [
      ["Shell", { command: "ls", cwd: "/a", working_directory: "/b" }],
      ["Grep", { pattern: "x", path: "/a", file_path: "/b" }],
      ["List", { path: "/a", file_path: "/b" }],
      ["WebSearch", { query: "/a", search_term: "/b" }],
    ] as const) {
      expect(() => pre("cursor", tool, input)).toThrow(
        /^tool_input of \w+: "\w+" and "\w+" differ, so it is unclear which one applies/,
      );
      expect(JSON.stringify(pre("cursor", tool, JSON.parse(JSON.stringify(input).replace("/a", "/b"))))).toContain(
        "/b",
      );
    }
    expect(pre("cursor", "Shell", { command: "ls", cwd: "/a", working_directory: "/a/" })).toMatchObject({
      tool: "Bash",
    });
    expect(() => pre("gemini", "replace", { file_path: "a" })).toThrow("tool_input of replace: old_string is missing");
    expect(() => pre("copilot", "bash", {})).toThrow("the input of bash: command is missing");
    expect(() => pre("copilot", "edit", { old_str: "a" })).toThrow("the input of edit: file_path is missing");
    expect(() => pre("copilot", "apply_patch", "nonsense" as never)).toThrow("the patch doesn't name a file");
    expect(() => pre("codex", "apply_patch", { command: "nonsense" })).toThrow("the patch doesn't name a file");
  });
  test("with nulls or odd types in informational fields is decoded", () => {
    expect(pre("cursor", "Read", { file_path: "/a", offset: null, limit: "10" })).toMatchObject({
      tool: "Read",
      input: { file_path: "/a" },
    });
    expect(pre("claude", "Bash", { command: "ls", timeout: "5", description: null })).toMatchObject({
      tool: "Bash",
      input: { command: "ls" },
    });
    expect(pre("claude", "Agent", { prompt: null })).toMatchObject({ tool: "Task", input: { prompt: "" } });
    expect(pre("claude", "NotebookEdit", { notebook_path: "/n", edit_mode: "delete", new_source: null })).toMatchObject(
      { tool: "Edit" },
    );
    expect(pre("claude", "Edit", { file_path: "/a", old_string: "1", new_string: "2", edits: null })).toMatchObject({
      tool: "Edit",
    });
    expect(pre("cursor", "Write", { file_path: "/a", content: null })).toMatchObject({
      tool: "Write",
      input: { content: "" },
    });
    expect(pre("cursor", "Grep", {})).toMatchObject({ tool: "Grep", input: { pattern: "" } });
    expect(pre("codex", "spawn_agent", { message: null, items: [] })).toMatchObject({
      tool: "Task",
      input: { prompt: "" },
    });
    expect(pre("codex", "mcp__s__t", "text" as never)).toMatchObject({
      tool: "MCP",
      input: { arguments: { value: "text" } },
    });
    expect(pre("codex", "mcp__s__t", null as never)).toMatchObject({ tool: "MCP", input: { arguments: {} } });
  });
  test("with a mistyped tool_name or mcp_server is an error that names the field", () => {
    const decode = (host: string, change: Payload) => () =>
      decodePayload(host, { ...getPayload(host, "PreToolUse-Bash"), ...change }, "PreToolUse");
    for (const host of ["claude", "codex"]) {
      for (const tool_name of [undefined, null])
        expect(decode(host, { tool_name })).toThrow("PreToolUse: tool_name is missing");
      expect(decode(host, { tool_name: 5 })).toThrow("PreToolUse: tool_name is number, not string");
      expect(decode(host, { tool_name: ["Bash"] })).toThrow("PreToolUse: tool_name is Array, not string");
    }
    for (const mcp_server of [{}, { name: null }, ["a"]])
      expect(decode("claude", { mcp_server })).toThrow("PreToolUse: mcp_server.name is missing");
    expect(decode("claude", { mcp_server: { name: 5 } })).toThrow("PreToolUse: mcp_server.name is number, not string");
    expect(decode("claude", { mcp_server: "a" })).toThrow("PreToolUse: mcp_server is string, not Object");
    for (const mcp_server of [undefined, null, { name: "a" }])
      expect(decode("claude", { mcp_server, duration_ms: "5", tool_use_id: 5 })()).not.toHaveProperty("duration_ms");
  });
  test("of an MCP server with underscores in its name is split by the name that the host provides", () => {
    expect(parseMcpName("mcp__a__b__c", "a__b")).toEqual({ server: "a__b", tool: "c" });
    expect(parseMcpName("mcp__a__b__c")).toEqual({ server: "a", tool: "b__c" });
    expect(parseMcpName("Bash")).toBeUndefined();
  });
});
