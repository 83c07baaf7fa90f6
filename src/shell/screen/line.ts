import { CODE_PROGRAMS } from "../programs/code-programs.build.ts";
import {
  AMPERSAND,
  BAR,
  CLOSE,
  CLOSE_BRACE,
  createReading,
  DOLLAR,
  DOUBLE_QUOTE,
  endCommand,
  endWord,
  isEnd,
  NEWLINE,
  OPEN,
  OPEN_BRACE,
  type Reading,
  SEMICOLON,
  SINGLE_QUOTE,
  SPACE,
  TAB,
  takePart,
} from "./reading.ts";
import { readOperator, readQuoted, readSign } from "./signs.ts";
import { decidesReading, expandVariable, getAssignedName, isName, UNKNOWN } from "./variables.ts";

/** A shell line as far as it can be read without the parser. */
export interface PlainLine {
  /** In lower case, without quotes and redirections, and with comments. */
  text: string;
  /** Its simple commands as lists of words; a part of a quoted text may be taken for a word. */
  commands: readonly (readonly string[])[];
  /** The folder that the line changes to first, as it is written. */
  folder?: string;
  /** The files that redirections write to, as they are written; each is also a word of its command. */
  targets: readonly string[];
  /** Words with spaces or separators inside of quotes; their parts are words of the commands, too. */
  quoted: readonly string[];
  /** The names of the variables that it expands. */
  variables: readonly string[];
}

/** Programs that make words of others. */
const UNREAD_PROGRAMS = ["base64", "xxd"];
const MAX_LENGTH = 4096;
const MAX_DEPTH = 8;

/**
 * Reads a line of words, quotes, operators, comments, redirections, variables, substitutions, groups, conditions and
 * loops. Whatever else is in it, or is not sure, it is not read: undefined. Without regular expressions, each of which
 * takes longer to compile than all of this.
 * @param getValue the value of a variable of the environment; undefined for one that is not set, and `null` for one that
 * is not known.
 */
export function readPlainLine(
  line: string,
  getValue: (name: string) => string | null | undefined = () => null,
): PlainLine | undefined {
  if (line.length > MAX_LENGTH) return undefined;
  const reading = createReading(line, getValue);
  if (readList(reading, 0) !== line.length || reading.open !== "") return undefined;
  return createPlainLine(reading);
}

function createPlainLine(reading: Reading): PlainLine | undefined {
  const { commands, targets, quoted, folder, comments, variables } = reading;
  // Hooks may look for what stands in them, too.
  if (comments !== "") reading.text += comments.replaceAll('"', "").replaceAll("'", "");
  if (decidesReading(variables)) return undefined;
  // In lines that cmd.exe may take, one of these hides what the other does.
  if (reading.line.includes("^") && reading.line.includes("%")) return undefined;
  const text = reading.text.toLowerCase();
  for (const name of UNREAD_PROGRAMS) if (text.includes(name)) return undefined;
  for (const list of commands) for (const one of list) if (one.length === 2 && one.startsWith("/")) return undefined;
  if (reading.hasCode && runsCode(commands)) return undefined;
  return { text, commands, targets, quoted, variables: variables.expanded, ...(folder !== undefined && { folder }) };
}

/** Whether a word names a program that may take a text of the line for code. */
function runsCode(commands: readonly (readonly string[])[]): boolean {
  for (const words of commands)
    for (const word of words) {
      const name = word.slice(word.lastIndexOf("/") + 1).toLowerCase();
      const dot = name.indexOf(".");
      const program = name.startsWith("python") ? "python" : dot > 0 ? name.slice(0, dot) : name;
      if (CODE_PROGRAMS.includes(`|${program}|`)) return true;
      const row = CODE_PROGRAMS.indexOf(`|${program} `);
      if (row < 0) continue;
      const end = CODE_PROGRAMS.indexOf("|", row + 1);
      const options = CODE_PROGRAMS.slice(row + program.length + 2, end).split(" ");
      if (commands.some((all) => all.some((one) => options.some((option) => isGiven(one, option))))) return true;
    }
  return false;
}

/** Whether a word is an option, or may have it among its letters. */
const isGiven = (word: string, option: string): boolean =>
  word.startsWith(option) ||
  (option.length === 2 && word.startsWith("-") && !word.startsWith("--") && word.includes(option.charAt(1)));

/**
 * Reads commands up to the end of the line, or of a substitution.
 * @returns where they end; undefined if they are not read.
 */
