import { CODE_PROGRAMS } from "../programs/code-programs.build.ts";
import { getProgramName, removeVersion } from "../programs/plain-names.ts";
import { isTransformProgram, readsTrackedFile, toProgramKey } from "./output-tracking.ts";
import { createReading, endCommand, endWord, isWordEnd, type ReadingState, appendPart } from "./line-state.ts";
import { readQuoted, readUnquotedCharacter } from "./special-characters.ts";
import { assignVariables, changesShellSyntax, expandVariable, getAssignedName, isName, UNKNOWN } from "./variables.ts";

/** What can be read from a command line without the full parser. */
export interface PlainLine {
  /** The command line in lowercase, with comments but without quotes and redirections. */
  text: string;
  /** The simple commands, each as a list of words. Parts of a quoted string can appear as separate words. */
  commands: readonly (readonly string[])[];
  /** Target of the first `cd`, as written. */
  folder?: string;
  /** Output files of redirections, as written. Each is also one of its command's words. */
  targets: readonly string[];
  /** Quoted words that contain spaces or separators. Their parts are also words of the commands. */
  quotedWords: readonly string[];
  /** Names of the variables that the command line expands. */
  variables: readonly string[];
}

/** Programs that assemble words from other text. */
const UNSUPPORTED_PROGRAMS = ["base64", "xxd", "xargs"];
/**
 * Programs that fill in templates. They must match a whole word, since their names also occur inside other words. Like
 * programs that find files, they replace `{}` even inside a word.
 */
const TEMPLATE_PROGRAMS = "|parallel|sem|";
const FILE_SEARCH_PROGRAMS = "|find|fd|fdfind|";
const MAX_LENGTH = 4096;
const MAX_DEPTH = 8;

/**
 * Reads a command line without the full parser. Handles words, quotes, operators, comments, redirections, variables,
 * substitutions, groups, conditions and loops. Returns undefined for any other syntax and if the meaning is uncertain.
 * Doesn't use regular expressions: compiling one takes longer than this whole function.
 * @param getValue returns the value of an environment variable: undefined if unset, `null` if unknown
 */
export function readPlainLine(
  line: string,
  getValue: (name: string) => string | null | undefined = () => null,
): PlainLine | undefined {
  if (line.length > MAX_LENGTH) return undefined;
  const reading = createReading(line, getValue);
  if (readList(reading, 0) !== line.length || reading.openGroups !== "") return undefined;
  return createPlainLine(reading);
}

function createPlainLine(reading: ReadingState): PlainLine | undefined {
  const { commands, targets, quotedWords, folder, comments, variables } = reading;
  // Include comments, since a hook might search their text.
  if (comments !== "") reading.text += comments.replaceAll('"', "").replaceAll("'", "");
  if (changesShellSyntax(variables)) return undefined;
  // If cmd.exe runs this command line, a `^` can hide a `%`, and a `%` can hide a `^`.
  if (reading.line.includes("^") && reading.line.includes("%")) return undefined;
  const text = reading.text.toLowerCase();
  for (const name of UNSUPPORTED_PROGRAMS) if (text.includes(name)) return undefined;
  for (const words of commands)
    for (const word of words) if (word.length === 2 && word.startsWith("/")) return undefined;
  const { hasTransformed } = reading.flow;
  if (readsTrackedFile(reading)) return undefined;
  if ((reading.hasCode || hasTransformed) && mayRunCode(reading)) return undefined;
  if (assemblesWords(commands)) return undefined;
  return {
    text,
    commands,
    targets,
    quotedWords,
    variables: variables.expandedNames,
    ...(folder !== undefined && { folder }),
  };
}

/** Whether a command assembles words from its input or from the names it matches: `xargs -I{} r{}`. */
function assemblesWords(commands: readonly (readonly string[])[]): boolean {
  for (const words of commands)
    for (const word of words) {
      const name = toProgramKey(word);
      if (TEMPLATE_PROGRAMS.includes(name)) return true;
      if (FILE_SEARCH_PROGRAMS.includes(name) && words.some((word) => word !== "{}" && word.includes("{}")))
        return true;
    }
  return false;
}

