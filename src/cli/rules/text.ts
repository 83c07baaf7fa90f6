import { escapeInvisible, escapeLine } from "../../operate/text.ts";
import { formatPath, formatTable, type PageLayout, wrapLabeled } from "../terminal/layout.ts";
import { formatModeOrigin } from "../try/withheld-text.ts";
import { formatModeTerm } from "../try/verdict.ts";
import type { ListedRule } from "./report.ts";

const LABEL_WIDTH = 11;
const MAX_ID_WIDTH = 40;
const PATTERN_LEGEND = "(<name>: arguments that the hook looks up; ?name: a condition that the hook checks)";

/** Describes a rule's effect: `deny`, or `deny (observe)` if a mode withholds the denial. */
export const describeAction = ({ action, enabled, mode }: ListedRule) =>
  !enabled ? "off" : mode && (action !== "warn" || mode.mode === "observe") ? `${action} (${mode.mode})` : action;

export function formatHeading(origin: string, rules: readonly ListedRule[]): string {
  const hooks = new Set(rules.map(({ hook }) => hook));
  return `rules: ${escapeInvisible(origin)} (${hooks.size === 0 ? "none" : `${rules.length} of ${[...hooks].join(", ")}`})`;
}

/** Formats `rules` for the terminal, with one line per rule, grouped by category. */
export function formatRules(origin: string, rules: readonly ListedRule[], page: PageLayout): string {
  if (rules.length === 0) return `${formatHeading(origin, rules)}\n`;
  const idWidth = Math.min(MAX_ID_WIDTH, Math.max(...rules.map(({ id }) => id.length)));
  const actionWidth = Math.max(4, ...rules.map((rule) => describeAction(rule).length));
  const layout = { width: page.width, indent: 2, columns: [{ width: idWidth }, { width: actionWidth }] };
  const parts = Map.groupBy(rules, ({ category }) => category)
    .entries()
    .map(([category, all]) => [
      page.paint(1, escapeInvisible(category)),
      ...formatTable(
        all.map((rule) => [rule.id, describeAction(rule), rule.reason].map(escapeInvisible)),
        layout,
      ),
    ]);
  return `${[[formatHeading(origin, rules)], ...parts].map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

const describeMode = (action: string, mode: NonNullable<ListedRule["mode"]>): string =>
  `${formatModeTerm(mode)}: ${action === "warn" ? `the rule ${mode.mode === "observe" ? "would warn, but only logs" : "still warns"}` : "matching calls are allowed"}`;

export function formatRule(rule: ListedRule, { width, paint }: PageLayout): string {
  const field = (label: string, texts: readonly (string | undefined)[]) => {
    const parts = texts.filter((text) => text !== undefined);
    return parts.length === 0
      ? []
      : wrapLabeled(`  ${label}`, parts.map(escapeLine).join("\n"), LABEL_WIDTH, { width });
  };
  const patterns = rule.patterns?.map((pattern) => pattern || "(any arguments)");
  return `${[
    paint(1, escapeInvisible(rule.id)),
    ...field("hook", [rule.hook]),
    ...field("added by", rule.source === "built-in" ? [] : [formatPath(rule.source)]),
    ...field("action", [rule.enabled ? rule.action : "off"]),
    ...field("mode", rule.mode ? [describeMode(rule.action, rule.mode), formatModeOrigin(rule.mode)] : []),
    ...field(
      "set by",
      rule.setBy.map(({ file, action }) => `${formatPath(file)}: ${action}`),
    ),
    ...field("lock", rule.lockedBy === undefined ? [] : [formatPath(rule.lockedBy)]),
    ...field("program", [rule.program?.replaceAll("|", ", ")]),
    ...field("pattern", patterns ?? []),
    ...field("", patterns?.some((pattern) => /(?:^|[ =])(?:<|\?)\w/.test(pattern)) ? [PATTERN_LEGEND] : []),
    ...field("finds", [rule.finds]),
    ...field(
      "not on",
      (rule.gaps ?? []).map(({ host, calls }) => `${host}: ${calls.join(", ")}`),
    ),
    ...field("reason", [rule.reason]),
    ...field("advice", [rule.advice]),
    ...field("except", rule.exceptions.map(formatException)),
    ...field("denied", rule.deny),
    ...field("passes", rule.allow),
  ].join("\n")}\n`;
}

const formatException = ({ match = "(everything)", project, reason, until, file }: ListedRule["exceptions"][number]) =>
  `${match}${project === undefined ? "" : ` in ${project}`}${until === undefined ? "" : ` until ${until}`}: ${reason} (${formatPath(file)})`;
