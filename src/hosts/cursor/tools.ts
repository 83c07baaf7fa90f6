import type { ToolTable } from "../codec/tool-table.ts";

const fetch: ToolTable[string] = ["WebFetch", { url: "url" }, { rewritten: [] }];

/**
 * Cursor's tools in preToolUse and postToolUse, with the fields that their executors read from updated_input [seen
 * @cursor/sdk 1.0.32, 2026-11-21]. If a hook rewrote any other field, Cursor would ignore the change and run the
 * original call.
 */
export const TOOLS: ToolTable = {
  Shell: [
    "Bash",
    { command: "command", cwd: ["cwd", "working_directory"], timeout_ms: "timeout" },
    { rewritten: ["command", "cwd"] },
  ],
  Read: ["Read", { file_path: "file_path", offset: "offset", limit: "limit" }, { rewritten: ["file_path"] }],
  Write: [
    "Write",
    { file_path: "file_path", content: "content" },
    { absent: { content: "" }, rewritten: ["file_path"] },
  ],
  Delete: ["Edit", { file_path: "file_path" }, { rewritten: [] }],
  Grep: [
    "Grep",
    { pattern: "pattern", path: ["file_path", "path"], glob: "glob" },
    { absent: { pattern: "" }, rewritten: [] },
  ],
  Glob: ["Glob", { pattern: "pattern", path: ["file_path", "path"] }, { absent: { pattern: "*" }, rewritten: [] }],
  List: ["Glob", { pattern: "pattern", path: ["file_path", "path"] }, { absent: { pattern: "*" }, rewritten: [] }],
  Fetch: fetch,
  WebFetch: fetch,
  WebSearch: ["WebSearch", { query: ["search_term", "query"] }, { absent: { query: "" }, rewritten: [] }],
  Task: [
    "Task",
    { prompt: ["prompt", "task"], description: "description", agent_type: "subagent_type" },
    { rewritten: [] },
  ],
};

/** Tools without a unified equivalent. Extra fields in their input don't change that. */
export const UNMAPPED_TOOLS = ["ListMcpResources", "ReadLints", "TodoWrite"];
