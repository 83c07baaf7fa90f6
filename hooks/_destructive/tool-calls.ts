import type { Command, EventOf } from "bridge-hooks";

/** The arguments of a tool call. */
export type Arguments = Readonly<Record<string, unknown>>;

/** A call to an MCP tool or an unknown tool. */
export interface CalledTool {
  server: string;
  tool: string;
  displayName: string;
  callArguments: Arguments;
}

export function readTool(event: EventOf<"PreToolUse">): CalledTool | undefined {
  if (event.tool === "MCP") {
    const { server = "", tool, arguments: callArguments = {} } = event.input;
    return { server, tool, displayName: event.tool_name, callArguments };
  }
  const isUnknown = event.tool === "Other" || (event.tool === "Bash" && event.guessed);
  return isUnknown
    ? {
        server: "",
        tool: event.tool_name,
        displayName: event.tool_name,
        callArguments: event.input as unknown as Arguments,
      }
    : undefined;
}

/** Splits a tool's name into lowercase words. */
export const splitName = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);

const EMPTY_COMMAND = { redirects: [], env: {}, dynamic: {}, cwd: "", via: [], patched: [] } as const;

/** Creates the command that represents a call, such as `mcp__postgres__query 'DROP TABLE users'`. */
export const createToolCommand = ({ server, tool, displayName }: CalledTool, args: readonly string[]): Command => ({
  ...EMPTY_COMMAND,
  program: `mcp__${server}__${tool}`,
  args,
  words: [displayName, ...args.filter((arg) => arg !== "{}")],
  remote: true,
});

/** Creates a command with the same effect as a call, such as `git reset --hard`. */
export const createEquivalentCommand = (program: string, args: readonly string[], cwd = ""): Command => ({
  ...EMPTY_COMMAND,
  program,
  args,
  words: [program, ...args],
  cwd,
});
