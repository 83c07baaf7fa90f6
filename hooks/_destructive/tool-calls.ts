import type { Command, EventOf } from "bridge-hooks";

/** The arguments of a tool call. */
export type Arguments = Readonly<Record<string, unknown>>;

/** A call of an MCP tool or an unknown tool. */
export interface CalledTool {
  server: string;
  tool: string;
  shown: string;
  given: Arguments;
}

export function readTool(event: EventOf<"PreToolUse">): CalledTool | undefined {
  if (event.tool === "MCP") {
    const { server = "", tool, arguments: given = {} } = event.input;
    return { server, tool, shown: event.tool_name, given };
  }
  const isUnknown = event.tool === "Other" || (event.tool === "Bash" && event.guessed);
  return isUnknown
    ? { server: "", tool: event.tool_name, shown: event.tool_name, given: event.input as unknown as Arguments }
    : undefined;
}

/** Splits a tool's name into lowercase words. */
export const splitName = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);

const COMMAND = { redirects: [], env: {}, dynamic: {}, cwd: "", via: [], patched: [] } as const;

/** Creates the command that represents a call: `mcp__postgres__query 'DROP TABLE users'`. */
export const createToolCommand = ({ server, tool, shown }: CalledTool, args: readonly string[]): Command => ({
  ...COMMAND,
  program: `mcp__${server}__${tool}`,
  args,
  words: [shown, ...args.filter((arg) => arg !== "{}")],
  remote: true,
});

/** Creates the command with the same effect as a call: `git reset --hard`. */
export const createEquivalentCommand = (program: string, args: readonly string[], cwd = ""): Command => ({
  ...COMMAND,
  program,
  args,
  words: [program, ...args],
  cwd,
});
