import { existsSync } from "node:fs";
import type { AnyEvent } from "../../protocol/event.ts";
import { getCells, pickCell } from "../../protocol/capability.ts";
import { getCapabilityRow, type Host } from "../../protocol/host/host.ts";
import { hosts } from "../../hosts/index.ts";
import type { LogLine } from "../../call/log/log-line.ts";
import { isWithheld } from "../../operate/log/describe.ts";
import { rebuildEvent } from "../replay/rebuild-event.ts";
import { openConfigFiles } from "../../policy/files.ts";
import { isOwnSetting, resolveHookSettings } from "../../policy/check/hook-settings.ts";
import type { HookSet } from "../find-hooks.ts";
import { identifyPolicy } from "../../operate/policy/identity.ts";
import type { CurrentPolicy } from "../../operate/report/report.ts";
import { separatePureHooks } from "../replay/causes.ts";
import type { ListedRule } from "../rules/report.ts";
import { collectRules } from "../rules/rules.ts";
import { tryHooks } from "../try/try.ts";
import type { CallReport, SettingReport } from "../try/report.ts";
import { listWarnings } from "../try/summary.ts";
import { findVerdict, formatVerdict, isAllowedAnyway } from "../try/verdict.ts";
import { describeAudience, isAnnounced } from "../try/withheld-text.ts";
import { findDisabledRules } from "../try/turned-off-rules.ts";
import { findUserExceptions } from "./user-exceptions.ts";
import { findExceptedCall } from "./working-exceptions.ts";
import { explainForeignLine, isForeign, readLoggedCommand, readLoggedVerdict } from "./logged-verdict.ts";
import type { Explanation, HostVerdict, Verdict } from "./explanation.ts";
import { type BlockedCall, listWaysToAllow } from "./ways-to-allow.ts";

export async function explainLine(line: LogLine, hooks: HookSet): Promise<Explanation> {
  const { hash, name } = await identifyPolicy(hooks, findCallFolder(line));
  if (isForeign(line, name, hooks)) return explainForeignLine(line);
  const { folder, tried, problem, event } = await retryLoggedCall(line, hooks);
  const verdict = readLoggedVerdict(line);
  const command = readLoggedCommand(line);
  return {
    line,
    ...(tried && { today: tried.verdicts }),
    ...(problem !== undefined && { untried: problem }),
    ...(await describeCause(verdict, hooks, folder, {
      hasFailed: line.failures !== undefined,
      wasExcepted: line.exceptions !== undefined && line.decision === "none",
      passedBy: isWithheld(line) ? line.mode : undefined,
      passesToday:
        tried &&
        !tried.verdict.withheld &&
        tried.verdicts.every((hostVerdict) => PASSING_DECISIONS.includes(hostVerdict.decision)),
      deniesAsked: tried?.deniesAsked,
      project: line.project,
      id: line.id,
      command: problem === undefined ? command : undefined,
      event,
    })),
    ...(command !== undefined && { command }),
    isChanged: line.policy !== undefined && hash !== undefined && hash !== line.policy.hash,
  };
}

/** Returns the directory in which to replay a logged call. */
export const findCallFolder = ({ cwd, project }: LogLine): string =>
  [cwd, project].find((candidate) => candidate !== undefined && existsSync(candidate)) ?? process.cwd();

/** Replays a logged call. If that isn't possible, `problem` explains why. */
async function retryLoggedCall(line: LogLine, hooks: HookSet) {
  const folder = findCallFolder(line);
  const { event, problem } = rebuildEvent(line, folder);
  return { folder, problem, event, tried: event && (await tryEvent(event, hooks)) };
}

const PASSING_DECISIONS: readonly string[] = ["allow", "none"];

/** Prepares the hooks for replaying logged calls under the current policy. */
export function createCurrentPolicy(hooks: HookSet): CurrentPolicy {
  // Don't replay past calls through hooks with side effects.
  const { pure } = separatePureHooks(hooks.entries);
  return {
    hooks: new Set(pure.map(({ name }) => name)),
    async isAllowed(line) {
      const { tried } = await retryLoggedCall(line, { ...hooks, entries: pure });
      const host = hosts.find(({ id }) => id === line.host)?.name ?? "";
      const verdict = tried?.verdicts.find((hostVerdict) => hostVerdict.hosts.includes(host));
      return verdict !== undefined && PASSING_DECISIONS.includes(verdict.decision);
    },
  };
}

/** Explains the decision on an event under the current policy. */
export async function explainEvent(event: AnyEvent, hooks: HookSet, command?: string): Promise<Explanation> {
  const { verdicts, verdict, deniesAsked, hasFailed } = await tryEvent(event, hooks);
  const call = {
    hasFailed,
    passedBy: verdict.withheld?.mode,
    command,
    event,
    deniesAsked,
  };
  return {
    today: verdicts,
    ...(await describeCause(verdict, hooks, event.cwd, call)),
    ...(command !== undefined && { command }),
    isChanged: false,
  };
}

type DecidedCall = Omit<BlockedCall, "hook" | "rule" | "subject"> & {
  /** Whether an exception allowed the call. */
  wasExcepted?: boolean;
};

