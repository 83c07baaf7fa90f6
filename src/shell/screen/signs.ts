import {
  AMPERSAND,
  BACKSLASH,
  BANG,
  BAR,
  CLOSE,
  CLOSE_BRACE,
  DOLLAR,
  DOUBLE_QUOTE,
  endCommand,
  endWord,
  GREATER,
  HASH,
  isEnd,
  LESS,
  NEWLINE,
  OPEN,
  OPEN_BRACE,
  PERCENT,
  type Reading,
  SEMICOLON,
  SINGLE_QUOTE,
  SPACE,
  takePart,
  TILDE,
} from "./reading.ts";
import { isName, UNKNOWN } from "./variables.ts";

/** Reads a character inside of quotes that is not a plain one. */
export function readQuoted(reading: Reading, at: number, code: number): number | undefined {
  const { line } = reading;
  if (code > 126 || code === UNKNOWN.charCodeAt(0)) return undefined;
  if (code === 96 && reading.quote === DOUBLE_QUOTE) return undefined;
  if (code === SEMICOLON || code === AMPERSAND || code === BAR || code === NEWLINE) {
    reading.isQuoted = true;
    if (!endWord(reading, at, line.charAt(at))) return undefined;
    reading.text += code === NEWLINE ? ";" : line.charAt(at);
    reading.from = at + 1;
    return at;
  }
  reading.hasCode = true;
  if (code === PERCENT) return readPercent(reading, at);
  if (code !== BACKSLASH) return at;
  const next = line.charCodeAt(at + 1);
  // Escapes that stand for other characters.
  if ((next >= 48 && next <= 57) || (next | 32) === 120 || (next | 32) === 117 || (next | 32) === 99) return undefined;
  if (reading.quote === SINGLE_QUOTE) return at;
  if (next !== DOUBLE_QUOTE && next !== DOLLAR && next !== BACKSLASH && next !== 96 && next !== NEWLINE) return at;
  // The backslash is not part of the word.
  takePart(reading, at, next === NEWLINE ? at + 2 : at + 1);
  return at + 1;
}

/** Reads a character outside of quotes that is neither plain nor an operator. */
export function readSign(reading: Reading, at: number, code: number): number | undefined {
  const { line } = reading;
  const isStart = at === reading.from && reading.word === "" && !reading.isQuoted;
  switch (code) {
    case GREATER:
    case LESS:
      return readRedirection(reading, at, code);
    case HASH:
      return isStart ? readComment(reading, at) : at;
    case TILDE:
      return isStart ? readHome(reading, at) : at > 0 && isAssigning(line.charCodeAt(at - 1)) ? undefined : at;
    case BACKSLASH:
      return readEscape(reading, at);
    case OPEN:
      return isStart && reading.words.length === 0 && !reading.isClosed ? openGroup(reading, at, "(") : undefined;
    case CLOSE:
      return closeSubshell(reading, at);
    case OPEN_BRACE:
      return isStart ? readWordOf(reading, at) : readBraces(reading, at);
    case CLOSE_BRACE:
    case 91:
    case 93:
      // Alone they are words: `[ -f x ]`.
      return isStart ? readWordOf(reading, at) : undefined;
    case PERCENT:
      return readPercent(reading, at);
    case BANG:
    case 94:
      return at;
    default:
      return undefined;
  }
}

/** Reads `%`, unless it begins a variable of cmd.exe. */
function readPercent({ line }: Reading, at: number): number | undefined {
  let end = at + 1;
  while (isName(line.charCodeAt(end))) end++;
  return end - at > MIN_CMD_NAME && line.charCodeAt(end) === PERCENT ? undefined : at;
}
/** A shorter name may be a format: `%h%s`. */
const MIN_CMD_NAME = 3;

const isAssigning = (code: number) => code === 61 || code === 58;

/** Reads a sign that is a word by itself, as is `{}`. */
function readWordOf({ line }: Reading, at: number): number | undefined {
  const end = line.startsWith("{}", at) ? at + 1 : at;
  return isEnd(line.charCodeAt(end + 1)) ? end : undefined;
}

/** Reads braces that no list is in: `HEAD@{1}`. */
function readBraces({ line }: Reading, at: number): number | undefined {
  for (let end = at + 1; end < line.length; end++) {
    const code = line.charCodeAt(end);
    if (code === CLOSE_BRACE) return end;
    const isPlain = (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90);
    if (!isPlain) return undefined;
  }
  return undefined;
}

