import type { AnyEvent } from "../protocol/event.ts";
import { shellCall } from "../protocol/shell-call.ts";
import { type Command, type ShellLine, createShellError } from "./command.ts";
import { createReader, createLineScope } from "./scope.ts";
import { readPieces, readScript, readUncalledFunctions } from "./walk.ts";

export type { Command, PatchedFile, Redirect, ShellLine } from "./command.ts";
export { shellCall, type ShellCall } from "../protocol/shell-call.ts";
export { argumentPattern, patternWords } from "./pattern.ts";

/**
 * What a shell would run of a line, read as bash reads it and without running anything: through `;`, `&&`, `|`, subshells,
 * groups, loops, conditions and functions, `$(…)` and `<(…)`, here-documents, `sudo`, `env`, `xargs` and their kind,
 * `sh -c`, `eval`, `find -exec`, `ssh`, text that `echo` pipes into a shell, and commands that other programs are given as an
 * option (`git -c core.editor=…`), as keys to type (`tmux send-keys`), by a variable (`GIT_SSH_COMMAND`) or in code that calls
 * a shell (`python -c`, `make -f -`). Variables that the line itself assigns are filled in where that is sure.
 *
 * It does not look into files, so a script that is run by its name is one command; of other languages it only reads the
 * strings that they pass to a shell, and it does not know what a program prints.
 * @throws Error named "ShellError" for a line that is too long or nested too deeply.
 */
export function readLine(line: string): ShellLine {
  try {
    return readLineWithGuesses(line);
  } catch (error) {
    // The engine's own limit, where the parser has none.
    throw error instanceof RangeError
      ? createShellError("the shell line is nested too deeply to be read; split it up")
      : error;
  }
}

function readLineWithGuesses(line: string): ShellLine {
  const scope = createLineScope(createReader(readScript));
  readScript(line, scope);
  readUncalledFunctions(scope);
  const { commands, problem } = scope.reader;
  if (problem === undefined) return { commands };
  readPieces(line, scope);
  return { commands, problem };
}

/**
 * The simple commands of a shell line, as `readLine` finds them.
 * @throws Error named "ShellError" for a line that is too long or nested too deeply.
 */
export const commandsIn = (line: string): readonly Command[] => readLine(line).commands;

/** Of a line that can't be read, the error. */
const lineCache = new WeakMap<AnyEvent, ShellLine | Error>();
const NOTHING: ShellLine = { commands: [] };

/**
 * What a call of the shell, or of an MCP tool with a shell line in its arguments (see `shellCall`), would run, and why some of it may be
 * missing; nothing for any other event. Read once, however many hooks ask.
 * @throws Error named "ShellError" for a line that is too long or nested too deeply: the hook's failure policy decides then.
 */
export function shellLine(event: AnyEvent): ShellLine {
  const call = shellCall(event);
  if (!call) return NOTHING;
  let line = lineCache.get(call);
  if (!line) {
    // Where the time runs out, nobody else is to begin anew.
    lineCache.set(call, createShellError("the shell line takes too long to be read; split it up"));
    lineCache.set(call, (line = readOrError(call.input.command)));
  }
  if (line instanceof Error) throw line;
  return line;
}

function readOrError(command: string): ShellLine | Error {
  try {
    return readLine(command);
  } catch (error) {
    return error as Error;
  }
}

/**
 * The simple commands that a call of the shell, or of an MCP tool with a shell line in its arguments (see `shellCall`), would run; none
 * for any other event.
 * @throws Error named "ShellError" for a line that is too long or nested too deeply: the hook's failure policy decides then.
 */
export const commands = (event: AnyEvent): readonly Command[] => shellLine(event).commands;

/** What may put a word together when it runs, so that it isn't in the line. */
const ASSEMBLED = /[$`*?[{]|base64|\\[0-7xu]/;

/**
 * Whether a line may be about one of the words (in small letters), however it quotes them: a line that isn't needs no
 * closer look, and the parser isn't loaded for it. A line with variables, `$(…)`, wildcards or braces may be about anything.
 */
export function mentions(line: string, words: readonly string[]): boolean {
  if (ASSEMBLED.test(line)) return true;
  const unquoted = (text: string) => text.replace(/['"\\\n]/g, "");
  const plain = unquoted(line).toLowerCase();
  return words.some((word) => plain.includes(unquoted(word)));
}
