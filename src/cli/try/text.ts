import type { AnyEvent } from "../../protocol/event.ts";
import type { HookDescriptor } from "../../protocol/hook.ts";
import { formatHooksLine } from "../find-hooks.ts";
import { escapeInvisible } from "../../operate/text.ts";
import {
  type Column,
  wrapText,
  labelLines,
  formatPath,
  type Page,
  wrapLabeled,
  cutText,
  formatRule,
  formatTable,
} from "../terminal/layout.ts";
import type { Paint } from "../terminal/colors.ts";
import type { AskedHookReport, CallReport, TryHostReport, TryReport, SettingReport } from "./report.ts";
import { formatKind, describeSubject } from "./subject.ts";
import { findVerdict, formatVerdict, isAllowedAnyway, listVerdicts, nameVerdict } from "./verdict.ts";
import { formatModeOrigin, formatWithheldLines } from "./withheld-text.ts";

/**
 * Names a decision for the table that `try` prints. If the host can't ask, the decision "ask" is shown as the resulting
 * denial. A withheld decision is shown as "would …".
 */
function nameDecision(call: CallReport): string {
  const verdict = findVerdict([call]);
  if (verdict && isAllowedAnyway(verdict) && !STOPPING_DECISIONS.includes(call.decision)) return nameVerdict(verdict);
  const decisions = call.hooks.map(({ response }) => response.decision);
  const hasFailed = call.hooks.some(({ failure }) => failure !== undefined);
  const isAsk = call.decision === "deny" && !hasFailed && !decisions.includes("deny") && decisions.includes("ask");
  return isAsk ? ASK_DENIED : summarizeDecision(call);
}
const STOPPING_DECISIONS: readonly string[] = ["deny", "ask", "failed"];
const ASK_DENIED = "ask→deny";

/** Summarizes a host's reaction in a word: a decision or another effect. */
export function summarizeDecision({
  decision,
  response,
  continues,
  append,
}: Pick<CallReport, "decision" | "response" | "continues" | "append">): string {
  if (continues && decision === "deny") return "go on";
  const { modified_input, additional_context, user_message, modified_output, session_env } = response;
  if (decision === "deny" || decision === "ask" || decision === "failed") return decision;
  if (modified_input) return "rewrite";
  if (modified_output !== undefined) return "new result";
  if (decision === "allow") return decision;
  return additional_context ? "context" : user_message ? "message" : session_env || append ? "variables" : "none";
}

const WORD_COLORS: Readonly<Record<string, 31 | 32 | 35>> = {
  deny: 31,
  [ASK_DENIED]: 31,
  failed: 31,
  "go on": 35,
  ask: 35,
  rewrite: 35,
  "new result": 35,
  "would deny": 35,
  "would ask": 35,
  "would rewrite": 35,
  "would fail": 35,
  warn: 35,
  "would warn": 35,
  allow: 32,
};

