import { existsSync } from "node:fs";
import type { AnyEvent } from "../../protocol/event.ts";
import { hosts } from "../../hosts/index.ts";
import { isObject } from "../../protocol/object.ts";
import type { LogLine } from "../../call/log/log-line.ts";
import { formatWithheld, isWithheld } from "../../operate/log/describe.ts";
import { rebuildEvent } from "../replay/rebuild-event.ts";
import { openConfigFiles } from "../../policy/files.ts";
import { isOwnSetting, resolveHookSettings } from "../../policy/check/hook-settings.ts";
import type { HookSet } from "../find-hooks.ts";
import { identifyPolicy } from "../../operate/policy/identity.ts";
import type { TodaysPolicy } from "../../operate/report/report.ts";
import { separatePureHooks } from "../replay/causes.ts";
import type { ListedRule } from "../rules/report.ts";
import { collectRules } from "../rules/rules.ts";
import { tryHooks } from "../try/try.ts";
import type { CallReport, SettingReport } from "../try/report.ts";
import type { ChosenDenial } from "./last-denial.ts";
import { findVerdict, formatVerdict, isLetPass, type Passing } from "../try/verdict.ts";
import { describeAudience, isAnnounced } from "../try/withheld-text.ts";
import { type BlockedCall, listWaysToAllow, type WayToAllow } from "./ways-to-allow.ts";

/** What became of a call, and why. */
export interface Explanation {
  /** Why this line is explained, if nothing was named. */
  chosen?: ChosenDenial;
  /** As it was logged; absent for a line that was typed. */
  line?: LogLine;
  /** What would be decided about the call today; absent where the log does not tell enough of it. */
  today?: readonly HostVerdict[];
  /** Why not. */
  untried?: string;
  /** What is explained: the decision that was logged, or that of today. */
  verdict: Verdict;
  /** The words of the call. */
  command?: string;
  /** The rule as it is today; absent where no hook has it. */
  rule?: ListedRule;
  /** The settings of the hook as they are today. */
  settings: readonly SettingReport[];
  /** The policy of today is another one. */
  isChanged: boolean;
  ways: readonly WayToAllow[];
}

export interface Verdict {
  /** As people read it: `would deny (mode: observe)`. */
  decision: string;
  hook?: string | undefined;
  rule?: string | undefined;
  subject?: string | undefined;
  reason?: string | undefined;
  /** The rule only warns, under every mode. */
  isWarning?: true | undefined;
  /** The mode that lets the call pass. */
  withheld?: Passing | undefined;
}

/** What hosts are told, all of them in the same words. */
export interface HostVerdict {
  hosts: readonly string[];
  decision: string;
  reason?: string | undefined;
  /** What the policy decides, where the call passes all the same: `would deny (mode: observe)`, or `warn`. */
  withheld?: string | undefined;
}

/** Explains a line of the log. */
export async function explainLine(line: LogLine, hooks: HookSet): Promise<Explanation> {
  const { folder, tried, problem, event } = await tryLine(line, hooks);
  const { hash } = await identifyPolicy(hooks, folder);
  const { action, hook, rule, subject, reason, asked } = line;
  const verdict = {
    decision: nameLoggedVerdict(line),
    hook,
    rule,
    subject,
    reason,
    ...(action === "warn" && { isWarning: true as const }),
  };
  const command = isObject(asked) && typeof asked.command === "string" ? asked.command : undefined;
  return {
    line,
    ...(tried && { today: tried.verdicts }),
    ...(problem !== undefined && { untried: problem }),
    ...(await describeCause(verdict, hooks, folder, {
      hasFailed: line.failures !== undefined,
      passedBy: isWithheld(line) ? line.mode : undefined,
      passesToday: tried?.verdicts.every((one) => PASSING.includes(one.decision) && one.withheld === undefined),
      project: line.project,
      id: line.id,
      command: problem === undefined ? command : undefined,
      event,
    })),
    ...(command !== undefined && { command }),
    isChanged: line.policy !== undefined && hash !== undefined && hash !== line.policy.hash,
  };
}

/** What was decided about the call of a line, and what kept that from the host. */
function nameLoggedVerdict(line: LogLine): string {
  const { decision, action, wanted, exceptions } = line;
  if (isWithheld(line)) return formatWithheld(line);
  if (action === "warn") return "warn";
  if (wanted === undefined) return decision;
  return exceptions
    ? `${wanted}, let pass on purpose by the exception ${exceptions.join(", ")}`
    : `${wanted}, told as ${decision}`;
}

