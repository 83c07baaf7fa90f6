import type { Command } from "../command.ts";
import type { ShellReader } from "../scope.ts";

/**
 * Returns a key for comparing commands. Keys are cached: a function may be called hundreds of times, and all commands
 * are compared for each call.
 */
function getCommandKey(command: Command): string {
  let key = commandKeys.get(command);
  if (key === undefined) commandKeys.set(command, (key = JSON.stringify(command)));
  return key;
}
const commandKeys = new WeakMap<Command, string>();
export const getCommandKeys = (commands: readonly Command[]): Set<string> => new Set(commands.map(getCommandKey));

/** Reads part of the command line again. Adds only the commands that weren't found before. */
export function readNewCommands<T>(reader: ShellReader, seenCommands: Set<string>, readCommands: () => T): T {
  const firstIndex = reader.commands.length;
  const result = readCommands();
  for (const command of reader.commands.splice(firstIndex)) {
    const key = getCommandKey(command);
    if (!seenCommands.has(key)) reader.commands.push(command);
    seenCommands.add(key);
  }
  return result;
}
