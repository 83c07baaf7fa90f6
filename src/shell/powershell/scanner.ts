import { createShellError } from "../command.ts";
import type { Script, Statement } from "./syntax.ts";

/** Maximum nesting depth of brackets, strings and blocks. */
const MAX_DEPTH = 150;

/** Current position in a script, and the first syntax problem found. */
export interface Scanner {
  text: string;
  at: number;
  depth: number;
  problem?: string;
  readStatement: (scanner: Scanner) => Statement;
}

export const peek = ({ text, at }: Scanner, offset = 0): string => text[at + offset] ?? "";

export function matchesAt({ text, at }: Scanner, pattern: RegExp): boolean {
  pattern.lastIndex = Math.min(at, text.length);
  return pattern.test(text);
}

/** Consumes the text matched by a sticky pattern. */
export function takeMatch(scanner: Pick<Scanner, "text" | "at">, pattern: RegExp): string {
  pattern.lastIndex = Math.min(scanner.at, scanner.text.length);
  const [match = ""] = pattern.exec(scanner.text) ?? [];
  scanner.at += match.length;
  return match;
}

export function recordProblem(scanner: Scanner, message: string): void {
  scanner.problem ??= message;
}

export function readNested<T>(scanner: Pick<Scanner, "depth">, readItem: () => T): T {
  if (++scanner.depth > MAX_DEPTH)
    throw createShellError(
      `the command line is nested too deeply to parse (more than ${MAX_DEPTH} levels); split it into several commands`,
    );
  const result = readItem();
  scanner.depth--;
  return result;
}

export const END_OF_LINE = /[\r\n]|$/y;

const WHITESPACE = /[ \t\f\v\u00A0]+|`(?:\r\n?|\n)|#[^\n]*|<#[^]*?(?:#>|$)/y;
const WHITESPACE_OR_NEWLINE = /[ \t\f\v\u00A0\r\n]+|`(?:\r\n?|\n)|#[^\n]*|<#[^]*?(?:#>|$)/y;

/** Skips whitespace, comments and line continuations. */
export const skipBlanks = (scanner: Scanner): void => skipMatches(scanner, WHITESPACE);

/** Skips whitespace, comments and line breaks. */
export const skipNewlines = (scanner: Scanner): void => skipMatches(scanner, WHITESPACE_OR_NEWLINE);

function skipMatches(scanner: Scanner, pattern: RegExp): void {
  for (;;) {
    const match = takeMatch(scanner, pattern);
    if (match === "") return;
    if (match.startsWith("<#") && !match.endsWith("#>")) recordProblem(scanner, "unclosed comment");
  }
}

/**
 * Reads items up to and including a closing bracket. A closing bracket of a different kind also ends the list because
 * it belongs to an enclosing construct. At the top level, such a bracket is an error.
 */
export function readItems(scanner: Scanner, closingBracket: string, separator: string, readItem: () => void): void {
  for (;;) {
    skipNewlines(scanner);
    const character = peek(scanner);
    const itemStart = scanner.at;
    if (character === closingBracket) {
      scanner.at += closingBracket.length;
      return;
    }
    if (character === separator) scanner.at++;
    else if (character !== "" && !")}]".includes(character)) readItem();
    else if (character === "" || (character !== "]" && closingBracket !== ""))
      return recordProblem(scanner, `missing '${closingBracket}'`);
    if (scanner.at > itemStart) continue;
    recordProblem(scanner, `unexpected token '${character}'`);
    scanner.at++;
  }
}

/**
 * Reads statements up to and including a closing bracket. If the bracket is an empty string, reads to the end of the
 * script.
 */
export function readScript(scanner: Scanner, closingBracket: string): Script {
  const statements: Statement[] = [];
  const readNext = () => statements.push(readNested(scanner, () => scanner.readStatement(scanner)));
  readItems(scanner, closingBracket, ";", readNext);
  return statements;
}
