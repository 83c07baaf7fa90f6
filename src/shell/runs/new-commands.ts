import type { Command } from "../command.ts";
import type { ShellReader } from "../scope.ts";

/**
 * Returns a key for comparing commands. Keys are cached: a function can be called hundreds of times, and each call
 * compares all commands.
 */
function getCommandKey(command: Command): string {
  let key = commandKeys.get(command);
  if (key === undefined) commandKeys.set(command, (key = JSON.stringify(command)));
  return key;
}
const commandKeys = new WeakMap<Command, string>();
export const getCommandKeys = (commands: readonly Command[]): Set<string> => new Set(commands.map(getCommandKey));

/** Runs `readCommands` and keeps only those commands that haven't been found before. */
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
