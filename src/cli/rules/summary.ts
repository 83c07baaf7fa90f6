import { escapeInvisible } from "../../operate/text.ts";
import { getOwnCommand } from "../../system/own-command.ts";
import { formatPath, formatTable, type PageLayout } from "../terminal/layout.ts";
import type { ListedRule } from "./report.ts";
import { describeAction, formatHeading } from "./text.ts";

const LISTING_ARGUMENTS: readonly (readonly [argument: string, listed: string])[] = [
  ["CATEGORY", "the rules of a category"],
  ["WORD", "the rules whose ID contains a word"],
  ["ID", "one rule with its pattern and examples"],
  ["--all", "every rule"],
];

/** Counts the rules of each category, and lists the rules that config files add or change. */
export function formatSummary(origin: string, rules: readonly ListedRule[], page: PageLayout): string {
  const heading = formatHeading(origin, rules);
  if (rules.length === 0) return `${heading}\n`;
  const counts = Map.groupBy(rules, ({ category }) => category)
    .entries()
    .map(([category, all]) => [escapeInvisible(category), String(all.length), countChanges(all)]);
  const changedRules = rules.filter((rule) => listChangingFiles(rule).length > 0);
  const sections = [
    [heading],
    formatTable([...counts], { width: page.width, indent: 2, columns: [{}, { align: "right" }] }),
    formatChangedRules(changedRules, page),
    formatTable(
      LISTING_ARGUMENTS.map(([argument, listed]) => [`${getOwnCommand()} rules ${argument}`, `lists ${listed}`]),
      { width: page.width },
    ),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

/** Counts the rules that don't simply deny, by action, and the rules that config files add or change. */
function countChanges(rules: readonly ListedRule[]): string {
  const actions = Map.groupBy(rules, describeAction);
  actions.delete("deny");
  const changes = rules.filter((rule) => listChangingFiles(rule).length > 0).length;
  return [
    ...actions.entries().map(([action, all]) => `${all.length} ${action}`),
    ...(changes > 0 ? [`${changes} set by config files`] : []),
  ].join(", ");
}

/** Lists the config files that add a rule, set its action, or set the mode of this rule alone. */
const listChangingFiles = ({ id, source, setBy, mode }: ListedRule): string[] => [
  ...new Set([
    ...(source === "built-in" ? [] : [source]),
    ...setBy.map(({ file }) => file),
    ...(mode?.key === `mode.rules.${id}` ? [mode.file] : []),
  ]),
];

function formatChangedRules(rules: readonly ListedRule[], { width, paint }: PageLayout): string[] {
  if (rules.length === 0) return [];
  const rows = rules.map((rule) => [
    rule.id,
    describeAction(rule),
    `${rule.reason} (${listChangingFiles(rule).map(formatPath).join(", ")})`,
  ]);
  return [
    paint(1, "set by config files"),
    ...formatTable(
      rows.map((row) => row.map(escapeInvisible)),
      { width, indent: 2 },
    ),
  ];
}
