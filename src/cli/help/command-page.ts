import type { Definition } from "clipanion";
import { type PageLayout, wrapLabeled, wrapText } from "../terminal/layout.ts";
import { adaptSymbols } from "../terminal/symbols.ts";
import { VALUE_NAMES } from "../terminal/option-values.ts";
import { qualifyCommands } from "../../system/own-command.ts";

/** The maximum width of a term. Longer terms get their own line. */
const MAX_TERM_WIDTH = 24;

/** Formats an option as the user types it. clipanion's placeholder for a value is "#0". */
export const formatOption = (definition: string): string =>
  definition.replace(/^(\S+) #0$/, (_, name: string) => `${name} ${VALUE_NAMES[name] ?? "VALUE"}`);

/** Placeholders for the arguments of commands that accept any number of words other than file names. */
const VARIADIC_PLACEHOLDERS: Readonly<Record<string, string>> = {
  completion: "[SHELL] [-- WORDS]",
  docs: "[TOPIC | WORDS]",
  help: "[TOPIC]",
  serve: "--host ID",
  test: "[DIR] [-- FLAGS]",
};

/** Returns a command's path without the program name. */
export const getCommandName = ({ path }: Pick<Definition, "path">): string => path.replace(/^bridge-hooks /, "");

export function formatUsage(command: Definition): string {
  const { path, usage, options } = command;
  const operands = usage
    .slice(path.length)
    .replace(/(?: <file>)? \.\.\.$/, ` ${VARIADIC_PLACEHOLDERS[getCommandName(command)] ?? "FILE…"}`)
    .replaceAll(/<(\w+)>/g, "$1")
    .replaceAll(/\[(\w+)\]/g, (_, name: string) => `[${name.toUpperCase()}]`);
  return `${path}${options.length > 0 ? " [OPTIONS]" : ""}${operands}`;
}

/** Splits text into paragraphs and joins each paragraph's lines. */
export const splitParagraphs = (text: string): string[] =>
  text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replaceAll(/\s*\n\s*/g, " "));

/** Formats terms and their descriptions in two columns. */
export function formatTerms(
  terms: readonly (readonly [term: string, text: string])[],
  { width, paint }: PageLayout,
  maxTermWidth = MAX_TERM_WIDTH,
): string[] {
  const column = Math.min(maxTermWidth, Math.max(...terms.map(([term]) => term.length))) + 4;
  return terms.flatMap(([term, text]) => {
    const lines = wrapLabeled("", text, column, { width });
    const termLine = `  ${paint(1, term)}`;
    if (term.length + 4 > column) return [termLine, ...lines];
    return [`${termLine}${" ".repeat(column - 2 - term.length)}${(lines[0] ?? "").trimStart()}`, ...lines.slice(1)];
  });
}

/** Formats a command's help. */
export function formatCommandPage(command: Definition, page: PageLayout): string {
  const { description = "", details = "", options, examples = [] } = command;
  const parts = [
    wrapText(description.trim(), page.width),
    wrapLabeled(`${page.paint(1, "Usage:")} `, qualifyCommands(formatUsage(command)), 7, page),
    ...(options.length === 0
      ? []
      : [
          [
            page.paint(1, "Options:"),
            ...formatTerms(
              options.map(({ definition, description: text = "" }) => [formatOption(definition), text.trim()]),
              page,
            ),
          ],
        ]),
    ...splitParagraphs(details)
      .filter(Boolean)
      .map((paragraph) => wrapText(paragraph, page.width)),
    [
      page.paint(1, examples.length === 1 ? "Example:" : "Examples:"),
      ...examples.flatMap(([label, line]) => [
        ...wrapLabeled("  ", `${label.trim()}:`, 2, page),
        `    ${adaptSymbols(qualifyCommands(line))}`,
      ]),
    ],
  ];
  return `${parts.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}
