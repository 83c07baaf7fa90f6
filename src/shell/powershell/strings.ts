import { readNested, matchesAt, recordProblem, peek, readScript, type Scanner, takeMatch } from "./scanner.ts";
import type { Expression, WordPart } from "./syntax.ts";

/** PowerShell treats typographic quotes and dashes as plain ones. */
export const SINGLE_QUOTE = /['\u2018-\u201B]/y;
export const DOUBLE_QUOTE = /["\u201C-\u201E]/y;
export const DASH_CHARACTER = /[-\u2013-\u2015]/y;

/** Reads `(…)`, `$(…)` or `@(…)`, starting after its opening bracket. */
export const readSubscript = (scanner: Scanner): Extract<WordPart, { type: "script" }> => ({
  type: "script",
  body: readNested(scanner, () => readScript(scanner, ")")),
});

const ESCAPE_LETTERS = "0abefnrtv";
const ESCAPED_CHARACTERS = "\0\x07\b\x1b\f\n\r\t\v";

/** Reads a backtick escape in an unquoted word or in double quotes. */
export function readEscape(scanner: Scanner): string {
  const code = Number.parseInt(takeMatch(scanner, /`u\{[\da-fA-F]{1,6}\}/y).slice(3), 16);
  if (code <= 0x10ffff) return String.fromCodePoint(code);
  const character = peek(scanner, 1);
  scanner.at += 1 + character.length;
  return ESCAPED_CHARACTERS[ESCAPE_LETTERS.indexOf(character || " ")] ?? character;
}

export const toWord = (text: string): Extract<Expression, { type: "word" }> => ({
  type: "word",
  pieces: [{ type: "text", text }],
});

export function readSingleQuoted(scanner: Scanner): Expression {
  scanner.at++;
  const text = takeMatch(scanner, /[^'\u2018-\u201B]*(?:['\u2018-\u201B]{2}[^'\u2018-\u201B]*)*/y);
  if (takeMatch(scanner, SINGLE_QUOTE) === "") recordProblem(scanner, "unclosed quote");
  return toWord(text.replace(/(['\u2018-\u201B])['\u2018-\u201B]/g, "$1"));
}

/** Adds text to the word's pieces, merging it with the last piece if both are quoted or both are unquoted. */
export function addText(pieces: WordPart[], text: string, { isBare = false } = {}): void {
  const lastPiece = pieces.at(-1);
  if (lastPiece?.type === "text" && (lastPiece.isBare === true) === isBare) lastPiece.text += text;
  else pieces.push({ type: "text", text, ...(isBare && { isBare: true }) });
}

/** Variable with an optional drive or scope. In `$x::y`, the name ends before `::`, which precedes a static member. */
const VARIABLE = /\$(?:[?^$]|[\w\u00AA-\uFFFF]+(?::(?!:)[\w\u00AA-\uFFFF]+)?)/y;

/** Reads `$name`, `${name}`, `$env:name` or `$(…)`. Returns undefined if the "$" is literal. */
export function readDollar(scanner: Scanner): Exclude<WordPart, { type: "text" }> | undefined {
  const openingBracket = takeMatch(scanner, /\$[({]/y);
  if (openingBracket === "$(") return readSubscript(scanner);
  if (openingBracket === "") {
    const name = takeMatch(scanner, VARIABLE).slice(1);
    return name === "" ? undefined : { type: "variable", name };
  }
  const end = scanner.text.indexOf("}", scanner.at);
  if (end < 0) {
    recordProblem(scanner, "unclosed brace");
    scanner.at -= 2;
    return undefined;
  }
  const name = scanner.text.slice(scanner.at, end);
  scanner.at = end + 1;
  return { type: "variable", name };
}

export function appendCharacter(scanner: Scanner, pieces: WordPart[], { isBare = false } = {}): void {
  const character = peek(scanner);
  const expansion = character === "$" ? readDollar(scanner) : undefined;
  if (character === "`") addText(pieces, readEscape(scanner));
  else if (expansion) pieces.push(expansion);
  else {
    addText(pieces, character, { isBare });
    scanner.at++;
  }
}

function readExpandable(scanner: Scanner, end: RegExp, isQuoted: boolean): Expression {
  const pieces: WordPart[] = [{ type: "text", text: "" }];
  while (takeMatch(scanner, end) === "") {
    if (peek(scanner) === "") {
      recordProblem(scanner, "unclosed quote");
      break;
    }
    // A doubled quote is a literal quote.
    if (isQuoted && matchesAt(scanner, DOUBLE_QUOTE)) scanner.at++;
    appendCharacter(scanner, pieces);
  }
  return { type: "word", pieces };
}

export function readDoubleQuoted(scanner: Scanner): Expression {
  scanner.at++;
  return readNested(scanner, () => readExpandable(scanner, /["\u201C-\u201E](?!["\u201C-\u201E])/y, true));
}

/**
 * `@'` or `@"` at the end of a line starts a here-string. The string ends at a line that starts with the quote and "@".
 */
export const HERE_STRING = /@['"\u2018-\u201E][ \t\f\v\u00A0]*[\r\n]/y;

export function readHereString(scanner: Scanner): Expression {
  const [, quote = ""] = takeMatch(scanner, /@.[^\n]*(?:\n|$)/y);
  if (/["\u201C-\u201E]/.test(quote))
    return readNested(scanner, () => readExpandable(scanner, /(?:(?<=\n)|\r?\n)"@/y, false));
  const remainingText = scanner.text.slice(scanner.at - 1);
  const end = /\r?\n'@/.exec(remainingText);
  if (!end) recordProblem(scanner, "unclosed here-string");
  scanner.at += (end ? end.index + end[0].length : remainingText.length) - 1;
  return toWord(remainingText.slice(1, end?.index));
}
