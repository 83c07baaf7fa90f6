import { basename } from "node:path";
import type { Env } from "../../protocol/host/host.ts";
import type { InstallContext } from "../machine/install-context.ts";
import type { LogLine, PolicyChange } from "../../call/log/log-line.ts";
import { isProbeLine } from "../log/probe-lines.ts";
import { countLosses, type LogLosses } from "../log/losses.ts";
import { readLog, readLogAt } from "../log/read-log.ts";
import type { Policy } from "../policy/identity.ts";
import { collectStatus } from "../machine/status.ts";
import { describeWithheld, type Outcome, type OutcomeCounts } from "../log/outcomes.ts";
import {
  addLogLine,
  createMachineLog,
  describeCoverage,
  describeForeignCoverage,
  type MachineCoverage,
  type MachineLog,
} from "./coverage.ts";
import { type Breakdown, createTally, type StoppedGroup, type WithheldCount } from "./tally.ts";
import { countDecision, createTimeline, type Timeline } from "./timeline.ts";

/** A group of calls that were let through, or that might have been stopped unnecessarily. */
export interface Candidate {
  /**
   * Why the group is listed. `allowed`: the current policy would allow the calls. `excepted`: a user's exception
   * allowed them. `withheld`: the mode allowed them.
   */
  why: "allowed" | "excepted" | "withheld";
  /** The outcome that enforcement would have had. Absent if no mode allowed the calls. */
  would?: string;
  hook?: string;
  rule?: string;
  subject: string;
  count: number;
  /** ID of the newest call, for `bridge-hooks explain`. */
  id: string;
  time: string;
}

/** The output of `report --json`. */
export interface Report {
  /** For each machine, whether its hosts' calls reach the hooks. */
  coverage: MachineCoverage[];
  /** Version of this executable. */
  version: string;
  policy: Policy;
  since: string;
  until: string;
  /** Number of lines skipped because they were truncated or invalid. */
  skipped: number;
  /** Lines and details that the log lost in the period. */
  lost: LogLosses;
  counts: OutcomeCounts;
  /** Number of calls that modes allowed, grouped by their outcome under enforcement. */
  withheld: WithheldCount[];
  /** Number of calls that were denied because a hook or the call failed. */
  deniedByFailure: number;
  timeline: Timeline;
  by: Breakdown;
  candidates: Candidate[];
  /** Exceptions and pauses made by users, newest first. */
  changes: ({ time: string } & PolicyChange)[];
}

/** Lists the parts of an outcome's count that a report names separately. */
export function listOutcomeParts(
  { withheld, deniedByFailure }: Pick<Report, "withheld" | "deniedByFailure">,
  outcome: Outcome,
): WithheldCount[] {
  if (outcome === "denied" && deniedByFailure > 0)
    return [{ what: "because a hook or the call failed", count: deniedByFailure }];
  return outcome === "withheld" ? withheld : [];
}

/**
 * Maximum number of groups of stopped calls to replay against the current policy. The most frequent groups come first.
 */
const MAX_REPLAYED_GROUPS = 50;

/** The current policy, against which past calls are replayed. */
export interface CurrentPolicy {
  /** Names of the hooks without side effects. Only the decisions of these hooks are replayed. */
  hooks: ReadonlySet<string>;
  /** Returns whether the current policy would allow the call in a log line. */
  isAllowed: (line: LogLine) => Promise<boolean>;
}

/** A log from another machine. */
export interface NamedLog {
  machine: string;
  /** A log file or a directory of log files. */
  path: string;
}

/** Parses `NAME=PATH` or a plain path. Without a name, the last path segment becomes the name. */
export function parseNamedLog(text: string): NamedLog {
  const [, name, namedPath] = /^([\w.-]+)=(.+)$/.exec(text) ?? [];
  const path = namedPath ?? text;
  return { machine: name ?? basename(path).replace(/\.jsonl$/, ""), path };
}

export interface ReportOrder {
  /** Start of the period, in milliseconds since the epoch. */
  since: number;
  /** Logs to read instead of the log on this machine. */
  logs: readonly NamedLog[];
  /** Finds reasons why the hosts on this machine might ignore their entries, by host ID. */
  findFaults: () => Promise<ReadonlyMap<string, readonly string[]>>;
  env: Env;
  version: string;
}

/**
 * Reads the log lines in a period and the status of the installation.
 * @throws Error if a log is missing.
 */
export async function collectReport(
  order: ReportOrder,
  today: CurrentPolicy,
  context: InstallContext,
): Promise<Report> {
  const { since, logs, env, version, findFaults } = order;
  const until = Date.now();
  const reading = { skipped: 0 };
  const timeline = createTimeline(since, until);
  const tally = createTally();
  const changes: Report["changes"] = [];
  const readMachine = (log: MachineLog, lines: Iterable<LogLine>): MachineLog => {
    for (const line of lines) {
      // A line about a user's policy change doesn't describe a call.
      if (line.change) changes.push({ time: line.time, ...line.change });
      else if (!isProbeLine(line)) {
        countDecision(timeline, Date.parse(line.time), tally.add(line));
        addLogLine(log, line);
      }
    }
    return log;
  };
  const otherMachines = logs.map(({ machine, path }) =>
    readMachine(createMachineLog(machine), readLogAt(path, reading, since)),
  );
  const thisMachine = logs.length === 0 ? readMachine(createMachineLog(), readLog(env, reading, since)) : undefined;
  const status = await collectStatus({ hosts: [] }, context, version);
  return {
    coverage: thisMachine
      ? [describeCoverage(thisMachine, status, await findFaults())]
      : otherMachines.map(describeForeignCoverage),
    version,
    policy: status.policy,
    since: new Date(since).toISOString(),
    until: new Date(until).toISOString(),
    skipped: reading.skipped,
    lost: thisMachine ? countLosses(env, since) : { details: 0, unwritten: 0 },
    counts: tally.counts,
    withheld: tally.withheld,
    deniedByFailure: tally.deniedByFailure,
    timeline,
    by: tally.breakdown,
    candidates: await findCandidates(tally.stopped, today, status.policy.mode === undefined),
    changes: changes.sort((a, b) => (a.time < b.time ? 1 : -1)),
  };
}

/**
 * Finds calls that a mode or an exception allowed, and stopped calls that the current policy would allow (for example,
 * because an exception was added later).
 * @param isEnforced whether the current policy enforces everything
 */
async function findCandidates(
  stoppedGroups: readonly StoppedGroup[],
  today: CurrentPolicy,
  isEnforced: boolean,
): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  let replayCount = 0;
  for (const { line, outcome, ...group } of stoppedGroups) {
    const effect = outcome === "withheld" ? { would: describeWithheld(line) } : {};
    const add = (why: Candidate["why"]) => candidates.push({ why, ...effect, ...group, id: line.id, time: line.time });
    if (outcome === "withheld" || outcome === "excepted") add(outcome);
    else if (isEnforced && today.hooks.has(group.hook ?? "") && replayCount++ < MAX_REPLAYED_GROUPS)
      if (await today.isAllowed(line)) add("allowed");
  }
  return candidates;
}
