import type { WordSegment } from "../scope.ts";

// On Windows, a program receives its entire command line as one string and splits it itself [docs
// https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments]. cmd.exe strips outer quotes [docs
// https://learn.microsoft.com/windows-server/administration/windows-commands/cmd].

/**
 * Splits a command line the way Windows programs do. Double quotes keep words together. `\"` is a literal quote, and so
 * is `""` inside quotes. A dynamic segment is never split.
 */
export function splitArguments(line: readonly WordSegment[]): WordSegment[][] {
  const words: WordSegment[][] = [];
  let word: WordSegment[] | undefined;
  let isQuoted = false;
  for (const segment of line) {
    if (segment.isDynamic) {
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
      if (text !== "") (word ??= []).push({ text, isDynamic: false });
    }
  }
  return word ? [...words, word] : words;
}

/**
 * Joins arguments into a command line the way shells do. Arguments with spaces are quoted, and empty arguments are
 * dropped.
 */
export const joinCmdArguments = (texts: readonly string[]): string =>
  texts
    .filter((text) => text !== "")
    .map((text) => (/\s/.test(text) && !text.includes('"') ? `"${text}"` : text))
    .join(" ");

/** The quotes around a program name stay if no other quotes follow: `"C:\Program Files\x.exe" /a`. */
const QUOTED_PROGRAM = /^"(?:[^"]*\.(?:exe|com|bat|cmd)|\S*)"[^"]*$/i;

/** Returns the command that `cmd /c` runs. If the text starts with a quote, removes that quote and the last one. */
export function stripOuterQuotes(line: string): string {
  const text = line.trimStart();
  if (!text.startsWith('"') || QUOTED_PROGRAM.test(text)) return text;
  const end = text.lastIndexOf('"');
  return text.slice(1, end) + text.slice(end + 1);
}

/** cmd.exe switch that introduces a command, optionally after other switches: `/c`, `/q/c`, `//c`. */
export const CMD_RUN_SWITCH = /^(?:\/{1,2}[adefqsuv](?::\w*)?)*\/{1,2}[ckr]/i;
