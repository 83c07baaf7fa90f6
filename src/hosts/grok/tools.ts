import type { ToolTable } from "../codec/tool-table.ts";

/** The names of each field; the first ones [seen 1.0.41, 2026-11-27], the others of user reports [unverified]. */
export const FIELDS = {
  path: ["target_file", "file_path", "filePath", "path", "file"],
  old: ["old_string", "oldString", "old_str", "old_text"],
  new: ["new_string", "newString", "new_str", "new_text"],
  content: ["content", "contents", "file_text", "code_edit"],
  folder: ["target_directory", "path", "dir_path", "directory"],
  pattern: ["pattern", "glob_pattern", "query"],
} as const;

/** Returns a field's names, starting with the one that payloads for this tool are built with. */
const first = (name: string, others: readonly string[]) => [name, ...others.filter((one) => one !== name)];

const shell: ToolTable[string] = [
  "Bash",
  { command: "command", description: "description", timeout_ms: "timeout", run_in_background: "background" },
];
const write: ToolTable[string] = [
  "Write",
  { file_path: first("file_path", FIELDS.path), content: first("content", FIELDS.content) },
];
const edit: ToolTable[string] = [
  "Edit",
  {
    file_path: first("file_path", FIELDS.path),
    old_string: first("old_string", FIELDS.old),
    new_string: first("new_string", FIELDS.new),
  },
];

/**
 * Grok Build's tools [seen 1.0.41, 2026-11-27]; `web_fetch`, `run_terminal_cmd`, `write_file`, `create_file` and
 * `edit_file` were not among them, and are from its guide and user reports. Code reads the fields of edits and writes:
 * if a call has several paths, each counts (call.ts).
 */
export const TOOLS: ToolTable = {
  run_terminal_command: shell,
  // The older name.
  run_terminal_cmd: shell,
  // Runs a shell line and reports its output as events [seen 1.0.41, 2026-11-27].
  monitor: ["Bash", { command: "command", description: "description", timeout_ms: "timeout_ms" }],
  read_file: ["Read", { file_path: FIELDS.path, offset: "offset", limit: "limit" }],
  write,
  write_file: write,
  create_file: write,
  search_replace: edit,
  edit_file: edit,
  list_dir: ["Glob", { path: FIELDS.folder }, { absent: { pattern: "*" } }],
  grep: [
    "Grep",
    { pattern: FIELDS.pattern, path: first("path", FIELDS.folder), glob: "glob" },
    { absent: { pattern: "" } },
  ],
  web_fetch: ["WebFetch", { url: "url", prompt: "prompt" }],
  web_search: ["WebSearch", { query: "query" }],
  spawn_subagent: [
    "Task",
    { prompt: ["prompt", "task"], description: "description", agent_type: "subagent_type" },
    { absent: { prompt: "" } },
  ],
};

/** Tools without a unified equivalent, whatever a model adds to their input [seen 1.0.41, 2026-11-27]. */
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
