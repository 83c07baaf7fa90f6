import type { ToolTable } from "../codec/tool-table.ts";

const fetch: ToolTable[string] = ["WebFetch", { url: "url" }, { rewritableFields: [] }];

/**
 * Cursor's tools in preToolUse and postToolUse, with the fields that Cursor reads from updated_input [seen @cursor/sdk
 * 1.0.32, 2026-11-21]. If a hook changed any other field, Cursor would ignore the change and run the original call.
 */
export const TOOLS: ToolTable = {
  Shell: [
    "Bash",
    { command: "command", cwd: ["cwd", "working_directory"], timeout_ms: "timeout" },
    { rewritableFields: ["command", "cwd"] },
  ],
  Read: ["Read", { file_path: "file_path", offset: "offset", limit: "limit" }, { rewritableFields: ["file_path"] }],
  Write: [
    "Write",
    { file_path: "file_path", content: "content" },
    { defaults: { content: "" }, rewritableFields: ["file_path"] },
  ],
  Delete: ["Edit", { file_path: "file_path" }, { rewritableFields: [] }],
  Grep: [
    "Grep",
    { pattern: "pattern", path: ["file_path", "path"], glob: "glob" },
    { defaults: { pattern: "" }, rewritableFields: [] },
  ],
  Glob: [
    "Glob",
    { pattern: "pattern", path: ["file_path", "path"] },
    { defaults: { pattern: "*" }, rewritableFields: [] },
  ],
  List: [
    "Glob",
    { pattern: "pattern", path: ["file_path", "path"] },
    { defaults: { pattern: "*" }, rewritableFields: [] },
  ],
  Fetch: fetch,
  WebFetch: fetch,
  WebSearch: ["WebSearch", { query: ["search_term", "query"] }, { defaults: { query: "" }, rewritableFields: [] }],
  Task: [
    "Task",
    { prompt: ["prompt", "task"], description: "description", agent_type: "subagent_type" },
    { rewritableFields: [] },
  ],
};

/** Tools that don't map to a unified tool, even if their input has a field such as `command`. */
export const UNMAPPED_TOOLS = ["ListMcpResources", "ReadLints", "TodoWrite"];
