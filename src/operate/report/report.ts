import { hostname } from "node:os";
import type { Env } from "../../protocol/host/host.ts";
import type { InstallContext } from "../machine/install-context.ts";
import type { LogLine, PolicyChange } from "../../call/log/log-line.ts";
import { countLosses, type LogLosses } from "../log/losses.ts";
import { readLog } from "../log/read-log.ts";
import type { Policy } from "../policy/identity.ts";
import { collectStatus } from "../machine/status.ts";
import type { OutcomeCounts } from "../log/outcomes.ts";
import { type Breakdown, createTally, type StoppedGroup } from "./tally.ts";
import { countAt, createTimeline, type Timeline } from "./timeline.ts";

/** Calls of one kind that were perhaps stopped without need. */
export interface Candidate {
  /** `allowed`: today's policy lets the call pass; `excepted`: a person let it pass; `withheld`: the mode did. */
  why: "allowed" | "excepted" | "withheld";
  hook?: string;
  rule?: string;
  subject: string;
  count: number;
  /** The newest of them, for `bridge-hooks explain`. */
  id: string;
  time: string;
}

/** What stands between a host and its calls. */
export interface HostCoverage {
  host: string;
  /** As the newest line says. */
  version?: string;
  /** The config files with entries of ours, and what an installation of this executable would change in them. */
  installed: { scope: string; file: string; events: number; drift: string[] }[];
  /** When the newest line was written, and the newest of a denial that the host was told. */
  last?: string;
  lastDenial?: string;
}

/** What `report --json` prints. */
export interface Report {
  /** The release of this executable. */
  version: string;
  policy: Policy;
  machine: string;
  since: string;
  until: string;
  /** Lines that were skipped: cut, or not of this log. */
  skipped: number;
  /** What the log lost in this time. */
  lost: LogLosses;
  counts: OutcomeCounts;
  timeline: Timeline;
  by: Breakdown;
  candidates: Candidate[];
  /** What a person let pass or paused, the newest first. */
  changes: ({ time: string } & PolicyChange)[];
  coverage: HostCoverage[];
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

/** Reads the log of a period, and what is installed. */
export async function collectReport(
  since: number,
  today: TodaysPolicy,
  context: InstallContext,
  { env, version }: { env: Env; version: string },
): Promise<Report> {
  const until = Date.now();
  const reading = { skipped: 0 };
  const timeline = createTimeline(since, until);
  const tally = createTally();
  const changes: Report["changes"] = [];
  const seen = new Map<string, Omit<HostCoverage, "host" | "installed">>();
  for (const line of readLog(env, reading, since)) {
    // A person changed what counts: that is not a call.
    if (line.change) {
      changes.push({ time: line.time, ...line.change });
      continue;
    }
    countAt(timeline, Date.parse(line.time), tally.add(line));
    if (line.host === undefined) continue;
    const { version: release = line.host_version, last = line.time, lastDenial } = seen.get(line.host) ?? {};
    const denied = lastDenial ?? (line.decision === "deny" ? line.time : undefined);
    seen.set(line.host, { ...(release && { version: release }), last, ...(denied && { lastDenial: denied }) });
  }
  const status = await collectStatus({ hosts: [] }, context, version);
  return {
    version,
    policy: status.policy,
    machine: hostname(),
    since: new Date(since).toISOString(),
    until: new Date(until).toISOString(),
    skipped: reading.skipped,
    lost: countLosses(env, since),
    counts: tally.counts,
    timeline,
    by: tally.breakdown,
    candidates: await findCandidates(tally.stopped, today, status.policy.mode === undefined),
    changes,
    coverage: describeCoverage(status, seen),
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
    const add = (why: Candidate["why"]) => candidates.push({ why, ...group, id: line.id, time: line.time });
    if (outcome === "withheld" || outcome === "excepted") add(outcome);
    else if (isEnforced && today.hooks.has(group.hook ?? "") && asked++ < MOST_ASKED)
      if (await today.isAllowed(line)) add("allowed");
  }
  return candidates;
}

function describeCoverage(
  { installed, bare }: Awaited<ReturnType<typeof collectStatus>>,
  seen: ReadonlyMap<string, Omit<HostCoverage, "host" | "installed">>,
): HostCoverage[] {
  const names = new Set([...installed.map(({ host }) => host), ...bare, ...seen.keys()]);
  return [...names].map((host) => ({
    host,
    ...seen.get(host),
    installed: installed
      .filter((one) => one.host === host)
      .map(({ scope, file, events, drift }) => ({ scope, file, events: events.length, drift })),
  }));
}
