import type { ToolTable } from "../codec/tool-table.ts";

/**
 * OpenClaw's tools [seen 2026.9.6, 2026-11-22: their schemas as sent to the model]. The shell's timeout is in seconds.
 */
export const TOOLS: ToolTable = {
  exec: ["Bash", { command: "command", cwd: "workdir", description: "title", run_in_background: "background" }],
  read: ["Read", { file_path: "path", offset: "offset", limit: "limit" }],
  write: ["Write", { file_path: "path", content: "content" }, { defaults: { content: "" } }],
  edit: ["Edit"],
  apply_patch: ["Edit"],
  web_fetch: ["WebFetch", { url: "url" }],
  web_search: ["WebSearch", { query: "query" }],
  sessions_spawn: [
    "Task",
    { prompt: "task", description: "label", agent_type: "agentId" },
    { defaults: { prompt: "" } },
  ],
};

/**
 * Known tools without a unified equivalent. They are decoded as `Other` even if their input has a field such as
 * `command`.
 */
export const UNMAPPED_TOOLS = ["message", "process", "tool_call"];
