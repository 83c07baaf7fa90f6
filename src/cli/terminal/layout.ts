import { basename, isAbsolute, join, relative } from "node:path";
import { homedir } from "../../system/home.ts";
import { ownExecutable } from "../../system/own-command.ts";
import { escapeLine, truncateToWidth } from "../../operate/text.ts";
import type { PaintText } from "./colors.ts";
import { VALUE_NAMES } from "./option-values.ts";
import { adaptSymbols } from "./symbols.ts";

// Text layout: word wrapping, hanging labels and aligned columns. Widths are in terminal columns.

/**
 * An output page. If stdout isn't a terminal, the width is Infinity, so that users can search and copy complete lines.
 */
export interface PageLayout {
  width: number;
  paint: PaintText;
}

/** The character that replaces a space where a line must not be broken. */
const NO_BREAK_PLACEHOLDER = "\ufdd0";

const PROGRAM_NAMES = ["bridge-hooks", ...(ownExecutable === undefined ? [] : [basename(ownExecutable)])]
  .map((name) => name.replaceAll(/[^\w-]/g, "\\$&"))
  .join("|");
const QUOTED = `'[^'\\n]*'|"[^"\\n]*"`;
const PROGRAM_PATTERN = `(?:sudo )?(?:& )?(?:'[^'\\n]*(?:${PROGRAM_NAMES})'|[^\\s'"(\\[]*(?:${PROGRAM_NAMES}))(?= )`;
/** Matches an option and its value. */
const OPTION_WITH_VALUE = `(?:${Object.keys(VALUE_NAMES).join("|")})[ =](?:${QUOTED}|[^\\s'";)]+)`;
/** Matches the rest of a command: a flag, a quoted or named value, a path, a key or an ID. */
const ARGUMENT_PATTERN = `${OPTION_WITH_VALUE}|--[\\w-]+|(?:${QUOTED}|[A-Z]{2,}|[\\w*-]+[/.][\\w./*-]*\\w)(?![^\\s.,;:)])`;
/** Matches commands to paste: this program with its command and arguments, or an option with its value. */
const COMMAND_PATTERN = new RegExp(
  [
    `(?<![^\\s(\`'"])(?:${PROGRAM_PATTERN}(?: config (?:un)?set \\S+(?: (?:${QUOTED}|[\\w.-]+))?|`,
    `(?: [a-z][\\w-]*(?: [a-z]+(?= --))?)?(?: (?:${ARGUMENT_PATTERN}))*)|${OPTION_WITH_VALUE})`,
  ].join(""),
  "g",
);
/** Matches a line that consists only of a command. */
const COMMAND_LINE = new RegExp(`^ {2,}${PROGRAM_PATTERN} `);

/** Matches a multiline command whose last argument is a quoted JSON object. */
const COMMAND_LINES = new RegExp(
  `^( {2,}${PROGRAM_PATTERN} [^\\n]*['"]\\{\\n(?:[^\\n]*(?:,|\\{)\\n)*[^\\n]*\\}['"])$`,
  "m",
);

const preventCommandBreaks = (text: string): string =>
  COMMAND_LINE.test(text)
    ? text.replaceAll(" ", NO_BREAK_PLACEHOLDER)
    : text.replaceAll(COMMAND_PATTERN, (command) => command.replaceAll(" ", NO_BREAK_PLACEHOLDER));

/** The maximum length of a path. */
const MAX_PATH_LENGTH = 4096;

