import { expect } from "bun:test";
import type { ClaimCase } from "../claim.ts";
import { call, each, sees } from "./calls.ts";
import { buildPayload, fileFields, shellFields, shellTool, TOOL, TAB_READ } from "./fields.ts";
import { recorded, sections } from "./section.ts";

/** A call of the executable with an environment variable that Cursor sets. */
const inherits = (name: string, value: string): ClaimCase => ({
  host: "cursor",
  stdin: buildPayload("stop"),
  env: { [name]: value },
  sees: { variables: { [name]: value } },
});
/** Expects that a payload is recognized as Cursor's without a flag. */
const detects =
  (payload: object, env: Record<string, string> = {}) =>
  async () =>
    expect((await call({ ...payload }, {}, { host: "", env })).event).toMatchObject({ host: "cursor", event: "Stop" });

const stopped = { hook_event_name: "stop", workspace_roots: ["/project"] };
const empty = {
  ...{ conversation_id: "string", generation_id: "string", model: "string", cursor_version: "string" },
  ...{ workspace_roots: ["<path>"], user_email: null, transcript_path: null },
};
const emptyEdit = { old_string: "", new_string: "" };
const emptyFile = [{ type: "file", file_path: "" }];
const verbatim: readonly [native_event: string, fields: object][] = [
  ["beforeShellExecution", { command: "", cwd: "", sandbox: false }],
  ["beforeMCPExecution", { tool_name: "", tool_input: "", url: "" }],
  ["beforeMCPExecution", { tool_name: "", tool_input: "", command: "" }],
  ["afterShellExecution", { command: "", output: "", duration: 1234, sandbox: false }],
  ["afterMCPExecution", { tool_name: "", tool_input: "", result_json: "", duration: 1234 }],
  ["afterFileEdit", { file_path: "", edits: [emptyEdit] }],
  ["beforeReadFile", { file_path: "", content: "", attachments: emptyFile }],
  ["beforeTabFileRead", { file_path: "", content: "" }],
  ["afterTabFileEdit", { file_path: "", edits: [{ ...emptyEdit, old_line: "", new_line: "" }] }],
  ["beforeSubmitPrompt", { prompt: "", attachments: emptyFile }],
  ["afterAgentResponse", { text: "" }],
  ["afterAgentThought", { text: "", duration_ms: 5000 }],
  ["stop", { status: "completed", loop_count: 0 }],
  ["sessionStart", { session_id: "", is_background_agent: true, composer_mode: "agent" }],
  ["sessionEnd", { session_id: "", reason: "completed", duration_ms: 45_000, final_status: "", error_message: "" }],
];

const printed = { text: "3\n", stdout: "3\n", raw: "3\n" };
const mcp = { tool_name: "search", tool_input: "{}" };
const mcpResult = { ...mcp, result_json: '{"content":[{"type":"text","text":"found"}],"isError":false}' };
const found = { text: "found", is_error: false, raw: { content: [{ type: "text", text: "found" }] } };
const [one, two] = [emptyEdit, { old_string: "2", new_string: "TWO" }];
const editedFile = { file_path: "/a", operation: "update", edits: [one, two] };
const range = { start_line_number: 10, start_column: 5, end_line_number: 10, end_column: 20 };
const tabEdit = { file_path: "/a", edits: [{ ...two, range, old_line: "2;", new_line: "TWO;" }] };
const files = ["file", "rule"].map((type) => ({ type, file_path: `/${type}` }));
const failed = { ...shellTool, error_message: "no" };
/** Fields of a call that both later events repeat. */
const again = { tool: "Bash", input: { command: "npm install" }, tool_use_id: "abc123", cwd: "/project" };

