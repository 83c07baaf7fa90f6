import type { Command, ShellLine } from "./command.ts";
import { copyAnnotations } from "./files/folder-steps.ts";
import { listPipeSources } from "./runs/pipe-sources.ts";

/** Cache of parsed command lines in a long-running process. Undefined if the process handles only one call. */
let cachedLines: Map<string, ShellLine> | undefined;
const MAX_LINES = 64;
/** Longer command lines and those with more commands aren't cached because they are rarely repeated. */
const MAX_LENGTH = 2_048;
const MAX_COMMANDS = 32;

/**
 * Enables the cache. A host may send the same command line several times: before a call, when it asks for permission,
 * and after the call.
 */
export const enableLineCache = (): void => void (cachedLines ??= new Map());

/**
 * Parses a command line or copies the cached result, which depends only on the arguments. Each caller gets its own
 * objects because a hook may change them.
 */
export function readWithCache(line: string, shells: readonly string[], readLine: () => ShellLine): ShellLine {
  if (!cachedLines || line.length > MAX_LENGTH) return readLine();
  const key = `${shells.join()} ${line}`;
  const cachedLine = cachedLines.get(key);
  if (cachedLine) return copyLine(cachedLine);
  const parsedLine = readLine();
  if (parsedLine.commands.length > MAX_COMMANDS) return parsedLine;
  if (cachedLines.size >= MAX_LINES) cachedLines.clear();
  cachedLines.set(key, copyLine(parsedLine));
  return parsedLine;
}

function copyLine(line: ShellLine): ShellLine {
  const copies = new Map<Command, Command>();
  const copy = (command: Command): Command => {
    let commandCopy = copies.get(command);
    if (commandCopy) return commandCopy;
    copies.set(command, (commandCopy = copyCommand(command)));
    copyAnnotations(commandCopy, command, listPipeSources(command).map(copy));
    return commandCopy;
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