async function describeCause(initialVerdict: Verdict, hooks: HookSet, cwd: string, call: DecidedCall) {
  const { rules } = await collectRules(hooks, cwd);
  const leniency = await findAllowances(initialVerdict, hooks, call, rules);
  const { excepted, turnedOffRules: [offRule] = [] } = leniency;
  const { hook, rule: id, subject, reason } = (call.wasExcepted ? undefined : (excepted ?? offRule)) ?? initialVerdict;
  const verdict = { ...initialVerdict, hook, rule: id, subject, reason };
  const rule = rules.find((candidate) => candidate.id === id);
  // A rule that only warns never stops a call.
  const isStopped = !PASSING_DECISIONS.includes(verdict.decision) && !verdict.isWarning;
  const isEnforced = hooks.entries.some((entry) => entry.name === hook && entry.enforced);
  const userExceptions = isStopped && !isEnforced && call.event ? await findUserExceptions(call.event, verdict) : [];
  return {
    verdict,
    ...leniency,
    ...(userExceptions.length > 0 && { userExceptions }),
    ...(rule && { rule }),
    settings: hook === undefined ? [] : await collectSettings(hook, hooks, cwd),
    ways: isStopped && !call.wasExcepted ? await listWaysToAllow({ ...verdict, ...call }, hooks, cwd, rule) : [],
  };
}

/** Finds the config exceptions that allow a call or, if none do, the rules that would stop the call if they were on. */
async function findAllowances(
  { decision, hook }: Verdict,
  hooks: HookSet,
  { event, wasExcepted = false }: DecidedCall,
  rules: readonly ListedRule[],
): Promise<Pick<Explanation, "excepted" | "turnedOffRules">> {
  const isPassed = PASSING_DECISIONS.includes(decision);
  if (!event || (!isPassed && !wasExcepted)) return {};
  const excepted = wasExcepted || hook === undefined ? await findExceptedCall(hooks, event, rules) : undefined;
  if (excepted) return { excepted };
  const turnedOffRules = isPassed ? await findDisabledRules(hooks, event, rules) : [];
  return turnedOffRules.length > 0 ? { turnedOffRules } : {};
}

async function collectSettings(name: string, hooks: HookSet, cwd: string): Promise<SettingReport[]> {
  const entry = hooks.entries.find((candidate) => candidate.name === name);
  return entry ? (await resolveHookSettings(entry, openConfigFiles(cwd))).settings.filter(isOwnSetting) : [];
}

/** The decision on an event under the current policy, per host and overall. */
interface TriedEvent {
  verdicts: HostVerdict[];
  verdict: Verdict;
  /** Names of the hosts that can't ask the user about the call and deny it instead. */
  deniesAsked: string[];
  /** Whether a failure, and not a hook's answer, decides the call. */
  hasFailed: boolean;
}

async function tryEvent(event: AnyEvent, hooks: HookSet): Promise<TriedEvent> {
  const report = await tryHooks(hooks, { event, hosts, flags: [] });
  const calls = report.hosts.flatMap(({ host: id, name, calls: all }) =>
    all.slice(0, 1).map((call) => ({ id, name, call })),
  );
  const verdicts = calls.map(({ id, name, call }) => ({ name, ...describeHostVerdict(call, id) }));
  const groups = Map.groupBy(verdicts, ({ name: _, ...verdict }) => JSON.stringify(verdict));
  const strictest = findVerdict(calls.map(({ call }) => call));
  const deniesAsked = calls.flatMap(({ name, call }) =>
    deniesAsk(hosts.find((host) => host.name === name) as Host, call.native_event) ? [name] : [],
  );
  const hasFailed = strictest?.decision === "failed" && strictest.withheld === undefined;
  const [decision, ...otherDecisions] = new Set(calls.map(({ call }) => call.decision));
  return {
    deniesAsked,
    hasFailed,
    verdicts: [...groups.values()].map((group) => {
      const { name: _, ...verdict } = group[0] as (typeof verdicts)[number];
      return { hosts: group.map(({ name }) => name), ...verdict };
    }),
    verdict: strictest
      ? {
          ...strictest,
          decision: hasFailed && otherDecisions.length === 0 ? `${decision} (a hook failed)` : formatVerdict(strictest),
          ...(strictest.decision === "warn" && { isWarning: true }),
        }
      : { decision: "none" },
  };
}

/** Returns the reason in a host's answer without warnings or, if hooks failed, the failures that the hosts share. */
function describeReason({ hooks, response: { reason }, ...call }: CallReport, host: string): string | undefined {
  if (hooks.some(({ failure }) => failure !== undefined))
    return listWarnings({ hooks, response: {}, ...call }, host)
      .filter((text) => /^hooks? ".* failed: /.test(text))
      .join("; ");
  return reason
    ?.split("\n")
    .filter((line) => !call.warnings.includes(line))
    .join(" ");
}

const deniesAsk = (host: Host, native_event: string): boolean =>
  pickCell(getCells(getCapabilityRow(host, native_event), "ask"), undefined).support === "downgrade";

function describeHostVerdict(call: CallReport, host: string): Omit<HostVerdict, "hosts"> {
  const { decision, response } = call;
  const { modified_input: newInput } = response;
  const answer = { decision, reason: describeReason(call, host), ...(newInput && { newInput }) };
  const verdict = findVerdict([call]);
  if (!verdict || !isAllowedAnyway(verdict) || !PASSING_DECISIONS.includes(decision)) return answer;
  const audience = isAnnounced(verdict) ? `; shown to ${describeAudience(call)}` : "";
  return { ...answer, withheld: `${formatVerdict(verdict)}${audience}` };
}
