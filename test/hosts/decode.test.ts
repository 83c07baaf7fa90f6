import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { EVENTS } from "../../src/protocol/event.ts";
import { defineHook, entryOf } from "../../src/protocol/hook.ts";
import { type Host, type Payload, rowOf } from "../../src/protocol/host/host.ts";
import { deny } from "../../src/protocol/response.ts";
import { parsePatch, renderPatch } from "../../src/hosts/patch.ts";
import { hosts } from "../../src/hosts/index.ts";
import { mcpName, withoutNulls } from "../../src/hosts/wire.ts";
import { detect } from "../../src/run/detect.ts";
import { respond } from "../../src/run/run.ts";
import { fixtures, payloadOf, ROOT } from "../support/fixtures.ts";

const host = (id: string): Host => hosts.find((known) => known.id === id) as Host;

/** The unified event of a payload; `any`, since each case looks at other fields. */
function decoded(id: string, payload: Payload, hint?: string): any {
  const clean = withoutNulls(payload);
  const name = host(id).eventName(clean, hint);
  return host(id).decode(clean, name, rowOf(host(id), name)).event;
}

/** file, event, tool and input of each recorded payload, one a line. */
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

/** The event that the entry named: a payload that says none was recorded under its name. */
const nameOf = (file: string, { hook_event_name, event }: Payload) =>
  String(hook_event_name ?? event ?? /^(?:PascalCase-)?(\w+)/.exec(file)?.[1]);

describe("recorded payloads", () => {
  for (const { host, version, file, payload } of fixtures) {
    test(`${host.id} ${version} ${file}`, () => {
      const event = decoded(host.id, payload, nameOf(file, payload));
      const { tool = "-", input } = event;
      expect([event.event, tool, input === undefined ? "-" : JSON.stringify(input)]).toEqual(
        expected.get(`${host.id} ${version} ${file}`) as string[],
      );
      expect(event).toMatchObject({
        host: host.id,
        native_event: nameOf(file, payload),
        cwd: expect.stringContaining("/home/dev/app"),
      });
      // What happens to the whole program belongs to no session.
      if (event.event !== "Native") expect(event.session_id).not.toBe("");
    });

    test(`${host.id} ${version} ${file} is recognised`, async () => {
      expect(await detect(hosts, withoutNulls(payload), { env: {} })).toEqual({ host });
      // A host started inside another's terminal inherits its environment.
      const inherited = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "another", CURSOR_PROJECT_DIR: "/elsewhere" };
      expect(await detect(hosts, withoutNulls(payload), { env: inherited })).toEqual({ host });
      const signed = host.signs.some(
        ({ all = [], test }) => all.every((key) => payload[key] != null) && (!test || test(payload, {})),
      );
      for (const named of hosts) {
        const found = await detect(hosts, withoutNulls(payload), { env: {} }, named);
        expect(found).toEqual(named === host || !signed ? { host: named } : { host, contradicted: named });
      }
    });
  }
  test("all of them ran", () => {
    expect(fixtures.length).toBe(expected.size);
    expect(fixtures.length).toBeGreaterThan(200);
  });
});