function readComment(reading: Reading, at: number): number {
  const end = reading.line.indexOf("\n", at);
  reading.from = end < 0 ? reading.line.length : end;
  reading.comments += ` ${reading.line.slice(at, reading.from)}`;
  return reading.from - 1;
}

/** Reads `~` and `~/x`; the home folders of others are left to the parser. */
function readHome(reading: Reading, at: number): number | undefined {
  const next = reading.line.charCodeAt(at + 1);
  const home = reading.variables.getValue("HOME");
  if ((next !== 47 && !isEnd(next)) || typeof home !== "string" || reading.isTarget) return undefined;
  reading.word = home;
  reading.from = at + 1;
  return at;
}

function readEscape(reading: Reading, at: number): number | undefined {
  const next = reading.line.charCodeAt(at + 1);
  if (Number.isNaN(next) || next > 126 || next === 0 || reading.isTarget) return undefined;
  takePart(reading, at, next === NEWLINE ? at + 2 : at + 1);
  if (next === NEWLINE) return at + 1;
  // A program that takes the word for code reads it as it is without the backslash.
  reading.isQuoted = reading.hasCode = true;
  if (next === SPACE || next === SEMICOLON || next === AMPERSAND || next === BAR) {
    if (!endWord(reading, at + 1, reading.line.charAt(at + 1))) return undefined;
    reading.from = at + 2;
    reading.isQuoted = true;
  }
  return at + 1;
}

function readRedirection(reading: Reading, at: number, code: number): number | undefined {
  const { line } = reading;
  const isEmpty = reading.word === "" && !reading.isQuoted;
  // A digit before it belongs to it.
  if (at === reading.from + 1 && isEmpty && isStream(line.charCodeAt(reading.from))) reading.from = at;
  else if (at > reading.from || !isEmpty) return undefined;
  if (code === LESS) {
    // What it reads is one of the words.
    const next = line.charCodeAt(at + 1);
    if (next === LESS || next === OPEN || next === GREATER || next === AMPERSAND || reading.words.length === 0)
      return undefined;
    reading.from = at + 1;
    return at;
  }
  let end = findRedirectionEnd(line, at);
  if (end === undefined) {
    end = findTarget(line, at);
    if (end === undefined || (reading.words.length === 0 && !reading.isClosed)) return undefined;
    reading.isTarget = true;
  }
  reading.from = end;
  return end - 1;
}
const isStream = (code: number) => code >= 48 && code <= 50;

function openGroup(reading: Reading, at: number, sign: string): number {
  reading.open += sign;
  reading.isOpen = true;
  reading.from = at + 1;
  reading.text += " ";
  return at;
}

function closeSubshell(reading: Reading, at: number): number | undefined {
  if (!endWord(reading, at) || !endCommand(reading, ";") || reading.isOpen || !reading.open.endsWith("("))
    return undefined;
  reading.open = reading.open.slice(0, -1);
  reading.isClosed = true;
  reading.from = at + 1;
  return at;
}

export function readOperator(reading: Reading, at: number): number | undefined {
  const { line } = reading;
  const code = line.charCodeAt(at);
  const isDouble = line.charCodeAt(at + 1) === code && (code === AMPERSAND || code === BAR);
  if (!endWord(reading, at) || !endCommand(reading, line.slice(at, at + (isDouble ? 2 : 1)))) return undefined;
  const end = isDouble ? at + 1 : at;
  reading.from = end + 1;
  return end;
}

/** Where the name of the file begins that is written to by the `>` here; undefined unless it begins with a plain character. */
function findTarget(line: string, at: number): number | undefined {
  let start = at + 1;
  if (line.charCodeAt(start) === GREATER) start++;
  if (line.charCodeAt(start) === SPACE) start++;
  const code = line.charCodeAt(start);
  const isPlain =
    (code >= 97 && code <= 122) || (code >= 46 && code <= 57) || (code >= 65 && code <= 90) || code === 95;
  return isPlain ? start : undefined;
}

/** Where a redirection to nowhere, or to another stream, ends that has its `>` here; undefined for any other. */
function findRedirectionEnd(line: string, at: number): number | undefined {
  let end = at + 1;
  if (line.charCodeAt(end) === GREATER) end++;
  if (line.charCodeAt(end) === AMPERSAND && isStream(line.charCodeAt(end + 1))) end += 2;
  else {
    if (line.charCodeAt(end) === SPACE) end++;
    if (!line.startsWith("/dev/null", end)) return undefined;
    end += "/dev/null".length;
  }
  return end >= line.length || isEnd(line.charCodeAt(end)) ? end : undefined;
}
