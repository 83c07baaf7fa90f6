import type { ToolTable } from "../codec/tool-table.ts";

type ToolTableRow = ToolTable[string];

const shell: ToolTableRow = ["Bash", { command: "command", description: "description" }];
const powershell: ToolTableRow = [
  "Bash",
  { command: "command", description: "description" },
  { impliedValues: { shell: "powershell" } },
];
const typing: ToolTableRow = ["Bash", { command: "input" }];
const typingPowerShell: ToolTableRow = ["Bash", { command: "input" }, { impliedValues: { shell: "powershell" } }];
const terminal: ToolTableRow = ["Bash", { command: "command", run_in_background: "isBackground" }];
const view: ToolTableRow = ["Read", { file_path: "path" }];
const readFile: ToolTableRow = ["Read", { file_path: "filePath" }];
const create: ToolTableRow = ["Write", { file_path: "path", content: "file_text" }];
const createFile: ToolTableRow = ["Write", { file_path: "filePath", content: "content" }];
const edit: ToolTableRow = ["Edit", { file_path: "path", old_string: "old_str", new_string: "new_str" }];
const glob: ToolTableRow = ["Glob", { pattern: "pattern", path: ["path", "paths"] }];
const grep: ToolTableRow = ["Grep", { pattern: "pattern", path: ["path", "paths"], glob: "glob" }];
const fetch: ToolTableRow = ["WebFetch", { url: "url", prompt: "prompt" }];
const search: ToolTableRow = ["WebSearch", { query: "query" }];
const task: ToolTableRow = ["Task", { prompt: "prompt", description: "description", agent_type: "agent_type" }];

/**
 * Tools of Copilot CLI, under both of their names [seen 1.0.102, 2026-11-22], and of VS Code. Each row lists only the
 * fields that this tool has: a model can add fields that the host ignores, and those must not hide the effects of a
 * call.
 */
export const TOOLS: ToolTable = {
  bash: shell,
  Bash: shell,
  powershell,
  PowerShell: powershell,
  write_bash: typing,
  write_powershell: typingPowerShell,
  view,
  Read: view,
  create,
  Write: create,
  edit,
  Edit: edit,
  apply_patch: ["Edit"],
  glob,
  Glob: glob,
  grep,
  rg: grep,
  Grep: grep,
  web_fetch: fetch,
  WebFetch: fetch,
  web_search: search,
  WebSearch: search,
  task,
  Agent: task,
  Task: task,
  run_in_terminal: terminal,
  runInTerminal: terminal,
  runTerminalCommand: terminal,
  read_file: readFile,
  readFile,
  create_file: createFile,
  createFile,
  editFiles: ["Edit"],
  replace_string_in_file: ["Edit", { file_path: "filePath", old_string: "oldString", new_string: "newString" }],
  multi_replace_string_in_file: ["Edit"],
  insert_edit_into_file: ["Edit", { file_path: "filePath", new_string: "code" }, { rewritableFields: [] }],
  list_dir: glob,
  file_search: ["Glob", { pattern: "query", path: "path" }],
  grep_search: ["Grep", { pattern: "query", path: "path", glob: "includePattern" }],
  fetch_webpage: ["WebFetch", { url: ["url", "urls"], prompt: "prompt" }],
  runSubagent: ["Task", { prompt: "prompt", description: "description", agent_type: "agentName" }],
};

/** Tools that don't map to a unified tool, even if their input has a field such as `command`. */
export const UNMAPPED_TOOLS = ["manage_todo_list", "sql"];
