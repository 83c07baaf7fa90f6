import type { Payload } from "../../../src/protocol/host/host.ts";
import type { Case } from "../claim.ts";

/** Payloads of the four hosts, with what every one of theirs carries. */
export const claude = (hook_event_name: string, more: Payload = {}): Payload => ({
  session_id: "abc123",
  transcript_path: "/t.jsonl",
  cwd: "/w",
  hook_event_name,
  ...more,
});
export const cursor = (hook_event_name: string, more: Payload = {}): Payload => ({
  conversation_id: "c",
  generation_id: "g",
  cursor_version: "3.2.16",
  workspace_roots: ["/w"],
  hook_event_name,
  ...more,
});
export const opencode = (event: string, more: Payload = {}): Payload => ({
  host: "opencode",
  event,
  cwd: "/w",
  ...more,
});
export const openclaw = (event: string, more: Payload = {}): Payload => ({
  host: "openclaw",
  event,
  cwd: "/w",
  ctx: { sessionKey: "agent:main:x", sessionId: "s" },
  ...more,
});

/** A shell line of each, before it runs. */
export const claudeShell = claude("PreToolUse", { tool_name: "Bash", tool_input: { command: "rm -rf /tmp/build" } });
export const cursorShell = cursor("beforeShellExecution", { command: "git status", cwd: "/w" });
export const cursorTool = cursor("preToolUse", {
  tool_name: "Shell",
  tool_input: { command: "git status", cwd: "/w" },
});
export const opencodeShell = opencode("tool.execute.before", {
  input: { tool: "bash", sessionID: "ses_1", callID: "call_1" },
  output: { args: { command: "ls", description: "list" } },
});
export const openclawShell = openclaw("before_tool_call", {
  toolName: "exec",
  toolCallId: "t",
  params: { command: "ls" },
});

/** A denial of Claude Code before a call. */
export const claudeDenial = (permissionDecisionReason: string) => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason },
});

/** A denial of Cursor. */
export const cursorDenial = (reason: string) => ({ permission: "deny", user_message: reason, agent_message: reason });
/** A call of an MCP tool, as Cursor tells of it. */
export const cursorMCP = {
  tool_name: "echo",
  tool_input: '{"text":"hey"}',
  mcp_server_name: "tiny",
  command: "node tiny.js",
};

export const opencodeCall = { tool: "bash", sessionID: "ses_1", callID: "call_1" };
/** A call as OpenClaw tells its plugins, the run that it is in, and a command of a person. */
export const openclawCall = { toolName: "exec", runId: "r", toolCallId: "t", params: { command: "ls" } };
export const openclawRun = { sessionKey: "agent:main:x", sessionId: "s", runId: "r" };
export const openclawCommand = openclaw("command:new", {
  type: "command",
  action: "new",
  sessionKey: "agent:main:x",
  timestamp: "2026-11-22T08:42:21.062Z",
  context: { commandSource: "telegram", senderId: "7", workspaceDir: "/w", sessionId: "s" },
  ctx: {},
});

export const shells = { claude: claudeShell, cursor: cursorTool, opencode: opencodeShell, openclaw: openclawShell };
export type HostId = keyof typeof shells;
/** One answer at the call of a shell, and what the host is sent. */
export const sent = (host: HostId, answer: Case["answer"], stdout: unknown, more: Partial<Case> = {}): Case => ({
  host,
  stdin: shells[host],
  answer,
  stdout,
  ...more,
});
