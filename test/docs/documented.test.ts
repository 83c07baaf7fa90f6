import { describe, expect, test } from "bun:test";
import type { Payload } from "../../src/protocol/host/host.ts";
import { hostRegistry } from "../../src/hosts/registry.ts";
import { omitNulls } from "../../src/protocol/object.ts";
import { detectHost } from "../../src/call/identify/detect.ts";

// Payloads from the hosts' documentation, either copied or assembled from lists of fields. Every nullable field is null
// in at least one payload.

/** Documented in https://developers.openai.com/codex/hooks: the common fields, and each event's own fields. */
const SESSION = {
  session_id: "s",
  transcript_path: "/home/dev/.codex/sessions/rollout-1.jsonl",
  cwd: "/home/dev/app",
  model: "gpt-5",
};
const MODE = { permission_mode: "default" };
const TURN = { turn_id: "t", ...MODE };
const CALL = { tool_name: "Bash", tool_input: { command: "ls" } };
const CODEX: Readonly<Record<string, Payload>> = {
  SessionStart: { ...MODE, source: "startup" },
  PreToolUse: { ...TURN, ...CALL, tool_use_id: "u" },
  PermissionRequest: { ...TURN, tool_name: "Bash", tool_input: { command: "ls", description: null } },
  PostToolUse: { ...TURN, ...CALL, tool_use_id: "u", tool_response: "a\n" },
  UserPromptSubmit: { ...TURN, prompt: "do it" },
  Stop: { ...TURN, stop_hook_active: false, last_assistant_message: null },
  // Additional events in 0.169.0 [shipped: the binary's own JSON Schemas].
  SubagentStart: { ...TURN, agent_id: "a", agent_type: "default" },
  SubagentStop: {
    ...TURN,
    agent_id: "a",
    agent_type: "default",
    agent_transcript_path: null,
    last_assistant_message: null,
    stop_hook_active: false,
  },
  PreCompact: { turn_id: "t", trigger: "auto" },
  PostCompact: { turn_id: "t", trigger: "auto" },
  Interrupt: TURN,
  SessionEnd: { model: null, reason: "other" },
};

/** Documented in https://cursor.com/docs/agent/hooks: the common fields, and each event's own fields. */
const CURSOR_BASE = {
  conversation_id: "c",
  generation_id: "g",
  model: "m",
  cursor_version: "1.7.2",
  workspace_roots: ["/project"],
  user_email: "dev@example.com",
  transcript_path: "/home/dev/.cursor/projects/app/agent-transcripts/c.txt",
};
const SHELL = { tool_name: "Shell", tool_input: { command: "npm test" }, tool_use_id: "abc123", cwd: "/project" };
const CURSOR: Readonly<Record<string, Payload>> = {
  preToolUse: { ...SHELL, agent_message: "Installing dependencies..." },
  postToolUse: { ...SHELL, tool_output: '{"exitCode":0}', duration: 5432 },
  postToolUseFailure: {
    ...SHELL,
    error_message: "Command timed out after 30s",
    failure_type: "timeout",
    duration: 5000,
    is_interrupt: false,
  },
  subagentStart: {
    subagent_id: "abc-123",
    subagent_type: "generalPurpose",
    task: "Explore",
    parent_conversation_id: "conv-456",
    tool_call_id: "tc-789",
  },
  subagentStop: {
    subagent_type: "generalPurpose",
    status: "completed",
    task: "Explore",
    summary: "",
    duration_ms: 45000,
    loop_count: 0,
  },
  beforeShellExecution: { command: "ls", cwd: "/project", sandbox: false },
  afterShellExecution: { command: "ls", output: "", duration: 1234, sandbox: false },
  beforeMCPExecution: { tool_name: "t", tool_input: "{}", command: "server" },
  afterMCPExecution: { tool_name: "t", tool_input: "{}", result_json: "{}", duration: 1234 },
  beforeReadFile: { file_path: "/project/a", content: "", attachments: [{ type: "file", file_path: "/project/a" }] },
  afterFileEdit: { file_path: "/project/a", edits: [{ old_string: "", new_string: "" }] },
  beforeTabFileRead: { file_path: "/project/a", content: "" },
  afterTabFileEdit: { file_path: "/project/a", edits: [] },
  beforeSubmitPrompt: { prompt: "do it", attachments: [] },
  afterAgentResponse: { text: "" },
  afterAgentThought: { text: "", duration_ms: 5000 },
  stop: { status: "completed", loop_count: 0 },
  sessionStart: { session_id: "s", is_background_agent: false, composer_mode: "agent" },
  sessionEnd: {
    session_id: "s",
    reason: "completed",
    duration_ms: 45000,
    is_background_agent: false,
    final_status: "",
  },
  preCompact: { trigger: "auto", context_usage_percent: 85, message_count: 45, is_first_compaction: true },
};

