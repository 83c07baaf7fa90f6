import type { Command, ShellLine } from "./command.ts";
import { copyNotes } from "./files/folder-steps.ts";
import { listPipeSources } from "./runs/pipe-sources.ts";

/** Cache of parsed command lines in a long-running process; undefined in a process that handles a single call. */
let known: Map<string, ShellLine> | undefined;
const MAX_LINES = 64;
/** Longer command lines and those with more commands aren't cached, because they rarely repeat. */
const MAX_LENGTH = 2_048;
const MAX_COMMANDS = 32;

/**
 * Enables the cache. Hosts send the same command line several times: before a call, when asking for permission, and
 * after the call.
 */
export const keepLines = (): void => void (known ??= new Map());

/**
 * Parses a command line, or copies the cached result. Parsing depends only on the arguments. Each caller gets its own
 * objects, since a hook may change them.
 */
export function readOnce(line: string, shells: readonly string[], read: () => ShellLine): ShellLine {
  if (!known || line.length > MAX_LENGTH) return read();
  const key = `${shells.join()} ${line}`;
  const kept = known.get(key);
  if (kept) return copyLine(kept);
  const found = read();
  if (found.commands.length > MAX_COMMANDS) return found;
  if (known.size >= MAX_LINES) known.clear();
  known.set(key, copyLine(found));
  return found;
}

function copyLine(line: ShellLine): ShellLine {
  const copies = new Map<Command, Command>();
  const copy = (command: Command): Command => {
    let found = copies.get(command);
    if (found) return found;
    copies.set(command, (found = copyCommand(command)));
    copyNotes(found, command, listPipeSources(command).map(copy));
    return found;
  };
  return { ...line, commands: line.commands.map(copy) };
}

const copyCommand = (command: Command): Command => ({
  ...command,
  args: [...command.args],
  words: [...command.words],
  redirects: command.redirects.map((redirect) => ({ ...redirect })),
  env: { ...command.env },
  dynamic: { ...command.dynamic },
  via: [...command.via],
  patched: command.patched.map((file) => ({ ...file })),
});
