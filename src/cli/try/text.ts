import type { AnyEvent } from "../../protocol/event.ts";
import type { HookDescriptor } from "../../protocol/hook.ts";
import { formatHooksLine } from "../find-hooks.ts";
import { escapeInvisible } from "../../operate/text.ts";
import {
  type Column,
  wrapText,
  labelLines,
  formatPath,
  type PageLayout,
  wrapLabeled,
  truncateToLine,
  formatRule,
  formatTable,
} from "../terminal/layout.ts";
import type { PaintText } from "../terminal/colors.ts";
import type { AskedHookReport, TryHostReport, TryReport, SettingReport } from "./report.ts";
import { formatKind, describeSubject } from "./subject.ts";
import {
  colorWord,
  describeProblem,
  FIELD_LABELS,
  formatAllowed,
  listHostNames,
  nameDecision,
} from "./decision-words.ts";
import { findCommonDecision, formatCallNotes, formatSummary, type HostCall } from "./summary.ts";
import { formatDisabledRule, type DisabledRule } from "./turned-off-rules.ts";
import { formatVerdict, listVerdicts } from "./verdict.ts";
import { formatModeOrigin, formatWithheldLines } from "./withheld-text.ts";

interface TryTextOptions {
  /** Whether the hooks' responses are explained separately, below this text. */
  explain?: boolean;
  /** Whether to show the answer that each host receives, instead of a summary of all answers. */
  raw?: boolean;
  turnedOffRules?: readonly DisabledRule[];
}

/** Formats `try` for the terminal: a summary of the hosts' decisions, or a table with each host's answer. */
export function formatTryReport(
  report: TryReport,
  event: AnyEvent,
  output: PageLayout,
  { explain = false, raw = false, turnedOffRules = [] }: TryTextOptions = {},
): string {
  const { width, paint } = output;
  const { from, names } = report.hooks;
  const calls = listCalls(report.hosts);
  const heading = [
    ...wrapLabeled("hooks: ", escapeInvisible(formatHooksLine(from, names)), 7, { width }),
    `event: ${truncateToLine(`${formatKind(event)}  ${describeSubject(event)}`, width - 7).trimEnd()}`,
  ];
  const failurePlaces = explain ? [] : listFailureLocations(report.hosts);
  const notes = Object.entries(report.hooks.notes).flatMap(([name, found]) =>
    found.flatMap((note) => wrapLabeled(`${paint(35, "note")}   `, escapeInvisible(`${name}: ${note}`), 7, { width })),
  );
  const hasTable = raw || findCommonDecision(calls, report.hosts) === undefined;
  const offLines = turnedOffRules.flatMap((rule) =>
    formatDisabledRule(rule).flatMap((text) => wrapText(escapeInvisible(text), width)),
  );
  const parts = [
    heading,
    raw ? [] : formatSummary(calls, report.hosts, output, { isRuleOff: turnedOffRules.length > 0 }),
    hasTable ? formatCallTable(report.hosts, output) : [],
    formatWithheldLines(report.hosts, output),
    offLines,
    ...(raw ? formatAnswers(report.hosts, output) : [formatCallNotes(calls, report.hosts, output, { explain })]),
    failurePlaces,
    notes,
  ].filter((lines) => lines.length > 0);
  return parts.map((lines) => lines.join("\n")).join("\n\n");
}

/** Lists the calls of all hosts, each with the host's display name. */
const listCalls = (reports: readonly TryHostReport[]): HostCall[] =>
  reports.flatMap(({ host, calls }) =>
    calls.map((call, at) => ({ ...call, host, shown: calls.length > 1 ? `${host} ${at + 1}/${calls.length}` : host })),
  );

function formatCallTable(reports: readonly TryHostReport[], { paint, width }: PageLayout): string[] {
  const calls = listCalls(reports);
  const headers = ["host", "host event", "decision", "exit", "ms"];
  const formatCells = (call: (typeof calls)[number]) => [
    call.shown,
    call.native_event,
    colorWord(nameDecision(call), paint),
    String(call.exit_code),
    call.ms.toFixed(1),
  ];
  const measure = (words: readonly string[]) => Math.max(...words.map((word) => Bun.stringWidth(word)));
  const hosts = [...calls.map(({ shown }) => shown), ...reports.map(({ host }) => host)];
  const hostWidth = measure(["host", ...hosts]);
  const columns: Column[] = [
    { width: hostWidth },
    { width: measure(["host event", ...calls.map(({ native_event }) => native_event)]) },
    { width: measure(["decision", ...calls.map(nameDecision)]) },
    { width: 4, align: "right" },
    { width: 6, align: "right" },
  ];
  const head = formatTable([headers], { width, columns });
  const rows = reports.flatMap((report) => [
    ...(report.silence === undefined ? [] : wrapLabeled(report.host, report.silence, hostWidth + 2, { width })),
    ...formatTable(listCalls([report]).map(formatCells), { width, columns }),
  ]);
  return [...head, formatRule(head), ...rows];
}

/** Lists where hooks failed; the messages follow in the output below. */
const listFailureLocations = (reports: readonly TryHostReport[]): string[] => {
  const hookReports = reports.flatMap(({ calls }) => calls.flatMap(({ hooks }) => hooks));
  return [
    ...new Set(
      hookReports.flatMap(({ name, at }) => (at === undefined ? [] : [escapeInvisible(`${name} failed at ${at}`)])),
    ),
  ];
};

