import { posix } from "node:path";
import { formatTerms } from "../help/command-page.ts";

import { formatTable, type PageLayout, wrapLabeled, wrapText } from "../terminal/layout.ts";
import type { DocsPage } from "./pages.ts";
import { getOwnCommand } from "../../system/own-command.ts";

/** Formats the list of pages with their descriptions. */
export function formatPageList(pages: readonly DocsPage[], page: PageLayout): string {
  const column = Math.max(...pages.map(({ topic }) => topic.length));
  const sections = [...Map.groupBy(pages, ({ section }) => section)].map(([title, members]) =>
    [
      page.paint(1, `${title}:`),
      ...formatTerms(
        members.map(({ topic, answers }) => [topic.padEnd(column), removeMarkup(answers)]),
        page,
      ),
    ].join("\n"),
  );
  const usage = `${page.paint(1, "Usage:")} ${getOwnCommand()} docs TOPIC`;
  return `${[usage, ...sections].join("\n\n")}\n`;
}

export const removeMarkup = (text: string) => text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/\*\*|`/g, "");

/** Renders a page for a terminal. Supports only the Markdown that the pages use. */
export function renderPage({ text, file }: DocsPage, pages: readonly DocsPage[], page: PageLayout): string {
  const formatLink = (label: string, target: string) => {
    if (/^https?:/.test(target)) return `${label} <${target}>`;
    const linkedFile = posix.join(posix.dirname(file), target.replace(/#.*$/, ""));
    const linkedPage = pages.find((candidate) => candidate.file === linkedFile && candidate.file !== file);
    return linkedPage ? `${label} (docs ${linkedPage.topic})` : label;
  };
  const formatInline = (raw: string) =>
    raw
      .replaceAll(/!?\[([^\]]*)\]\(([^)\s]+)\)/g, (_, label: string, target: string) => formatLink(label, target))
      .replaceAll(/\*\*([^*]+)\*\*/g, "$1")
      .replaceAll(/(?<=^|[\s(])_([^_]+)_(?=$|[\s).,;:])/g, "$1")
      .replaceAll(/\\([|*_<])/g, "$1");
  return `${splitBlocks(text)
    .map((block) => formatBlock(block, formatInline, page).join("\n"))
    .join("\n\n")}\n`;
}

/** Splits a page at blank lines outside code, and drops comments. */
export function splitBlocks(text: string): string[][] {
  const blocks: string[][] = [[]];
  let isCode = false;
  for (const line of text.split("\n")) {
    if (!isCode && /^<!--.*-->$/.test(line)) continue;
    const isFence = /^\s*```/.test(line);
    if ((line.trim() === "" && !isCode) || (isFence && !isCode)) blocks.push([]);
    if (line.trim() !== "" || isCode) blocks.at(-1)?.push(line);
    if (isFence && isCode) blocks.push([]);
    if (isFence) isCode = !isCode;
  }
  return blocks.filter((lines) => lines.length > 0);
}

function formatBlock(lines: readonly string[], formatInline: (raw: string) => string, page: PageLayout): string[] {
  const [first = ""] = lines;
  const { width, paint } = page;
  if (/^\s*```/.test(first)) return lines.slice(1, -1).flatMap((line) => formatCode(line, width));
  const heading = /^#+ (.*)$/.exec(first);
  if (heading) {
    const title = wrapText(formatInline(heading[1] as string), width).map((line) => paint(1, line));
    return lines.length === 1 ? title : [...title, "", ...formatBlock(lines.slice(1), formatInline, page)];
  }
  if (first.startsWith("|")) return formatGrid(lines, formatInline, page);
  return splitItems(lines).flatMap((item) => {
    const [, indent = "", mark = "", text = ""] = /^(\s*)((?:[-*]|\d+\.) +)?([\s\S]*)$/.exec(item) ?? [];
    const column = indent.length + mark.length;
    return wrapLabeled(`${indent}${mark}`, formatInline(text.replaceAll(/\s*\n\s*/g, " ")), column, { width });
  });
}

/**
 * Indents a line of code. If the line is too wide, moves its shell comment above the command, so that both can be
 * pasted.
 */
function formatCode(line: string, width: number): string[] {
  const [, command = line, comment] = /^(\S.*?) +(# .*)$/.exec(line) ?? [];
  const isTooWide = Bun.stringWidth(line) + CODE_INDENT.length > width;
  return (isTooWide && comment !== undefined ? [comment, command] : [line]).map((part) => `${CODE_INDENT}${part}`);
}
const CODE_INDENT = "    ";

/** Splits lines into list items. */
export function splitItems(lines: readonly string[]): string[] {
  const items: string[] = [];
  for (const line of lines) {
    if (items.length === 0 || /^\s*([-*]|\d+\.) /.test(line)) items.push(line);
    else items.push(`${items.pop()}\n${line}`);
  }
  return items;
}

const splitCells = (line: string) =>
  line
    .replace(/^\||\|\s*$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());

/** Formats a table in columns if they fit the width. Otherwise puts each row's other cells below its first cell. */
function formatGrid(
  lines: readonly string[],
  formatInline: (raw: string) => string,
  { width, paint }: PageLayout,
): string[] {
  const [head = [], ...rows] = lines.filter((_, at) => at !== 1).map((line) => splitCells(line).map(formatInline));
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((row) => Bun.stringWidth(row[at] ?? ""))));
  if (widths.reduce((sum, columnWidth) => sum + columnWidth + 2, 0) <= width)
    return formatTable([head, ...rows], { width }).map((line, at) => (at === 0 ? paint(1, line) : line));
  return rows.flatMap(([name = "", ...cells], at) => [
    ...(at === 0 ? [] : [""]),
    ...wrapText(name, width).map((line) => paint(1, line)),
    ...cells.flatMap((cell, column) => {
      const label = head[column + 1] ?? "";
      const text = label === "" || head.length === 2 ? cell : `${label}: ${cell}`;
      return cell === "" ? [] : wrapLabeled("  ", text, 2, { width });
    }),
  ]);
}
