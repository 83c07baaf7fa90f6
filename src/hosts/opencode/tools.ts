import type { ToolTable } from "../codec/tool-table.ts";

/** OpenCode's tools [seen 1.18.33, 2026-11-22: their own schemas]. */
export const TOOLS: ToolTable = {
  bash: ["Bash", { command: "command", description: "description", cwd: "workdir", timeout_ms: "timeout" }],
  read: ["Read", { file_path: "filePath", offset: "offset", limit: "limit" }],
  write: ["Write", { file_path: "filePath", content: "content" }, { defaults: { content: "" } }],
  edit: [
    "Edit",
    { file_path: "filePath", old_string: "oldString", new_string: "newString" },
    { defaults: { old_string: "", new_string: "" } },
  ],
  apply_patch: ["Edit"],
  glob: ["Glob", { pattern: "pattern", path: "path" }, { defaults: { pattern: "*" } }],
  grep: ["Grep", { pattern: "pattern", path: "path", glob: "include" }, { defaults: { pattern: "" } }],
  webfetch: ["WebFetch", { url: "url" }],
  websearch: ["WebSearch", { query: "query" }, { defaults: { query: "" } }],
  task: [
    "Task",
    { prompt: "prompt", description: "description", agent_type: "subagent_type" },
    { defaults: { prompt: "" } },
  ],
};

/**
 * Known tools without a unified equivalent. They are decoded as `Other` even if their input has a field such as
 * `command`.
 */
export const UNMAPPED_TOOLS = ["list", "skill", "todowrite"];
