import type { ToolTable } from "../codec/tool-table.ts";

/** Auggie's tools, including the simpler variants that some accounts get [shipped 0.36.0]. */
export const TOOLS: ToolTable = {
  "launch-process": ["Bash", { command: "command", cwd: "cwd" }],
  bash: ["Bash", { command: "command" }],
  // This tool sends input to a running process, which can be a shell.
  "write-process": ["Bash", { command: "input_text" }],
  view: ["Read", { file_path: "path" }],
  read: ["Read", { file_path: "path", offset: "offset", limit: "limit" }],
  "save-file": ["Write", { file_path: "path", content: "file_content" }],
  write: ["Write", { file_path: "path", content: "content" }],
  "str-replace-editor": ["Edit"],
  edit: ["Edit"],
  apply_patch: ["Edit"],
  "remove-files": ["Edit"],
  find: ["Glob", { pattern: "pattern", path: "path" }],
  ls: ["Glob", { path: "path" }, { defaults: { pattern: "*" } }],
  "grep-search": [
    "Grep",
    { pattern: "query", path: "directory_absolute_path", glob: "files_include_glob_pattern" },
    { defaults: { pattern: "" } },
  ],
  grep: ["Grep", { pattern: "pattern", path: "path", glob: "glob" }],
  "web-fetch": ["WebFetch", { url: "url" }],
  "web-search": ["WebSearch", { query: "query" }],
};

/**
 * To start a subagent, Auggie calls either a tool named after the subagent or a general tool that takes the subagent's
 * name as input [shipped 0.36.0].
 */
export const SUBAGENT_TOOL = "sub-agent";

/** Tools that don't map to a unified tool, even if their input has a field such as `command` [shipped 0.36.0]. */
export const UNMAPPED_TOOLS = [
  "add_tasks",
  "ask-user",
  "codebase-retrieval",
  "codebase-retrieval-raw",
  "conversation-retrieval",
  "enter-plan-mode",
  "exit-plan-mode",
  "find-tool",
  "kill-process",
  "list-processes",
  "open-browser",
  "read-process",
  "render-mermaid",
  "reorganize_tasklist",
  "report-to-parent",
  "search-untruncated",
  "update_tasks",
  "view-range-untruncated",
  "view-session",
  "view_tasklist",
];
