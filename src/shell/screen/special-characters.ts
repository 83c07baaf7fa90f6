import { endCommand, endWord, isWordEnd, type ReadingState, appendPart } from "./line-state.ts";
import { isName, UNKNOWN } from "./variables.ts";

const isCharacterIn = (characters: string, character: string | undefined): boolean =>
  character !== undefined && characters.includes(character);

/** Reads a special character inside quotes. */
export function readQuoted(reading: ReadingState, at: number, character: string): number | undefined {
  const { line, quote } = reading;
  if (character > "~" || character === UNKNOWN || (character === "`" && quote === '"')) return undefined;
  if (isCharacterIn(";&|\n", character)) {
    reading.isQuoted = true;
    if (!endWord(reading, at, character)) return undefined;
    reading.text += character === "\n" ? ";" : character;
    reading.partStart = at + 1;
    return at;
  }
  reading.hasCode = true;
  if (character === "%") return readPercent(reading, at);
  if (character !== "\\") return at;
  const nextCharacter = line[at + 1];
  // An escape sequence such as `\x41` stands for a different character.
  if (isCharacterIn("0123456789cuxCUX", nextCharacter)) return undefined;
  if (quote === "'" || !isCharacterIn('"$\\`\n', nextCharacter)) return at;
  // Leave the escaping backslash out of the word.
  appendPart(reading, at, nextCharacter === "\n" ? at + 2 : at + 1);
  return at + 1;
}

/** Reads a special character and returns the offset of its last character. `isStart` is true if a word starts here. */
type CharacterReader = (reading: ReadingState, at: number, isStart: boolean) => number | undefined;

/** A bracket is supported only as a separate word: `[ -f x ]`. */
const readBracket: CharacterReader = (reading, at, isStart) => (isStart ? readWordOf(reading, at) : undefined);
const skipCharacter: CharacterReader = (_, at) => at;

const CHARACTER_READERS: Readonly<Record<string, CharacterReader>> = {
  "\n": readOperator,
  ";": readOperator,
  "&": readOperator,
  "|": readOperator,
  ">": readRedirection,
  "<": readRedirection,
  "#": (reading, at, isStart) => (isStart ? readComment(reading, at) : at),
  "~": (reading, at, isStart) =>
    isStart ? readHomeExpression(reading, at) : isCharacterIn("=:", reading.line[at - 1]) ? undefined : at,
  "\\": readEscape,
  "(": (reading, at, isStart) =>
    isStart && reading.words.length === 0 && !reading.isAfterGroup ? openGroup(reading, at) : undefined,
  ")": closeSubshell,
  "{": (reading, at, isStart) => (isStart ? readWordOf(reading, at) : readBraces(reading, at)),
  "}": readBracket,
  "[": readBracket,
  "]": readBracket,
  "%": readPercent,
  "!": skipCharacter,
  "^": skipCharacter,
};

/** Reads a special character outside quotes. */
export const readUnquotedCharacter = (reading: ReadingState, at: number, character: string): number | undefined =>
  CHARACTER_READERS[character]?.(reading, at, at === reading.partStart && reading.word === "" && !reading.isQuoted);

/** Reads `%`. Returns undefined if it starts a cmd.exe variable. */
function readPercent({ line }: ReadingState, at: number): number | undefined {
  let end = at + 1;
  while (isName(line.charCodeAt(end))) end++;
  return end - at > MIN_CMD_NAME_LENGTH && line[end] === "%" ? undefined : at;
}
/** Shorter names are more likely part of a format: `%h%s`. */
const MIN_CMD_NAME_LENGTH = 3;

/** Reads `{}`, or a character that forms a separate word. */
function readWordOf({ line }: ReadingState, at: number): number | undefined {
  const end = line.startsWith("{}", at) ? at + 1 : at;
  return isWordEnd(line, end + 1) ? end : undefined;
}

/** Reads braces that aren't a list: `HEAD@{1}`. */
function readBraces(reading: ReadingState, at: number): number | undefined {
  const { line } = reading;
  // A program might replace the braces with a value.
  reading.hasCode = true;
  for (let end = at + 1; end < line.length; end++) {
    if (line[end] === "}") return end;
    if (!isName(line.charCodeAt(end)) || line[end] === "_") return undefined;
  }
  return undefined;
}

