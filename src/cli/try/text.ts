import type { AnyEvent } from "../../protocol/event.ts";
import type { HookDescriptor } from "../../protocol/hook.ts";
import { formatHooksLine } from "../find-hooks.ts";
import { truncateLine, escapeInvisible } from "../../operate/text.ts";
import { wrapText, labelLines, padText, splitLine, formatPath } from "../terminal/layout.ts";
import type { Paint, TerminalOutput } from "../terminal/terminal.ts";
import type { AskedHookReport, CallReport, TryHostReport, TryReport, SettingReport } from "./report.ts";
import { formatKind, describeSubject } from "./subject.ts";

/** Names the decision in the table of `try`: a question that the host can't ask is marked as the denial it became. */
function nameDecision(call: CallReport): string {
  const answered = call.hooks.map(({ response }) => response.decision);
  const failed = call.hooks.some(({ failure }) => failure !== undefined);
  const isAsk = call.decision === "deny" && !failed && !answered.includes("deny") && answered.includes("ask");
  return isAsk ? ASK_DENIED : summarizeDecision(call);
}
const ASK_DENIED = "ask→deny";

/** Summarizes in a word what a host does: a decision, or another effect. */
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

const WORD_COLORS: Readonly<Record<string, 31 | 32 | 33 | 2>> = {
  deny: 31,
  [ASK_DENIED]: 31,
  failed: 31,
  "go on": 33,
  ask: 33,
  rewrite: 33,
  "new result": 33,
  allow: 32,
  none: 2,
};

/** Colours such a word, and pads it to `width` columns. */
export function colorWord(word: string, paint: Paint, width = 0): string {
  const color = WORD_COLORS[word];
  return color === undefined ? padText(word, width) : paint(color, word) + " ".repeat(Math.max(0, width - word.length));
}

/**
 * Formats `try` for people: a table, and what each host gets.
 * @param options `explain`: another text explains what the hooks did.
 */
export function formatTryReport(
  report: TryReport,
  event: AnyEvent,
  output: Pick<TerminalOutput, "width" | "paint">,
  { explain = false } = {},
): string {
  const { width, paint } = output;
  const { from, names } = report.hooks;
  const head = [
    ...labelLines("hooks: ", wrapText(escapeInvisible(formatHooksLine(from, names)), width - 7), 7),
    `event: ${truncateLine(`${formatKind(event)}  ${describeSubject(event)}`, width - 7).trimEnd()}`,
  ];
  const places = explain ? [] : listFailurePlaces(report.hosts);
  const notes = Object.entries(report.hooks.notes).flatMap(([name, found]) =>
    found.flatMap((note) =>
      labelLines(`${paint(33, "note")}   `, wrapText(escapeInvisible(`${name}: ${note}`), width - 7), 7),
    ),
  );
  const parts = [
    head,
    formatCallTable(report.hosts, output),
    ...formatAnswers(report.hosts, output),
    places,
    notes,
  ].filter((lines) => lines.length > 0);
  return parts.map((lines) => lines.join("\n")).join("\n\n");
}

/** Lists the calls of all hosts, each with its display name. */
const listCalls = (reports: readonly TryHostReport[]) =>
  reports.flatMap(({ host, calls }) =>
    calls.map((call, at) => ({ ...call, host, shown: calls.length > 1 ? `${host} ${at + 1}/${calls.length}` : host })),
  );

function formatCallTable(
  reports: readonly TryHostReport[],
  { paint, width }: Pick<TerminalOutput, "width" | "paint">,
): string[] {
  const calls = listCalls(reports);
  const first = Math.max(4, ...calls.map(({ shown }) => shown.length), ...reports.map(({ host }) => host.length)) + 2;
  const second = Math.max(10, ...calls.map(({ native_event }) => native_event.length)) + 2;
  const third = Math.max(8, ...calls.map((call) => nameDecision(call).length));
  const lines = [
    `${padText("host", first)}${padText("host event", second)}${padText("decision", third)}  exit      ms`,
  ];
  for (const report of reports) {
    if (report.silence !== undefined)
      lines.push(...labelLines(report.host, wrapText(report.silence, width - first), first));
    for (const call of listCalls([report])) {
      const decision = colorWord(nameDecision(call), paint, third);
      const numbers = `${String(call.exit_code).padStart(6)}${call.ms.toFixed(1).padStart(8)}`;
      lines.push(`${padText(call.shown, first)}${padText(call.native_event, second)}${decision}${numbers}`);
    }
  }
  return [lines[0] as string, "-".repeat(first + second + third + 14), ...lines.slice(1)];
}

/** Lists where hooks failed; what happened is in the answers that the hosts get. */
const listFailurePlaces = (reports: readonly TryHostReport[]): string[] => {
  const asked = reports.flatMap(({ calls }) => calls.flatMap(({ hooks }) => hooks));
  return [
    ...new Set(asked.flatMap(({ name, at }) => (at === undefined ? [] : [escapeInvisible(`${name} failed at ${at}`)]))),
  ];
};

/** Names the hosts of these calls: a host all of whose calls are included is named once. */
function listHostNames(calls: readonly { host: string; shown: string }[], reports: readonly TryHostReport[]): string[] {
  const all = (host: string) =>
    reports.find((report) => report.host === host)?.calls.length === calls.filter((call) => call.host === host).length;
  return [...new Set(calls.map(({ host, shown }) => (all(host) ? host : shown)))];
}

