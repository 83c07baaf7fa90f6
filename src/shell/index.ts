import type * as Os from "node:os";
import { resolve } from "../system/paths.ts";
import type { AnyEvent } from "../protocol/event.ts";
import { shellCall } from "../protocol/shell-call.ts";
import { type Command, type ShellLine, createShellError } from "./command.ts";
import { addFailedCdCommands } from "./files/folder-steps.ts";
import type * as Foreign from "./runs/windows-scripts.ts";
import { createReader, createLineScope, type ForeignShell, type ShellReader } from "./scope.ts";
import { readWithCache } from "./line-cache.ts";
import { readFragments, readScript, readUncalledFunctions } from "./walk.ts";
import { addUnsetVariants } from "./words/unset-variables.ts";
import { listShells, type ShellKind } from "./runs/shell-detection.ts";

export type { Command, PatchedFile, Redirect, ShellLine } from "./command.ts";
export type { ShellCall } from "../protocol/shell-call.ts";
export type { ShellKind } from "./runs/shell-detection.ts";

/**
 * Lists the commands that a shell would run for a command line, without running anything. Supports bash, PowerShell and
 * cmd.exe syntax.
 *
 * In bash, this covers lists and pipelines, subshells and groups, loops, conditions and functions, `$(…)` and `<(…)`,
 * here-documents, wrappers such as `sudo`, `env` and `xargs`, `sh -c`, `eval`, `find -exec`, `ssh`, and text that
 * `echo` pipes into a shell. It also covers commands passed to other programs: in an option (`git -c core.editor=…`),
 * as keystrokes (`tmux send-keys`), in a variable (`GIT_SSH_COMMAND`), or in code that calls a shell (`python -c`,
 * `make -f -`). Variables that the command line assigns are filled in if their values are certain. If different
 * branches assign a variable, each command that uses it is listed once per possible value, as long as there are only a
 * few.
 *
 * Files are not read, so a script run by name is a single command unless the command line itself writes the script. In
 * other languages, only strings passed to a shell are read. A program's output is known only if the command line
 * determines it. This applies, for example, to `echo`, `pwd`, `ls`, `find`, filters, functions and scripts whose output
 * goes to files, shells, `xargs`, `read` and `$(…)`.
 * @param shells the shells that may run the command line; the result contains the commands of all of them
 * @throws Error named "ShellError" if the command line is too long or nested too deeply
 */
export function readLine(line: string, shells: readonly ShellKind[] = ["bash"]): ShellLine {
  try {
    const lines = shells.map((shell) => (shell === "bash" ? readLineWithGuesses(line) : readForeignLine(line, shell)));
    return lines.length === 1 ? (lines[0] as ShellLine) : mergeLines(lines);
  } catch (error) {
    // The engine's stack overflowed. The parser itself has no depth limit.
    throw error instanceof RangeError
      ? createShellError("the command line is nested too deeply to parse; split it into several commands")
      : error;
  }
}

function readLineWithGuesses(line: string): ShellLine {
  const scope = createLineScope(createReader(readScript, readForeign));
  readScript(line, scope);
  readUncalledFunctions(scope);
  const { commands, problem } = scope.reader;
  if (problem !== undefined) readFragments(line, scope);
  const { forkBomb } = scope.reader;
  return { commands, ...(problem !== undefined && { problem }), ...(forkBomb !== undefined && { forkBomb }) };
}

/** Loaded lazily because most command lines are written for bash. */
const readForeign: ShellReader["readForeign"] = (shell, text, scope) =>
  (foreignModule ??= require("./runs/windows-scripts.ts") as typeof Foreign).readForeign(shell, text, scope);
let foreignModule: typeof Foreign | undefined;

function readForeignLine(line: string, shell: ForeignShell): ShellLine {
  const reader = createReader(readScript, readForeign);
  const scope = createLineScope(reader);
  readForeign(shell, line, scope);
  readUncalledFunctions(scope);
  const { commands, problem } = reader;
  return { commands, ...(problem !== undefined && { problem }) };
}

/**
 * Merges a command line as read by different shells and removes duplicate commands. The result has a problem only if
 * every reading has one. Outside Windows, a problem in the first reading (bash) is enough.
 */
function mergeLines(lines: readonly ShellLine[]): ShellLine {
  const seenCommands = new Set<string>();
  const commands = lines
    .flatMap((line) => line.commands)
    .filter((command) => {
      const { words: _, ...rest } = command;
      const key = JSON.stringify(rest);
      return !seenCommands.has(key) && seenCommands.add(key);
    });
  const problems = lines.flatMap(({ problem }) => problem ?? []);
  const isUnreadable =
    problems.length === lines.length || (process.platform !== "win32" && lines[0]?.problem !== undefined);
  const forkBomb = lines.find((line) => line.forkBomb !== undefined)?.forkBomb;
  return {
    commands,
    ...(isUnreadable && problems[0] !== undefined && { problem: problems[0] }),
    ...(forkBomb !== undefined && { forkBomb }),
  };
}

