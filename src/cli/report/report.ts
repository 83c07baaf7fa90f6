import { hostname } from "node:os";
import type { Env } from "../../protocol/host/host.ts";
import { hosts } from "../../hosts/index.ts";
import { explainLine } from "../explain/explain.ts";
import type { HookSet } from "../find-hooks.ts";
import type { InstallContext } from "../../operate/machine/install-context.ts";
import type { PolicyChange } from "../../call/log/log-line.ts";
import { readLog } from "../../operate/log/read-log.ts";
import type { Policy } from "../../operate/policy/identity.ts";
import { separatePureHooks } from "../replay/causes.ts";
import { collectStatus } from "../../operate/machine/status.ts";
import type { OutcomeCounts } from "../../operate/log/outcomes.ts";
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

/** Reads the log of a period, and what is installed. */
export async function collectReport(
  since: number,
  hooks: HookSet,
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
    counts: tally.counts,
    timeline,
    by: tally.breakdown,
    candidates: await findCandidates(tally.stopped, hooks, status.policy.mode === undefined),
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
  hooks: HookSet,
  isEnforced: boolean,
): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  // A hook that does more than to judge a call is not asked for a report.
  const { pure } = separatePureHooks(hooks.entries);
  const judged = new Set(pure.map(({ name }) => name));
  let asked = 0;
  for (const { line, outcome, ...group } of stopped) {
    const add = (why: Candidate["why"]) => candidates.push({ why, ...group, id: line.id, time: line.time });
    if (outcome === "withheld" || outcome === "excepted") add(outcome);
    else if (isEnforced && judged.has(group.hook ?? "") && asked++ < MOST_ASKED)
      if (await isAllowedToday(line, { ...hooks, entries: pure })) add("allowed");
  }
  return candidates;
}

const PASSING: readonly string[] = ["allow", "none"];

async function isAllowedToday(line: StoppedGroup["line"], hooks: HookSet): Promise<boolean> {
  const { today } = await explainLine(line, hooks);
  const host = hosts.find(({ id }) => id === line.host)?.name ?? "";
  const verdict = today?.find((one) => one.hosts.includes(host));
  return verdict !== undefined && PASSING.includes(verdict.decision);
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
