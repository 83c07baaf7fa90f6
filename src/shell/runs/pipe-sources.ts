import type { Command } from "../command.ts";

/**
 * Maximum number of commands that count as sources of a group's output. If there are more, the earliest commands are
 * dropped.
 */
const MAX_SOURCES = 64;

const sources = new WeakMap<Command, readonly Command[]>();

/** Records the commands whose output is piped into a command. */
export function recordPipeSources(command: Command, commands: readonly Command[] | undefined): void {
  if (commands !== undefined && commands.length > 0) sources.set(command, commands);
}

/** Returns the commands from an index onward. They are the sources of the next pipeline stage. */
export const slicePipeSources = (commands: readonly Command[], firstIndex: number): readonly Command[] =>
  commands.slice(Math.max(firstIndex, commands.length - MAX_SOURCES));

/**
 * Lists the commands whose output is piped into a command. In `a | b | c`, the list contains b for c, and a for b. All
 * commands in a group are sources. A nested command reads the same input as the command that runs it. The list is empty
 * if nothing is piped in.
 */
export const listPipeSources = (command: Command): readonly Command[] => sources.get(command) ?? [];