/** Asks the hooks about the call of a line; `problem` says why that can't be done. */
async function tryLine(line: LogLine, hooks: HookSet) {
  const folder = [line.cwd, line.project].find((one) => one !== undefined && existsSync(one)) ?? process.cwd();
  const { event, problem } = rebuildEvent(line, folder);
  return { folder, problem, event, tried: event && (await tryEvent(event, hooks)) };
}

const PASSING: readonly string[] = ["allow", "none"];

/** Prepares the hooks to be asked what they would decide today about calls of the log. */
export function createTodaysPolicy(hooks: HookSet): TodaysPolicy {
  // A hook that does more than to judge a call is not asked about one of the past.
  const { pure } = separatePureHooks(hooks.entries);
  return {
    hooks: new Set(pure.map(({ name }) => name)),
    async isAllowed(line) {
      const { tried } = await tryLine(line, { ...hooks, entries: pure });
      const host = hosts.find(({ id }) => id === line.host)?.name ?? "";
      const verdict = tried?.verdicts.find((one) => one.hosts.includes(host));
      return verdict !== undefined && PASSING.includes(verdict.decision);
    },
  };
}

/** Explains what would be decided about an event. */
export async function explainEvent(event: AnyEvent, hooks: HookSet, command?: string): Promise<Explanation> {
  const { verdicts, verdict } = await tryEvent(event, hooks);
  return {
    today: verdicts,
    ...(await describeCause(verdict, hooks, event.cwd, { hasFailed: verdict.decision === "failed", command, event })),
    ...(command !== undefined && { command }),
    isChanged: false,
  };
}

async function describeCause(
  verdict: Verdict,
  hooks: HookSet,
  cwd: string,
  call: Omit<BlockedCall, "hook" | "rule" | "subject">,
) {
  const { rules } = await collectRules(hooks, cwd);
  const rule = rules.find(({ id }) => id === verdict.rule);
  // No mode stops a call that a rule only warns about.
  const isStopped = !/^(none|allow)$/.test(verdict.decision) && !verdict.isWarning;
  return {
    verdict,
    ...(rule && { rule }),
    settings: verdict.hook === undefined ? [] : await collectSettings(verdict.hook, hooks, cwd),
    ways: isStopped ? await listWaysToAllow({ ...verdict, ...call }, hooks, cwd, rule) : [],
  };
}

async function collectSettings(name: string, hooks: HookSet, cwd: string): Promise<SettingReport[]> {
  const entry = hooks.entries.find((one) => one.name === name);
  return entry ? (await resolveHookSettings(entry, openConfigFiles(cwd))).settings.filter(isOwnSetting) : [];
}

async function tryEvent(event: AnyEvent, hooks: HookSet): Promise<{ verdicts: HostVerdict[]; verdict: Verdict }> {
  const report = await tryHooks(hooks, { event, hosts, flags: [] });
  const calls = report.hosts.flatMap(({ name, calls: all }) => all.slice(0, 1).map((call) => ({ name, call })));
  const verdicts = calls.map(({ name, call }) => ({ name, ...describeHostVerdict(call) }));
  const groups = Map.groupBy(verdicts, ({ name: _, ...verdict }) => JSON.stringify(verdict));
  const found = findVerdict(calls.map(({ call }) => call));
  return {
    verdicts: [...groups.values()].map((group) => {
      const { name: _, ...verdict } = group[0] as (typeof verdicts)[number];
      return { hosts: group.map(({ name }) => name), ...verdict };
    }),
    verdict: found
      ? { ...found, decision: formatVerdict(found), ...(found.decision === "warn" && { isWarning: true }) }
      : { decision: "none" },
  };
}

function describeHostVerdict(call: CallReport): Omit<HostVerdict, "hosts"> {
  const { decision, response } = call;
  const verdict = findVerdict([call]);
  if (!verdict || !isLetPass(verdict) || !PASSING.includes(decision)) return { decision, reason: response.reason };
  const audience = isAnnounced(verdict) ? `; shown to ${describeAudience(call)}` : "";
  return { decision, reason: response.reason, withheld: `${formatVerdict(verdict)}${audience}` };
}