/** Inputs from an older version of Cursor's reference, without the event name. */
const NAMELESS: Readonly<Record<string, Payload>> = {
  beforeSubmitPrompt: { prompt: "do it", context: { files: [], workspaceFolder: "/project" } },
  beforeMCPExecution: { tool: "read_file", params: { path: "/project/a" } },
  afterMCPExecution: { tool: "read_file", result: { success: true }, duration_ms: 45 },
  afterFileEdit: { file: "/project/a", changes: { added: 12, removed: 5, modified: 3 } },
  afterAgentResponse: { response: "text", model: "m", tokens: 1250, duration_ms: 3400 },
  stop: { reason: "user_exit", total_turns: 47 },
};

type Documented = [host: string, what: string, payload: Payload];
const named = (host: string, events: Readonly<Record<string, Payload>>, base: Payload): Documented[] =>
  Object.entries(events).map(([hook_event_name, fields]) => [
    host,
    hook_event_name,
    { hook_event_name, ...base, ...fields },
  ]);

const payloads: Documented[] = [
  ...named("codex", CODEX, SESSION),
  ...named("codex", CODEX, { ...SESSION, transcript_path: null }).map(([host, what, payload]): Documented => [
    host,
    `${what}, no transcript`,
    payload,
  ]),
  ...named("cursor", CURSOR, CURSOR_BASE),
  ...named("cursor", CURSOR, { ...CURSOR_BASE, user_email: null, transcript_path: null }).map(
    ([host, what, payload]): Documented => [host, `${what}, nulls`, payload],
  ),
  ...Object.entries(NAMELESS).map(([what, payload]): Documented => ["cursor", `${what}, nameless`, payload]),
  // Payloads from published comparisons between hosts.
  [
    "claude",
    "PreToolUse without a folder",
    {
      session_id: "abc123",
      transcript_path: "/home/user/.claude/projects/.../transcript.jsonl",
      hook_event_name: "PreToolUse",
      ...CALL,
    },
  ],
  [
    "cursor",
    "beforeShellExecution without a version",
    {
      conversation_id: "668320d2-...",
      generation_id: "490b90b7-...",
      command: "git status",
      cwd: "/path/to/project",
      hook_event_name: "beforeShellExecution",
      workspace_roots: ["/path/to/project"],
    },
  ],
];

describe("host detection without --host", () => {
  for (const [id, what, payload] of payloads)
    test(`recognizes a documented ${id} payload: ${what}`, async () => {
      const found = await detectHost(hostRegistry, omitNulls(payload), { env: {} });
      expect("host" in found ? found.host.id : found.problem).toBe(id);
    });
  test("covers 72 documented payloads", () => expect(payloads.length).toBe(72));
});

test("a payload that another host could send matches no host, and the message suggests --host", async () => {
  const unknown: Payload[] = [
    { hook_event_name: "SessionStart", session_id: "s", cwd: "/project", model: "m", source: "startup" },
    { hook_event_name: "SessionEnd", session_id: "s", cwd: "/project", reason: "exit" },
    { hook_event_name: "SessionEnd", session_id: "s", cwd: "/project", reason: "other", more: 1 },
    { hook_event_name: "PreToolUse", session_id: "s", transcript_path: "/home/dev/.other/projects/t.jsonl", ...CALL },
  ];
  for (const payload of unknown)
    expect(await detectHost(hostRegistry, payload, { env: {} })).toEqual({
      problem: expect.stringMatching(/^stdin matches no known host.*--host <id>$/),
    });
});
