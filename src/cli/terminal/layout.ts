import { isAbsolute, join, relative } from "node:path";
import { homedir } from "../../run/home.ts";

const INVISIBLE_CHARACTERS = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const SHORT_ESCAPES: Readonly<Record<string, string>> = { "\t": "\\t", "\r": "\\r" };

/** A text as a terminal may show it: what would colour it, move to elsewhere, or turn its direction round is spelled out. */
export const escapeInvisible = (text: string): string =>
  text.replace(
    INVISIBLE_CHARACTERS,
    (letter) => SHORT_ESCAPES[letter] ?? `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

const graphemeSegmenter = new Intl.Segmenter();

/** A line in pieces of at most so many columns, broken at spaces (which are gone then) and behind commas where that is possible. */
export function splitLine(line: string, width: number): string[] {
  const found: string[] = [];
  let rest = line;
  while (rest.length > width * 8 || Bun.stringWidth(rest) > width) {
    const most = takeWidth(rest, width);
    const at = rest[most.length] === " " ? most.length + 1 : Math.max(most.lastIndexOf(" "), most.lastIndexOf(",")) + 1;
    // What stands in front are the spaces of an indented text.
    const piece = rest.slice(0, at > 0 && rest.slice(0, at).trim() !== "" ? at : most.length);
    found.push(piece.trimEnd());
    rest = rest.slice(piece.length);
  }
  return [...found, rest.trimEnd()];
}

/** As much of a line as fits, one letter at least. */
function takeWidth(line: string, width: number): string {
  let end = 0;
  let used = 0;
  // No letter is wider than two columns, but one may be many code units.
  for (const { segment } of graphemeSegmenter.segment(line.slice(0, width * 8))) {
    used += Bun.stringWidth(segment);
    if (used > width && end > 0) break;
    end += segment.length;
  }
  return line.slice(0, end);
}

/** A text in lines of at most so many columns, broken between words where that is possible. */
export function wrapText(text: string, width: number): string[] {
  return text.split("\n").flatMap((paragraph) => {
    const lines: string[] = [];
    let line = "";
    for (const word of paragraph.split(" ").flatMap((one) => splitLine(one, width))) {
      if (line !== "" && Bun.stringWidth(line) + 1 + Bun.stringWidth(word) > width) {
        lines.push(line.trimEnd());
        line = word;
      } else line = line === "" ? word : `${line} ${word}`;
    }
    return [...lines, line.trimEnd()];
  });
}

/** The beginning of a text, on one line of at most so many columns. */
export function truncateLine(text: string, width: number): string {
  const line = escapeInvisible(text.replaceAll("\n", "⏎"));
  return Bun.stringWidth(line) <= width ? line : `${takeWidth(line, width - 1)}…`;
}

/** A text with spaces behind it, up to so many columns. */
export const padText = (text: string, width: number): string =>
  text + " ".repeat(Math.max(0, width - Bun.stringWidth(text)));

/** Lines behind a label: the first beside it, the others below. */
export const labelLines = (label: string, lines: readonly string[], width: number): string[] =>
  lines.map((line, at) => (at > 0 && line === "" ? "" : `${padText(at === 0 ? label : "", width)}${line}`));

/** A file as it is seen from here, or from the home folder. */
export function formatPath(file: string): string {
  const near = relative(process.cwd(), file);
  if (near !== "" && !near.startsWith("..") && !isAbsolute(near)) return near;
  const inHome = relative(homedir(), file);
  return inHome === "" || inHome.startsWith("..") || isAbsolute(inHome) ? file : join("~", inHome);
}