/** Whether any word names a program that might run a string in the command line as code. */
function mayRunCode({ commands, hasCode }: ReadingState): boolean {
  for (const words of commands)
    for (const word of words) {
      // A program that transforms text only runs its own script.
      if (!hasCode && isTransformProgram(word)) continue;
      const name = getProgramName(word).toLowerCase();
      const unversionedName = removeVersion(name);
      if (mayTakeCode(name, commands) || (unversionedName !== name && mayTakeCode(unversionedName, commands)))
        return true;
    }
  return false;
}

/** Whether a program can run a string as code. `commands` contains the words of all commands. */
function mayTakeCode(program: string, commands: readonly (readonly string[])[]): boolean {
  if (CODE_PROGRAMS.includes(`|${program}|`)) return true;
  const row = CODE_PROGRAMS.indexOf(`|${program} `);
  if (row < 0) return false;
  const end = CODE_PROGRAMS.indexOf("|", row + 1);
  const options = CODE_PROGRAMS.slice(row + program.length + 2, end).split(" ");
  return commands.some((words) => words.some((word) => options.some((option) => isOptionIn(word, option))));
}

/** Whether a word is the given option, or a bundle that could contain its letter. */
const isOptionIn = (word: string, option: string): boolean =>
  word.startsWith(option) ||
  (option.length === 2 && word.startsWith("-") && !word.startsWith("--") && word.includes(option.charAt(1)));

/**
 * Reads commands up to the end of the command line or substitution.
 * @returns the end offset, or undefined if the syntax isn't supported
 */
function readList(reading: ReadingState, start: number): number | undefined {
  const { line, depth } = reading;
  reading.partStart = start;
  for (let at = start; at < line.length; at++) {
    const code = line.charCodeAt(at);
    // Letters, digits, and `, - . / : @ = _ +` are ordinary. The check is inlined because the engine would spend time
    // compiling a function called this often.
    if (code >= 97 && code <= 122) continue;
    if ((code >= 44 && code <= 58) || (code >= 64 && code <= 90) || code === 95 || code === 61 || code === 43) continue;
    const character = line.charAt(at);
    if (character === ")" && depth > 0 && reading.quote === "" && !reading.openGroups.endsWith("("))
      return endList(reading, at) ? at : undefined;
    const end = readCharacter(reading, at, character);
    if (end === undefined) return undefined;
    at = end;
  }
  return depth === 0 && endList(reading, line.length) ? line.length : undefined;
}

const endList = (reading: ReadingState, at: number): boolean =>
  reading.quote === "" && endWord(reading, at) && endCommand(reading, "");

/** Reads a special character. Returns the offset of its last character. */
function readCharacter(reading: ReadingState, at: number, character: string): number | undefined {
  const { quote } = reading;
  if (character === '"' || character === "'") return readQuote(reading, at, character);
  if (character === " " || character === "\t") {
    // In quotes, each part becomes a separate word.
    if (!endWord(reading, at, quote === "" ? "" : character)) return undefined;
    reading.partStart = at + 1;
    if (quote !== "") reading.isQuoted = true;
    return at;
  }
  if (character === "$" && quote !== "'") return readDollar(reading, at);
  return quote === "" ? readUnquotedCharacter(reading, at, character) : readQuoted(reading, at, character);
}

function readQuote(reading: ReadingState, at: number, character: string): number | undefined {
  if (reading.isTarget) return undefined;
  if (reading.quote !== "" && reading.quote !== character) {
    reading.hasCode = true;
    return at;
  }
  reading.quote = reading.quote === "" ? character : "";
  appendPart(reading, at, at + 1);
  reading.isQuoted = true;
  return at;
}

