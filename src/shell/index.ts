import type { AnyEvent } from "../protocol/event.ts";
import { shellCall } from "../protocol/shell-call.ts";
import { type Command, type ShellLine, createShellError } from "./command.ts";
import { createReader, createLineScope } from "./scope.ts";
import { readPieces, readScript, readUncalledFunctions } from "./walk.ts";

export type { Command, PatchedFile, Redirect, ShellLine } from "./command.ts";
export { shellCall, type ShellCall } from "../protocol/shell-call.ts";
export { argumentPattern, patternWords } from "./pattern.ts";

/**
 * Lists what a shell would run for a line, reading it as bash does and without running anything: through `;`, `&&`,
 * `|`, subshells, groups, loops, conditions and functions, `$(…)` and `<(…)`, here-documents, wrappers such as `sudo`,
 * `env` and `xargs`, `sh -c`, `eval`, `find -exec`, `ssh`, text that `echo` pipes into a shell, and commands passed to
 * other programs in an option (`git -c core.editor=…`), as keys to type (`tmux send-keys`), in a variable
 * (`GIT_SSH_COMMAND`) or in code that calls a shell (`python -c`, `make -f -`). Variables that the line itself assigns
 * are filled in where their value is certain.
 *
 * It does not read files, so a script run by name is a single command. In other languages it only reads strings that
 * are passed to a shell. It does not know what programs print.
 * @throws Error named "ShellError" for a line that is too long or nested too deeply.
 */
export function readLine(line: string): ShellLine {
  try {
    return readLineWithGuesses(line);
  } catch (error) {
    // The engine's stack limit; the parser has none of its own.
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
  if (problem !== undefined) readPieces(line, scope);
  const { forkBomb } = scope.reader;
  return { commands, ...(problem !== undefined && { problem }), ...(forkBomb !== undefined && { forkBomb }) };
}

/**
 * The simple commands of a shell line, as `readLine` finds them.
 * @throws Error named "ShellError" for a line that is too long or nested too deeply.
 */
export const commandsIn = (line: string): readonly Command[] => readLine(line).commands;

/** Holds the error for a line that can't be read. */
const lineCache = new WeakMap<AnyEvent, ShellLine | Error>();
const NOTHING: ShellLine = { commands: [] };

/**
 * Reads the shell line of a shell call, or of an MCP call with one in its arguments (see `shellCall`). Empty for any
 * other event. Parsed once, however many hooks ask.
 * @throws Error named "ShellError" for a line that is too long or nested too deeply: the hook's failure policy decides
 * then.
 */
export function shellLine(event: AnyEvent): ShellLine {
  const call = shellCall(event);
  if (!call) return NOTHING;
  let line = lineCache.get(call);
  if (!line) {
    // If time runs out during parsing, no other hook should start over.
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
 * The simple commands of a shell call, or of an MCP call with a shell line in its arguments (see `shellCall`). Empty
 * for any other event.
 * @throws Error named "ShellError" for a line that is too long or nested too deeply: the hook's failure policy decides
 * then.
 */
export const commands = (event: AnyEvent): readonly Command[] => shellLine(event).commands;

/** Syntax that may assemble a word at run time, so that the line does not contain it literally. */
const ASSEMBLED = /[$`*?[{]|base64|xxd|\\[0-7xu]/;

/**
 * Whether a line may mention one of the words (in lower case), however it is quoted. If not, the line need not be
 * parsed, and the parser is not loaded. A line with variables, `$(…)`, wildcards or braces may mention anything.
 */
export function mentions(line: string, words: readonly string[]): boolean {
  if (ASSEMBLED.test(line)) return true;
  const unquoted = (text: string) => text.replace(/['"\\\n]/g, "");
  const plain = unquoted(line).toLowerCase();
  return words.some((word) => plain.includes(unquoted(word)));
}