/** Formats the hosts' answers, grouping hosts with equal answers. */
function formatAnswers(reports: readonly TryHostReport[], { paint, width }: PageLayout): string[][] {
  const groups = Map.groupBy(listCalls(reports), ({ stdout, stderr, problem, append, advice }) =>
    JSON.stringify([stdout, stderr, problem, append, advice]),
  );
  return [...groups.values()].map((calls) => {
    const { stdout, stderr, append, advice } = calls[0] as (typeof calls)[number];
    const hostLines = wrapText(listHostNames(calls, reports).join(", "), width).map((line) => paint(1, line));
    // A failed call's stderr is already shown above.
    const problemText = describeProblem(calls[0] as (typeof calls)[number]);
    const formatChannel = (name: string, text: string) =>
      labelLines(`  ${name}  `, wrapText(escapeInvisible(text.replace(/\n$/, "")), width - 10), 10);
    return [
      ...hostLines,
      ...(stdout === "" && stderr === "" && !append ? ["  nothing on stdout, nothing on stderr"] : []),
      ...(stdout === "" ? [] : formatChannel("stdout", stdout)),
      ...(stderr === "" ? [] : formatChannel("stderr", stderr)),
      ...(advice === undefined ? [] : formatChannel("advice", advice)),
      ...(append
        ? [
            ...wrapLabeled("  ", `appended to the file named by ${append.variable}:`, 2, { width }),
            ...formatChannel("      ", append.text),
          ]
        : []),
      ...(problemText === undefined
        ? []
        : wrapLabeled(`  ${paint(31, "means")}   `, escapeInvisible(problemText), 10, { width })),
    ];
  });
}

/** Explains each hook's response and the reason. */
export function formatExplanation(report: TryReport, entries: readonly HookDescriptor[], output: PageLayout): string {
  return entries.map((entry, at) => explainHook(entry, at, report, output).join("\n")).join("\n\n");
}

function explainHook({ name }: HookDescriptor, at: number, report: TryReport, { paint, width }: PageLayout): string[] {
  const calls = listCalls(report.hosts).map(({ host, shown, hooks }) => ({
    host,
    shown,
    asked: hooks[at] as AskedHookReport,
  }));
  const groups = [...Map.groupBy(calls, ({ asked: { ms: _, ...rest } }) => JSON.stringify(rest)).values()];
  const hasMatched = calls.some(({ asked }) => asked.matched);
  return [
    paint(1, name),
    ...(hasMatched ? formatSettings(report.hooks.options[name] ?? [], width) : []),
    ...groups.flatMap((group) => {
      const { asked } = group[0] as (typeof calls)[number];
      const times = group.map((call) => call.asked.ms).sort((a, b) => a - b);
      const time = [...new Set([times[0], times.at(-1)].map((ms) => ms?.toFixed(1)))].join(" to ");
      const heading =
        groups.length === 1 && calls.length > 1 ? "every host" : listHostNames(group, report.hosts).join(", ");
      const status = asked.matched ? `asked, ${time} ms` : `not asked: ${asked.why}`;
      return [
        ...wrapLabeled("  ", `${heading}: ${status}`, 2, { width }),
        ...(asked.matched ? formatHookAnswer(asked, width, paint) : []),
      ];
    }),
  ];
}

const FIELD_INDENT = 14;

const formatField = (label: string, text: string, width: number) =>
  wrapLabeled(`    ${label}`, escapeInvisible(text), FIELD_INDENT, { width });

function formatHookAnswer(hook: AskedHookReport, width: number, paint: PaintText): string[] {
  const { response, withheld, allowed, at, log } = hook;
  const failure = hook.failure ?? withheld?.failure;
  const [verdict] = listVerdicts([hook]);
  const origin = withheld && formatModeOrigin(withheld);
  const { decision: _, ...meant } = withheld?.response ?? response;
  const decision = response.decision ?? (withheld && verdict && formatVerdict(verdict));
  const answer = decision === undefined ? meant : { decision, ...meant };
  const fields = Object.entries(answer).map(
    ([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)] as const,
  );
  const isSilent = fields.length === 0 && failure === undefined && !allowed;
  return [
    ...fields.flatMap(([name, text]) =>
      name === "decision"
        ? [`    ${"decision".padEnd(FIELD_INDENT - 4)}${colorWord(text, paint)}`]
        : formatField(FIELD_LABELS[name] ?? name, text, width),
    ),
    ...(origin === undefined ? [] : formatField("mode", origin, width)),
    ...(allowed ? formatField("allowed", formatAllowed(allowed), width) : []),
    ...(isSilent ? ["    has no opinion"] : []),
    ...(failure === undefined ? [] : formatField("failed", formatFailure(failure, at), width)),
    ...log.flatMap((line, at) => formatField(at === 0 ? "log" : "", line, width)),
  ];
}

/** Formats a failure with its position, if known. */
export const formatFailure = (failure: string, at: string | undefined): string =>
  at === undefined ? failure : `${failure} (${at})`;

const formatSettings = (settings: readonly SettingReport[], width: number): string[] =>
  settings.flatMap(({ name, value, scope, file }, at) =>
    formatField(
      at === 0 ? "options" : "",
      `${name} = ${value === undefined ? "nothing" : JSON.stringify(value)} (${scope ? `${scope}: ${formatPath(file ?? "")}` : "default"})`,
      width,
    ),
  );
