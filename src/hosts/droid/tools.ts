import type { ToolTable } from "../codec/tool-table.ts";

/**
 * Droid's tools [seen 0.215.0, 2026-11-27; FetchUrl, WebSearch and ApplyPatch are not offered to every model].
 * Execute's `timeout` is in seconds.
 */
export const TOOLS: ToolTable = {
  Execute: ["Bash", { command: "command", description: "summary", run_in_background: "fireAndForget" }],
  Read: ["Read", { file_path: "file_path", offset: "offset", limit: "limit" }],
  Create: ["Write", { file_path: "file_path", content: "content" }],
  Edit: ["Edit", { file_path: "file_path", old_string: "old_str", new_string: "new_str" }],
  // The tool's input is a patch.
  ApplyPatch: ["Edit"],
  // The tool takes a list of patterns.
  Glob: ["Glob"],
  LS: ["Glob", { path: "directory_path" }, { defaults: { pattern: "*" } }],
  Grep: ["Grep", { pattern: "pattern", path: "path", glob: "glob_pattern" }],
  FetchUrl: ["WebFetch", { url: "url" }],
  WebSearch: ["WebSearch", { query: "query" }],
  Task: ["Task", { prompt: "prompt", description: "description", agent_type: "subagent_type" }],
};

/**
 * Tools that don't map to a unified tool, even if their input has a field such as `command`. The code in a Script call
 * is in another language, and hooks see each call it makes separately [shipped 0.215.0].
 */
export const UNMAPPED_TOOLS = [
  "AskUser",
  "ExitSpecMode",
  "GenerateDroid",
  "GenerateImage",
  "Loop",
  "Script",
  "Skill",
  "TaskOutput",
  "TaskStop",
  "TodoWrite",
  "ToolSearch",
  "WaitForScript",
];