/** Formats what the hosts get; hosts with the same answer are grouped. */
function formatAnswers(
  reports: readonly TryHostReport[],
  { paint, width }: Pick<TerminalOutput, "width" | "paint">,
): string[][] {
  const groups = Map.groupBy(listCalls(reports), ({ stdout, stderr, problem, append }) =>
    JSON.stringify([stdout, stderr, problem, append]),
  );
  return [...groups.values()].map((calls) => {
    const { stdout, stderr, problem, append } = calls[0] as (typeof calls)[number];
    const who = wrapText(listHostNames(calls, reports).join(", "), width).map((line) => paint(1, line));
    // The stderr of a failed call is already shown above.
    const means = problem?.trim() === stderr.trim() ? undefined : problem?.replace(` (${stderr.trimEnd()})`, "");
    const channel = (name: string, text: string) =>
      labelLines(
        `  ${name}  `,
        escapeInvisible(text.replace(/\n$/, ""))
          .split("\n")
          .flatMap((line) => splitLine(line, width - 10)),
        10,
      );
    return [
      ...who,
      ...(stdout === "" && stderr === "" && !append ? [paint(2, "  nothing on stdout, nothing on stderr")] : []),
      ...(stdout === "" ? [] : channel("stdout", stdout)),
      ...(stderr === "" ? [] : channel("stderr", stderr)),
      ...(append
        ? [
            ...labelLines("  ", wrapText(`appended to the file that ${append.variable} names:`, width - 2), 2),
            ...channel("      ", append.text),
          ]
        : []),
      ...(means === undefined
        ? []
        : labelLines(`  ${paint(31, "means")}   `, wrapText(escapeInvisible(means), width - 10), 10)),
    ];
  });
}

/** Explains to people what each hook did and why. */
export function formatExplanation(
  report: TryReport,
  entries: readonly HookDescriptor[],
  output: Pick<TerminalOutput, "width" | "paint">,
): string {
  return entries.map((entry, at) => explainHook(entry, at, report, output).join("\n")).join("\n\n");
}

function explainHook(
  { name }: HookDescriptor,
  at: number,
  report: TryReport,
  { paint, width }: Pick<TerminalOutput, "width" | "paint">,
): string[] {
  const calls = listCalls(report.hosts).map(({ host, shown, hooks }) => ({
    host,
    shown,
    asked: hooks[at] as AskedHookReport,
  }));
  const groups = [...Map.groupBy(calls, ({ asked: { ms: _, ...rest } }) => JSON.stringify(rest)).values()];
  const matched = calls.some(({ asked }) => asked.matched);
  return [
    paint(1, name),
    ...(matched ? formatSettings(report.hooks.options[name] ?? [], width) : []),
    ...groups.flatMap((group) => {
      const { asked } = group[0] as (typeof calls)[number];
      const times = group.map((call) => call.asked.ms).sort((a, b) => a - b);
      const time = [...new Set([times[0], times.at(-1)].map((ms) => ms?.toFixed(1)))].join(" to ");
      const who =
        groups.length === 1 && calls.length > 1 ? "every host" : listHostNames(group, report.hosts).join(", ");
      const what = asked.matched ? `asked, ${time} ms` : `not asked: ${asked.why}`;
      return [
        ...labelLines("  ", wrapText(`${who}: ${what}`, width - 2), 2),
        ...(asked.matched ? formatHookAnswer(asked, width, paint) : []),
      ];
    }),
  ];
}

const FIELD_INDENT = 14;

const formatField = (label: string, text: string, width: number) =>
  labelLines(`    ${label}`, wrapText(escapeInvisible(text), width - FIELD_INDENT), FIELD_INDENT);

function formatHookAnswer({ response, failure, at, log }: AskedHookReport, width: number, paint: Paint): string[] {
  const fields = Object.entries(response).map(
    ([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)] as const,
  );
  const silent = fields.length === 0 && failure === undefined;
  return [
    ...fields.flatMap(([name, text]) =>
      name === "decision"
        ? [`    ${"decision".padEnd(FIELD_INDENT - 4)}${colorWord(text, paint)}`]
        : formatField(FIELD_LABELS[name] ?? name, text, width),
    ),
    ...(silent ? ["    has no opinion"] : []),
    ...(failure === undefined ? [] : formatField("failed", formatFailure(failure, at), width)),
    ...log.flatMap((line, at) => formatField(at === 0 ? "log" : "", line, width)),
  ];
}

/** Formats a failure with its place, if that is known. */
export const formatFailure = (failure: string, at: string | undefined): string =>
  at === undefined ? failure : `${failure} (${at})`;

const FIELD_LABELS: Readonly<Record<string, string>> = {
  user_message: "message",
  modified_input: "rewrite",
  additional_context: "context",
  modified_output: "result",
  session_env: "variables",
};

const formatSettings = (all: readonly SettingReport[], width: number): string[] =>
  all.flatMap(({ name, value, scope, file }, at) =>
    formatField(
      at === 0 ? "options" : "",
      `${name} = ${value === undefined ? "nothing" : JSON.stringify(value)} (${scope ? `${scope}: ${formatPath(file ?? "")}` : "default"})`,
      width,
    ),
  );
