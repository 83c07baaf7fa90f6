import { basename } from "node:path";
import type { Env } from "../../protocol/host/host.ts";
import type { InstallContext } from "../machine/install-context.ts";
import type { LogLine, PolicyChange } from "../../call/log/log-line.ts";
import { isProbeLine } from "../log/probe-lines.ts";
import { countLosses, type LogLosses } from "../log/losses.ts";
import { readLog, readLogAt } from "../log/read-log.ts";
import type { Policy } from "../policy/identity.ts";
import { collectStatus } from "../machine/status.ts";
import { describeWithheld, type OutcomeCounts } from "../log/outcomes.ts";
import {
  addToMachine,
  createMachineLog,
  describeCoverage,
  describeForeignCoverage,
  type MachineCoverage,
  type MachineLog,
} from "./coverage.ts";
import { type Breakdown, createTally, type StoppedGroup, type WithheldCount } from "./tally.ts";
import { countAt, createTimeline, type Timeline } from "./timeline.ts";

/** A group of calls that may have been stopped unnecessarily. */
export interface Candidate {
  /**
   * `allowed`: the current policy allows the call; `excepted`: a user's exception let it through; `withheld`: the mode
   * let it through.
   */
  why: "allowed" | "excepted" | "withheld";
  /** What enforcement would do, if a mode let the call through. */
  would?: string;
  hook?: string;
  rule?: string;
  subject: string;
  count: number;
  /** The newest of the calls, for `bridge-hooks explain`. */
  id: string;
  time: string;
}

/** The output of `report --json`. */
export interface Report {
  /** Each machine's coverage: whether its hosts' calls reach the hooks. */
  coverage: MachineCoverage[];
  /** This executable's version. */
  version: string;
  policy: Policy;
  since: string;
  until: string;
  /** The number of skipped lines: cut or invalid. */
  skipped: number;
  /** What the log lost in the period. */
  lost: LogLosses;
  counts: OutcomeCounts;
  /** Calls that modes let through, by what enforcement would do. */
  withheld: WithheldCount[];
  timeline: Timeline;
  by: Breakdown;
  candidates: Candidate[];
  /** Exceptions and pauses made by users, newest first. */
  changes: ({ time: string } & PolicyChange)[];
}

/** The maximum number of denied call groups replayed against the current policy, most frequent first. */
const MOST_ASKED = 50;

/** The current policy, for replaying past calls. */
export interface TodaysPolicy {
  /** Hooks without side effects, which may be replayed. */
  hooks: ReadonlySet<string>;
  /** Whether the current policy would allow the call in a log line. */
  isAllowed: (line: LogLine) => Promise<boolean>;
}

/** Another machine's log. */
export interface NamedLog {
  machine: string;
  /** A log file, or a directory with log files. */
  path: string;
}

/** Parses `NAME=PATH`, or a path whose last segment becomes the name. */
export function parseNamedLog(text: string): NamedLog {
  const [, name, given] = /^([\w.-]+)=(.+)$/.exec(text) ?? [];
  const path = given ?? text;
  return { machine: name ?? basename(path).replace(/\.jsonl$/, ""), path };
}

export interface ReportOrder {
  /** In milliseconds since the epoch. */
  since: number;
  /** Logs to read instead of this machine's. */
  logs: readonly NamedLog[];
  /** Finds reasons why this machine's hosts may ignore their entries, by host ID. */
  findFaults: () => Promise<ReadonlyMap<string, readonly string[]>>;
  env: Env;
  version: string;
}

/**
 * Reads the log of a period and the installation status.
 * @throws Error if a log is missing.
 */
export async function collectReport(order: ReportOrder, today: TodaysPolicy, context: InstallContext): Promise<Report> {
  const { since, logs, env, version, findFaults } = order;
  const until = Date.now();
  const reading = { skipped: 0 };
  const timeline = createTimeline(since, until);
  const tally = createTally();
  const changes: Report["changes"] = [];
  const readMachine = (log: MachineLog, lines: Iterable<LogLine>): MachineLog => {
    for (const line of lines) {
      // A policy change by a user isn't a call.
      if (line.change) changes.push({ time: line.time, ...line.change });
      else if (!isProbeLine(line)) {
        countAt(timeline, Date.parse(line.time), tally.add(line));
        addToMachine(log, line);
      }
    }
    return log;
  };
  const others = logs.map(({ machine, path }) =>
    readMachine(createMachineLog(machine), readLogAt(path, reading, since)),
  );
  const own = logs.length === 0 ? readMachine(createMachineLog(), readLog(env, reading, since)) : undefined;
  const status = await collectStatus({ hosts: [] }, context, version);
  return {
    coverage: own ? [describeCoverage(own, status, await findFaults())] : others.map(describeForeignCoverage),
    version,
    policy: status.policy,
    since: new Date(since).toISOString(),
    until: new Date(until).toISOString(),
    skipped: reading.skipped,
    lost: own ? countLosses(env, since) : { details: 0, unwritten: 0 },
    counts: tally.counts,
    withheld: tally.withheld,
    timeline,
    by: tally.breakdown,
    candidates: await findCandidates(tally.stopped, today, status.policy.mode === undefined),
    changes: changes.sort((a, b) => (a.time < b.time ? 1 : -1)),
  };
}

/**
 * Finds calls that a mode let through, and calls that were stopped but would pass under the current policy, for
 * instance because someone has since added an exception.
 * @param isEnforced Whether no mode currently lets calls through.
 */
async function findCandidates(
  stopped: readonly StoppedGroup[],
  today: TodaysPolicy,
  isEnforced: boolean,
): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  let asked = 0;
  for (const { line, outcome, ...group } of stopped) {
    const would = outcome === "withheld" ? { would: describeWithheld(line) } : {};
    const add = (why: Candidate["why"]) => candidates.push({ why, ...would, ...group, id: line.id, time: line.time });
    if (outcome === "withheld" || outcome === "excepted") add(outcome);
    else if (isEnforced && today.hooks.has(group.hook ?? "") && asked++ < MOST_ASKED)
      if (await today.isAllowed(line)) add("allowed");
  }
  return candidates;
}
