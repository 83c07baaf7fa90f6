import { getOwnCommand } from "../../../system/own-command.ts";
import type { Host } from "../../../protocol/host/host.ts";
import { formatHooksLine } from "../../find-hooks.ts";
import { formatPolicy } from "../../../operate/policy/identity.ts";
import { escapeInvisible, formatCount, escapeLine, formatNumber } from "../../../operate/text.ts";
import {
  formatPath,
  padText,
  wrapText,
  type PageLayout,
  wrapLabeled,
  truncateToLine,
  formatRule,
  formatTable,
} from "../../terminal/layout.ts";
import { colorWord } from "../../try/decision-words.ts";
import type { HistoryReport, HistoryTotals, HostHistory, RuleHistory } from "./report.ts";
import { nameRule } from "./tally.ts";

const LABEL_WIDTH = 9;
const MAX_RULES = 10;

const formatCounts = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([name, number]) => `${name} (${formatNumber(number)})`)
    .join(", ");

/** Formats the report for the terminal. `shown` is the rule or hook whose calls are listed. */
export function formatHistory(
  report: HistoryReport,
  hosts: readonly Host[],
  ruleOrHook: string | undefined,
  layout: PageLayout,
): string {
  const sections =
    ruleOrHook === undefined
      ? [formatHead(report, layout), formatHosts(report, hosts, layout), formatSummary(report, layout)]
      : [formatShownRules(report, ruleOrHook, layout)];
  return `${sections.filter(Boolean).join("\n\n")}\n`;
}

function formatHead({ policy, hooks, against }: HistoryReport, { width }: PageLayout): string {
  const line = (label: string, text: string) =>
    wrapLabeled(padText(label, LABEL_WIDTH), escapeInvisible(text), LABEL_WIDTH, { width });
  return [
    ...line("policy:", formatPolicy(policy)),
    ...line("asked:", hooks.asked.length > 0 ? formatHooksLine(hooks.from, hooks.asked) : `none (${hooks.from})`),
    ...(against === undefined ? [] : line("against:", against)),
  ].join("\n");
}

function formatHosts({ hosts: states, not_read }: HistoryReport, hosts: readonly Host[], layout: PageLayout): string {
  const getName = (id: string) => hosts.find((host) => host.id === id)?.name ?? id;
  const nonEmptyStates = states.filter(({ files, problems }) => files + problems.length > 0);
  const empty = states.filter((state) => !nonEmptyStates.includes(state));
  const name = Math.max(0, ...nonEmptyStates.map(({ host }) => getName(host).length)) + 2;
  const lines = nonEmptyStates.flatMap((state) => [
    `${padText(getName(state.host), name)}${formatCount(state.sessions, "session")}, ${formatCount(state.calls, "call")}, ${formatCount(state.prompts, "prompt")}${state.source === "log" ? " (from the decision log)" : ""}`,
    ...formatFlaws(state).flatMap((text) => wrapLabeled("", escapeInvisible(text), 2, layout)),
  ]);
  const say = (text: string) => wrapText(text, layout.width);
  return [
    ...lines,
    ...(empty.length > 0 ? say(`no records from ${empty.map(({ host }) => getName(host)).join(", ")}`) : []),
    ...(nonEmptyStates.length === 0
      ? say(
          `the decision log may contain past calls; to replay them: ${getOwnCommand()} replay; to list them: ${getOwnCommand()} log`,
        )
      : []),
    ...(not_read.length > 0
      ? say(`skipped, because their record format is unverified: ${not_read.map(getName).join(", ")}`)
      : []),
  ].join("\n");
}

/** Lists records that weren't read or may have been misread. */
function formatFlaws(state: HostHistory): string[] {
  const { unread, incomplete = 0, unknown_records, unseen_releases = [], problems, older_files } = state;
  return [
    ...(unread > 0
      ? [formatCount(unread, "line could not be read as a record", "lines could not be read as records")]
      : []),
    ...(incomplete > 0
      ? [`${formatCount(incomplete, "call")} skipped, because the log doesn't contain them completely`]
      : []),
    ...(Object.keys(unknown_records).length > 0
      ? [`records of unknown kinds, so calls may be missing: ${formatCounts(unknown_records)}`]
      : []),
    ...(unseen_releases.length > 0
      ? [`unverified releases, so calls may be missing: ${unseen_releases.join(", ")}`]
      : []),
    ...(older_files > 0 ? [`${formatCount(older_files, "older file")} left out`] : []),
    ...problems.map((problem) => `could not be read: ${problem}`),
  ];
}

