import type { ToolTable } from "../codec/tool-table.ts";

/** Qwen Code's tools [seen 0.24.4, 2026-11-29]. A comment marks each tool that was not run. */
export const TOOLS: ToolTable = {
  run_shell_command: [
    "Bash",
    {
      command: "command",
      description: "description",
      timeout_ms: "timeout",
      cwd: "directory",
      run_in_background: "is_background",
    },
  ],
  // This tool runs a shell command and reports its output as events.
  monitor: ["Bash", { command: "command", description: "description", cwd: "directory" }],
  read_file: ["Read", { file_path: "file_path", offset: "offset", limit: "limit" }],
  // This tool was not run [shipped 0.24.4].
  zoom_image: ["Read", { file_path: "file_path" }],
  write_file: ["Write", { file_path: "file_path", content: "content" }],
  // If the old string is empty, the tool creates the file.
  edit: ["Edit", { file_path: "file_path", old_string: "old_string", new_string: "new_string" }, { createsFile: true }],
  // This tool was not run [shipped 0.24.4].
  notebook_edit: [
    "Edit",
    { file_path: "notebook_path", new_string: "new_source" },
    { defaults: { old_string: "", new_string: "" }, rewritableFields: [] },
  ],
  glob: ["Glob", { pattern: "pattern", path: "path" }],
  // Qwen Code offers this tool only if the tools.listDirectory.enabled setting is on.
  list_directory: ["Glob", { path: "path" }, { defaults: { pattern: "*" } }],
  grep_search: ["Grep", { pattern: "pattern", path: "path", glob: "glob" }],
  web_fetch: ["WebFetch", { url: "url", prompt: "prompt" }],
  // This tool was not run [shipped 0.24.4].
  web_search: ["WebSearch", { query: "query" }],
  agent: [
    "Task",
    { prompt: "prompt", description: "description", agent_type: "subagent_type" },
    { defaults: { prompt: "" } },
  ],
};

/**
 * Known tools without a unified equivalent. They are decoded as `Other` even if their input has a field such as
 * `command`. `tool_call` is not listed, because hooks see the tool that it calls [seen 0.24.4, 2026-11-29].
 */
export const UNMAPPED_TOOLS = [
  "ask_user_question",
  "cron_delete",
  "cron_list",
  "exit_plan_mode",
  "get_goal",
  "list_agents",
  "save_memory",
  "send_message",
  "skill",
  "task_stop",
  "todo_write",
  "tool_search",
  "update_goal",
];
