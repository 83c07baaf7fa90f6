import type { AnyEvent } from "../src/protocol/event.ts";

const CWD = "/srv/app";

/** Creates one event of each kind, as if another host had sent it. */
export function createSampleEvents(): AnyEvent[] {
  const base = { native_event: "", host: "", session_id: "s-1", cwd: CWD, _native: {} };
  const file_path = `${CWD}/a.txt`;
  const calls = [
    { tool: "Bash", input: { command: "run it", description: "d", timeout_ms: 5, run_in_background: false } },
    { tool: "Bash", input: { command: "run it", cwd: `${CWD}/b` } },
    { tool: "Read", input: { file_path, offset: 1, limit: 2 } },
    { tool: "Read", input: { file_path } },
    { tool: "Write", input: { file_path, content: "new" } },
    {
      tool: "Edit",
      input: { files: [{ file_path, operation: "update", edits: [{ old_string: "a", new_string: "b" }] }] },
    },
    { tool: "Grep", input: { pattern: "p", path: CWD } },
    { tool: "Glob", input: { pattern: "*", path: CWD } },
    { tool: "WebFetch", input: { url: "https://example.com/", prompt: "p" } },
    { tool: "WebSearch", input: { query: "q" } },
    { tool: "Task", input: { prompt: "p", description: "d", agent_type: "t" } },
  ].map((call) => ({ ...call, tool_name: call.tool, tool_use_id: "t-1" }));
  const mcp = {
    ...{ tool: "MCP", tool_name: "mcp__memory__search", tool_use_id: "t-1" },
    input: { server: "memory", tool: "search", arguments: { q: "x" } },
  };
  const output = { text: "out", raw: "out" };
  const events: object[] = [
    ...calls.flatMap((call) => [
      { event: "PreToolUse", ...call },
      { event: "PermissionRequest", ...call },
      { event: "PostToolUse", ...call, output, duration_ms: 5 },
      { event: "PostToolUseFailure", ...call, error: "failed", duration_ms: 5 },
    ]),
    { event: "SessionStart", source: "startup" },
    { event: "UserPromptSubmit", prompt: "do it" },
    { event: "Stop", continuations: 0, last_message: "done" },
    { event: "SessionEnd", reason: "other" },
    { event: "SubagentStart", task: "t" },
    { event: "SubagentStop", continuations: 0, last_message: "done" },
    { event: "PreCompact", trigger: "auto" },
    { event: "PostCompact", trigger: "auto" },
    { event: "Notification", message: "m", notification_type: "n" },
    { event: "PostToolUse", ...mcp, output },
    { event: "PostToolUseFailure", ...mcp, error: "failed" },
  ];
  return events.map((event) => ({ ...base, ...event }) as AnyEvent);
}
