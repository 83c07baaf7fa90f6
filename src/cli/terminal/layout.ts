import { isAbsolute, join, relative } from "node:path";
import { homedir } from "../../system/home.ts";

const INVISIBLE_CHARACTERS = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const SHORT_ESCAPES: Readonly<Record<string, string>> = { "\t": "\\t", "\r": "\\r" };

/** Escapes the characters that change a terminal's colours, move its caret or change the direction of text. */
export const escapeInvisible = (text: string): string =>
  text.replace(
    INVISIBLE_CHARACTERS,
    (letter) => SHORT_ESCAPES[letter] ?? `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** Escapes them, and line breaks: what a model, or a folder's name, put into a text adds no line. */
export const escapeLine = (text: string): string => escapeInvisible(text.replaceAll("\n", "⏎"));

/** The same for each text in a report, before it is laid out. */
export const escapeTexts = <T>(value: T): T =>
  (typeof value === "string"
    ? escapeLine(value)
    : Array.isArray(value)
      ? value.map(escapeTexts)
      : typeof value === "object" && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, one]) => [escapeLine(key), escapeTexts(one)]))
        : value) as T;

/** JSON for programs that is harmless on a terminal: what would act there is written as an escape sequence of JSON. */
export const formatJson = (value: unknown, indent = 2): string => escapeInvisible(JSON.stringify(value, null, indent));

const graphemeSegmenter = new Intl.Segmenter();

/**
 * Splits a line into pieces of at most `width` columns, at spaces (which are dropped) and after commas where possible.
 */
export function splitLine(line: string, width: number): string[] {
  const found: string[] = [];
  let rest = line;
  while (rest.length > width * 8 || Bun.stringWidth(rest) > width) {
    const most = takeWidth(rest, width);
    const at = rest[most.length] === " " ? most.length + 1 : Math.max(most.lastIndexOf(" "), most.lastIndexOf(",")) + 1;
    // Spaces at the start are indentation, and not a place to break.
    const piece = rest.slice(0, at > 0 && rest.slice(0, at).trim() !== "" ? at : most.length);
    found.push(piece.trimEnd());
    rest = rest.slice(piece.length);
  }
  return [...found, rest.trimEnd()];
}

/** Takes as much of a line as fits, at least one letter. */
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

/** Wraps a text to lines of at most `width` columns, between words where possible. */
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

/** Shortens a text to one line of at most `width` columns. */
export function truncateLine(text: string, width: number): string {
  const line = escapeLine(text);
  return Bun.stringWidth(line) <= width ? line : `${takeWidth(line, width - 1)}…`;
}

/** Pads a text with spaces to `width` columns. */
export const padText = (text: string, width: number): string =>
  text + " ".repeat(Math.max(0, width - Bun.stringWidth(text)));

/** Puts lines next to a label: the first beside it, the others below. */
export const labelLines = (label: string, lines: readonly string[], width: number): string[] =>
  lines.map((line, at) => (at > 0 && line === "" ? "" : `${padText(at === 0 ? label : "", width)}${line}`));

/** Formats a file's path relative to the working directory or the home folder, if it lies there. */
export function formatPath(file: string): string {
  const near = relative(process.cwd(), file);
  if (near !== "" && !near.startsWith("..") && !isAbsolute(near)) return near;
  const inHome = relative(homedir(), file);
  return inHome === "" || inHome.startsWith("..") || isAbsolute(inHome) ? file : join("~", inHome);
}
