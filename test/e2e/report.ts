import type { Case } from "./driver.ts";
import type { Isolation } from "./isolate.ts";
import { type Call, RUN } from "./plan.ts";
import type { Release } from "./releases.ts";
import type { Place, Run } from "./run.ts";

export interface Failure {
  one: Case;
  problem: string;
  /** What tells why, for a person. */
  details: string;
}

/** What came of all cases of one release. */
export interface HostReport {
  host: string;
  version: string;
  passed: readonly Case[];
  failures: readonly Failure[];
  /** Cases that need what this machine does not have. */
  skipped: number;
  seconds: number;
}

const tail = (text: string, lines: number) => text.trim().split("\n").slice(-lines).join("\n");
const cut = (text: string, length: number) =>
  text.length > length ? `${text.slice(0, length)}… (${text.length} characters)` : text;
const block = (title: string, text: string) =>
  `${title}:\n${text.trim() === "" ? "  (nothing)" : text.replace(/^/gm, "  ")}`;

/** What the host said, what our process answered (asked once more with the same input), and what the model was fed. */
export async function explain({ setup, place, calls, requests, sessions }: Run, probe: string): Promise<string> {
  const planned = calls.filter(({ native_event }) => setup.plan?.some(({ event }) => event === native_event));
  const answers = await Promise.all(
    planned.slice(0, 3).map((call) => askedAgain(call, setup.executable ?? probe, place)),
  );
  const last = requests.findLast(({ who }) => who !== "side")?.body;
  const fed = ((last?.messages ?? last?.input ?? []) as unknown[])
    .slice(-3)
    .map((message) => cut(JSON.stringify(message), 700));
  return [
    `run: ${place.run}`,
    `host: ${sessions.map(({ code, seconds, hung }) => `exit code ${code}${hung ? ", killed" : ""} after ${seconds.toFixed(1)} s`).join("; ")}`,
    `our process ran at: ${calls.map(({ native_event, tool }) => (tool ? `${native_event}(${tool})` : native_event)).join(" ") || "no event"}`,
    block("our answers, asked again", answers.join("\n")),
    block("the host's stderr", sessions.map(({ stderr }) => tail(stderr, 15)).join("\n")),
    block("the end of the host's stdout", sessions.map(({ stdout }) => cut(tail(stdout, 4), 2_000)).join("\n")),
    block(`the last of ${requests.length} requests to the model`, fed.join("\n")),
  ].join("\n");
}

/** The executable with the same input: a host does not pass on what a hook answered. */
async function askedAgain(
  { native_event, tool, argv, payload }: Call,
  executable: string,
  { run, home }: Place,
): Promise<string> {
  const child = Bun.spawn([executable, ...argv], {
    stdin: new Blob([JSON.stringify(payload)]),
    stdout: "pipe",
    stderr: "pipe",
    env: { PATH: process.env.PATH, HOME: home, [RUN]: run },
    timeout: 10_000,
  });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return `${[native_event, tool].filter(Boolean).join(" ")}: exit code ${code}\nstdout ${stdout.trim()}\nstderr ${stderr.trim()}`;
}

const row = (...[host, version, ...numbers]: (string | number)[]) =>
  [String(host).padEnd(8), String(version).padEnd(10), ...numbers.map((number) => String(number).padStart(8))].join(
    " ",
  );

/** The report as data: numbers, and each failure with what tells why. */
export const asData = (reports: readonly HostReport[], missing: readonly Release[], isolation: Isolation) => ({
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

/** The report for people; its last line counts all. */
export function asText(
  reports: readonly HostReport[],
  missing: readonly Release[],
  { network, mounts }: Isolation,
  forgiving: boolean,
): string {
  const sum = (count: (report: HostReport) => number) => reports.reduce((total, report) => total + count(report), 0);
  const skipped = sum((report) => report.skipped);
  const lines = [
    "",
    row("host", "version", "cases", "passed", "failed", "seconds"),
    ...reports.map(({ host, version, passed, failures, seconds }) =>
      row(host, version, passed.length + failures.length, passed.length, failures.length, seconds.toFixed(1)),
    ),
    "",
    network
      ? "Each host ran in a network namespace that has only a loopback device."
      : "This machine gives no network namespace: that nothing left it is the hosts' settings alone.",
    ...(mounts || skipped === 0
      ? []
      : [`${skipped} cases were not run: managed settings need a mount namespace, which this machine does not give.`]),
    ...missing.map(({ host, version }) => `${host} ${version} was not run: it is not installed (see above).`),
    `${sum(({ passed }) => passed.length)} passed, ${sum(({ failures }) => failures.length) + (forgiving ? 0 : missing.length)} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`,
  ];
  return lines.join("\n");
}