describe("a host that was named by mistake", () => {
  const guard = entryOf(defineHook({ event: "PreToolUse", handler: () => deny("no") }), "guard");
  const asked = (host: string, payload: object, ...flags: string[]) =>
    respond([guard], {}, ["--host", host, ...flags], { env: {}, read: () => JSON.stringify(payload) });
  const payload = payloadOf("claude", "PreToolUse-Bash", { prompt_id: undefined });
  const strangers = hosts.filter(({ capabilities }) => !Object.hasOwn(capabilities, "PreToolUse"));
  for (const { id, name } of strangers) {
    test(`${name} has no such event, and whose it is can be told`, async () => {
      const { stdout, stderr, exit_code } = await asked(id, payload);
      expect([exit_code, JSON.parse(stdout).hookSpecificOutput.permissionDecision]).toEqual([2, "deny"]);
      expect(stderr).toContain(`called with --host ${id} by Claude Code; answered as claude`);
    });
    test(`${name} has no such event, and nobody knows whose it is`, async () => {
      const { stderr, exit_code } = await asked(id, { hook_event_name: "PreToolUse", session_id: "s" });
      expect([exit_code, stderr]).toEqual([0, expect.stringContaining(`no such event of ${name} is known`)]);
      // A call is not let pass for that.
      const call = await asked(id, { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" } });
      expect([id, call.exit_code]).toEqual([id, id.startsWith("open") ? 1 : 2]);
    });
  }
  test("four of them", () => expect(strangers.length).toBe(4));
  test("a flag that is wrong is told first", async () => {
    for (const flags of [
      ["--hots", "claude"],
      ["--on-error", "block"],
    ])
      expect((await respond([guard], {}, flags, { env: {}, read: () => "" })).stderr).toContain(flags[0] as string);
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
/** Of plugins; the bus has many more. */
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

describe("every event a host documents has a row", () => {
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
    test(id, () => {
      expect(known[id].length).toBe(counts[id]);
      for (const name of known[id]) {
        expect(Object.keys(host(id).capabilities)).toContain(name);
        expect(EVENTS).toContain(rowOf(host(id), name).event);
      }
    });
    test(`${id}: has every unified event, or says that it lacks it`, () => {
      const has = new Set(Object.values(host(id).capabilities).map((make) => make().event));
      for (const event of EVENTS)
        expect([event, has.has(event) !== host(id).absent.includes(event)]).toEqual([event, true]);
    });
    test(`${id}: an event of tomorrow is Native, with its own name`, () => {
      for (const name of ["FutureEvent", "futureEvent", "constructor", "toString"]) {
        expect(
          decoded(id, { hook_event_name: name, event: name, session_id: "s", cwd: "/", anything: [1] }),
        ).toMatchObject({
          event: "Native",
          native_event: name,
        });
      }
    });
  }
});

describe("cursor", () => {
  test("a subagent that stops is told by its type, with an id or without", () => {
    const stopped = (fields: Payload) => decoded("cursor", payloadOf("cursor", "subagentStop", fields));
    expect(stopped({ subagent_id: undefined, subagent_type: "explore" })).toMatchObject({
      event: "SubagentStop",
      agent_type: "explore",
    });
    expect(stopped({ subagent_id: "a1", subagent_type: "explore" })).toMatchObject({
      agent_id: "a1",
      agent_type: "explore",
    });
  });
  test("what a shell gave back, as seen and as documented", () => {
    const given = (tool_output: unknown) =>
      decoded("cursor", payloadOf("cursor", "postToolUse.Shell", { tool_output: JSON.stringify(tool_output) })).output;
    expect(given({ output: "done\n", exitCode: 3 })).toMatchObject({ text: "done\n", stdout: "done\n", exit_code: 3 });
    const documented = { exitCode: 0, stdout: "passed" };
    expect(given(documented)).toEqual({ text: "passed", raw: documented, stdout: "passed", exit_code: 0 });
    const both = given({ exitCode: 1, stdout: "out\n", stderr: "err\n" });
    expect(both).toMatchObject({ text: "out\nerr\n", stdout: "out\n", stderr: "err\n", exit_code: 1 });
    expect(given({ stderr: "err" })).toMatchObject({ text: "err", stderr: "err" });
    // In the background.
    expect(given({ shell_id: 1, pid: 2 })).toEqual({ text: '{"shell_id":1,"pid":2}', raw: { shell_id: 1, pid: 2 } });
  });
});

test("an empty text in an input's place is no argument, on every host", () => {
  const call = (tool_name: string, tool_input: unknown) => ({ session_id: "s", cwd: "/", tool_name, tool_input });
  const payloads: [id: string, payload: Payload, hint?: string][] = [
    ["claude", { ...call("mcp__s__t", ""), hook_event_name: "PreToolUse" }],
    ["codex", { ...call("mcp__s__t", ""), hook_event_name: "PreToolUse" }],
    ["cursor", { ...call("MCP:t", ""), hook_event_name: "preToolUse" }],
    ["cursor", payloadOf("cursor", "beforeMCPExecution", { tool_input: "" })],
    ["cursor", { tool: "t", params: "" }],
    ["gemini", { ...call("mcp_s_t", ""), hook_event_name: "BeforeTool" }],
    ["copilot", payloadOf("copilot", "preToolUse", { toolName: "s-t", toolArgs: "" })],
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
    expect([id, decoded(id, payload)]).toEqual([
      id,
      expect.objectContaining({ tool: "MCP", input: expect.objectContaining({ arguments: {} }) }),
    ]);
});

describe("cursor: payloads that name no event", () => {
  const files = [
    { path: "/w/a.py", content: "a" },
    { path: "/w/b.js", content: null },
  ];
  /** Each with the fields that it may lack: null says the same as leaving them out. */
  const cases: [name: string, payload: Payload, optional: Payload, expected: object, told?: "by --host"][] = [
    [
      "a prompt with its files",
      { prompt: "hi", context: { files, workspaceFolder: "/w" } },
      {},
      {
        event: "UserPromptSubmit",
        native_event: "beforeSubmitPrompt",
        prompt: "hi",
        attachments: ["/w/a.py", "/w/b.js"],
        cwd: "/w",
      },
    ],
    [
      "a prompt in a folder",
      { prompt: "hi", context: { workspaceFolder: "/w", files: null } },
      {},
      { prompt: "hi", attachments: [], cwd: "/w" },
    ],
    [
      "a prompt with files alone",
      { prompt: "hi", context: { workspaceFolder: null, files } },
      {},
      { prompt: "hi", cwd: "" },
    ],
    [
      "a prompt alone",
      { prompt: "hi" },
      { context: {} },
      { event: "UserPromptSubmit", prompt: "hi", attachments: [] },
      "by --host",
    ],
    ...(
      [
        ["read_file", { path: "/w/a.py", encoding: "utf-8" }],
        ["edit_file", { path: "/w/a.py", edits: [{ oldText: "1", newText: "2" }] }],
        ["write_file", { path: "/w/a.py", content: "a" }],
        ["run_command", { command: "npm test", cwd: "/w" }],
        ["apply_diff", { diff: "-1\n+2" }],
      ] as [string, Payload][]
    ).map(
      ([tool, params]) =>
        [
          `${tool} before it runs`,
          { tool, params },
          {},
          {
            event: "PreToolUse",
            native_event: "beforeMCPExecution",
            tool: "MCP",
            tool_name: `MCP:${tool}`,
            input: { tool, arguments: params },
          },
        ] as (typeof cases)[number],
    ),
    [
      "a tool with no argument",
      { tool: "list_files", params: null },
      {},
      { event: "PreToolUse", tool: "MCP", input: { tool: "list_files", arguments: {} } },
    ],
    [
      "a tool that worked",
      { tool: "read_file", result: { success: true, content: "c", lines_changed: 0 } },
      { duration_ms: 45 },
      {
        event: "PostToolUse",
        native_event: "afterMCPExecution",
        tool: "MCP",
        output: { raw: { success: true, content: "c", lines_changed: 0 }, is_error: false },
      },
    ],
    [
      "a tool that failed",
      { tool: "read_file", result: { success: false, error: "no such file" } },
      { duration_ms: 12 },
      { event: "PostToolUse", tool: "MCP", output: { is_error: true, text: expect.stringContaining("no such file") } },
    ],
    [
      "a result that does not say whether it worked",
      { tool: "t", result: { success: null, rows: 2 } },
      { duration_ms: 1 },
      { output: { text: '{"success":null,"rows":2}', raw: { success: null, rows: 2 } } },
    ],
    [
      "a text as result",
      { tool: "t", result: "42" },
      { duration_ms: 1 },
      { event: "PostToolUse", output: { text: "42", raw: "42" } },
    ],
    [
      "no result",
      { tool: "t", result: null },
      { duration_ms: 1 },
      { event: "PostToolUse", tool: "MCP", output: { text: "" } },
    ],
    [
      "an edit",
      { file: "/w/B.tsx", changes: { added: 12, removed: 5, modified: 3 } },
      {},
      {
        event: "PostToolUse",
        native_event: "afterFileEdit",
        tool: "Edit",
        input: { files: [{ file_path: "/w/B.tsx", operation: "update", edits: [] }] },
      },
    ],
    ["an edit without figures", { file: "/w/B.tsx", changes: null }, {}, { event: "PostToolUse", tool: "Edit" }],
    [
      "a response",
      { response: "done" },
      { model: "m", tokens: 1250, duration_ms: 3400 },
      { event: "Native", native_event: "afterAgentResponse", _native: { response: "done" } },
    ],
    ["an end with turns", { total_turns: 47 }, { reason: "user_exit" }, { event: "Stop", native_event: "stop" }],
    [
      "an end with a reason",
      { reason: "timeout" },
      { total_turns: 2 },
      { event: "Stop", native_event: "stop" },
      "by --host",
    ],
  ];
  for (const [name, payload, optional, wanted, told] of cases) {
    const forms = {
      "with all its fields": { ...payload, ...optional },
      "with nulls": { ...payload, ...Object.fromEntries(Object.keys(optional).map((key) => [key, null])) },
      "with what it must have": payload,
    };
    for (const [form, given] of Object.entries(forms)) {
      test(`${name}, ${form}`, async () => {
        expect(decoded("cursor", given)).toMatchObject(wanted);
        expect(await detect(hosts, withoutNulls(given), { env: {} }, host("cursor"))).toEqual({ host: host("cursor") });
        const found = await detect(hosts, withoutNulls(given), { env: {} });
        // What any program might send says nothing of Cursor.
        if (!told) expect(found).toEqual({ host: host("cursor") });
        else if (form !== "with all its fields")
          expect(found).toMatchObject({ problem: expect.stringContaining("--host <id>") });
      });
    }
  }
  test("all of them ran", () => expect(cases.length).toBe(20));
  test("the durations and the model", () => {
    expect(decoded("cursor", { tool: "t", result: "", duration_ms: 45 }).duration_ms).toBe(45);
    expect(decoded("cursor", { response: "done", model: "m" }).model).toBe("m");
  });
});

describe("copilot: payloads that name no event, and those of VS Code", () => {
  const copilot = host("copilot");
  const named = fixtures.filter((fixture) => fixture.host === copilot && !fixture.file.startsWith("Pascal"));
  test("the fields tell the event", () => {
    expect(named.length).toBeGreaterThan(30);
    for (const { file, payload } of named)
      expect(copilot.eventName(payload).toLowerCase()).toBe(nameOf(file, payload).toLowerCase());
  });
  test("what the entry says comes before the one name that a payload in camelCase has", () => {
    const notification = payloadOf("copilot", "notification");
    expect(copilot.eventName(notification, "notification")).toBe("notification");
    expect(copilot.eventName(payloadOf("copilot", "PascalCase-PermissionRequest"), "PermissionRequest")).toBe(
      "PermissionRequest",
    );
    expect(copilot.eventName(payloadOf("copilot", "PascalCase-PreToolUse"), "preToolUse")).toBe("PreToolUse");
  });
  test("the input as JSON in a string, as older releases have it", () => {
    const payload = payloadOf("copilot", "preToolUse", { toolArgs: '{"command":"ls"}' });
    expect(decoded("copilot", payload)).toMatchObject({ tool: "Bash", input: { command: "ls" } });
  });
  test("a field beside the one that the tool reads hides nothing", () => {
    const of = (toolName: string, toolArgs: Payload) =>
      decoded("copilot", payloadOf("copilot", "preToolUse", { toolName, toolArgs })).input;
    expect(of("bash", { command: "rm", input: "ls" })).toMatchObject({ command: "rm" });
    expect(of("view", { path: "/a", file_path: "/b", filePath: "/b" })).toMatchObject({ file_path: "/a" });
    const change = { file_path: "/a", edits: [{ old_string: "1", new_string: "2" }] };
    const more = {
      patch: "*** Begin Patch\n*** Add File: /b\n+x\n*** End Patch",
      files: ["/b"],
      replacements: [{ filePath: "/b" }],
      diff: "+x",
    };
    expect(of("edit", { path: "/a", old_str: "1", new_str: "2", ...more })).toMatchObject({ files: [change] });
    expect(of("grep", { pattern: "x", paths: "/a", path: "/b", query: "y" })).toMatchObject({
      pattern: "x",
      path: "/a",
    });
  });
  const vscode: [tool_name: string, tool_input: Payload, tool: string, input: object][] = [
    [
      "run_in_terminal",
      { command: "ls", explanation: "e", isBackground: true },
      "Bash",
      { command: "ls", run_in_background: true },
    ],
    ["create_file", { filePath: "/a", content: "c" }, "Write", { file_path: "/a", content: "c" }],
    ["read_file", { filePath: "/a" }, "Read", { file_path: "/a" }],
    ["editFiles", { files: ["/a", "/b"] }, "Edit", { files: [{ file_path: "/a" }, { file_path: "/b" }] }],
    [
      "replace_string_in_file",
      { filePath: "/a", oldString: "1", newString: "2" },
      "Edit",
      { files: [{ file_path: "/a", edits: [{ old_string: "1", new_string: "2" }] }] },
    ],
    [
      "multi_replace_string_in_file",
      { replacements: [{ filePath: "/a", oldString: "1", newString: "2" }] },
      "Edit",
      { files: [{ file_path: "/a", edits: [{ old_string: "1", new_string: "2" }] }] },
    ],
    ["grep_search", { query: "x", includePattern: "*.ts" }, "Grep", { pattern: "x", glob: "*.ts" }],
    ["fetch_webpage", { urls: ["u", "w"] }, "WebFetch", { url: "u w" }],
    ["mcp_github_search", { q: 1 }, "MCP", { tool: "mcp_github_search", arguments: { q: 1 } }],
    ["manage_todo_list", { a: 1 }, "Other", { a: 1 }],
  ];
  for (const [tool_name, tool_input, tool, input] of vscode) {
    test(tool_name, async () => {
      const common = {
        timestamp: "2026-11-22T10:00:00.000Z",
        cwd: "/w",
        transcript_path: "/t.json",
        tool_name,
        tool_input,
        tool_use_id: "1",
      };
      for (const spelled of [
        { sessionId: "s", hookEventName: "PreToolUse" },
        { session_id: "s", hook_event_name: "PreToolUse" },
      ]) {
        const payload = { ...common, ...spelled };
        expect(await detect(hosts, payload, { env: {} })).toEqual({ host: copilot });
        const event = decoded("copilot", payload, "preToolUse");
        expect(event).toMatchObject({ event: "PreToolUse", native_event: "PreToolUse", session_id: "s", tool, input });
      }
    });
  }
});

describe("tools", () => {
  const BEFORE: Record<string, string> = { cursor: "preToolUse", gemini: "BeforeTool" };
  const plugged = (tool: string, args: Payload) =>
    decoded("opencode", {
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
      : decoded(id, { hook_event_name: BEFORE[id] ?? "PreToolUse", session_id: "s", cwd: "/", tool_name, tool_input });
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
    test(`${id} ${tool_name}`, () =>
      expect(pre(id, tool_name, input)).toMatchObject({ tool, tool_name, input: unified as object }));
  }
  test("a call whose input lacks what a policy must see is an error, not a call of no tool", () => {
    expect(() => pre("claude", "Bash", { command: ["rm"] })).toThrow(
      "tool_input of Bash: command is Array, not string",
    );
    expect(() => pre("opencode", "bash", {})).toThrow("args of bash: command is missing");
    expect(() => pre("opencode", "apply_patch", { patchText: "nonsense" })).toThrow("the patch names no file");
    expect(() => pre("cursor", "Shell", {})).toThrow("tool_input of Shell: command is missing");
    for (const [tool, input] of [
      ["Shell", { command: "ls", cwd: "/a", working_directory: "/b" }],
      ["Grep", { pattern: "x", path: "/a", file_path: "/b" }],
      ["List", { path: "/a", file_path: "/b" }],
      ["WebSearch", { query: "/a", search_term: "/b" }],
    ] as const) {
      expect(() => pre("cursor", tool, input)).toThrow(
        /^tool_input of \w+: "\w+" and "\w+" differ, and nobody knows which one counts/,
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
    expect(() => pre("copilot", "apply_patch", "nonsense" as never)).toThrow("the patch names no file");
    expect(() => pre("codex", "apply_patch", { command: "nonsense" })).toThrow("the patch names no file");
  });
  test("nulls and odd types in fields that only inform keep no policy from its work", () => {
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
  test("an MCP server whose name has underscores is told by the name the host gives", () => {
    expect(mcpName("mcp__a__b__c", "a__b")).toEqual({ server: "a__b", tool: "c" });
    expect(mcpName("mcp__a__b__c")).toEqual({ server: "a", tool: "b__c" });
    expect(mcpName("Bash")).toBeUndefined();
  });
});

describe("gemini", () => {
  const payload = {
    hook_event_name: "SessionStart",
    session_id: "s",
    cwd: "/",
    transcript_path: "",
    timestamp: "2026-11-22T00:00:00.000Z",
  };
  test("an MCP call is told by its context, whatever its name says", () => {
    const call = {
      tool_name: "mcp_a_b_c",
      tool_input: { x: 1 },
      mcp_context: { server_name: "a_b", tool_name: "c", command: "npx" },
    };
    expect(decoded("gemini", { ...payload, ...call, hook_event_name: "BeforeTool" })).toMatchObject({
      tool: "MCP",
      tool_name: "mcp_a_b_c",
      input: { server: "a_b", tool: "c", arguments: { x: 1 } },
    });
    const error = {
      ...call,
      tool_response: { llmContent: [{ text: "no" }], error: { message: "no" } },
      hook_event_name: "AfterTool",
    };
    expect(decoded("gemini", { ...payload, ...error })).toMatchObject({ output: { text: "no", is_error: true } });
  });
  test("the last message", () => {
    const after = {
      ...payload,
      hook_event_name: "AfterAgent",
      prompt: "p",
      prompt_response: "DONE",
      stop_hook_active: true,
    };
    expect(decoded("gemini", after)).toMatchObject({ event: "Stop", last_message: "DONE" });
  });
  test("files that the prompt names", () => {
    const prompt =
      "look\n--- Content from referenced files ---\nContent from @a b.txt:\none\nContent from @c:\ntwo\n--- End of content ---";
    expect(decoded("gemini", { ...payload, hook_event_name: "BeforeAgent", prompt })).toMatchObject({
      attachments: ["a b.txt", "c"],
    });
    expect(decoded("gemini", { ...payload, hook_event_name: "BeforeAgent", prompt: "look at @a" })).toMatchObject({
      attachments: [],
    });
  });
  test("without a transcript it is told by the session's own variable, and Qwen Code's is none of it", async () => {
    const env = { GEMINI_SESSION_ID: "s" };
    expect(await detect(hosts, payload, { env })).toEqual({ host: host("gemini") });
    expect("problem" in (await detect(hosts, payload, { env: { ...env, QWEN_PROJECT_DIR: "/" } }))).toBe(true);
    expect("problem" in (await detect(hosts, payload, { env: { GEMINI_SESSION_ID: "another" } }))).toBe(true);
  });
});

describe("codex: patches", () => {
  const patch = `*** Begin Patch
*** Add File: new.txt
+a
+*** Delete File: not-a-header
*** Update File: old.txt
*** Move to: moved.txt
@@ class A
 keep
-one
+two
@@
+end
*** Delete File: gone.txt
*** End Patch
`;
  const files = [
    {
      file_path: "new.txt",
      operation: "add",
      edits: [{ old_string: "", new_string: "a\n*** Delete File: not-a-header\n" }],
    },
    {
      file_path: "old.txt",
      operation: "move",
      moved_to: "moved.txt",
      edits: [
        { old_string: "keep\none\n", new_string: "keep\ntwo\n", anchor: "class A" },
        { old_string: "", new_string: "end\n" },
      ],
    },
    { file_path: "gone.txt", operation: "delete", edits: [] },
  ];
  test("add, update, move and delete", () => expect(parsePatch(patch)).toEqual(files as never));
  test("with CRLF, and in a here-document", () => {
    expect(parsePatch(`apply_patch <<'EOF'\r\n${patch.replaceAll("\n", "\r\n")}EOF`)).toEqual(files as never);
  });
  test("a header that Codex would trim is seen", () => {
    expect(
      parsePatch("*** Begin Patch\n*** Add File: ok\n+x\n   *** Delete File: .env  \n*** End Patch").map(
        (file) => file.file_path,
      ),
    ).toEqual(["ok", ".env"]);
  });
  test("spaces that only some languages trim hide nothing", () => {
    for (const space of ["\u0085", "\u2028", "\u00a0", "\ufeff", "\r"]) {
      const patch = `*** Begin Patch\n*** Add File: ok\n+x\n${space}*** Delete File: .env\n*** End Patch`;
      expect(parsePatch(patch).map((file) => file.file_path)).toEqual(["ok", ".env"]);
    }
    expect(parsePatch("*** Begin Patch\n*** Add File: a\u2028b/../.env\n+x\n*** End Patch")[0]?.file_path).toEndWith(
      ".env",
    );
  });
  test("what is rendered is read back", () => expect(parsePatch(renderPatch(files as never))).toEqual(files as never));
});
