import type { ToolTable } from "../codec/tool-table.ts";

const grep: ToolTable[string] = ["Grep", { pattern: "pattern", path: "dir_path", glob: "include_pattern" }];

/** Gemini CLI's tools [shipped 0.61.0]. */
export const TOOLS: ToolTable = {
  run_shell_command: [
    "Bash",
    { command: "command", description: "description", cwd: "dir_path", run_in_background: "is_background" },
  ],
  // `end_line` is a line number, whereas `limit` is a line count.
  read_file: ["Read", { file_path: "file_path", offset: "start_line" }],
  read_many_files: ["Read"],
  write_file: ["Write", { file_path: "file_path", content: "content" }],
  replace: ["Edit", { file_path: "file_path", old_string: "old_string", new_string: "new_string" }],
  glob: ["Glob", { pattern: "pattern", path: "dir_path" }],
  list_directory: ["Glob", { path: "dir_path" }, { defaults: { pattern: "*" } }],
  grep_search: grep,
  // An older name of this tool, which models can still use [seen 0.61.0, 2026-11-22].
  search_file_content: grep,
  web_fetch: ["WebFetch", { url: "url", prompt: "prompt" }, { defaults: { url: "" }, rewritableFields: ["prompt"] }],
  google_web_search: ["WebSearch", { query: "query" }],
  invoke_agent: ["Task", { prompt: "prompt", agent_type: "agent_name" }, { defaults: { prompt: "" } }],
};

/**
 * Known tools without a unified equivalent. They are decoded as `Other` even if their input has a field such as
 * `command`.
 */
export const UNMAPPED_TOOLS = ["save_memory", "write_todos"];