export const input = sections(
  "# Input of all events",
  "`conversation_id` stays the same over many turns",
  sees("stop", {}, { session_id: "conv-456" }),
  // Additional fields sent by the SDK.
  sees("stop", { session_id: "s-1" }, { session_id: "s-1", _native: { conversation_id: "conv-456" } }),
  "The page's example inputs, with their empty strings, are accepted unchanged",
  async () => {
    for (const [native_event, fields] of verbatim) {
      const payload = { ...empty, hook_event_name: native_event, ...fields };
      const answer = { event: { host: "cursor", native_event }, stdout: {}, exit_code: 0 };
      expect(await call(payload, {}, { host: "", args: ["--on-error", "deny"] })).toMatchObject(answer);
    }
  },
  ["`generation_id` changes with every prompt", sees("stop", { generation_id: "gen-2" })],
  ["`model` is the model set in the composer", sees("stop", {}, { model: "claude-sonnet-4-20250514" })],
  "`hook_event_name` says which event it is",
  sees("preCompact", {}, { native_event: "preCompact", event: "PreCompact" }),
  detects({ ...stopped, cursor_version: "1.7.2" }),
  ["`cursor_version` is Cursor's version", sees("stop", { cursor_version: "1.7.2" }, { host_version: "1.7.2" })],
  "`workspace_roots` are the folders of the workspace, one or more",
  sees("stop", { workspace_roots: ["/1", "/2"] }, { cwd: "/1", _native: { workspace_roots: ["/1", "/2"] } }),
  "`user_email` is the user's address, or null",
  sees("stop", { user_email: "dev@example.com" }),
  sees("stop", { user_email: null }),
  "`transcript_path` is the transcript's file, or null",
  sees("stop", { transcript_path: "/home/dev/t.jsonl" }, { transcript_path: "/home/dev/t.jsonl" }),
  sees("stop", { transcript_path: null }, { event: "Stop", _native: { transcript_path: null } }),
  "# Environment variables",
  "`CURSOR_PROJECT_DIR` is the root of the workspace",
  inherits("CURSOR_PROJECT_DIR", "/project"),
  // The variable helps to detect the host.
  detects({ ...stopped, status: "completed" }, { CURSOR_PROJECT_DIR: "/project" }),
  ["`CURSOR_VERSION` is Cursor's version, as a string", inherits("CURSOR_VERSION", "3.2.16")],
  ["`CURSOR_USER_EMAIL` is set if the user is logged in", inherits("CURSOR_USER_EMAIL", "dev@example.com")],
  ["`CURSOR_TRANSCRIPT_PATH` is set if transcripts are on", inherits("CURSOR_TRANSCRIPT_PATH", "/home/dev/t.jsonl")],
  ['`CURSOR_CODE_REMOTE` is `"true"` in a remote workspace', inherits("CURSOR_CODE_REMOTE", "true")],
  "Variables set by a `sessionStart` hook reach all later hooks in the session",
  "differs: The variables don't reach tool call hooks or the shell tool. Use `state(event)` [seen @cursor/sdk 1.0.32, 2026-11-21]",
  inherits("CURSOR_STAGE_OF_SESSION", "test"),
  "shown by call/fields.test.ts: Cursor passes session variables only to later hooks, with a warning",
  "`CLAUDE_PROJECT_DIR` is an alias for the project's folder",
  inherits("CLAUDE_PROJECT_DIR", "/project"),
  // The variable doesn't make the call look like Claude Code's.
  sees(...TOOL, { host: "cursor" }, { host: "", env: { CLAUDE_PROJECT_DIR: "/project" } }),
  "# preToolUse: input",
  "`tool_input` of `Shell` has `command` and `working_directory`",
  sees(...TOOL, { tool: "Bash", tool_name: "Shell" }),
  sees(...TOOL, { input: { command: "npm install", cwd: "/project" } }),
  ["`tool_use_id` names the call", sees(...TOOL, { tool_use_id: "abc123" })],
  "`cwd` is the working directory of the call",
  sees("preToolUse", { ...shellTool, cwd: "/project/web" }, { cwd: "/project/web" }),
  sees("preToolUse", { ...shellTool, cwd: undefined }, { cwd: "/project" }),
  "`agent_message` is what the agent said before the call",
  sees("preToolUse", { ...shellTool, agent_message: "Installing dependencies..." }),
  "# beforeShellExecution and afterShellExecution: input",
  "`beforeShellExecution` has `command` and `cwd`",
  ...recorded("beforeShellExecution"),
  sees("beforeShellExecution", { ...shellFields, cwd: "/project/web" }, { cwd: "/project/web" }),
  "`sandbox` says whether the command runs in a sandbox",
  sees("beforeShellExecution", { ...shellFields, sandbox: true }),
  sees("afterShellExecution", { ...shellFields, sandbox: false }),
  ["`command` of `afterShellExecution` is the whole line", ...recorded("afterShellExecution")],
  "`output` is everything that the terminal showed",
  sees("afterShellExecution", { ...shellFields, output: "3\n" }, { output: printed }),
  "`duration` is in milliseconds, without the wait for approval",
  sees("afterShellExecution", { ...shellFields, output: "", duration: 1234 }, { duration_ms: 1234 }),
  "# beforeMCPExecution and afterMCPExecution: input",
  "`tool_name` is the bare name of the tool",
  ...recorded("beforeMCPExecution"),
  sees("beforeMCPExecution", mcp, { tool_name: "MCP:search" }),
  ["`tool_input` is the parameters as a JSON string", ...recorded("beforeMCPExecution")],
  "`tool_input` may be an empty string",
  "shown by hosts/decode.test.ts: an empty string as input gives no arguments, on every host",
  "A server is identified by its `url` or by its `command`",
  "shown by call/servers.test.ts: an MCP call that does not name its server",
  "shown by call/servers.test.ts: names its server in the event if the server is found",
  ["`afterMCPExecution` has the tool and its parameters again", ...recorded("afterMCPExecution")],
  ["`result_json` is the tool's answer as a JSON string", sees("afterMCPExecution", mcpResult, { output: found })],
  "`duration` of an MCP tool is in milliseconds, without the wait for approval",
  sees("afterMCPExecution", { ...mcpResult, duration: 1234 }, { duration_ms: 1234 }),
  "# Files: input",
  ["`beforeReadFile` has the file's absolute path", ...recorded("beforeReadFile")],
  ["`beforeReadFile` has the content of the file", ...recorded("beforeReadFile")],
  "`beforeReadFile` has the prompt's `attachments`, each a `file` or a `rule`",
  sees("beforeReadFile", { ...fileFields, attachments: files }),
  "`afterFileEdit` has the path, and the old and new text of each edit",
  sees("afterFileEdit", { file_path: "/a", edits: [one, two] }, { tool: "Edit", input: { files: [editedFile] } }),
  "`beforeTabFileRead` has the path and the content of the file",
  sees(...TAB_READ, { tool: "Read", tool_name: "TabRead", input: fileFields }),
  "`beforeTabFileRead` has no `attachments`, and fires for Tab only",
  sees(...TAB_READ, { native_event: "beforeTabFileRead" }),
  "`afterTabFileEdit` fires for Tab only",
  sees("afterTabFileEdit", tabEdit, { native_event: "afterTabFileEdit", tool: "Edit", tool_name: "TabWrite" }),
  "`afterTabFileEdit` has the `range`, `old_line` and `new_line` of each edit",
  sees("afterTabFileEdit", tabEdit),
  sees("afterTabFileEdit", tabEdit, { input: { files: [{ file_path: "/a", edits: [two] }] } }),
  "# postToolUse and postToolUseFailure: input",
  "`postToolUse` has the tool and its input again, and the call's `tool_use_id`",
  sees("postToolUse", { ...shellTool, tool_output: "{}" }, { event: "PostToolUse", ...again }),
  "`tool_output` is the tool's result as a JSON string, not the terminal's output",
  "shown by hosts/cursor/decode.test.ts: of a finished shell call has the output, in the observed and the documented form",
  "`duration` of a tool is in milliseconds",
  sees("postToolUse", { ...shellTool, tool_output: "{}", duration: 5432 }, { duration_ms: 5432 }),
  "`postToolUseFailure` has the tool and its input again, and the call's `tool_use_id`",
  sees("postToolUseFailure", failed, { event: "PostToolUseFailure", ...again }),
  ["`error_message` describes the failure", sees("postToolUseFailure", failed, { error: "no" })],
  "`failure_type` is `error`, `timeout` or `permission_denied`",
  ...each("postToolUseFailure", "failure_type", "error timeout permission_denied", failed),
  "`duration` of a failed call is in milliseconds",
  sees("postToolUseFailure", { ...failed, duration: 5000 }, { duration_ms: 5000 }),
  ["`is_interrupt` says whether the user stopped it", sees("postToolUseFailure", { ...failed, is_interrupt: true })],
  "# Subagents: input",
  ["`subagent_id` names a subagent", sees("subagentStart", { subagent_id: "abc-123" }, { agent_id: "abc-123" })],
  "`subagent_type` is `generalPurpose`, `explore`, `shell` or another",
  sees("subagentStart", { subagent_id: "abc-123", subagent_type: "explore" }, { agent_type: "explore" }),
  ["`task` is what the subagent is to do", sees("subagentStart", { task: "Explore auth" }, { task: "Explore auth" })],
  [
    "`parent_conversation_id` is the conversation of its parent",
    sees("subagentStart", { parent_conversation_id: "c-1" }),
  ],
  ["`tool_call_id` is the call that started the subagent", sees("subagentStart", { tool_call_id: "tc-789" })],
  ["`subagent_model` is its model", sees("subagentStart", { subagent_model: "claude-sonnet-4-20250514" })],
  [
    "`is_parallel_worker` says whether it runs in parallel with others",
    sees("subagentStart", { is_parallel_worker: true }),
  ],
  ["`git_branch` is its branch, if it has one", sees("subagentStart", { git_branch: "feature/auth" })],
  "`status` of a subagent is `completed`, `error` or `aborted`",
  ...each("subagentStop", "status", "completed error aborted"),
  "At its end, `task` and `description` say what it was to do",
  sees("subagentStop", { task: "Explore auth", description: "Exploring" }),
  "At its end, `subagent_type` says which type it was; there is no `subagent_id`",
  "shown by hosts/cursor/decode.test.ts: of a stopped subagent has the agent's type, with or without an ID",
  ["`summary` is what it returned", sees("subagentStop", { summary: "Found it." }, { last_message: "Found it." })],
  "`duration_ms`, `message_count` and `tool_call_count` say what it took",
  sees("subagentStop", { duration_ms: 45_000, message_count: 12, tool_call_count: 8 }),
  "`loop_count` of a subagent counts how often it went on",
  sees("subagentStop", { status: "completed", loop_count: 3 }, { continuations: 3 }),
  ["`modified_files` are the files that it changed", sees("subagentStop", { modified_files: ["src/auth.ts"] })],
  "`agent_transcript_path` is its own transcript, or null",
  sees("subagentStop", { agent_transcript_path: "/t.txt" }),
  sees("subagentStop", { agent_transcript_path: null }),
  "# Prompts, answers, sessions: input",
  "`prompt` is what the user is about to send",
  sees("beforeSubmitPrompt", { prompt: "Fix it" }, { event: "UserPromptSubmit", prompt: "Fix it" }),
  "`attachments` of a prompt are files and rules",
  sees("beforeSubmitPrompt", { prompt: "", attachments: files }),
  sees("beforeSubmitPrompt", { prompt: "", attachments: files }, { attachments: ["/file", "/rule"] }),
  ["`text` is the answer of the agent", sees("afterAgentResponse", { text: "Done." })],
  ["`text` is the whole thought", sees("afterAgentThought", { text: "Hm." })],
  ["`duration_ms` of a thought is optional", sees("afterAgentThought", { text: "Hm.", duration_ms: 5000 })],
  ["`status` at `stop` is `completed`, `aborted` or `error`", ...each("stop", "status", "completed aborted error")],
  "`loop_count` at `stop` counts from 0 how often a hook made the agent go on",
  ...[0, 2].map((loop_count) => sees("stop", { loop_count }, { continuations: loop_count })),
  "`session_id` is the same as `conversation_id`",
  sees("sessionStart", { session_id: "conv-456" }, { session_id: "conv-456" }),
  ["`is_background_agent` tells background agents at the start", sees("sessionStart", { is_background_agent: true })],
  ["`composer_mode` is `agent`, `ask` or `edit`", ...each("sessionStart", "composer_mode", "agent ask edit")],
  "`reason` says how a session ended: `completed`, `aborted`, `error`, `window_close`, `user_close`",
  ...each("sessionEnd", "reason", "completed aborted error window_close user_close", {}, true),
  ["`duration_ms` of a session is in milliseconds", sees("sessionEnd", { reason: "completed", duration_ms: 45_000 })],
  ["`is_background_agent` tells background agents at the end", sees("sessionEnd", { is_background_agent: false })],
  ["`final_status` is the session's last status", sees("sessionEnd", { final_status: "completed" })],
  ["`error_message` is present if the reason is `error`", sees("sessionEnd", { reason: "error", error_message: "no" })],
  ["`trigger` of a compaction is `auto` or `manual`", ...each("preCompact", "trigger", "auto manual", {}, true)],
  "`context_usage_percent`, `context_tokens` and `context_window_size` say how full the context is",
  sees("preCompact", { context_usage_percent: 85, context_tokens: 120_000, context_window_size: 128_000 }),
  "`message_count` and `messages_to_compact` say how much is compacted",
  sees("preCompact", { message_count: 45, messages_to_compact: 30 }),
  ["`is_first_compaction` tells the first of a conversation", sees("preCompact", { is_first_compaction: true })],
);
