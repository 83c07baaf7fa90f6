import type { ToolTable } from "../codec/tool-table.ts";

/** Crush's tools, according to its source code [unverified]. */
export const TOOLS: ToolTable = {
  bash: [
    "Bash",
    {
      command: "command",
      description: "description",
      cwd: "working_dir",
      run_in_background: "run_in_background",
    },
  ],
  view: ["Read", { file_path: "file_path", offset: "offset", limit: "limit" }],
  write: ["Write", { file_path: "file_path", content: "content" }],
  edit: ["Edit", { file_path: "file_path", old_string: "old_string", new_string: "new_string" }],
  multiedit: ["Edit"],
  glob: ["Glob", { pattern: "pattern", path: "path" }],
  ls: ["Glob", { path: "path" }, { defaults: { pattern: "*" } }],
  grep: ["Grep", { pattern: "pattern", path: "path", glob: "include" }],
  fetch: ["WebFetch", { url: "url" }],
  // Starts a subagent that reads a given page or searches the web for one.
  agentic_fetch: ["WebFetch", { url: "url", prompt: "prompt" }, { defaults: { url: "" } }],
  web_fetch: ["WebFetch", { url: "url" }],
  web_search: ["WebSearch", { query: "query" }],
  agent: ["Task", { prompt: "prompt" }],
};

/** Tools that don't map to a unified tool, even if their input has a field such as `command` [unverified]. */
export const UNMAPPED_TOOLS = [
  "crush_info",
  "crush_logs",
  "job_kill",
  "job_output",
  "list_mcp_resources",
  "lsp_diagnostics",
  "lsp_references",
  "lsp_restart",
  "read_mcp_resource",
  "sourcegraph",
  "todos",
];
