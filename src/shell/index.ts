import type * as Os from "node:os";
import { resolve } from "../system/paths.ts";
import type { AnyEvent } from "../protocol/event.ts";
import { shellCall } from "../protocol/shell-call.ts";
import { type Command, type ShellLine, createShellError } from "./command.ts";
import { settleFolders } from "./files/folder-steps.ts";
import type * as Foreign from "./runs/foreign.ts";
import { createReader, createLineScope, type ForeignShell, type ShellReader } from "./scope.ts";
import { readOnce } from "./known-lines.ts";
import { readPieces, readScript, readUncalledFunctions } from "./walk.ts";
import { addUnsetReadings } from "./words/unset-variables.ts";
import { listShells, type ShellKind } from "./runs/which-shell.ts";

export type { Command, PatchedFile, Redirect, ShellLine } from "./command.ts";
export type { ShellCall } from "../protocol/shell-call.ts";
export type { ShellKind } from "./runs/which-shell.ts";

/**
 * Lists what a shell would run for a line, reading it as bash does, or as PowerShell and cmd.exe do, and without running
 * anything. As bash: through `;`, `&&`,
 * `|`, subshells, groups, loops, conditions and functions, `$(…)` and `<(…)`, here-documents, wrappers such as `sudo`,
 * `env` and `xargs`, `sh -c`, `eval`, `find -exec`, `ssh`, text that `echo` pipes into a shell, and commands passed to
 * other programs in an option (`git -c core.editor=…`), as keys to type (`tmux send-keys`), in a variable
 * (`GIT_SSH_COMMAND`) or in code that calls a shell (`python -c`, `make -f -`). Variables that the line itself assigns
 * are filled in where their value is certain; a command that uses one which branches set is listed once for each value,
 * if these are few.
 *
 * It does not read files, so a script run by name is a single command, unless the line writes it. In other languages it
 * only reads strings that are passed to a shell. Of what programs print it only knows what the line tells: what `echo`,
 * `pwd`, `ls`, `find`, filters, functions and scripts hand to files, shells, `xargs`, `read` and `$(…)`.
 * @param shells the shells that may run it: what any of them would run counts.
 * @throws Error named "ShellError" for a line that is too long or nested too deeply.
 */
export function readLine(line: string, shells: readonly ShellKind[] = ["bash"]): ShellLine {
  try {
    const lines = shells.map((shell) => (shell === "bash" ? readLineWithGuesses(line) : readForeignLine(line, shell)));
    return lines.length === 1 ? (lines[0] as ShellLine) : mergeLines(lines);
  } catch (error) {
    // The engine's stack limit; the parser has none of its own.
    throw error instanceof RangeError
      ? createShellError("the shell line is nested too deeply to be read; split it up")
      : error;
  }
}

function readLineWithGuesses(line: string): ShellLine {
  const scope = createLineScope(createReader(readScript, readForeign));
  readScript(line, scope);
  readUncalledFunctions(scope);
  const { commands, problem } = scope.reader;
  if (problem !== undefined) readPieces(line, scope);
  const { forkBomb } = scope.reader;
  return { commands, ...(problem !== undefined && { problem }), ...(forkBomb !== undefined && { forkBomb }) };
}

/** Loaded where a line needs it: most are bash's. */
const readForeign: ShellReader["readForeign"] = (shell, text, scope) =>
  (loadedForeign ??= require("./runs/foreign.ts") as typeof Foreign).readForeign(shell, text, scope);
let loadedForeign: typeof Foreign | undefined;

function readForeignLine(line: string, shell: ForeignShell): ShellLine {
  const reader = createReader(readScript, readForeign);
  const scope = createLineScope(reader);
  readForeign(shell, line, scope);
  readUncalledFunctions(scope);
  const { commands, problem } = reader;
  return { commands, ...(problem !== undefined && { problem }) };
}

