import { createShellError } from "../command.ts";
import type { Expression, Piece, Script } from "./syntax.ts";

/** Maximum depth of brackets, strings and blocks in one another. */
const DEEPEST = 150;

/** A place in a text, and what was found out about it. */
export interface Scanner {
  text: string;
  at: number;
  depth: number;
  problem?: string;
  /** Reads statements up to a closing bracket, and takes that. */
  readScript: (scanner: Scanner, close: string) => Script;
}

export const peek = ({ text, at }: Scanner, offset = 0): string => text[at + offset] ?? "";

/** Records the first thing that PowerShell would refuse. */
export function noteProblem(scanner: Scanner, message: string): void {
  scanner.problem ??= message;
}

/** Runs a reader one level deeper. */
export function descend<T>(scanner: Scanner, read: () => T): T {
  if (++scanner.depth > DEEPEST)
    throw createShellError(`the shell line is nested too deeply to be read (more than ${DEEPEST} levels); split it up`);
  const found = read();
  scanner.depth--;
  return found;
}

/** PowerShell takes typographic quotes and dashes for the plain ones. */
export const isSingleQuote = (letter: string): boolean => letter !== "" && "'\u2018\u2019\u201A\u201B".includes(letter);
export const isDoubleQuote = (letter: string): boolean => letter !== "" && '"\u201C\u201D\u201E'.includes(letter);
export const isDash = (letter: string): boolean => letter !== "" && "-\u2013\u2014\u2015".includes(letter);
export const isBlank = (letter: string): boolean =>
  letter === " " || letter === "\t" || letter === "\u00A0" || letter === "\f" || letter === "\v";
export const isNewline = (letter: string): boolean => letter === "\n" || letter === "\r";

