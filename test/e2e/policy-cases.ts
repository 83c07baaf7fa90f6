import { pickCell } from "../../src/protocol/capability.ts";
import type { HistoryReport } from "../../src/cli/replay/history/report.ts";
import { scaleMs } from "../support/machine.ts";
import type { SessionStatus } from "../../src/cli/status/session.ts";
import {
  findFirstProblem,
  findRunProblem,
  hasReachedModel,
  type HostCase,
  type HostDriver,
  readProjectFile,
  TOKENS,
} from "./driver.ts";
import type { EventName } from "../../src/protocol/event.ts";
import { buildHostEnvironment, type ExecutableAction, type HostRun, type RunStep } from "./run.ts";

/** Part of these calls, to tell them apart in records shared by several runs. */
const MARK = "judged-twice";
const LINES = [
  `git push --force origin ${MARK}`,
  `echo ${MARK}`,
  `cat .env && echo ${MARK}`,
  `git push --force origin ${MARK}`,
];
const DENIED = LINES.length - 1;

/** Builds cases that run the product with the starter hooks, each in one real session. */
export const policyCases = (driver: HostDriver): HostCase[] => [
  compareRecords(driver),
  askInSession(driver),
  keepAdvice(driver),
  ...announceCases(driver),
];

function compareRecords({ host, bash }: HostDriver): HostCase {
  return {
    name: "the decision log and a replay of the host's own records agree about a session",
    setup: { script: { main: [...LINES.map((line) => ({ calls: [bash(line)] })), { text: "FINAL" }] } },
    executable: "product",
    judge(run) {
      const logged = listLoggedDenials(run);
      const replayed = host.loadHistory ? listReplayedDenials(run) : logged;
      return findFirstProblem(
        findRunProblem(run),
        logged.length !== DENIED && `the log has ${logged.length} of ${DENIED} denials: ${logged.join("; ")}`,
        logged.join() !== replayed.join() && `the log has ${logged.join("; ")}, and the replay ${replayed.join("; ")}`,
      );
    },
  };
}

/** Builds a case in which an agent runs a shell command to find out whether its session is governed. */
function askInSession({ host, bash, trust }: HostDriver): HostCase {
  const file = "session.json";
  const installed: RunStep = { before: [{ line: ["install", "--host", host.id, "--yes"] }] };
  return {
    name: "status tells the agent's shell that its session is governed",
    setup: {
      script: {
        main: [{ calls: [bash(`./bridge-hooks status --session --json > ${file}`)] }, { text: "FINAL" }],
      },
      copy: "project/bridge-hooks",
      untrusting: true,
      anew: true,
      steps: trust ? [installed, trust, {}] : [installed],
    },
    executable: "product",
    judge(run) {
      const text = readProjectFile(run, file);
      if (text === undefined) return findRunProblem(run) ?? "the command did not run";
      const { governed, asked_by, hosts } = JSON.parse(text) as SessionStatus;
      const found = hosts.map(({ host: id, problems }) => `${id} ${problems.map(({ what }) => what).join("; ")}`);
      return findFirstProblem(
        findRunProblem(run),
        // Some hosts don't set an environment variable that identifies their shells.
        asked_by !== (host.childVariables.length > 0 ? "agent" : "person") &&
          `status ran in the session of: ${asked_by}`,
        !governed && `status reported that the session is not governed: ${found.join(", ")}`,
        !hosts.some(({ host: id }) => id === host.id) && `status reported ${found.join(", ")}`,
      );
    },
  };
}

/**
 * Builds a case that checks who reads notices about unsupported answer fields: the hook's author must, and the model
 * must not. It covers allowed, changed and denied calls.
 */
function keepAdvice({ host, bash }: HostDriver): HostCase {
  const nameOf = (event: EventName) =>
    Object.entries(host.capabilities).find(([, row]) => row().event === event)?.[0] ?? event;
  // No host accepts session variables on these events.
  const lost = { session_env: { LOST: "1" } };
  const denial = { decision: "deny", reason: TOKENS.reason, ...lost } as const;
  const [PRE, POST] = [nameOf("PreToolUse"), nameOf("PostToolUse")];
  return {
    name: "no model reads advice for hook authors",
    setup: {
      script: {
        main: [
          ...["PASSED", "CHANGED", "DENIED", "FAILED"].map((word) => ({ calls: [bash(`echo ${word} > ${word}.txt`)] })),
          { text: "FINAL" },
        ],
      },
      events: [PRE, POST],
      plan: [
        { event: PRE, has: "PASSED", answer: lost },
        { event: PRE, has: "CHANGED", answer: { modified_input: { command: "echo x > REWRITTEN.txt" }, ...lost } },
        { event: PRE, has: "DENIED", answer: denial },
        { event: PRE, has: "FAILED", way: "throw" },
        { event: POST, has: "PASSED", answer: denial },
      ],
    },
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        ...["PASSED", "DENIED"].map(
          (word) => !run.requests.some(({ text }) => text.includes(word)) && `no call ${word} took place`,
        ),
        ...["session_env was dropped", "return it on SessionStart", "bridge-hooks: "].map(
          (text) => hasReachedModel(run, text) && `the model read: ${text}`,
        ),
      ),
  };
}

/** Part of the line that announces a session's policy, without whitespace because terminals can wrap lines anywhere. */
const ANNOUNCED = "appliestothissession,modeenforce";
const isAnnounced = (text: string) => text.replace(/\s/g, "").includes(ANNOUNCED);

/** Builds cases that check whether every audience of a host's announcements receives them when a session starts. */
function announceCases({ host, scenarios, says, shown, tells }: HostDriver): HostCase[] {
  return Object.entries(scenarios).flatMap(([native_event, scenario]) => {
    const row = host.capabilities[native_event]?.();
    if (row?.event !== "SessionStart") return [];
    return (["user", "model"] as const).flatMap((audience): HostCase[] => {
      const field = audience === "user" ? "user_message" : "additional_context";
      if (pickCell(row[field], says).support === "drop" || scenario.unseen?.[field]) return [];
      const { steps = [{}], plan: _, ...setup } = scenario.variants?.[field] ?? scenario.setup;
      const [first, ...others] = steps;
      const before: ExecutableAction[] = [
        { line: ["config", "set", "announce", audience] },
        { line: ["install", "--host", host.id, "--yes"] },
      ];
      const releases = audience === "user" ? (scenario.tells ?? tells ?? scenario.releases) : scenario.releases;
      return [
        {
          name: `${native_event}: the ${audience} is told which policy is active`,
          setup: { ...setup, steps: [{ ...first, before }, ...others] },
          executable: "product",
          ...(releases && { releases }),
          judge(run) {
            const reached = {
              user: isAnnounced(shown(run)),
              model: run.requests.some(({ text }) => isAnnounced(text)),
            };
            return findFirstProblem(
              findRunProblem(run),
              !reached[audience] && `the ${audience} was not told`,
              audience === "user" && reached.model && "the model was also told",
            );
          },
        },
      ];
    });
  });
}

/** Runs the product in the run's home directory and returns what it prints. */
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

/**
 * Lists the rule and command of each denied call that contains `MARK`, sorted. The log may be shared with other runs.
 */
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
