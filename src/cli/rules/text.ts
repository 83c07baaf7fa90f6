import { escapeInvisible } from "../../operate/text.ts";
import { formatPath, labelLines, padText, wrapText } from "../terminal/layout.ts";
import type { TerminalOutput } from "../terminal/terminal.ts";
import type { ListedRule } from "./report.ts";

type TextLayout = Pick<TerminalOutput, "width" | "paint">;

const LABEL_WIDTH = 11;
const ACTION_WIDTH = 6;
const MAX_ID_WIDTH = 40;

const describeAction = ({ action, enabled }: ListedRule) => (enabled ? action : "off");

/** `rules` for people: a line for each rule, by category. */
export function formatRules(from: string, rules: readonly ListedRule[], page: TextLayout): string {
  if (rules.length === 0) return `rules: ${escapeInvisible(from)} (none: no hook here declares any)\n`;
  const idWidth = Math.min(MAX_ID_WIDTH, Math.max(...rules.map(({ id }) => id.length))) + 2;
  const hooks = [...new Set(rules.map(({ hook }) => hook))];
  const parts = Map.groupBy(rules, ({ category }) => category)
    .entries()
    .map(([category, all]) => [
      page.paint(1, escapeInvisible(category)),
      ...all.flatMap((rule) => formatRow(rule, idWidth, page)),
    ]);
  const head = `rules: ${escapeInvisible(from)} (${rules.length} of ${hooks.join(", ")})`;
  return `${[[head], ...parts].map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function formatRow(rule: ListedRule, idWidth: number, { width, paint }: TextLayout): string[] {
  const action = padText(describeAction(rule), ACTION_WIDTH);
  const indent = 2 + idWidth + ACTION_WIDTH;
  const label = `  ${padText(escapeInvisible(rule.id), idWidth)}${rule.enabled ? action : paint(2, action)}`;
  return labelLines(label, wrapText(escapeInvisible(rule.reason), width - indent), indent);
}

/** One rule, with its examples. */
export function formatRule(rule: ListedRule, { width, paint }: TextLayout): string {
  const field = (label: string, texts: readonly (string | undefined)[]) => {
    const lines = texts
      .filter((text) => text !== undefined)
      .flatMap((text) => wrapText(escapeInvisible(text.replaceAll("\n", "⏎")), width - LABEL_WIDTH));
    return labelLines(`  ${label}`, lines, LABEL_WIDTH);
  };
  const patterns = rule.patterns?.map((pattern) => pattern || "(any arguments)");
  return `${[
    paint(1, escapeInvisible(rule.id)),
    ...field("hook", [rule.hook]),
    ...field("added by", rule.source === "built-in" ? [] : [formatPath(rule.source)]),
    ...field("action", [describeAction(rule)]),
    ...field(
      "set by",
      rule.setBy.map(({ file, action }) => `${formatPath(file)}: ${action}`),
    ),
    ...field("lock", rule.lockedBy === undefined ? [] : [formatPath(rule.lockedBy)]),
    ...field("program", [rule.program?.replaceAll("|", ", ")]),
    ...field("pattern", patterns ?? []),
    ...field("finds", [rule.finds]),
    ...field("reason", [rule.reason]),
    ...field("advice", [rule.advice]),
    ...field("except", rule.exceptions.map(formatException)),
    ...field("denied", rule.deny),
    ...field("passes", rule.allow),
  ].join("\n")}\n`;
}

const formatException = ({ match = "(everything)", project, reason, until, file }: ListedRule["exceptions"][number]) =>
  `${match}${project === undefined ? "" : ` in ${project}`}${until === undefined ? "" : ` until ${until}`}: ${reason} (${formatPath(file)})`;