/** Skips blanks, comments and continued lines; with `newlines`, line breaks as well. */
export function skipBlanks(scanner: Scanner, newlines = false): void {
  const { text } = scanner;
  for (;;) {
    const letter = peek(scanner);
    if (isBlank(letter) || (newlines && isNewline(letter))) scanner.at++;
    else if (letter === "`" && isNewline(peek(scanner, 1)))
      scanner.at += peek(scanner, 1) === "\r" && peek(scanner, 2) === "\n" ? 3 : 2;
    else if (letter === "#") {
      const end = text.indexOf("\n", scanner.at);
      scanner.at = end < 0 ? text.length : end;
    } else if (letter === "<" && peek(scanner, 1) === "#") {
      const end = text.indexOf("#>", scanner.at + 2);
      if (end < 0) noteProblem(scanner, "unclosed comment");
      scanner.at = end < 0 ? text.length : end + 2;
    } else return;
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  "0": "\0",
  a: "\x07",
  b: "\b",
  e: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** Reads what a backtick escapes; in bare words and in double quotes alike. */
export function readEscape(scanner: Scanner): string {
  const letter = peek(scanner, 1);
  scanner.at += 2;
  if (letter === "u" && peek(scanner) === "{") {
    const end = scanner.text.indexOf("}", scanner.at);
    const code = Number.parseInt(
      scanner.text.slice(scanner.at + 1, end < 0 ? scanner.at : Math.min(end, scanner.at + 8)),
      16,
    );
    if (end >= 0 && code <= 0x10ffff) {
      scanner.at = end + 1;
      return String.fromCodePoint(code);
    }
  }
  return ESCAPES[letter] ?? letter;
}

/** Reads a text in single quotes. */
export function readSingleQuoted(scanner: Scanner): Expression {
  let text = "";
  for (scanner.at++; ; scanner.at++) {
    const letter = peek(scanner);
    if (letter === "") {
      noteProblem(scanner, "unclosed quote");
      break;
    }
    if (isSingleQuote(letter)) {
      if (!isSingleQuote(peek(scanner, 1))) {
        scanner.at++;
        break;
      }
      scanner.at++;
    }
    text += letter;
  }
  return { type: "word", pieces: [{ type: "text", text }] };
}

/** Adds a text to pieces; together with the one before it, if it is of the same kind. */
export function addText(pieces: Piece[], text: string, isBare = false): void {
  const last = pieces.at(-1);
  if (last?.type === "text" && (last.isBare === true) === isBare) last.text += text;
  else pieces.push({ type: "text", text, ...(isBare && { isBare: true }) });
}

const VARIABLE_NAME = /[A-Za-z_\u00AA-\uFFFF0-9]/;

/** Reads `$name`, `${name}`, `$env:name` and `$(…)`; undefined if the "$" is only a letter. */
export function readDollar(scanner: Scanner): Exclude<Piece, { type: "text" }> | undefined {
  const next = peek(scanner, 1);
  if (next === "(") {
    scanner.at += 2;
    return { type: "script", body: descend(scanner, () => scanner.readScript(scanner, ")")) };
  }
  if (next === "{") {
    const end = scanner.text.indexOf("}", scanner.at);
    if (end < 0) {
      noteProblem(scanner, "unclosed brace");
      return undefined;
    }
    const name = scanner.text.slice(scanner.at + 2, end);
    scanner.at = end + 1;
    return { type: "variable", name };
  }
  if (next !== "" && "$?^".includes(next)) {
    scanner.at += 2;
    return { type: "variable", name: next };
  }
  let end = scanner.at + 1;
  const { text } = scanner;
  while (VARIABLE_NAME.test(text[end] ?? "")) end++;
  if (end === scanner.at + 1) return undefined;
  // A drive or a scope; `$x::y` is a member of a type.
  if (text[end] === ":" && text[end + 1] !== ":" && VARIABLE_NAME.test(text[end + 1] ?? "")) {
    end++;
    while (VARIABLE_NAME.test(text[end] ?? "")) end++;
  }
  const name = text.slice(scanner.at + 1, end);
  scanner.at = end;
  return { type: "variable", name };
}

/** Reads the inside of double quotes up to `isEnd`, which tells how many letters the end takes. */
function readExpandable(scanner: Scanner, isEnd: () => number, isQuoted: boolean): Expression {
  const pieces: Piece[] = [{ type: "text", text: "" }];
  for (;;) {
    const letter = peek(scanner);
    const end = isEnd();
    if (end > 0 || letter === "") {
      if (letter === "" && end === 0) noteProblem(scanner, "unclosed quote");
      scanner.at += end;
      return { type: "word", pieces };
    }
    if (letter === "`") addText(pieces, readEscape(scanner));
    else if (isQuoted && isDoubleQuote(letter)) {
      addText(pieces, letter);
      scanner.at += 2;
    } else {
      const found = letter === "$" ? readDollar(scanner) : undefined;
      if (found) pieces.push(found);
      else {
        addText(pieces, letter);
        scanner.at++;
      }
    }
  }
}

/** Reads a text in double quotes, with what it expands. */
export function readDoubleQuoted(scanner: Scanner): Expression {
  scanner.at++;
  const isEnd = () => (isDoubleQuote(peek(scanner)) && !isDoubleQuote(peek(scanner, 1)) ? 1 : 0);
  return descend(scanner, () => readExpandable(scanner, isEnd, true));
}

/** Whether a here-string starts: `@'` or `@"` at the end of a row. */
export function isHereString(scanner: Scanner): boolean {
  if (peek(scanner) !== "@" || !(isSingleQuote(peek(scanner, 1)) || isDoubleQuote(peek(scanner, 1)))) return false;
  let at = scanner.at + 2;
  while (isBlank(scanner.text[at] ?? "")) at++;
  return isNewline(scanner.text[at] ?? "");
}

/** Reads a here-string. */
export function readHereString(scanner: Scanner): Expression {
  const quote = isSingleQuote(peek(scanner, 1)) ? "'" : '"';
  const start = scanner.text.indexOf("\n", scanner.at);
  scanner.at = start < 0 ? scanner.text.length : start + 1;
  // It ends at a quote and "@" that begin a row; an empty one has its end at once.
  const isEnd = () => {
    const before = scanner.text[scanner.at - 1];
    const { text, at } = scanner;
    const skip = before === "\n" ? 0 : text[at] === "\n" ? 1 : text[at] === "\r" && text[at + 1] === "\n" ? 2 : -1;
    return skip >= 0 && text[at + skip] === quote && text[at + skip + 1] === "@" ? skip + 2 : 0;
  };
  if (quote === '"') return descend(scanner, () => readExpandable(scanner, isEnd, false));
  const from = scanner.at;
  for (; scanner.at < scanner.text.length; scanner.at++) {
    const end = isEnd();
    if (end === 0) continue;
    const text = scanner.text.slice(from, scanner.at);
    scanner.at += end;
    return { type: "word", pieces: [{ type: "text", text }] };
  }
  noteProblem(scanner, "unclosed here-string");
  return { type: "word", pieces: [{ type: "text", text: scanner.text.slice(from) }] };
}
