import { basename, delimiter, dirname } from "node:path";
import { hosts } from "../../hosts/index.ts";
import { type LogLine, getProjectPath } from "../../call/log/log-line.ts";
import { describePause, describeSessionPolicy, type SessionPolicy } from "../../call/session/session-policy.ts";
import { selectLines } from "../../operate/log/select-lines.ts";
import { listUndeliverable } from "../../operate/machine/desired-entries.ts";
import type { InstallContext } from "../../operate/machine/install-context.ts";
import type { Mode } from "../../policy/modes.ts";
import { listNamedRoots } from "../../protocol/project.ts";
import type { Host } from "../../protocol/host/host.ts";
import type { Finding } from "../../protocol/host/install.ts";
import { readTerminalFacts } from "../confirm/confirm.ts";
import { listProcessChain } from "../confirm/facts.ts";
import { diagnoseHosts } from "../doctor/doctor.ts";
import type { DoctorHostReport } from "../doctor/report.ts";
import { getOwnCommand } from "../../system/own-command.ts";

/** A host's part of `status --session`. */
export interface HostSessionStatus {
  host: string;
  /** Whether the host's entries are in force and denials take effect. */
  governed: boolean;
  /** The mode that withholds denials although the entries are in force. */
  withheld_by?: Exclude<Mode, "enforce">;
  /** Problems that leave the session ungoverned, with their fixes. */
  problems: { what: string; fix: string }[];
  /** The config files with entries, and their events. */
  entries: { file: string; events: string[] }[];
  /** Remarks, for example that a different executable's hooks apply. */
  notes: string[];
  policy: SessionPolicy;
  /** The session ID, if the log shows which of the host's variables contains it. */
  session?: string;
  /**
   * The newest log line about the session or, if no agent's session is detected, about the project. Absent if the log
   * has no such line from the last week.
   */
  last?: ReturnType<typeof pickFields>;
}

/** The output of `status --session --json`. */
export interface SessionStatus {
  /** Whether all hosts in `hosts` are governed. */
  governed: boolean;
  /** "agent" if a host's variables are set, otherwise "person". */
  asked_by: "agent" | "person";
  folder: string;
  hosts: HostSessionStatus[];
}

/**
 * Finds the hosts in whose sessions this process runs. A host is detected by environment variables that only it sets.
 */
export function findSessionHosts(env: NodeJS.ProcessEnv): Host[] {
  const isShared = (name: string) => hosts.filter(({ childVariables }) => childVariables.includes(name)).length > 1;
  return hosts.filter(({ childVariables }) => childVariables.some((name) => env[name] && !isShared(name)));
}

/**
 * Determines whether sessions here are governed: the calling agent's session, or the sessions of this machine's hosts.
 * @param hostIds if empty, the host detected from the environment, or else all hosts on this machine
 */
export async function collectSessionStatus(
  hostIds: readonly string[],
  context: InstallContext,
  version: string,
): Promise<SessionStatus> {
  const { env, home } = context.machine;
  const sessionHosts = findSessionHosts(env);
  const candidateIds = hostIds.length > 0 ? hostIds : sessionHosts.map(({ id }) => id);
  // Prefer the directory in which the session started, if the host reports it, because an agent's shell might have
  // changed directories.
  const roots = sessionHosts.flatMap(({ project }) => listNamedRoots(project, {}, env));
  const machine = { ...context.machine, env: await addRunningPrograms(env, sessionHosts) };
  const sessionContext = { ...context, machine: roots.length > 0 ? { ...machine, roots } : machine };
  const [folder = home] = sessionContext.machine.roots;
  const report = await diagnoseHosts(candidateIds, sessionContext, version);
  const descriptions = await Promise.all(
    report.hosts.map((hostReport) => describeHost(hostReport, sessionContext, folder)),
  );
  return {
    governed: descriptions.length > 0 && descriptions.every(({ governed }) => governed),
    asked_by: sessionHosts.length > 0 ? "agent" : "person",
    folder,
    hosts: descriptions,
  };
}

