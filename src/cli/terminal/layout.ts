import { isAbsolute, join, relative } from "node:path";
import { homedir } from "../../system/home.ts";
import { takeWidth } from "../../operate/text.ts";

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