function formatSummary({ totals, rules, hooks, since, failures, against }: HistoryReport, layout: PageLayout): string {
  const { width } = layout;
  const sinceNote = since === null ? "" : ` since ${since.slice(0, 10)}`;
  const parts = [
    `${formatCount(totals.calls, "call")} and ${formatCount(totals.prompts, "prompt")} in ${formatCount(totals.sessions, "session")}${sinceNote}: ${formatDecisions(totals)}.`,
    ...(totals.withheld > 0 ? [formatWithheldCount(totals, rules)] : []),
    ...(totals.warned > 0 ? [`${formatNumber(totals.warned)} would only be warned about.`] : []),
    ...(totals.not_held > 0
      ? [`${formatNumber(totals.not_held)} more would be denied, but the host can't block them.`]
      : []),
    ...(Object.keys(hooks.unasked).length > 0
      ? [
          `${formatNumber(totals.unknown)} of the allowed calls would also reach hooks that weren't run because they aren't pure: ${formatCounts(hooks.unasked)}.`,
        ]
      : []),
    ...(totals.invalid > 0 ? [`${formatNumber(totals.invalid)} don't match the host's format and were skipped.`] : []),
    ...(totals.failed > 0
      ? [`A hook failed on ${formatNumber(totals.failed)} of them: ${formatCounts(failures)}.`]
      : []),
    ...(totals.changed === undefined ? [] : [formatChanged(totals)]),
  ];
  const text = wrapText(escapeInvisible(parts.join(" ")), width).join("\n");
  if (rules.length === 0) return text;
  const firstRule = rules[0] as RuleHistory;
  const remainingCount = rules.length - MAX_RULES;
  return [
    text,
    "",
    formatRules(rules.slice(0, MAX_RULES), layout),
    ...(remainingCount > 0 ? [`and ${formatCount(remainingCount, "more rule")}; to list all: --json`] : []),
    "",
    `--show ${nameRule(firstRule)} lists what it ${against === undefined ? "stops" : "changes"}.`,
  ].join("\n");
}

/** Formats how many allowed calls would be stopped, and which modes withhold the denials. */
function formatWithheldCount({ withheld }: HistoryTotals, rules: readonly RuleHistory[]): string {
  const causes = new Set(rules.flatMap(({ passes }) => (passes === undefined ? [] : [passes])));
  return `${formatNumber(withheld)} would be stopped or warned about once the policy is enforced (${[...causes].join(", ")}).`;
}

function formatDecisions({ denied, asked }: HistoryTotals): string {
  if (denied + asked === 0) return "none would be stopped";
  const stoppedCounts = [
    ...(denied > 0 ? [`${formatNumber(denied)} would be denied`] : []),
    ...(asked > 0 ? [`${formatNumber(asked)} would ask the user`] : []),
  ];
  return stoppedCounts.join(", ");
}

function formatChanged({ changed = 0, not_compared = 0 }: HistoryTotals): string {
  const comparison = changed === 0 ? "Nothing changes." : `${formatNumber(changed)} would be decided differently.`;
  return not_compared === 0
    ? comparison
    : `${comparison} ${formatNumber(not_compared)} could not be compared, because the other policy can't parse them.`;
}

function formatRules(rules: readonly RuleHistory[], { width, paint }: PageLayout): string {
  const label = ({ change, decision, passes }: RuleHistory) =>
    change ?? colorWord(passes === undefined ? decision : `would ${decision}`, paint);
  const rows = rules.map((rule) => [
    formatNumber(rule.calls),
    formatNumber(rule.sessions),
    label(rule),
    nameRule(rule),
    escapeLine(rule.subjects[0]?.text ?? ""),
  ]);
  const [head = "", ...lines] = formatTable([["calls", "sessions", "decision", "rule", "most often"], ...rows], {
    width,
    columns: [{ width: 7, align: "right" }, { align: "right" }, {}, {}, { fit: "cut" }],
  });
  return [head, formatRule([head]), ...lines].join("\n");
}

/** Formats where a call is recorded: a file and line, or the command that explains the log line. */
export const formatRecordLocation = ({ file, line, id }: Pick<Subject, "file" | "line" | "id">): string =>
  id === undefined ? `${formatPath(file)}:${line}` : `${getOwnCommand()} explain ${id}`;

type Subject = RuleHistory["subjects"][number];

const describeRuleDecision = ({ change, decision, passes }: RuleHistory): string =>
  change ?? (passes === undefined ? decision : `would ${decision} (${passes})`);

function formatShownRules({ rules }: HistoryReport, ruleOrHook: string, layout: PageLayout): string {
  const { width, paint } = layout;
  return rules
    .filter((rule) => nameRule(rule) === ruleOrHook || rule.hook === ruleOrHook)
    .map((rule) => {
      const title = `${nameRule(rule)} (${rule.hook}): ${describeRuleDecision(rule)}, ${formatCount(rule.calls, "call")} in ${formatCount(rule.sessions, "session")}, ${formatCounts(rule.hosts)}`;
      const lines = rule.subjects.flatMap(({ text, calls, file, line, id, at }) => [
        `${formatNumber(calls).padStart(7)}  ${truncateToLine(text, width - LABEL_WIDTH)}`,
        ...wrapLabeled(
          "",
          escapeInvisible(`${at.slice(0, 16)}Z ${formatRecordLocation({ file, line, id })}`),
          LABEL_WIDTH,
          { width },
        ),
      ]);
      const countNote = rule.more_subjects > 0 ? [`and ${formatCount(rule.more_subjects, "other")}`] : [];
      return [...wrapText(paint(1, escapeInvisible(title)), width), ...lines, ...countNote].join("\n");
    })
    .join("\n\n");
}