function readList(reading: Reading, start: number): number | undefined {
  const { line, depth } = reading;
  reading.from = start;
  for (let at = start; at < line.length; at++) {
    const code = line.charCodeAt(at);
    // A letter or digit, or one of `, - . / : @ = _ +`. The engine compiles what is called often, hence no function.
    if (code >= 97 && code <= 122) continue;
    if ((code >= 44 && code <= 58) || (code >= 64 && code <= 90) || code === 95 || code === 61 || code === 43) continue;
    let end: number | undefined = at;
    if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
      if (reading.isTarget) return undefined;
      if (reading.quote !== 0 && reading.quote !== code) {
        reading.hasCode = true;
        continue;
      }
      reading.quote = reading.quote === 0 ? code : 0;
      takePart(reading, at, at + 1);
      reading.isQuoted = true;
    } else if (code === SPACE || code === TAB) {
      // A text in quotes is taken for several words.
      if (!endWord(reading, at, reading.quote === 0 ? "" : line.charAt(at))) return undefined;
      reading.from = at + 1;
      if (reading.quote !== 0) reading.isQuoted = true;
    } else if (code === DOLLAR && reading.quote !== SINGLE_QUOTE) end = readDollar(reading, at);
    else if (reading.quote !== 0) end = readQuoted(reading, at, code);
    else if (code === SEMICOLON || code === AMPERSAND || code === BAR || code === NEWLINE)
      end = readOperator(reading, at);
    else if (code === CLOSE && depth > 0 && !reading.open.endsWith("(")) return endList(reading, at) ? at : undefined;
    else end = readSign(reading, at, code);
    if (end === undefined) return undefined;
    at = end;
  }
  return depth === 0 && endList(reading, line.length) ? line.length : undefined;
}

const endList = (reading: Reading, at: number): boolean =>
  reading.quote === 0 && endWord(reading, at) && endCommand(reading, "");

/** Reads what the shell expands: a variable or a substitution. */
function readDollar(reading: Reading, at: number): number | undefined {
  const { line, quote } = reading;
  if (reading.isTarget) return undefined;
  const next = line.charCodeAt(at + 1);
  if (next === OPEN) return readSubstitution(reading, at);
  const isBraced = next === OPEN_BRACE;
  const start = at + (isBraced ? 2 : 1);
  let end = start;
  while (isName(line.charCodeAt(end)) && (end > start || line.charCodeAt(end) > 57)) end++;
  if (isBraced && (end === start || line.charCodeAt(end) !== CLOSE_BRACE)) return undefined;
  if (end > start) return readVariable(reading, at, line.slice(start, end), isBraced ? end + 1 : end);
  // Before a space or a quote it is a dollar.
  if (isEnd(next) || (next === DOUBLE_QUOTE && quote === next)) return at;
  // `$?`, `$1`
  if (!"?$!#@*-0123456789".includes(line.charAt(at + 1))) return undefined;
  takePart(reading, at, at + 2);
  reading.word += UNKNOWN;
  return at + 1;
}

function readVariable(reading: Reading, at: number, name: string, end: number): number | undefined {
  // A program gets what is assigned before it, but its words are expanded without that.
  const isAssigned = reading.assignments.some((word) => getAssignedName(word) === name);
  const value = isAssigned ? null : expandVariable(reading.variables, name);
  if (value === undefined) return undefined;
  // What the shell splits at spaces are several words.
  if (value !== null && value.includes(" ") && reading.quote === 0) return undefined;
  takePart(reading, at, end);
  if (value === null && !isAlone(reading, end)) return undefined;
  reading.word += value ?? UNKNOWN;
  return end - 1;
}

/** Whether nothing else of the word stands before what has just been read, or behind it: then any value is a word. */
function isAlone({ line, word, words, before, quote }: Reading, end: number): boolean {
  if (word !== "" && !(word.endsWith("=") && words.length === 0)) return false;
  if (before !== "" && !before.endsWith(" ")) return false;
  const next = line.charCodeAt(end);
  if (quote === 0) return isEnd(next);
  return next === SPACE || (next === quote && isEnd(line.charCodeAt(end + 1)));
}

/** Reads `$(…)`, whose commands are the line's. What it prints has to be a word by itself, or a value. */
function readSubstitution(reading: Reading, at: number): number | undefined {
  const { line } = reading;
  if (reading.depth >= MAX_DEPTH || line.charCodeAt(at + 2) === OPEN) return undefined;
  takePart(reading, at, at);
  const outer = { ...reading };
  const inner = { words: [], word: "", before: "", quote: 0, isQuoted: false, assignments: [] };
  Object.assign(reading, inner, { isOpen: false, isClosed: false, open: "", depth: outer.depth + 1 });
  const first = reading.commands.length;
  const end = readList(reading, at + 2);
  if (end === undefined || reading.open !== "") return undefined;
  const programs = reading.commands.slice(first).map(([program = ""]) => program);
  const { words, word, before, quote, isQuoted, isOpen, isClosed, open, isConditional, assignments, depth } = outer;
  Object.assign(reading, { words, word, before, quote, isQuoted, isOpen, isClosed, open, isConditional, assignments });
  Object.assign(reading, { depth, from: end + 1 });
  // What some print can be foretold.
  if (programs.length === 0 || programs.some((program) => PRINTERS.includes(`|${program}|`))) return undefined;
  if (!isAlone(reading, end + 1)) return undefined;
  reading.word += UNKNOWN;
  return end;
}
const PRINTERS = "|echo|printf|print|which|type|command|ls|";
