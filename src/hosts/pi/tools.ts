import type { ToolTable } from "../codec/tool-table.ts";

/**
 * pi's tools [seen 1.5.2, 2026-11-27; the last four are not active by default: shipped 1.5.2]. The shell's timeout is
 * in seconds.
 */
export const TOOLS: ToolTable = {
  bash: ["Bash", { command: "command" }],
  read: ["Read", { file_path: "path", offset: "offset", limit: "limit" }],
  write: ["Write", { file_path: "path", content: "content" }],
  edit: ["Edit"],
  find: ["Glob", { pattern: "pattern", path: "path" }],
  ls: ["Glob", { path: "path" }, { defaults: { pattern: "*" } }],
  grep: ["Grep", { pattern: "pattern", path: "path", glob: "glob" }],
  powershell: ["Bash", { command: "command" }],
};

/**
 * Known tools without a unified equivalent. They are decoded as `Other` even if their input has a field such as
 * `command`. Calls made by a `codemode` script are reported separately.
 */
export const UNMAPPED_TOOLS = [
  "codemode",
  "tool_search",
  "list_mcp_resources",
  "list_mcp_resource_templates",
  "read_mcp_resource",
];
