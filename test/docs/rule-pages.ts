import type { Rule } from "../../src/protocol/rule.ts";
import { RULES } from "../../hooks/_destructive/rules.ts";

function formatTable([head = [], ...rows]: string[][]): string {
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[], filler = " ") =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0, filler)).join(" | ")} |`;
  return [
    line(head),
    line(
      head.map(() => ""),
      "-",
    ),
    ...rows.map((row) => line(row)),
  ].join("\n");
}

function formatCategory(category: string, rules: readonly Rule[]): string {
  const head = `# Rules: ${category}

The rules of \`block-destructive\` in the category \`${category}\`. [How to read them](README.md). This page is generated from
\`hooks/_destructive\` by \`npm run docs\`.`;
  return `${[head, ...rules.map(formatRule)].join("\n\n")}\n`;
}

function formatRule({ id, program, pattern, finds, reason, advice, deny, allow }: Rule): string {
  const facts = [
    ...(program === undefined ? [] : [`- Program: ${program.split("|").map(quoteCode).join(", ")}`]),
    ...(pattern === undefined ? [] : [`- Pattern: ${[pattern].flat().map(formatPattern).join(", or ")}`]),
    ...(finds === undefined ? [] : [`- Finds: ${finds}`]),
  ];
  const why = [reason, advice].filter((text) => text !== undefined).map(formatSentence);
  return [
    `## ${id}`,
    why.join(" "),
    facts.join("\n"),
    "Denied:",
    formatExamples(deny),
    "Passes:",
    formatExamples(allow),
  ].join("\n\n");
}

const quoteCode = (text: string) => `\`${text}\``;
const formatPattern = (pattern: string) => (pattern === "" ? "any arguments" : quoteCode(pattern));
const formatExamples = (lines: readonly string[]) => ["```", ...lines, "```"].join("\n");
const formatSentence = (text: string) =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}.`.replaceAll(/<\w+>/g, (set) => quoteCode(set));

/** The pages of the rules, by file. */
export const rulePages: readonly [file: string, text: string][] = Object.entries<readonly Rule[]>(RULES).map(
  ([category, rules]) => [`docs/rules/${category}.md`, formatCategory(category, rules)],
);

/** The table of the categories, for their index. */
export const rulesOverview = formatTable([
  ["Category", "Rules", "Examples"],
  ...Object.entries<readonly Rule[]>(RULES).map(([category, rules]) => [
    `[\`${category}\`](${category}.md)`,
    String(rules.length),
    String(rules.reduce((sum, { deny, allow }) => sum + deny.length + allow.length, 0)),
  ]),
]);