/** The commands of all readings, each once; there is a problem if every reading has one, or the first, bash's. */
function mergeLines(lines: readonly ShellLine[]): ShellLine {
  const seen = new Set<string>();
  const commands = lines
    .flatMap((one) => one.commands)
    .filter((command) => {
      const { words: _, ...rest } = command;
      const key = JSON.stringify(rest);
      return !seen.has(key) && seen.add(key);
    });
  const problems = lines.flatMap(({ problem }) => problem ?? []);
  const isUnreadable =
    problems.length === lines.length || (process.platform !== "win32" && lines[0]?.problem !== undefined);
  const forkBomb = lines.find((one) => one.forkBomb !== undefined)?.forkBomb;
  return {
    commands,
    ...(isUnreadable && problems[0] !== undefined && { problem: problems[0] }),
    ...(forkBomb !== undefined && { forkBomb }),
  };
}

/**
 * The simple commands of a shell line, as `readLine` finds them.
 * @throws Error named "ShellError" for a line that is too long or nested too deeply.
 */
export const commandsIn = (line: string, shells?: readonly ShellKind[]): readonly Command[] =>
  readLine(line, shells).commands;

/** Holds the error for a line that can't be read, and nothing for one that is being read. */
const lineCache = new WeakMap<AnyEvent, ShellLine | Error | undefined>();
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
    if (lineCache.has(call)) throw createShellError("the shell line takes too long to be read; split it up");
    lineCache.set(call, undefined);
    const { input, guessed, tool_name } = call;
    const shells = listShells(
      input.command,
      { shell: input.shell, ...(guessed && { guessed }), tool_name },
      process.platform,
    );
    // A `cd` at the start of a guessed line stands for a directory in the arguments: the server knows its folders.
    const isPlaced = guessed === true && input.command.startsWith("cd ");
    const folder = isPlaced ? undefined : resolve(event.cwd ?? "", input.cwd ?? "");
    lineCache.set(call, (line = readOrError(input.command, shells, folder)));
  }
  if (line instanceof Error) throw line;
  return line;
}

/** The user's own folder, where the environment names none. Few calls need the module. */
const findHome = () => (require("node:os") as typeof Os).homedir();

/** Commands that assign variables by name: beside one of them, any mention of a name counts. */
const NAMING =
  /\b(?:read|for|foreach|select|mapfile|readarray|getopts|let|declare|typeset|local|export|readonly|eval|source|printf|set)\s|\(\(|(?:^|[\s;&|])\.\s/;

/** The words before a sign of assignment: `x=`, `x+=`, `x[1]=`, `${x:=y}`. */
const listAssigned = (line: string): string[] =>
  [...line.matchAll(/(\{?)(\w+)(\[|\s?[:+]?=)?/g)].flatMap(([, brace, name = "", sign]) =>
    sign === undefined || (brace !== "" && sign === "[") ? [] : name,
  );

/** What tells whether a variable has no value: the environment does not have it, and the line only expands it. */
function createUnsetCheck(line: string): (name: string) => boolean {
  if (/\bset\s+-\w*u|\bnounset\b/.test(line)) return () => false;
  const named = new Set(NAMING.test(line) ? line.match(/(?<![\w${])\w+/g) : listAssigned(line));
  return (name) => !named.has(name) && process.env[name] === undefined;
}

function readOrError(command: string, shells: readonly ShellKind[], folder: string | undefined): ShellLine | Error {
  try {
    const line = readOnce(command, shells, () => readLine(command, shells));
    if (folder === undefined) return line;
    const isUnset = createUnsetCheck(command);
    const settled = settleFolders(line.commands, folder, process.env.HOME || findHome(), isUnset);
    return { ...line, commands: shells.includes("bash") ? addUnsetReadings(settled, isUnset) : settled };
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
const ASSEMBLED = /[$`*?[{]|\w\^\w|base64|xxd|\\[0-7xu]/;

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
