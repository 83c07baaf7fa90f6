import type { AnyEvent } from "../../protocol/event.ts";
import type { HookEntry } from "../../protocol/hook.ts";
import { hooksLine } from "../hooks.ts";
import { filled, labelled, padded, pieces, shortened, shownFile, visible } from "../terminal/layout.ts";
import type { Paint, Paper } from "../terminal/terminal.ts";
import type { AskedReport, CallReport, HostReport, Report, SettingReport } from "./report.ts";
import { kindOf, subjectOf } from "./subject.ts";

/** What a host does, in a word: a decision, or what else it was told. */
export function wordOf({
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

const COLORS: Readonly<Record<string, 31 | 32 | 33 | 2>> = {
  deny: 31,
  failed: 31,
  "go on": 33,
  ask: 33,
  rewrite: 33,
  "new result": 33,
  allow: 32,
  none: 2,
};

/** Such a word in its colour, so many columns wide. */
export function painted(word: string, paint: Paint, width = 0): string {
  const color = COLORS[word];
  return color === undefined ? padded(word, width) : paint(color, word) + " ".repeat(Math.max(0, width - word.length));
}

/** `try` for people: a table, and what each host gets. @param explain what hooks did is told elsewhere. */
export function tryText(
  report: Report,
  event: AnyEvent,
  paper: Pick<Paper, "width" | "paint">,
  explain = false,
): string {
  const { width, paint } = paper;
  const { from, names } = report.hooks;
  const head = [
    ...labelled("hooks: ", filled(visible(hooksLine(from, names)), width - 7), 7),
    `event: ${shortened(`${kindOf(event)}  ${subjectOf(event)}`, width - 7).trimEnd()}`,
  ];
  const places = explain ? [] : failedAt(report.hosts);
  const notes = Object.entries(report.hooks.notes).flatMap(([name, found]) =>
    found.flatMap((note) => labelled(`${paint(33, "note")}   `, filled(visible(`${name}: ${note}`), width - 7), 7)),
  );
  const parts = [head, table(report.hosts, paper), ...given(report.hosts, paper), places, notes].filter(
    (lines) => lines.length > 0,
  );
  return parts.map((lines) => lines.join("\n")).join("\n\n");
}

/** The calls of all hosts, each with the name it is shown by. */
const callsOf = (reports: readonly HostReport[]) =>
  reports.flatMap(({ host, calls }) =>
    calls.map((call, at) => ({ ...call, host, shown: calls.length > 1 ? `${host} ${at + 1}/${calls.length}` : host })),
  );

function table(reports: readonly HostReport[], { paint, width }: Pick<Paper, "width" | "paint">): string[] {
  const calls = callsOf(reports);
  const first = Math.max(4, ...calls.map(({ shown }) => shown.length), ...reports.map(({ host }) => host.length)) + 2;
  const second = Math.max(10, ...calls.map(({ native_event }) => native_event.length)) + 2;
  const third = Math.max(8, ...calls.map((call) => wordOf(call).length));
  const lines = [`${padded("host", first)}${padded("host event", second)}${padded("decision", third)}  exit      ms`];
  for (const report of reports) {
    if (report.silence !== undefined)
      lines.push(...labelled(report.host, filled(report.silence, width - first), first));
    for (const call of callsOf([report])) {
      const decision = painted(wordOf(call), paint, third);
      const numbers = `${String(call.exit_code).padStart(6)}${call.ms.toFixed(1).padStart(8)}`;
      lines.push(`${padded(call.shown, first)}${padded(call.native_event, second)}${decision}${numbers}`);
    }
  }
  return [lines[0] as string, "-".repeat(first + second + third + 14), ...lines.slice(1)];
}

/** Where hooks failed: what happened is in what the hosts get. */
const failedAt = (reports: readonly HostReport[]): string[] => {
  const asked = reports.flatMap(({ calls }) => calls.flatMap(({ hooks }) => hooks));
  return [...new Set(asked.flatMap(({ name, at }) => (at === undefined ? [] : [visible(`${name} failed at ${at}`)])))];
};

/** Whose calls these are: a host all of whose calls are among them is named once. */
function namesOf(calls: readonly { host: string; shown: string }[], reports: readonly HostReport[]): string[] {
  const all = (host: string) =>
    reports.find((report) => report.host === host)?.calls.length === calls.filter((call) => call.host === host).length;
  return [...new Set(calls.map(({ host, shown }) => (all(host) ? host : shown)))];
}

/** What the hosts get; those that get the same stand together. */
function given(reports: readonly HostReport[], { paint, width }: Pick<Paper, "width" | "paint">): string[][] {
  const groups = Map.groupBy(callsOf(reports), ({ stdout, stderr, problem, append }) =>
    JSON.stringify([stdout, stderr, problem, append]),
  );
  return [...groups.values()].map((calls) => {
    const { stdout, stderr, problem, append } = calls[0] as (typeof calls)[number];
    const who = filled(namesOf(calls, reports).join(", "), width).map((line) => paint(1, line));
    // What a failed call printed stands above.
    const means = problem?.trim() === stderr.trim() ? undefined : problem?.replace(` (${stderr.trimEnd()})`, "");
    const channel = (name: string, text: string) =>
      labelled(
        `  ${name}  `,
        visible(text.replace(/\n$/, ""))
          .split("\n")
          .flatMap((line) => pieces(line, width - 10)),
        10,
      );
    return [
      ...who,
      ...(stdout === "" && stderr === "" && !append ? [paint(2, "  nothing on stdout, nothing on stderr")] : []),
      ...(stdout === "" ? [] : channel("stdout", stdout)),
      ...(stderr === "" ? [] : channel("stderr", stderr)),
      ...(append
        ? [
            ...labelled("  ", filled(`appended to the file that ${append.variable} names:`, width - 2), 2),
            ...channel("      ", append.text),
          ]
        : []),
      ...(means === undefined ? [] : labelled(`  ${paint(31, "means")}   `, filled(visible(means), width - 10), 10)),
    ];
  });
}

/** What each hook did and why, for people. */
export function explainText(
  report: Report,
  entries: readonly HookEntry[],
  paper: Pick<Paper, "width" | "paint">,
): string {
  return entries.map((entry, at) => explained(entry, at, report, paper).join("\n")).join("\n\n");
}

function explained(
  { name }: HookEntry,
  at: number,
  report: Report,
  { paint, width }: Pick<Paper, "width" | "paint">,
): string[] {
  const calls = callsOf(report.hosts).map(({ host, shown, hooks }) => ({
    host,
    shown,
    asked: hooks[at] as AskedReport,
  }));
  const groups = [...Map.groupBy(calls, ({ asked: { ms: _, ...rest } }) => JSON.stringify(rest)).values()];
  const matched = calls.some(({ asked }) => asked.matched);
  return [
    paint(1, name),
    ...(matched ? settings(report.hooks.options[name] ?? [], width) : []),
    ...groups.flatMap((group) => {
      const { asked } = group[0] as (typeof calls)[number];
      const times = group.map((call) => call.asked.ms).sort((a, b) => a - b);
      const time = [...new Set([times[0], times.at(-1)].map((ms) => ms?.toFixed(1)))].join(" to ");
      const who = groups.length === 1 && calls.length > 1 ? "every host" : namesOf(group, report.hosts).join(", ");
      const what = asked.matched ? `asked, ${time} ms` : `not asked: ${asked.why}`;
      return [
        ...labelled("  ", filled(`${who}: ${what}`, width - 2), 2),
        ...(asked.matched ? answered(asked, width, paint) : []),
      ];
    }),
  ];
}

const INDENT = 14;

/** A field and its text. */
const field = (label: string, text: string, width: number) =>
  labelled(`    ${label}`, filled(visible(text), width - INDENT), INDENT);

function answered({ response, failure, at, log }: AskedReport, width: number, paint: Paint): string[] {
  const fields = Object.entries(response).map(
    ([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)] as const,
  );
  const silent = fields.length === 0 && failure === undefined;
  return [
    ...fields.flatMap(([name, text]) =>
      name === "decision"
        ? [`    ${"decision".padEnd(INDENT - 4)}${painted(text, paint)}`]
        : field(SHORT[name] ?? name, text, width),
    ),
    ...(silent ? ["    has no opinion"] : []),
    ...(failure === undefined ? [] : field("failed", placed(failure, at), width)),
    ...log.flatMap((line, at) => field(at === 0 ? "log" : "", line, width)),
  ];
}

/** A failure and its place, where that is known. */
export const placed = (failure: string, at: string | undefined): string =>
  at === undefined ? failure : `${failure} (${at})`;

const SHORT: Readonly<Record<string, string>> = {
  user_message: "message",
  modified_input: "rewrite",
  additional_context: "context",
  modified_output: "result",
  session_env: "variables",
};

const settings = (all: readonly SettingReport[], width: number): string[] =>
  all.flatMap(({ name, value, scope, file }, at) =>
    field(
      at === 0 ? "options" : "",
      `${name} = ${value === undefined ? "nothing" : JSON.stringify(value)} (${scope ? `${scope}: ${shownFile(file ?? "")}` : "default"})`,
      width,
    ),
  );
