import type { ToolTable } from "../codec/tool-table.ts";

/**
 * Grok Build's tools [seen 1.0.41, 2026-11-27; web_fetch was not offered: shipped 1.0.41]. A call must use these field
 * names; other fields are ignored [seen 1.0.41, 2026-11-28].
 */
export const TOOLS: ToolTable = {
  run_terminal_command: [
    "Bash",
    { command: "command", description: "description", timeout_ms: "timeout", run_in_background: "background" },
  ],
  // This tool runs a shell command and reports its output as events.
  monitor: ["Bash", { command: "command", description: "description", timeout_ms: "timeout_ms" }],
  read_file: ["Read", { file_path: "target_file", offset: "offset", limit: "limit" }],
  write: ["Write", { file_path: "file_path", content: "content" }],
  // An empty old string makes the tool create the file [seen 1.0.41, 2026-11-27].
  search_replace: [
    "Edit",
    { file_path: "file_path", old_string: "old_string", new_string: "new_string" },
    { createsFile: true },
  ],
  list_dir: ["Glob", { path: "target_directory" }, { defaults: { pattern: "*" } }],
  grep: ["Grep", { pattern: "pattern", path: "path", glob: "glob" }, { defaults: { pattern: "" } }],
  web_fetch: ["WebFetch", { url: "url", prompt: "prompt" }],
  web_search: ["WebSearch", { query: "query" }],
  spawn_subagent: [
    "Task",
    { prompt: "prompt", description: "description", agent_type: "subagent_type" },
    { defaults: { prompt: "" } },
  ],
};

/**
 * Known tools without a unified equivalent. They are decoded as `Other` even if their input has a field such as
 * `command` [seen 1.0.41, 2026-11-27].
 */
export const UNMAPPED_TOOLS = [
  "todo_write",
  "search_tool",
  "get_command_or_subagent_output",
  "kill_command_or_subagent",
  "scheduler_delete",
  "scheduler_list",
  "enter_plan_mode",
  "exit_plan_mode",
  "ask_user_question",
  "send_feedback",
  "image_gen",
  "image_edit",
  "image_to_video",
  "reference_to_video",
];
