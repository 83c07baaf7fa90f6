import type { WordSegment } from "../scope.ts";

// How Windows passes arguments: a program gets its whole command line as one text and splits it by itself
// [docs https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments]; cmd.exe drops quotes of its own
// [docs https://learn.microsoft.com/windows-server/administration/windows-commands/cmd].

/**
 * Splits a command line as programs on Windows do: double quotes keep words together, `\"` is a quote, and so is `""`
 * in a quoted word. What is live belongs to a word as it is.
 */
export function splitArguments(line: readonly WordSegment[]): WordSegment[][] {
  const words: WordSegment[][] = [];
  let word: WordSegment[] | undefined;
  let isQuoted = false;
  for (const segment of line) {
    if (segment.live) {
      (word ??= []).push(segment);
      continue;
    }
    for (const [piece, slashes, quotes = ""] of segment.text.matchAll(/(\\*)("+)|\s+|\\+|[^\s"\\]+/g)) {
      let text = piece;
      if (slashes !== undefined) {
        text = slashes.slice(0, slashes.length >> 1);
        let count = quotes.length;
        if (slashes.length % 2 === 1) {
          text += '"';
          count--;
        }
        for (; count > 0; count--) {
          if (isQuoted && count > 1) {
            text += '"';
            count--;
          } else isQuoted = !isQuoted;
        }
        word ??= [];
      } else if (!isQuoted && /^\s/.test(piece)) {
        if (word) words.push(word);
        word = undefined;
        continue;
      }
      if (text !== "") (word ??= []).push({ text, live: false });
    }
  }
  return word ? [...words, word] : words;
}

/** Joins arguments to a command line as shells do: blanks are put in quotes, and what is empty gets lost. */
export const joinArguments = (texts: readonly string[]): string =>
  texts
    .filter((text) => text !== "")
    .map((text) => (/\s/.test(text) && !text.includes('"') ? `"${text}"` : text))
    .join(" ");

/** A single quoted program is not stripped: `"C:\Program Files\x.exe" /a`. */
const QUOTED_PROGRAM = /^"(?:[^"]*\.(?:exe|com|bat|cmd)|\S*)"[^"]*$/i;

/** The command that `cmd /c` gets: without the first and the last quote, if it begins with one. */
export function stripOuterQuotes(line: string): string {
  const text = line.trimStart();
  if (!text.startsWith('"') || QUOTED_PROGRAM.test(text)) return text;
  const end = text.lastIndexOf('"');
  return text.slice(1, end) + text.slice(end + 1);
}

/** The switch of cmd.exe that a command follows, with others before it: `/c`, `/q/c`, `//c`. */
export const CMD_RUN = /^(?:\/{1,2}[adefqsuv](?::\w*)?)*\/{1,2}[ckr]/i;
