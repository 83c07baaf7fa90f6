import type { Command } from "../command.ts";

/** Maximum number of commands recorded as sources of a group's output. The latest ones are kept. */
const MAX_SOURCES = 64;

const sources = new WeakMap<Command, readonly Command[]>();

/** Records which commands pipe their output into a command. */
export function recordPipeSources(command: Command, commands: readonly Command[] | undefined): void {
  if (commands !== undefined && commands.length > 0) sources.set(command, commands);
}

/** Returns the commands from an index onward, to serve as the sources of the next pipeline stage. */
export const slicePipeSources = (commands: readonly Command[], firstIndex: number): readonly Command[] =>
  commands.slice(Math.max(firstIndex, commands.length - MAX_SOURCES));

/**
 * Lists the commands that pipe their output into a command: in `a | b | c`, that is b for c and a for b. In a group,
 * every command counts. A nested command has the same sources as the command that runs it. Empty if nothing is piped
 * in.
 */
export const listPipeSources = (command: Command): readonly Command[] => sources.get(command) ?? [];
