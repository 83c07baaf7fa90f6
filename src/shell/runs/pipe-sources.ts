import type { Command } from "../command.ts";

/** The last commands of a group count as its output; a longer one is cut off at its start. */
const MOST_SOURCES = 64;

const sources = new WeakMap<Command, readonly Command[]>();

/** Notes whose output a command reads through a pipe. */
export function notePipeSources(command: Command, from: readonly Command[] | undefined): void {
  if (from !== undefined && from.length > 0) sources.set(command, from);
}

/** The commands of a list from a place on, as the sources of the next part of a pipeline. */
export const takePipeSources = (commands: readonly Command[], first: number): readonly Command[] =>
  commands.slice(Math.max(first, commands.length - MOST_SOURCES));

/**
 * The commands whose output a command reads through a pipe: of `a | b | c`, b for c, and a for b. Those of a group are
 * all of its commands, and those that a command itself runs read what it reads. Empty where nothing is piped in.
 */
export const listPipeSources = (command: Command): readonly Command[] => sources.get(command) ?? [];
