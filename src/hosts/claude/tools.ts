import type { ToolTable } from "../codec/tool-table.ts";

const SHELL_FIELDS = {
  command: "command",
  description: "description",
  timeout_ms: "timeout",
  run_in_background: "run_in_background",
} as const;
const agent: ToolTable[string] = [
  "Task",
  { prompt: "prompt", description: "description", agent_type: "subagent_type" },
  { defaults: { prompt: "" } },
];

/**
 * Claude Code's tools. `Task` is an older name for `Agent`; `MultiEdit` and `NotebookRead` exist only in older
 * releases.
 */
export const TOOLS: ToolTable = {
  Bash: ["Bash", SHELL_FIELDS],
  // The PowerShell tool runs PowerShell on every system where it is available [docs
  // https://code.claude.com/docs/en/tools-reference#powershell-tool].
  PowerShell: ["Bash", SHELL_FIELDS, { impliedValues: { shell: "powershell" } }],
  Read: ["Read", { file_path: "file_path", offset: "offset", limit: "limit" }],
  NotebookRead: ["Read", { file_path: "notebook_path" }],
  Write: ["Write", { file_path: "file_path", content: "content" }],
  Edit: ["Edit", { file_path: "file_path", old_string: "old_string", new_string: "new_string" }],
  MultiEdit: ["Edit"],
  NotebookEdit: [
    "Edit",
    { file_path: "notebook_path", new_string: "new_source" },
    { defaults: { old_string: "", new_string: "" }, rewritableFields: [] },
  ],
  Glob: ["Glob", { pattern: "pattern", path: "path" }],
  Grep: ["Grep", { pattern: "pattern", path: "path", glob: "glob" }],
  WebFetch: ["WebFetch", { url: "url", prompt: "prompt" }],
  WebSearch: ["WebSearch", { query: "query" }],
  Agent: agent,
  Task: agent,
};

/**
 * Tools that don't map to a unified tool, even if their input has a field such as `command`. For these tools, a
 * "command" is not a shell command, and a "script" is in another language [unverified].
 */
export const UNMAPPED_TOOLS = [
  "AskUserQuestion",
  "ExitPlanMode",
  // The Code Mode tool, which runs a script. Hooks see every call that the script makes [seen 2.1.332, 2026-11-28].
  "REPL",
  "Skill",
  "SlashCommand",
  "StructuredOutput",
  "TaskCreate",
  "TaskUpdate",
  "TodoWrite",
  "Workflow",
];
