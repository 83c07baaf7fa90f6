import { hosts } from "../../hosts/index.ts";
import { escapeInvisible, formatCount, formatNumber, truncateLine } from "../../operate/text.ts";
import { formatRecordLocation } from "../replay/history/text.ts";
import { nameRule } from "../replay/history/tally.ts";
import { labelLines, padText, formatPath, wrapText } from "../terminal/layout.ts";
import type { TerminalOutput } from "../terminal/terminal.ts";
import type { ConfigDiffReport } from "./diff-report.ts";

type TextLayout = Pick<TerminalOutput, "width" | "paint">;
type DiffedCalls = NonNullable<ConfigDiffReport["calls"]>;

export function formatConfigDiff(report: ConfigDiffReport, layout: TextLayout): string {
  const { calls, scope } = report;
  const formatSide = (name: "a" | "b") => {
    const { file, policy } = report[name];
    const hash = policy.hash === undefined ? "" : `, policy hash ${policy.hash}`;
    return escapeInvisible(`${name.toUpperCase()}: ${formatPath(file)}${hash}`);
  };
  const parts = [
    [formatSide("a"), formatSide("b"), `both as the ${scope} file`],
    formatDifferences(report, layout),
    ...(calls ? formatCalls(calls, layout) : []),
  ];
  return `${parts.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function formatDifferences({ differences }: ConfigDiffReport, { width, paint }: TextLayout): string[] {
  if (differences.length === 0) return ["No settings differ."];
  const keyWidth = Math.min(40, Math.max(...differences.map(({ key }) => key.length))) + 2;
  const rows = differences.flatMap((difference) => {
    const label = `  ${padText(escapeInvisible(difference.key), keyWidth)}`;
    const indent = keyWidth + 2;
    return labelLines(label, wrapText(escapeInvisible(describeDifference(difference)), width - indent), indent);
  });
  return [
    paint(1, `${formatCount(differences.length, "setting")} differ${differences.length === 1 ? "s" : ""}`),
    ...rows,
  ];
}

function describeDifference(difference: ConfigDiffReport["differences"][number]): string {
  if (!("a" in difference)) return `added ${JSON.stringify(difference.b)}`;
  if (!("b" in difference)) return `removed ${JSON.stringify(difference.a)}`;
  return `${JSON.stringify(difference.a)} → ${JSON.stringify(difference.b)}`;
}

/** Formats the number and origin of the judged calls, and the changed outcomes for each rule. */
function formatCalls(calls: DiffedCalls, layout: TextLayout): string[][] {
  const { totals, since, rules } = calls;
  const judgedHosts = calls.hosts.filter((host) => host.calls + host.prompts > 0);
  const sinceNote = since === null ? "" : ` since ${since.slice(0, 10)}`;
  const subjects = `${formatCount(totals.calls, "call")} and ${formatCount(totals.prompts, "prompt")}`;
  const judgedCounts = `${subjects} in ${formatCount(totals.sessions, "session")}${sinceNote} were judged with both files`;
  const sources = judgedHosts.map(({ host, source }) => {
    const name = hosts.find(({ id }) => id === host)?.name ?? host;
    return source === "log" ? `${name} (the decision log)` : name;
  });
  const lines =
    totals.calls + totals.prompts === 0
      ? ["No past calls found in the hosts' records or the decision log."]
      : wrapText(`${judgedCounts}: ${sources.join(", ")}.`, layout.width);
  const incomplete = calls.hosts.reduce((sum, host) => sum + (host.incomplete ?? 0), 0);
  const skippedNote =
    incomplete > 0
      ? [`${formatCount(incomplete, "call")} skipped, because the log doesn't contain them completely`]
      : [];
  const denied = formatNumber(countChanges(totals, (previous, current) => current === "deny" && previous !== "deny"));
  const newlyAllowed = formatNumber(
    countChanges(totals, (previous, current) => previous === "deny" && current !== "deny"),
  );
  const summary = wrapText(`${denied} denied only by B; ${newlyAllowed} denied only by A.`, layout.width);
  const groups = Map.groupBy(rules, ({ change = "" }) => change);
  return [
    [...lines, ...skippedNote, ...(totals.calls + totals.prompts === 0 ? [] : summary)],
    ...[...groups].map(([change, all]) => formatGroup(change, totals, all, layout)),
  ];
}

const countChanges = (
  { changes = {} }: DiffedCalls["totals"],
  isCounted: (previous: string, current: string) => boolean,
): number =>
  Object.entries(changes).reduce((sum, [change, count]) => {
    const [before = "", now = ""] = change.split(" → ");
    return isCounted(before, now) ? sum + count : sum;
  }, 0);

function formatGroup(
  change: string,
  { changes = {} }: DiffedCalls["totals"],
  rules: DiffedCalls["rules"],
  { width, paint }: TextLayout,
): string[] {
  const nameWidth = Math.max(...rules.map((rule) => nameRule(rule).length)) + 2;
  const rows = rules.flatMap((rule) => {
    const label = `${formatNumber(rule.calls).padStart(7)}  ${padText(escapeInvisible(nameRule(rule)), nameWidth)}`;
    const [example] = rule.subjects;
    if (!example) return [label];
    const indent = 9 + nameWidth;
    const recordPlace = `${example.at.slice(0, 16).replace("T", " ")}Z, ${formatRecordLocation(example)}`;
    return [
      `${label}${truncateLine(example.text, Math.max(10, width - indent))}`,
      ...labelLines("", wrapText(escapeInvisible(recordPlace), Math.max(20, width - indent)), indent),
    ];
  });
  return [paint(1, `${change}: ${formatCount(changes[change] ?? 0, "call")}`), ...rows];
}