/**
 * Returns the environment with the running hosts' programs on PATH, because an agent's shell might have a different
 * PATH.
 */
async function addRunningPrograms(env: NodeJS.ProcessEnv, sessionHosts: readonly Host[]): Promise<NodeJS.ProcessEnv> {
  const names = sessionHosts.flatMap(({ programs }) => programs);
  const facts = names.length > 0 ? await readTerminalFacts() : undefined;
  const runningFolders = (facts ? listProcessChain(facts, facts.pid) : []).flatMap(({ executable = "" }) =>
    names.includes(basename(executable)) ? dirname(executable) : [],
  );
  return runningFolders.length > 0 ? { ...env, PATH: [...runningFolders, env.PATH].join(delimiter) } : env;
}

/**
 * Checks whose findings don't keep denials from taking effect. The findings are shown as remarks, and the session still
 * counts as governed.
 */
const REMARK_FINDINGS = ["other-build", "on-failure-ignored"];

async function describeHost(
  { host: id, version, entries, findings }: DoctorHostReport,
  { entries: hooks, machine }: InstallContext,
  folder: string,
): Promise<HostSessionStatus> {
  const host = hosts.find((candidate) => candidate.id === id) as Host;
  const session = { host, host_version: version, entries: hooks, folders: [folder] };
  const policy = await describeSessionPolicy(session);
  const isRemark = ({ check }: Finding) => REMARK_FINDINGS.includes(check);
  const problems = findings
    .filter((finding) => finding.level === "red" && !isRemark(finding))
    .map(({ what, fix }) => ({ what, fix }));
  if (policy.paused_until !== undefined)
    problems.push({
      what: `a user paused ${describePause(policy.paused_until)}`,
      fix: `to end the pause: ${getOwnCommand()} allow revoke --all`,
    });
  const isInForce = entries.length > 0 && problems.length === 0;
  const withheld_by = policy.mode === "enforce" ? undefined : policy.mode;
  const byFile = Map.groupBy(entries, ({ file }) => file);
  return {
    host: id,
    governed: isInForce && withheld_by === undefined,
    ...(isInForce && withheld_by !== undefined && { withheld_by }),
    problems,
    entries: [...byFile].map(([file, some]) => ({ file, events: [...new Set(some.map(({ event }) => event))] })),
    notes: [
      ...findings.filter(isRemark).map(({ what, impact }) => `${what}: ${impact}`),
      ...listUndeliverable(host, hooks).map((audience) => `not announced at the start of a session: ${audience}`),
    ],
    policy,
    ...findLastLine(host, machine.env, folder),
  };
}

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** Finds the newest log line about the session named by a host's variable, or otherwise about the project. */
function findLastLine(
  { id, childVariables }: Host,
  env: NodeJS.ProcessEnv,
  folder: string,
): Pick<HostSessionStatus, "session" | "last"> {
  const values = childVariables.flatMap((name) => env[name] ?? []);
  const project = values.length === 0 ? getProjectPath({ cwd: folder }) : undefined;
  const filter = { denied: false, hosts: [id], since: Date.now() - WEEK_MS, project };
  for (const line of selectLines(env, filter, { skipped: 0 })) {
    const { session } = line;
    if (values.length === 0) return { last: pickFields(line) };
    if (session !== undefined && values.includes(session)) return { session, last: pickFields(line) };
  }
  return {};
}

/** Omits the judged text, because another agent may have made the call. */
const pickFields = ({ id, time, event, tool, decision, wanted, mode, rule, hook }: LogLine) => ({
  ...{ id, time, decision, mode },
  ...(event && { event }),
  ...(tool !== undefined && { tool }),
  ...(wanted && { wanted }),
  ...(hook !== undefined && { hook }),
  ...(rule !== undefined && { rule }),
});
