import { formatMode } from "../../operate/policy/identity.ts";
import { OUTCOME_NAMES, OUTCOMES } from "../../operate/log/outcomes.ts";
import { listOutcomeParts, type Report } from "../../operate/report/report.ts";
import { escapeStrings, formatNumber } from "../../operate/text.ts";
import { wrapLabeled } from "../terminal/layout.ts";

const MAX_SHOWN_RULES = 5;

/** Formats a report for the terminal, machine coverage first. */
export function formatReport(report: Report, width: number): string {
  const escapedReport = escapeStrings(report);
  const { coverage, policy, counts, by, since, until } = escapedReport;
  const outcomes = OUTCOMES.filter((outcome) => counts[outcome] > 0).map((outcome) => {
    const parts = listOutcomeParts(escapedReport, outcome).map(({ what, count }) => `${formatNumber(count)} ${what}`);
    const details = parts.length > 0 ? `: ${parts.join(", ")}` : "";
    return `${formatNumber(counts[outcome])} ${OUTCOME_NAMES[outcome]}${details}`;
  });
  const rules = by.rule.slice(0, MAX_SHOWN_RULES).map(({ name, counts: ruleCounts }) => {
    const parts = OUTCOMES.filter((outcome) => ruleCounts[outcome] > 0);
    return `${name}: ${parts.map((outcome) => `${formatNumber(ruleCounts[outcome])} ${OUTCOME_NAMES[outcome]}`).join(", ")}`;
  });
  const remainingRules = by.rule.length - rules.length;
  if (remainingRules > 0) rules.push(`and ${formatNumber(remainingRules)} more on the page`);
  const rows: [label: string, texts: readonly string[]][] = [
    ["coverage", coverage.map(({ machine, summary }) => `${machine}: ${summary}`)],
    ["policy", [`${policy.name} ${policy.version}, mode ${formatMode(policy) ?? "enforce"}`]],
    ["time", [`${since.slice(0, 16)}Z to ${until.slice(0, 16)}Z`]],
    ["decided", outcomes.length > 0 ? outcomes : ["the log has no lines in this period"]],
    ["rules", rules],
  ];
  return rows
    .flatMap(([label, texts]) =>
      texts.length === 0 ? [] : wrapLabeled(label, texts.join("\n"), LABEL_WIDTH, { width }),
    )
    .join("\n");
}

const LABEL_WIDTH = 10;