/** Whether a word is a path, a URL or a command, which must not be broken. */
const isUnbreakable = (word: string) =>
  word.includes(NO_BREAK_PLACEHOLDER) ||
  (/^[\s("'`<[]*(?:~|\.{0,2}[\\/]|[A-Za-z]:\\|[a-z]+:\/\/)/.test(word) && !/[,{}]./.test(word));

/**
 * Finds where to break a line of at most `width` columns: after a space, or else inside a list, or else after the last
 * character that fits.
 */
function findBreakPoint(text: string, width: number): number {
  const maxLength = truncateToWidth(text, width);
  if (text[maxLength.length] === " ") return maxLength.length;
  const [json] = /[^ ]*$/.exec(maxLength) ?? [];
  // Break after a comma if it is nearer than the last space, because that space may be inside a JSON string.
  const space = Math.max(
    maxLength.lastIndexOf(" "),
    json?.includes(NO_BREAK_PLACEHOLDER) ? -1 : maxLength.lastIndexOf(',"'),
  );
  // Don't break at leading spaces, which are indentation.
  if (maxLength.slice(0, space + 1).trim() !== "") return space + 1;
  const [word = ""] = /^ *[^ ]*/.exec(text.slice(0, MAX_PATH_LENGTH)) ?? [];
  if (word.length < MAX_PATH_LENGTH && isUnbreakable(word)) return word.length;
  const mark = maxLength.search(/[,|/{[:;=&](?=[^,|/{[:;=&]*$)/) + 1;
  return maxLength.slice(0, mark).trim() === "" ? maxLength.length : mark;
}

/** Ends colors at the end of each line and restores them on the next line, because a pager shows lines individually. */
function closeColorsPerLine(lines: readonly string[]): string[] {
  let active = "";
  return lines.map((line) => {
    const activeBefore = active;
    for (const [code] of line.matchAll(/\u001b\[[\d;]*m/g)) active = code === "\u001b[0m" ? "" : code;
    return `${activeBefore}${line}${active === "" ? "" : "\u001b[0m"}`;
  });
}

/** Wraps a line that may contain commands with unbreakable spaces. */
function wrapLine(line: string, width: number): string[] {
  const lines: string[] = [];
  let remaining = line;
  while (remaining.length > width * 8 || Bun.stringWidth(remaining) > width) {
    const end = findBreakPoint(remaining, Math.max(1, width));
    if (end >= remaining.length) break;
    lines.push(remaining.slice(0, end).trimEnd());
    remaining = remaining.slice(end).replace(/^ +/, "");
  }
  return [...lines, remaining.trimEnd()];
}

/**
 * Wraps text to lines of at most `width` columns, at spaces, or after commas and slashes in longer words. Only paths,
 * URLs and commands of this program can be longer, because they couldn't be pasted if they were broken.
 */
export const wrapText = (text: string, width: number): string[] =>
  text.split("\n").flatMap((line) => {
    const gluedLine = preventCommandBreaks(adaptSymbols(line));
    return closeColorsPerLine(wrapLine(gluedLine, width)).map((wrappedLine) =>
      wrappedLine.replaceAll(NO_BREAK_PLACEHOLDER, " "),
    );
  });

/** The maximum length of a partial word that is dropped when text is cut. */
const MAX_PARTIAL_WORD_LENGTH = 12;

/** Shortens text to one line of at most `width` columns, cutting its end or its start. */
export function truncateToLine(text: string, width: number, side: "end" | "start" = "end"): string {
  const line = adaptSymbols(escapeLine(text));
  if (Bun.stringWidth(line) <= width) return line;
  const mark = adaptSymbols("…");
  const available = width - mark.length;
  if (side === "end") {
    const fitting = truncateToWidth(line, available);
    const space = line.slice(0, fitting.length + 1).lastIndexOf(" ");
    return `${(space > fitting.length - MAX_PARTIAL_WORD_LENGTH ? fitting.slice(0, space) : fitting).trimEnd()}${mark}`;
  }
  let shortened = line;
  while (Bun.stringWidth(shortened) > available) shortened = shortened.slice(truncateToWidth(shortened, 1).length);
  return `${mark}${shortened}`;
}

/** Pads text with spaces to `width` columns. */
export const padText = (text: string, width: number): string =>
  text + " ".repeat(Math.max(0, width - Bun.stringWidth(text)));

/** Places a label before the first line and indents the following lines. */
export const labelLines = (label: string, lines: readonly string[], width: number): string[] =>
  lines.map((line, at) => (at > 0 && line === "" ? "" : `${padText(at === 0 ? label : "", width)}${line}`));

/** Wraps text next to a label of `indent` columns. */
export const wrapLabeled = (
  label: string,
  text: string,
  indent: number,
  { width }: Pick<PageLayout, "width">,
): string[] => labelLines(label, wrapText(text, width - indent), indent);

export interface Column {
  align?: "left" | "right";
  /** A fixed width, required for rows that are formatted one at a time. Defaults to the width of the longest cell. */
  width?: number;
  /** How to fit a long cell. Defaults to wrapping it. Colored cells can't be truncated. */
  fit?: "wrap" | "cut" | "cut-start";
  /** The minimum width at which a truncated last column stays on the same line. Defaults to 12. */
  minWidth?: number;
}

export interface TableLayout extends Pick<PageLayout, "width"> {
  columns?: readonly Column[];
  /** The indentation of the table, and the gap between its columns. */
  indent?: number;
  gap?: number;
}

/** The minimum width of a column that is shrunk to keep the last column on the same line. */
const MIN_SHRUNK_WIDTH = 24;
/** The minimum column width after moving the last column below the others. */
const MIN_COLUMN_WIDTH = 12;

/** Returns the minimum width of a wrapped column: the width of its longest word. */
const measureWords = (cells: readonly string[]): number =>
  Math.max(0, ...cells.flatMap((cell) => cell.split(/[ ,|\n]/).map((word) => Bun.stringWidth(word))));

/** Removes excess width from the columns, rightmost first, down to each column's minimum. */
function shrinkWidths(widths: readonly number[], excessWidth: number, minWidths: readonly number[]): number[] {
  let remainingExcess = Math.max(0, excessWidth);
  return widths
    .map((width, at) => [width, minWidths[at] as number] as const)
    .toReversed()
    .map(([width, fewest]) => {
      const reduction = Math.min(remainingExcess, Math.max(0, width - fewest));
      remainingExcess -= reduction;
      return width - reduction;
    })
    .toReversed();
}

/**
 * Formats rows in aligned columns. If they don't fit, shrinks the last column, then wide columns from the right. If too
 * little space remains for the last column, moves it below the others.
 */
export function formatTable(rows: readonly (readonly string[])[], layout: TableLayout): string[] {
  const { width, columns = [], indent = 0, gap = 2 } = layout;
  const cells = rows.map((row) => row.map(adaptSymbols));
  const count = Math.max(0, ...cells.map((row) => row.length));
  const naturalWidths = Array.from(
    { length: count },
    (_, at) => columns[at]?.width ?? Math.max(0, ...cells.map((row) => Bun.stringWidth(row[at] ?? ""))),
  );
  const lastWidth = naturalWidths.pop() ?? 0;
  const lastCells = cells.map((row) => row[count - 1] ?? "");
  const sum = (widths: readonly number[]) => widths.reduce((all, columnWidth) => all + columnWidth + gap, 0);
  const available = width - indent;
  /** Returns the minimum column width at which no word has to be broken. */
  const measure = (at: number, maxWidth: number) =>
    (columns[at]?.fit ?? "wrap") === "wrap" ? Math.min(maxWidth, measureWords(cells.map((row) => row[at] ?? ""))) : 0;
  const isCut = (columns[count - 1]?.fit ?? "wrap") !== "wrap";
  const minWidth = isCut ? (columns[count - 1]?.minWidth ?? MIN_COLUMN_WIDTH) : MIN_SHRUNK_WIDTH;
  const neededWidth = Math.min(lastWidth, Math.max(minWidth, measure(count - 1, available - BELOW_INDENT)));
  const minWidths = (fewest: number) => naturalWidths.map((width, at) => Math.max(fewest, measure(at, width)));
  const shrunkWidths = shrinkWidths(
    naturalWidths,
    sum(naturalWidths) + neededWidth - available,
    minWidths(MIN_SHRUNK_WIDTH),
  );
  const style = { columns, indent, gap };
  if (sum(shrunkWidths) + neededWidth <= available || count < 2)
    return cells.flatMap((row) =>
      formatRow(row, [...shrunkWidths, Math.min(lastWidth, available - sum(shrunkWidths))], style),
    );
  const measureExcess = (widths: readonly number[]) => sum(widths) - gap - available;
  const fullWidths = shrinkWidths(naturalWidths, measureExcess(naturalWidths), minWidths(MIN_COLUMN_WIDTH));
  const upperWidths = shrinkWidths(
    fullWidths,
    measureExcess(fullWidths),
    naturalWidths.map(() => MIN_COLUMN_WIDTH),
  );
  const belowIndent = indent + BELOW_INDENT;
  return cells.flatMap((row, at) => [
    ...formatRow(row.slice(0, -1), upperWidths, style),
    ...(lastCells[at] === ""
      ? []
      : labelLines("", wrapCell(lastCells[at] as string, width - belowIndent, columns[count - 1]), belowIndent)),
  ]);
}

/** The indentation of the last column if it is moved below the other columns. */
const BELOW_INDENT = 4;

const wrapCell = (cell: string, width: number, { fit = "wrap" }: Column = {}): string[] =>
  Bun.stringWidth(cell) <= width
    ? [cell]
    : fit === "wrap"
      ? wrapText(cell, width)
      : [truncateToLine(cell, width, fit === "cut" ? "end" : "start")];

function formatRow(
  row: readonly string[],
  widths: readonly number[],
  { columns, indent, gap }: Required<Omit<TableLayout, "width">>,
): string[] {
  const fitted = widths.map((width, at) => wrapCell(row[at] ?? "", width, columns[at]));
  return Array.from({ length: Math.max(1, ...fitted.map((lines) => lines.length)) }, (_, line) => {
    const cells = fitted.map((lines, at) => {
      const text = lines[line] ?? "";
      const padding = " ".repeat(Math.max(0, (widths[at] ?? 0) - Bun.stringWidth(text)));
      return columns[at]?.align === "right" ? padding + text : text + padding;
    });
    return `${" ".repeat(indent)}${cells.join(" ".repeat(gap))}`.trimEnd();
  });
}

/** Formats the line between a table's header and its rows. */
export const formatRule = (lines: readonly string[]): string =>
  "-".repeat(Math.max(0, ...lines.map((line) => Bun.stringWidth(line))));

/** Matches a line's indentation, including its list marker or label. */
const HANGING_INDENT = /^ *(?:(?:[-+~=*•] |\d+\. )|[^ ](?:[^ ]| (?! ))* {2,})?/;

/** Wraps long lines of finished text, aligning continuation lines with each line's content. */
export function wrapLongLines(text: string, width: number): string {
  if (width === Infinity) return text;
  const fit = (line: string): string[] => {
    if (Bun.stringWidth(line) <= width) return [line];
    const [head = ""] = HANGING_INDENT.exec(line) ?? [];
    const indent = Bun.stringWidth(head) <= width / 2 ? head : (/^ */.exec(line)?.[0] ?? "");
    return wrapLabeled(indent, line.slice(indent.length), Bun.stringWidth(indent), { width });
  };
  // With a capturing group, `split` also returns the separators.
  return text
    .split(COMMAND_LINES)
    .map((part, at) => (at % 2 === 1 ? part : part.split("\n").flatMap(fit).join("\n")))
    .join("");
}

/**
 * Formats a path relative to the home directory or the working directory if it is in one of them. If both are the same,
 * the path starts with `~`, so that it isn't mistaken for a path in a project.
 */
export function formatPath(file: string): string {
  const relativePath = relative(process.cwd(), file);
  if (process.cwd() !== homedir() && relativePath !== "" && !relativePath.startsWith("..") && !isAbsolute(relativePath))
    return relativePath;
  const inHome = relative(homedir(), file);
  return inHome === "" || inHome.startsWith("..") || isAbsolute(inHome) ? file : join("~", inHome);
}
