import type { HistoryReport } from "../../src/cli/replay/history/report.ts";
import { scaleMs } from "../support/machine.ts";
import { findFirstProblem, findRunProblem, type HostCase, type HostDriver } from "./driver.ts";
import { buildHostEnvironment, type HostRun } from "./run.ts";

/** In each line, so that these calls can be told from others in records that runs share. */
const MARK = "judged-twice";
const LINES = [
  `git push --force origin ${MARK}`,
  `echo ${MARK}`,
  `cat .env && echo ${MARK}`,
  `git push --force origin ${MARK}`,
];
const DENIED = LINES.length - 1;

/** What the product makes of one real session, with the starter hooks. */
export const policyCases = ({ host, bash }: HostDriver): HostCase[] => [
  {
    name: "the decision log, and a replay of the host's own records, say the same of a session",
    setup: { script: { main: [...LINES.map((line) => ({ calls: [bash(line)] })), { text: "FINAL" }] } },
    executable: "product",
    judge(run) {
      const logged = listLoggedDenials(run);
      const replayed = host.loadHistory ? listReplayedDenials(run) : logged;
      return findFirstProblem(
        findRunProblem(run),
        logged.length !== DENIED && `${logged.length} of ${DENIED} denials are in the log: ${logged.join("; ")}`,
        logged.join() !== replayed.join() && `the log has ${logged.join("; ")}, and the replay ${replayed.join("; ")}`,
      );
    },
  },
];

/** Asks the product, in the home folder of the run. */
function ask({ setup, place, sessions }: HostRun, ...line: readonly string[]): string {
  const env = buildHostEnvironment({ ...place, home: sessions[0]?.home ?? place.home });
  const { stdout, stderr, exitCode } = Bun.spawnSync([setup.executable as string, ...line], {
    cwd: place.project,
    env,
    timeout: scaleMs(20_000),
  });
  if (exitCode === 0) return stdout.toString();
  throw new Error(`${line.join(" ")}: exit code ${exitCode}: ${stderr.toString().trim()}`);
}

/** Each denied call as its rule and its line, sorted. Runs that share a home share its log, which has other tools' calls too. */
const listLoggedDenials = (run: HostRun): string[] =>
  ask(run, "log", "--json", "--denied", "--since", "1h")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { rule: string; asked: { command?: string } })
    .filter(({ asked }) => asked.command?.includes(MARK))
    .map(({ rule, asked }) => `${rule}: ${asked.command}`)
    .sort();

const listReplayedDenials = (run: HostRun): string[] =>
  (JSON.parse(ask(run, "replay", "--history", "--json", "--since", "1h")) as HistoryReport).rules
    .flatMap(({ rule, hook, decision, subjects }) =>
      subjects
        .filter(({ text }) => decision === "deny" && text.includes(MARK))
        .flatMap(({ text, calls }) => Array<string>(calls).fill(`${rule ?? hook}: ${text}`)),
    )
    .sort();
