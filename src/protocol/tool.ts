/** A change inside one file: `old_string` is replaced by `new_string`. An empty `old_string` adds text. */
export interface TextEdit {
  old_string: string;
  new_string: string;
  /** A line before the change that tells where it is, in a patch that gives one. */
  anchor?: string;
}

/** What an edit does to one file. Paths are as the host gave them (absolute on most hosts, relative in a patch). */
export interface FileChange {
  file_path: string;
  operation: "add" | "update" | "delete" | "move";
  /** The new path; only with `operation: "move"`. */
  moved_to?: string;
  edits: TextEdit[];
}

export interface BashInput {
  command: string;
  description?: string;
  /** The directory the host runs the command in, where it says so. */
  cwd?: string;
  /** The host's time limit for the command, in milliseconds. */
  timeout_ms?: number;
  run_in_background?: boolean;
}

export interface ReadInput {
  file_path: string;
  /** First line, counted as the host counts. */
  offset?: number;
  /** Number of lines. */
  limit?: number;
  /** What is about to be shown to the model, where the host says so. */
  content?: string;
}

export interface WriteInput {
  file_path: string;
  content: string;
}

/** Every file that one call changes: a patch may change several, so there is no single `file_path` to rely on. */
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
  /** Absent if the host does not name the server, and no hook asks for one by name or the lookup fails. */
  server?: string;
  tool: string;
  arguments: Record<string, unknown>;
}

/** The unified input of every tool; `Other` is the host's own input, unchanged. */
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

/** What a tool gave back: `text` for reading, `raw` as the host sent it. */
export interface ToolOutput {
  text: string;
  raw: unknown;
}

export interface BashOutput extends ToolOutput {
  stdout?: string;
  stderr?: string;
  /** Absent on hosts that do not report it. */
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

/** The unified name of a tool. */
export type Tool = (typeof TOOLS)[number];

/** A tool call: `tool` decides the type of `input`. */
export type ToolCall<T extends Tool = Tool> = {
  [K in T]: {
    tool: K;
    /** The host's own word for the tool, e.g. `Shell`, `apply_patch`, `mcp__memory__search`. */
    tool_name: string;
    input: ToolInputs[K];
    /**
     * The tool is not known by its name, and is a shell, or writes a file, as far as its fields tell. `input` has all of them
     * beside the unified ones, and hooks for `Other` are asked as well. Or, before a call, an MCP tool that takes a shell line,
     * shown to hooks that want `Bash` but not `MCP`; `input` then has all of its arguments, and "allow" does not count.
     */
    guessed?: true;
  };
}[T];

/** A finished tool call: `tool` decides the types of `input` and `output`. */
export type FinishedCall<T extends Tool = Tool> = {
  [K in T]: ToolCall<K> & { output: ToolOutputs[K] };
}[T];

/** No server and tool have more hyphens in their names: hosts cut names off at some 64 letters. */
const MOST_NAMES = 128;

/** Whether nothing of the call names its server: neither a name of its own, nor one that holds the tool's as well. */
export const lacksServer = <C extends ToolCall>(call: C): call is Extract<C, { tool: "MCP" }> =>
  call.tool === "MCP" && !call.input.server && call.tool_name !== call.input.tool && !call.tool_name.startsWith("mcp_");

/**
 * The names a matcher may use: unified, the host's own, and `mcp__<server>__<tool>` wherever the server is known. Where it is
 * joined to the tool's name by a hyphen (or by "_", behind "mcp_"), either may have more of them: each reading counts, so
 * that no call is missed.
 */
export function callNames(call: ToolCall): string[] {
  const names: string[] = [call.tool, call.tool_name];
  if (call.guessed) names.push("Other");
  if (call.tool !== "MCP") return names;
  const { server, tool } = call.input;
  if (server) return [...names, `mcp__${server}__${tool}`];
  const [joined, joint] = call.tool_name.startsWith("mcp_") ? [call.tool_name.slice(4), /[-_]/g] : [tool, /-/g];
  for (const { index } of joined.matchAll(joint))
    if (index > 0 && names.length < MOST_NAMES)
      names.push(`mcp__${joined.slice(0, index)}__${joined.slice(index + 1)}`);
  return names;
}