/**
 * Lists the simple commands that `readLine` finds in a command line.
 * @throws Error named "ShellError" if the command line is too long or nested too deeply.
 */
export const commandsIn = (line: string, shells?: readonly ShellKind[]): readonly Command[] =>
  readLine(line, shells).commands;

/** Parsed command lines and parser errors by event. The value is undefined while the command line is being parsed. */
const lineCache = new WeakMap<AnyEvent, ShellLine | Error | undefined>();
const EMPTY_LINE: ShellLine = { commands: [] };

/**
 * Parses the command line of a shell call, or of an MCP call with a command line in its arguments (see `shellCall`).
 * Empty for any other event. Each event is parsed only once for all hooks.
 * @throws Error named "ShellError" if the command line is too long or nested too deeply; the hook's failure policy then
 *   decides.
 */
export function shellLine(event: AnyEvent): ShellLine {
  const call = shellCall(event);
  if (!call) return EMPTY_LINE;
  let line = lineCache.get(call);
  if (!line) {
    // If parsing took too long for one hook, other hooks must not parse the command line again.
    if (lineCache.has(call))
      throw createShellError("the command line takes too long to parse; split it into several commands");
    lineCache.set(call, undefined);
    const { input, guessed, tool_name } = call;
    const shells = listShells(
      input.command,
      { shell: input.shell, ...(guessed && { guessed }), tool_name },
      process.platform,
    );
    // If the command line is a guess, a leading `cd` stands for a directory argument, which the MCP server itself
    // resolves.
    const hasFolderArgument = guessed === true && input.command.startsWith("cd ");
    const folder = hasFolderArgument ? undefined : resolve(event.cwd ?? "", input.cwd ?? "");
    lineCache.set(call, (line = readOrError(input.command, shells, folder)));
  }
  if (line instanceof Error) throw line;
  return line;
}

/**
 * Returns the user's home directory, for use when HOME isn't set. Loads the module lazily because few calls need it.
 */
const getHomeDirectory = () => (require("node:os") as typeof Os).homedir();

/**
 * Commands that assign a variable named by an argument, such as `read x`. If a command line contains one of them, any
 * name in it may be an assigned variable.
 */
const ASSIGNMENT_COMMAND =
  /\b(?:read|for|foreach|select|mapfile|readarray|getopts|let|declare|typeset|local|export|readonly|eval|source|printf|set)\s|\(\(|(?:^|[\s;&|])\.\s/;

/** Lists names followed by an assignment operator: `x=`, `x+=`, `x[1]=`, `${x:=y}`. */
const listAssignedNames = (line: string): string[] =>
  [...line.matchAll(/(\{?)(\w+)(\[|\s?[:+]?=)?/g)].flatMap(([, brace, name = "", operator]) =>
    operator === undefined || (brace !== "" && operator === "[") ? [] : name,
  );

/** Creates a check for variables that neither the environment nor the command line sets. */
function createUnsetCheck(line: string): (name: string) => boolean {
  if (/\bset\s+-\w*u|\bnounset\b/.test(line)) return () => false;
  const assignedNames = new Set(
    ASSIGNMENT_COMMAND.test(line) ? line.match(/(?<![\w${])\w+/g) : listAssignedNames(line),
  );
  return (name) => !assignedNames.has(name) && process.env[name] === undefined;
}

function readOrError(command: string, shells: readonly ShellKind[], folder: string | undefined): ShellLine | Error {
  try {
    const line = readWithCache(command, shells, () => readLine(command, shells));
    if (folder === undefined) return line;
    const isUnset = createUnsetCheck(command);
    const settledCommands = addFailedCdCommands(line.commands, folder, process.env.HOME || getHomeDirectory(), isUnset);
    return {
      ...line,
      commands: shells.includes("bash") ? addUnsetVariants(settledCommands, isUnset) : settledCommands,
    };
  } catch (error) {
    return error as Error;
  }
}

/**
 * Lists the simple commands of a shell call, or of an MCP call with a command line in its arguments (see `shellCall`).
 * Empty for any other event.
 * @throws Error named "ShellError" if the command line is too long or nested too deeply; the hook's failure policy then
 *   decides.
 */
export const commands = (event: AnyEvent): readonly Command[] => shellLine(event).commands;

/** Syntax that can build a word at run time, so that the word doesn't appear literally in the command line. */
const WORD_BUILDING_SYNTAX = /[$`*?[{]|\w\^\w|base64|xxd|\\[0-7xu]/;

/**
 * Whether a command line may contain one of the given lowercase words, quoted or unquoted. If not, callers don't need
 * to load the parser. Always true if the line contains variables, `$(…)`, wildcards or braces, which can expand to any
 * word.
 */
export function mentions(line: string, words: readonly string[]): boolean {
  if (WORD_BUILDING_SYNTAX.test(line)) return true;
  const removeQuotes = (text: string) => text.replace(/['"\\\n]/g, "");
  const unquotedLine = removeQuotes(line).toLowerCase();
  return words.some((word) => unquotedLine.includes(removeQuotes(word)));
}
