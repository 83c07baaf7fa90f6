/** A change in one file: `old_string` is replaced by `new_string`. An empty `old_string` inserts text. */
export interface TextEdit {
  old_string: string;
  new_string: string;
  /** A line before the change that shows where the change belongs. Absent if the patch doesn't name one. */
  anchor?: string;
}

/**
 * A change to one file. Paths are copied unchanged from the host's call. They are absolute on most hosts, and relative
 * in a patch.
 */
export interface FileChange {
  file_path: string;
  operation: "add" | "update" | "delete" | "move";
  /** The new path. Present only with `operation: "move"`. */
  moved_to?: string;
  edits: TextEdit[];
}

export interface BashInput {
  command: string;
  description?: string;
  /** Directory in which the host runs the command; absent if the host doesn't report it. */
  cwd?: string;
  /**
   * Shell that runs the command; absent if the host doesn't report it. The command is then parsed for every possible
   * shell.
   */
  shell?: "bash" | "powershell" | "cmd";
  /** The host's time limit for the command, in milliseconds. */
  timeout_ms?: number;
  run_in_background?: boolean;
}

export interface ReadInput {
  /** Path of the file. If a call reads several files, this field contains all paths, separated by spaces. */
  file_path: string;
  /** Paths of the files if a call reads several; absent if the host doesn't list them individually. */
  file_paths?: string[];
  /** Number of the first line to read. Whether counting starts at 0 or 1 depends on the host. */
  offset?: number;
  /** Number of lines to read. */
  limit?: number;
  /** The file content that the model reads; absent if the host doesn't send it. */
  content?: string;
}

export interface WriteInput {
  file_path: string;
  content: string;
}

/** All files that one call changes. There is no single `file_path`, because a patch can change several files. */
export interface EditInput {
  files: FileChange[];
}

export interface GlobInput {
  pattern: string;
  path?: string;
}

export interface GrepInput {
  pattern: string;
  path?: string;
  glob?: string;
}

export interface WebFetchInput {
  url: string;
  prompt?: string;
}

export interface WebSearchInput {
  query: string;
}

export interface TaskInput {
  prompt: string;
  description?: string;
  agent_type?: string;
}

export interface MCPInput {
  /**
   * MCP server of the tool. Absent if the host doesn't name the server, and either the lookup fails or no hook matches
   * a server by name.
   */
  server?: string;
  tool: string;
  arguments: Record<string, unknown>;
}

/** The unified input of every tool. `Other` has the host's own input, unchanged. */
export interface ToolInputs {
  Bash: BashInput;
  Read: ReadInput;
  Write: WriteInput;
  Edit: EditInput;
  Glob: GlobInput;
  Grep: GrepInput;
  WebFetch: WebFetchInput;
  WebSearch: WebSearchInput;
  Task: TaskInput;
  MCP: MCPInput;
  Other: Record<string, unknown>;
}

/** A tool's result: `text` in readable form, `raw` as sent by the host. */
export interface ToolOutput {
  text: string;
  raw: unknown;
}

export interface BashOutput extends ToolOutput {
  stdout?: string;
  stderr?: string;
  /** Exit code; absent on hosts that don't report it. */
  exit_code?: number;
}

export interface MCPOutput extends ToolOutput {
  is_error?: boolean;
}

type SpecificToolOutputs = { Bash: BashOutput; MCP: MCPOutput };
export type ToolOutputs = { [T in Tool]: T extends keyof SpecificToolOutputs ? SpecificToolOutputs[T] : ToolOutput };

export const TOOLS = [
  "Bash",
  "Read",
  "Write",
  "Edit",
  "Glob",
  "Grep",
  "WebFetch",
  "WebSearch",
  "Task",
  "MCP",
  "Other",
] as const satisfies (keyof ToolInputs)[];

/** The fields of each tool's unified input. */
const INPUT_FIELDS: { readonly [T in keyof ToolInputs]: readonly (keyof ToolInputs[T])[] } = {
  Bash: ["command", "description", "cwd", "shell", "timeout_ms", "run_in_background"],
  Read: ["file_path", "file_paths", "offset", "limit", "content"],
  Write: ["file_path", "content"],
  Edit: ["files"],
  Glob: ["pattern", "path"],
  Grep: ["pattern", "path", "glob"],
  WebFetch: ["url", "prompt"],
  WebSearch: ["query"],
  Task: ["prompt", "description", "agent_type"],
  MCP: ["server", "tool", "arguments"],
  Other: [],
};

/** Returns whether a call's input has, or can have, a field of this name. */
export const hasUnifiedName = ({ tool, input }: Pick<ToolCall, "tool" | "input">, name: string): boolean =>
  tool === "Other" || (INPUT_FIELDS[tool] as readonly string[]).includes(name) || Object.hasOwn(input, name);

/** The unified name of a tool. */
export type Tool = (typeof TOOLS)[number];

/** A tool call; `tool` determines the type of `input`. */
export type ToolCall<T extends Tool = Tool> = {
  [K in T]: {
    tool: K;
    /** The host's own name for the tool, e.g. `Shell`, `apply_patch`, `mcp__memory__search`. */
    tool_name: string;
    input: ToolInputs[K];
    /**
     * Set if the tool is a guess. There are three cases:
     * - The tool's name is unknown, but its fields suggest that it runs a shell command or writes a file.
     * - The tool is known but has fields under other names. `input` then contains all of its fields besides the unified
     * ones, and hooks for `Other` also run.
     * - Before a call, an MCP tool that accepts a shell command is presented to hooks that handle `Bash` but not `MCP`.
     * `input` then contains all of its arguments, and "allow" is ignored.
     */
    guessed?: true;
  };
}[T];

/** A finished tool call; `tool` determines the types of `input` and `output`. */
export type FinishedCall<T extends Tool = Tool> = {
  [K in T]: ToolCall<K> & { output: ToolOutputs[K] };
}[T];

/**
 * Maximum number of splits returned for a name. Hosts truncate tool names to about 64 characters, so no name contains
 * that many hyphens.
 */
const MAX_SPLITS = 128;

/** Returns whether an MCP call doesn't name the server, either in a separate field or as part of the tool's name. */
export const isWithoutServer = <C extends ToolCall>(call: C): call is Extract<C, { tool: "MCP" }> =>
  call.tool === "MCP" && !call.input.server && call.tool_name !== call.input.tool && !call.tool_name.startsWith("mcp_");

/**
 * Returns the tool names that a matcher could use: the unified name, the host's own name, and `mcp__<server>__<tool>`
 * if the server is known. An edit that adds a file is also a Write. If server and tool are joined by "-" (or "_" after
 * "mcp_"), any of these characters could be the separator, so every possible split is returned and no call is missed.
 */
export function callNames(call: ToolCall): string[] {
  const names: string[] = [call.tool, call.tool_name];
  if (call.guessed) names.push("Other");
  if (call.tool === "Edit" && call.input.files.some(({ operation }) => operation === "add")) names.push("Write");
  if (call.tool !== "MCP") return names;
  const { server, tool } = call.input;
  if (server) return [...names, `mcp__${server}__${tool}`];
  const [joined, joint] = call.tool_name.startsWith("mcp_") ? [call.tool_name.slice(4), /[-_]/g] : [tool, /-/g];
  for (const { index } of joined.matchAll(joint))
    if (index > 0 && names.length < MAX_SPLITS)
      names.push(`mcp__${joined.slice(0, index)}__${joined.slice(index + 1)}`);
  return names;
}
