import { scaleMs } from "../support/machine.ts";
import type { HostCase } from "./driver.ts";
import type { Isolation } from "./isolate.ts";
import { type ProbeCall, RUN_VARIABLE } from "./plan.ts";
import type { Release } from "./releases.ts";
import type { RunFolders, HostRun } from "./run.ts";

export interface CaseFailure {
  one: HostCase;
  problem: string;
  /** What happened in the run, for a human reader. */
  details: string;
}

/** Results of all cases for one release. */
export interface ReleaseReport {
  host: string;
  version: string;
  passed: readonly HostCase[];
  failures: readonly CaseFailure[];
  /** How many cases can't run because this machine lacks something. */
  skipped: number;
  /** Total duration of the release's runs, some of which overlap. */
  seconds: number;
}

const getLastLines = (text: string, lines: number) => text.trim().split("\n").slice(-lines).join("\n");
const shortenText = (text: string, length: number) =>
  text.length > length ? `${text.slice(0, length)}… (${text.length} characters)` : text;
const formatBlock = (title: string, text: string) =>
  `${title}:\n${text.trim() === "" ? "  (nothing)" : text.replace(/^/gm, "  ")}`;

/**
 * Describes a run: the host's output, what the model received, and the executable's answers, which are obtained by
 * running it again on the same input.
 */
export async function explainRun({ setup, place, calls, requests, sessions }: HostRun, probe: string): Promise<string> {
  const planned = calls.filter(({ native_event }) => setup.plan?.some(({ event }) => event === native_event));
  const answers = await Promise.all(
    planned.slice(0, 3).map((call) => askAgain(call, setup.executable ?? probe, place)),
  );
  const last = requests.findLast(({ who }) => who !== "side")?.body;
  const fed = ((last?.messages ?? last?.input ?? []) as unknown[])
    .slice(-3)
    .map((message) => shortenText(JSON.stringify(message), 700));
  return [
    `run: ${place.run}`,
    `host: ${sessions.map(({ code, seconds, hung }) => `exit code ${code}${hung ? ", killed" : ""} after ${seconds.toFixed(1)} s`).join("; ")}`,
    `the executable ran at: ${calls.map(({ native_event, tool }) => (tool ? `${native_event}(${tool})` : native_event)).join(" ") || "no event"}`,
    formatBlock("our answers, requested again", answers.join("\n")),
    formatBlock("the host's stderr", sessions.map(({ stderr }) => getLastLines(stderr, 15)).join("\n")),
    formatBlock(
      "the end of the host's stdout",
      sessions.map(({ stdout }) => shortenText(getLastLines(stdout, 4), 2_000)).join("\n"),
    ),
    formatBlock(`the last of ${requests.length} requests to the model`, fed.join("\n")),
  ].join("\n");
}

/** Runs the executable again with the same input, because hosts don't show a hook's answer. */
async function askAgain(
  { native_event, tool, argv, payload }: ProbeCall,
  executable: string,
  { run, home }: RunFolders,
): Promise<string> {
  const child = Bun.spawn([executable, ...argv], {
    stdin: new Blob([JSON.stringify(payload)]),
    stdout: "pipe",
    stderr: "pipe",
    env: { PATH: process.env.PATH, HOME: home, [RUN_VARIABLE]: run },
    timeout: scaleMs(10_000),
  });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return `${[native_event, tool].filter(Boolean).join(" ")}: exit code ${code}\nstdout ${stdout.trim()}\nstderr ${stderr.trim()}`;
}

const formatRow = (...[host, version, ...numbers]: (string | number)[]) =>
  [String(host).padEnd(8), String(version).padEnd(10), ...numbers.map((number) => String(number).padStart(8))].join(
    " ",
  );

/** Returns the report as data: counts, and every failure with its explanation. */
export const toReportData = (reports: readonly ReleaseReport[], missing: readonly Release[], isolation: Isolation) => ({
  isolation,
  missing: missing.map(({ host, version }) => ({ host, version })),
  hosts: reports.map(({ host, version, passed, failures, skipped, seconds }) => ({
    host,
    version,
    cases: passed.length + failures.length,
    passed: passed.length,
    failed: failures.length,
    skipped,
    seconds: Number(seconds.toFixed(1)),
    failures: failures.map(({ one, problem, details }) => ({ name: one.name, problem, details })),
  })),
});

/** Something omitted from a run, and the command that runs it. */
export interface LeftOut {
  command: string;
  what: string;
}

export interface HostsReport {
  reports: readonly ReleaseReport[];
  missing: readonly Release[];
  isolation: Isolation;
  leftOut: readonly LeftOut[];
  minutes: number;
}

/** Formats the report as text, with the totals in the last line. */
export function formatReport(
  { reports, missing, isolation: { network, mounts }, leftOut, minutes }: HostsReport,
  forgiving: boolean,
): string {
  const sum = (count: (report: ReleaseReport) => number) => reports.reduce((total, report) => total + count(report), 0);
  const skipped = sum((report) => report.skipped);
  const width = Math.max(...leftOut.map(({ command }) => command.length));
  const lines = [
    "",
    formatRow("host", "version", "cases", "passed", "failed", "seconds"),
    ...reports.map(({ host, version, passed, failures, seconds }) =>
      formatRow(host, version, passed.length + failures.length, passed.length, failures.length, seconds.toFixed(1)),
    ),
    "",
    network
      ? "Each host ran in a network namespace with only a loopback device."
      : "This machine doesn't allow network namespaces, so only the hosts' settings kept them offline.",
    ...(mounts || skipped === 0
      ? []
      : [`${skipped} cases did not run: managed settings need a mount namespace, which this machine doesn't allow.`]),
    ...missing.map(({ host, version }) => `${host} ${version} did not run: it is not installed (see above).`),
    `${minutes.toFixed(1)} minutes. Not in this run:`,
    ...leftOut.map(({ command, what }) => `  ${command.padEnd(width)}  ${what}`),
    `${sum(({ passed }) => passed.length)} passed, ${sum(({ failures }) => failures.length) + (forgiving ? 0 : missing.length)} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`,
  ];
  return lines.join("\n");
}