/** Colors a decision word. */
export function colorWord(word: string, paint: Paint): string {
  const color = WORD_COLORS[word.replace(/ \(.*/, "")];
  return color === undefined ? word : paint(color, word);
}

/**
 * Formats `try` for the terminal: a table, and the answer that each host receives.
 * @param options `explain`: whether another text explains the hooks' responses.
 */
export function formatTryReport(report: TryReport, event: AnyEvent, output: Page, { explain = false } = {}): string {
  const { width, paint } = output;
  const { from, names } = report.hooks;
  const heading = [
    ...wrapLabeled("hooks: ", escapeInvisible(formatHooksLine(from, names)), 7, { width }),
    `event: ${cutText(`${formatKind(event)}  ${describeSubject(event)}`, width - 7).trimEnd()}`,
  ];
  const failurePlaces = explain ? [] : listFailurePlaces(report.hosts);
  const notes = Object.entries(report.hooks.notes).flatMap(([name, found]) =>
    found.flatMap((note) => wrapLabeled(`${paint(35, "note")}   `, escapeInvisible(`${name}: ${note}`), 7, { width })),
  );
  const parts = [
    heading,
    formatCallTable(report.hosts, output),
    formatWithheldLines(report.hosts, output),
    ...formatAnswers(report.hosts, output),
    failurePlaces,
    notes,
  ].filter((lines) => lines.length > 0);
  return parts.map((lines) => lines.join("\n")).join("\n\n");
}

/** Lists the calls of all hosts, each with the host's display name. */
const listCalls = (reports: readonly TryHostReport[]) =>
  reports.flatMap(({ host, calls }) =>
    calls.map((call, at) => ({ ...call, host, shown: calls.length > 1 ? `${host} ${at + 1}/${calls.length}` : host })),
  );

function formatCallTable(reports: readonly TryHostReport[], { paint, width }: Page): string[] {
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

/** Lists where hooks failed; the output below contains the messages. */
const listFailurePlaces = (reports: readonly TryHostReport[]): string[] => {
  const hookReports = reports.flatMap(({ calls }) => calls.flatMap(({ hooks }) => hooks));
  return [
    ...new Set(
      hookReports.flatMap(({ name, at }) => (at === undefined ? [] : [escapeInvisible(`${name} failed at ${at}`)])),
    ),
  ];
};

/** Names the hosts of these calls. If all calls of a host are included, the host is named only once. */
function listHostNames(calls: readonly { host: string; shown: string }[], reports: readonly TryHostReport[]): string[] {
  const hasAllCalls = (host: string) =>
    reports.find((report) => report.host === host)?.calls.length === calls.filter((call) => call.host === host).length;
  return [...new Set(calls.map(({ host, shown }) => (hasAllCalls(host) ? host : shown)))];
}

/** Formats the hosts' answers, grouping hosts with equal answers. */
function formatAnswers(reports: readonly TryHostReport[], { paint, width }: Page): string[][] {
  const groups = Map.groupBy(listCalls(reports), ({ stdout, stderr, problem, append, advice }) =>
    JSON.stringify([stdout, stderr, problem, append, advice]),
  );
  return [...groups.values()].map((calls) => {
    const { stdout, stderr, problem, append, advice } = calls[0] as (typeof calls)[number];
    const hostLines = wrapText(listHostNames(calls, reports).join(", "), width).map((line) => paint(1, line));
    // A failed call's stderr is already shown above.
    const problemText = problem?.trim() === stderr.trim() ? undefined : problem?.replace(` (${stderr.trimEnd()})`, "");
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
            ...wrapLabeled("  ", `appended to the file in ${append.variable}:`, 2, { width }),
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
export function formatExplanation(report: TryReport, entries: readonly HookDescriptor[], output: Page): string {
  return entries.map((entry, at) => explainHook(entry, at, report, output).join("\n")).join("\n\n");
}

function explainHook({ name }: HookDescriptor, at: number, report: TryReport, { paint, width }: Page): string[] {
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

function formatHookAnswer(hook: AskedHookReport, width: number, paint: Paint): string[] {
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

/** Formats the answer that exceptions overrode: `deny (git/push-force), by the exception FILE: exceptions.0`. */
const formatAllowed = ({ by, response: { decision, rule } }: NonNullable<AskedHookReport["allowed"]>): string =>
  `${decision ?? "stop"}${rule === undefined ? "" : ` (${rule})`}, by the exception ${by.join(", ")}`;

/** Formats a failure with its position, if known. */
export const formatFailure = (failure: string, at: string | undefined): string =>
  at === undefined ? failure : `${failure} (${at})`;

const FIELD_LABELS: Readonly<Record<string, string>> = {
  user_message: "message",
  modified_input: "rewrite",
  additional_context: "context",
  modified_output: "result",
  session_env: "variables",
};

const formatSettings = (settings: readonly SettingReport[], width: number): string[] =>
  settings.flatMap(({ name, value, scope, file }, at) =>
    formatField(
      at === 0 ? "options" : "",
      `${name} = ${value === undefined ? "nothing" : JSON.stringify(value)} (${scope ? `${scope}: ${formatPath(file ?? "")}` : "default"})`,
      width,
    ),
  );