function readComment(reading: ReadingState, at: number): number {
  const end = reading.line.indexOf("\n", at);
  reading.partStart = end < 0 ? reading.line.length : end;
  reading.comments += ` ${reading.line.slice(at, reading.partStart)}`;
  return reading.partStart - 1;
}

/** Reads `~` and `~/x`. Other users' home directories are left to the full parser. */
function readHomeExpression(reading: ReadingState, at: number): number | undefined {
  const { line, variables, isTarget } = reading;
  const home = variables.getValue("HOME");
  if ((line[at + 1] !== "/" && !isWordEnd(line, at + 1)) || typeof home !== "string" || isTarget) return undefined;
  reading.word = home;
  reading.partStart = at + 1;
  return at;
}

function readEscape(reading: ReadingState, at: number): number | undefined {
  const nextCharacter = reading.line.charAt(at + 1);
  if (nextCharacter === "" || nextCharacter > "~" || nextCharacter === UNKNOWN || reading.isTarget) return undefined;
  appendPart(reading, at, nextCharacter === "\n" ? at + 2 : at + 1);
  if (nextCharacter === "\n") return at + 1;
  // If a program runs the word as code, that code won't contain the backslash.
  reading.isQuoted = reading.hasCode = true;
  if (isCharacterIn(" ;&|", nextCharacter)) {
    if (!endWord(reading, at + 1, nextCharacter)) return undefined;
    reading.partStart = at + 2;
    reading.isQuoted = true;
  }
  return at + 1;
}

function readRedirection(reading: ReadingState, at: number): number | undefined {
  const { line, words, isAfterGroup } = reading;
  const isEmpty = reading.word === "" && !reading.isQuoted;
  // A digit before the operator is a file descriptor.
  if (at === reading.partStart + 1 && isEmpty && isCharacterIn("012", line[reading.partStart])) reading.partStart = at;
  else if (at > reading.partStart || !isEmpty) return undefined;
  if (line[at] === "<") {
    // The input file stays one of the command's words.
    if (isCharacterIn("<(>&", line[at + 1]) || words.length === 0) return undefined;
    reading.partStart = at + 1;
    return at;
  }
  let end = line[at + 1] === ">" ? at + 2 : at + 1;
  const isCopy = line[end] === "&" && isCharacterIn("012", line[end + 1]);
  if (line[end] === " ") end++;
  // Nothing is written to a file if the target is another file descriptor or the null device.
  const length = isCopy ? 2 : line.startsWith("/dev/null", end) ? "/dev/null".length : 0;
  if (length > 0 && isWordEnd(line, end + length)) end += length;
  else if (isFileStart(line.charCodeAt(end)) && (words.length > 0 || isAfterGroup)) reading.isTarget = true;
  else return undefined;
  reading.partStart = end;
  return end - 1;
}

/** Whether a character can start the name of an output file. */
const isFileStart = (code: number) => isName(code) || code === 46 || code === 47;

function openGroup(reading: ReadingState, at: number): number {
  reading.openGroups += "(";
  reading.needsCommand = true;
  reading.partStart = at + 1;
  reading.text += " ";
  return at;
}

function closeSubshell(reading: ReadingState, at: number): number | undefined {
  if (!endWord(reading, at) || !endCommand(reading, ";") || reading.needsCommand || !reading.openGroups.endsWith("("))
    return undefined;
  reading.openGroups = reading.openGroups.slice(0, -1);
  reading.isAfterGroup = true;
  reading.partStart = at + 1;
  return at;
}

function readOperator(reading: ReadingState, at: number): number | undefined {
  const { line } = reading;
  const character = line[at];
  const end = line[at + 1] === character && (character === "&" || character === "|") ? at + 2 : at + 1;
  if (!endWord(reading, at) || !endCommand(reading, line.slice(at, end))) return undefined;
  reading.partStart = end;
  return end - 1;
}
