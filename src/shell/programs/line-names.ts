import { createNameTest, readProgramWord } from "./names.ts";
import { skipExpansion } from "./unknown-parts.ts";

/** Separates words in a line: what may stand around a program's name. */
const SEPARATOR = /[\s;&|<>(){}=,'"]/;
/** Expansions nested deeper are not looked into. */
const DEEPEST = 8;

/**
 * Whether a word of a line, wherever it stands, may name one of some programs because parts of it are only known at run
 * time. True also for a line with too many expansions in one another.
 * @param line in lower case, without quotes.
 */
export function mayNameProgram(line: string, names: readonly string[]): boolean {
  const patterns = new Set<string>();
  let unread = [line];
  for (let depth = 0; unread.length > 0; depth++) {
    if (depth > DEEPEST) return true;
    unread = unread.flatMap((text) => collectPatterns(text, patterns));
  }
  if (patterns.size === 0) return false;
  const byStart = Map.groupBy(names, (name) => name[0]);
  for (const pattern of patterns) {
    const candidates = /^[\w.]/.test(pattern) ? byStart.get(pattern[0]) : names;
    if (candidates?.some(createNameTest(pattern))) return true;
  }
  return false;
}

/** Collects the patterns of a text's words; returns the texts inside its expansions. */
function collectPatterns(text: string, patterns: Set<string>): string[] {
  const inner: string[] = [];
  let start = 0;
  const endWord = (end: number) => {
    const word = text.slice(start, end);
    if (!/[$`*?[]/.test(word)) return;
    const { pattern } = readProgramWord({ text: word, dynamic: word });
    if (pattern !== undefined) patterns.add(pattern);
  };
  for (let at = 0; at < text.length;) {
    const end = skipExpansion(text, at);
    if (end > at) {
      if (end > at + 2) inner.push(text.slice(at + 1, end - 1));
      at = end;
    } else if (SEPARATOR.test(text[at] as string)) {
      endWord(at);
      start = ++at;
    } else at++;
  }
  endWord(text.length);
  return inner;
}
