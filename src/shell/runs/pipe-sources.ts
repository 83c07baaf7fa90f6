import type { Command } from "../command.ts";

/** Maximum number of commands that count as sources of a group's output. Earlier commands are dropped. */
const MAX_SOURCES = 64;

const sources = new WeakMap<Command, readonly Command[]>();

/** Records which commands a command reads from through a pipe. */
export function recordPipeSources(command: Command, commands: readonly Command[] | undefined): void {
  if (commands !== undefined && commands.length > 0) sources.set(command, commands);
}

/** Returns the commands from an index onward, as sources for the next pipeline stage. */
export const slicePipeSources = (commands: readonly Command[], firstIndex: number): readonly Command[] =>
  commands.slice(Math.max(firstIndex, commands.length - MAX_SOURCES));

/**
 * Lists the commands whose output is piped into a command: in `a | b | c`, b for c and a for b. Every command in a
 * group is a source. Nested commands read the same input as the command that runs them. Empty if nothing is piped in.
 */
export const listPipeSources = (command: Command): readonly Command[] => sources.get(command) ?? [];