/** Reads an expansion: a variable or a substitution. */
function readDollar(reading: ReadingState, at: number): number | undefined {
  const { line, quote } = reading;
  if (reading.isTarget) return undefined;
  const nextCharacter = line.charAt(at + 1);
  if (nextCharacter === "(") return readSubstitution(reading, at);
  const isBraced = nextCharacter === "{";
  const start = at + (isBraced ? 2 : 1);
  let end = start;
  while (isName(line.charCodeAt(end)) && (end > start || line.charCodeAt(end) > 57)) end++;
  if (isBraced && (end === start || line[end] !== "}")) return undefined;
  if (end > start) return readVariable(reading, at, line.slice(start, end), isBraced ? end + 1 : end);
  // Before a space or a closing quote, `$` is literal.
  if (isWordEnd(line, at + 1) || (nextCharacter === '"' && quote === nextCharacter)) return at;
  // `$?`, `$1`
  if (!"?$!#@*-0123456789".includes(nextCharacter)) return undefined;
  appendPart(reading, at, at + 2);
  reading.word += UNKNOWN;
  return at + 1;
}

function readVariable(reading: ReadingState, at: number, name: string, end: number): number | undefined {
  // An assignment before a command changes the program's environment, not how the command's own words expand.
  const isAssigned = reading.assignments.some((word) => getAssignedName(word) === name);
  const value = isAssigned ? null : expandVariable(reading.variables, name);
  if (value === undefined) return undefined;
  // The shell would split the value at spaces and expand its wildcards, possibly into several words.
  if (value !== null && reading.quote === "" && isSplit(value)) return undefined;
  appendPart(reading, at, end);
  if (value === null && !isWholeWord(reading, end)) return undefined;
  reading.word += value ?? UNKNOWN;
  return end - 1;
}

const isSplit = (value: string): boolean =>
  value.includes(" ") || value.includes("*") || value.includes("?") || value.includes("[");

/** Whether the expansion that ends at `end` is a complete word, and therefore a single word regardless of its value. */
function isWholeWord({ line, word, words, wordPrefix, quote }: ReadingState, end: number): boolean {
  if (word !== "" && !(word.endsWith("=") && words.length === 0)) return false;
  if (wordPrefix !== "" && !wordPrefix.endsWith(" ")) return false;
  if (quote === "") return isWordEnd(line, end);
  return line[end] === " " || (line[end] === quote && isWordEnd(line, end + 1));
}

/** Reads `$(…)` and adds the commands in it. Only supported as a complete word or value. */
function readSubstitution(reading: ReadingState, at: number): number | undefined {
  const { line } = reading;
  if (reading.depth >= MAX_DEPTH || line[at + 2] === "(") return undefined;
  appendPart(reading, at, at);
  const outerReading = { ...reading };
  const emptyCommand = { words: [], word: "", wordPrefix: "", quote: "", isQuoted: false, assignments: [] };
  Object.assign(reading, emptyCommand, {
    needsCommand: false,
    isAfterGroup: false,
    openGroups: "",
    depth: outerReading.depth + 1,
  });
  const firstIndex = reading.commands.length;
  const { isPiped, isTransformed } = reading.flow;
  // Shells differ in whether a substitution sees the assignments before its command.
  assignVariables(reading.variables, outerReading.assignments, "possible");
  const end = readList(reading, at + 2);
  if (end === undefined || reading.openGroups !== "") return undefined;
  const programs = reading.commands.slice(firstIndex).map(([program = ""]) => program);
  const { text, folder, comments, hasCode } = reading;
  Object.assign(reading, outerReading, { text, folder, comments, hasCode, partStart: end + 1 });
  Object.assign(reading.flow, { isPiped, isTransformed });
  // Only the full parser can predict the output of these programs.
  if (programs.length === 0 || programs.some((program) => PREDICTABLE_PROGRAMS.includes(`|${program}|`)))
    return undefined;
  if (!isWholeWord(reading, end + 1)) return undefined;
  reading.word += UNKNOWN;
  return end;
}
const PREDICTABLE_PROGRAMS = "|echo|printf|print|which|type|command|ls|find|fd|fdfind|";
