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

/** Calls of one kind that were perhaps stopped without need. */
export interface Candidate {
  /** `allowed`: today's policy lets the call pass; `excepted`: a person let it pass; `withheld`: the mode did. */
  why: "allowed" | "excepted" | "withheld";
  /** What enforcing would make of it, where a mode let it pass. */
  would?: string;
  hook?: string;
  rule?: string;
  subject: string;
  count: number;
  /** The newest of them, for `bridge-hooks explain`. */
  id: string;
  time: string;
}

/** What `report --json` prints. */
export interface Report {
  /** Each machine, and whether its hosts' calls reach the hooks. */
  coverage: MachineCoverage[];
  /** The release of this executable. */
  version: string;
  policy: Policy;
  since: string;
  until: string;
  /** Lines that were skipped: cut, or not of this log. */
  skipped: number;
  /** What the log lost in this time. */
  lost: LogLosses;
  counts: OutcomeCounts;
  /** What modes let pass, by what would become of it. */
  withheld: WithheldCount[];
  timeline: Timeline;
  by: Breakdown;
  candidates: Candidate[];
  /** What a person let pass or paused, the newest first. */
  changes: ({ time: string } & PolicyChange)[];
}

/** How many kinds of denied calls today's policy is asked about, the most frequent first. */
const MOST_ASKED = 50;

/** The hooks of today, asked about calls of the past. */
export interface TodaysPolicy {
  /** The hooks that can be asked: it changes nothing. */
  hooks: ReadonlySet<string>;
  /** Whether a host would be told today that the call of a line may pass. */
  isAllowed: (line: LogLine) => Promise<boolean>;
}

/** The log of another machine. */
export interface NamedLog {
  machine: string;
  /** A file, or a folder with the files of a log. */
  path: string;
}

/** Reads `NAME=PATH`, or a path, whose last part is the name then. */
export function parseNamedLog(text: string): NamedLog {
  const [, name, given] = /^([\w.-]+)=(.+)$/.exec(text) ?? [];
  const path = given ?? text;
  return { machine: name ?? basename(path).replace(/\.jsonl$/, ""), path };
}

export interface ReportOrder {
  /** In milliseconds since the epoch. */
  since: number;
  /** Logs in place of this machine's. */
  logs: readonly NamedLog[];
  /** Finds what keeps hosts of this machine from obeying their entries, by the hosts' ids. */
  findFaults: () => Promise<ReadonlyMap<string, readonly string[]>>;
  env: Env;
  version: string;
}

/**
 * Reads the log of a period, and what is installed.
 * @throws Error for a log that is not there.
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
      // A person changed what counts: that is not a call.
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
 * Calls that a mode let pass, and calls that were stopped then and pass today: somebody has made an exception since.
 * @param isEnforced no mode lets calls pass today.
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
