import { hostname } from "node:os";
import type { LogLine } from "../../call/log/log-line.ts";
import type { Status } from "../machine/status.ts";
import { formatCount } from "../text.ts";

/** A config file that contains bridge-hooks entries. */
export interface CoveredFile {
  scope: string;
  file: string;
  events: number;
  /** Changes that an installation with this executable would make to the file. */
  drift: string[];
  /** Other executables that the entries call, which have their own hooks. */
  others: string[];
}

/** Whether a host's calls reach the hooks. It is `unknown` for other machines, because only their log is available. */
export type CoverageState =
  "in force" | "faulty" | "drift" | "other executable" | "unreadable" | "no entries" | "unknown";

/** Whether a host's calls reach the hooks, and the evidence for it. */
export interface HostCoverage {
  host: string;
  state: CoverageState;
  /** Host version in the newest log line. */
  version?: string;
  installed: CoveredFile[];
  /** Config files that can't be read, with the error messages. */
  unreadable: { file: string; message: string }[];
  /** Other reasons why the host might ignore its entries, as reported by `doctor`. */
  faults: string[];
  /** Number of log lines from the host in the period. */
  calls: number;
  /** Times of the newest log line and of the newest denial that the host received. */
  last?: string;
  lastDenial?: string;
}

export interface MachineCoverage {
  machine: string;
  /** One-line summary of the coverage. */
  summary: string;
  /** Policies that decided calls in the period, newest first: `acme 1.4.0, hash 0123456789ab`. */
  policies: string[];
  hosts: HostCoverage[];
}

/** What a machine's log lines say about it. */
export interface MachineLog {
  machine: string;
  hosts: Map<string, Pick<HostCoverage, "version" | "calls" | "last" | "lastDenial">>;
  policies: Set<string>;
}

export const createMachineLog = (machine = hostname()): MachineLog => ({
  machine,
  hosts: new Map(),
  policies: new Set(),
});

const MAX_POLICIES = 20;

/** Adds a log line. Lines must be added from newest to oldest. */
export function addLogLine({ hosts, policies }: MachineLog, line: LogLine): void {
  const { policy, host, host_version, time, decision } = line;
  if (policy && policies.size < MAX_POLICIES) policies.add(`${policy.name} ${policy.version}, hash ${policy.hash}`);
  if (host === undefined) return;
  const { version = host_version, calls = 0, last = time, lastDenial } = hosts.get(host) ?? {};
  const denialTime = lastDenial ?? (decision === "deny" ? time : undefined);
  hosts.set(host, {
    ...(version && { version }),
    calls: calls + 1,
    last,
    ...(denialTime && { lastDenial: denialTime }),
  });
}

/** Describes the coverage of another machine, for which only the log is available. */
export function describeForeignCoverage(log: MachineLog): MachineCoverage {
  const hosts = [...log.hosts].map(([host, logInfo]): HostCoverage => ({
    host,
    state: "unknown",
    ...logInfo,
    ...{ installed: [], unreadable: [], faults: [] },
  }));
  return buildCoverage(log, hosts);
}

/** Describes the coverage of this machine. */
export function describeCoverage(
  log: MachineLog,
  { installed, unreadable, bare }: Status,
  faults: ReadonlyMap<string, readonly string[]>,
): MachineCoverage {
  const names = new Set([
    ...installed.map(({ host }) => host),
    ...unreadable.map(({ host }) => host),
    ...bare,
    ...log.hosts.keys(),
  ]);
  const hosts = [...names].map((host): HostCoverage => {
    const files = installed
      .filter((one) => one.host === host)
      .map(({ scope, file, events, drift, programs }) => ({
        scope,
        file,
        events: events.length,
        drift,
        others: programs.flatMap(({ program, other }) => (other ? [program] : [])),
      }));
    const unreadableFiles = unreadable
      .filter((one) => one.host === host)
      .map(({ file, message }) => ({ file, message }));
    const sources = { installed: files, unreadable: unreadableFiles, faults: [...(faults.get(host) ?? [])] };
    return { host, state: classifyCoverage(sources), calls: 0, ...log.hosts.get(host), ...sources };
  });
  return buildCoverage(log, hosts);
}

function classifyCoverage({
  installed,
  unreadable,
  faults,
}: Pick<HostCoverage, "installed" | "unreadable" | "faults">): CoverageState {
  if (unreadable.length > 0) return "unreadable";
  if (installed.length === 0) return "no entries";
  if (faults.length > 0) return "faulty";
  if (installed.some(({ drift }) => drift.length > 0)) return "drift";
  return installed.every(({ others }) => others.length > 0) ? "other executable" : "in force";
}

const buildCoverage = ({ machine, policies }: MachineLog, hosts: HostCoverage[]): MachineCoverage => ({
  machine,
  summary: summarizeHosts(hosts),
  policies: [...policies],
  hosts,
});

const STATE_NAMES: Readonly<Record<CoverageState, string>> = {
  "in force": "entries in force",
  faulty: "entries that the host ignores",
  drift: "outdated entries",
  "other executable": "entries that call another executable",
  unreadable: "unreadable config",
  "no entries": "no entries",
  unknown: "known only from the log",
};

/** Groups hosts by state: `no entries: HOST (3 calls in the log)`. */
export const groupHosts = (hosts: readonly HostCoverage[]): { state: CoverageState; text: string }[] =>
  (Object.keys(STATE_NAMES) as CoverageState[]).flatMap((state) => {
    const group = hosts.filter((one) => one.state === state);
    const names = group.map(({ host, calls }) =>
      state === "no entries" && calls > 0 ? `${host} (${formatCount(calls, "call")} in the log)` : host,
    );
    return group.length === 0 ? [] : [{ state, text: `${STATE_NAMES[state]}: ${names.join(", ")}` }];
  });

/** Summarizes hosts in one line: `entries in force: HOST, HOST; outdated entries: HOST`. */
const summarizeHosts = (hosts: readonly HostCoverage[]): string =>
  groupHosts(hosts)
    .map(({ text }) => text)
    .join("; ") || "no hosts found";
