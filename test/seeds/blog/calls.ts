import type { Payload } from "../../../src/protocol/host/host.ts";
import type { ClaimCase } from "../claim.ts";

/** Payloads of the four hosts, with the fields that all of a host's payloads have. */
export const buildClaudePayload = (hook_event_name: string, more: Payload = {}): Payload => ({
  session_id: "abc123",
  transcript_path: "/t.jsonl",
  cwd: "/w",
  hook_event_name,
  ...more,
});
export const buildCursorPayload = (hook_event_name: string, more: Payload = {}): Payload => ({
  conversation_id: "c",
  generation_id: "g",
  cursor_version: "3.2.16",
  workspace_roots: ["/w"],
  hook_event_name,
  ...more,
});
export const buildOpenCodePayload = (event: string, more: Payload = {}): Payload => ({
  host: "opencode",
  event,
  cwd: "/w",
  ...more,
});
export const buildOpenClawPayload = (event: string, more: Payload = {}): Payload => ({
  host: "openclaw",
  event,
  cwd: "/w",
  ctx: { sessionKey: "agent:main:x", sessionId: "s" },
  ...more,
});

/** Each host's payload before a shell command runs. */
export const claudeShell = buildClaudePayload("PreToolUse", {
  tool_name: "Bash",
  tool_input: { command: "rm -rf /tmp/build" },
});
export const cursorShell = buildCursorPayload("beforeShellExecution", { command: "git status", cwd: "/w" });
export const cursorTool = buildCursorPayload("preToolUse", {
  tool_name: "Shell",
  tool_input: { command: "git status", cwd: "/w" },
});
export const opencodeShell = buildOpenCodePayload("tool.execute.before", {
  input: { tool: "bash", sessionID: "ses_1", callID: "call_1" },
  output: { args: { command: "ls", description: "list" } },
});
export const openclawShell = buildOpenClawPayload("before_tool_call", {
  toolName: "exec",
  toolCallId: "t",
  params: { command: "ls" },
});

/** A denial in Claude Code's format, before a call. */
export const buildClaudeDenial = (permissionDecisionReason: string) => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason },
});

/** A denial in Cursor's format. */
export const buildCursorDenial = (reason: string) => ({
  permission: "deny",
  user_message: reason,
  agent_message: reason,
});
/** An MCP call in Cursor's format. */
export const cursorMCP = {
  tool_name: "echo",
  tool_input: '{"text":"hey"}',
  mcp_server_name: "tiny",
  command: "node tiny.js",
};

export const opencodeCall = { tool: "bash", sessionID: "ses_1", callID: "call_1" };
/** A call in the format of OpenClaw's plugin API, its run, and a person's command. */
export const openclawCall = { toolName: "exec", runId: "r", toolCallId: "t", params: { command: "ls" } };
export const openclawRun = { sessionKey: "agent:main:x", sessionId: "s", runId: "r" };
export const openclawCommand = buildOpenClawPayload("command:new", {
  type: "command",
  action: "new",
  sessionKey: "agent:main:x",
  timestamp: "2026-11-22T08:42:21.062Z",
  context: { commandSource: "telegram", senderId: "7", workspaceDir: "/w", sessionId: "s" },
  ctx: {},
});

export const shells = { claude: claudeShell, cursor: cursorTool, opencode: opencodeShell, openclaw: openclawShell };
export type HostId = keyof typeof shells;
/** One response to a shell call, and the answer that the host gets. */
export const createShellCase = (
  host: HostId,
  answer: ClaimCase["answer"],
  stdout: unknown,
  more: Partial<ClaimCase> = {},
): ClaimCase => ({
  host,
  stdin: shells[host],
  answer,
  stdout,
  ...more,
});
