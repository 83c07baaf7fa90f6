import { existsSync } from "node:fs";
import type { AnyEvent } from "../../protocol/event.ts";
import { type Tool, TOOLS } from "../../protocol/tool.ts";
import { hosts } from "../../hosts/index.ts";
import { isObject } from "../../protocol/object.ts";
import type { LogLine } from "../../call/log/log-line.ts";
import { completeEvent } from "../../author/testing/event.ts";
import { openConfigFiles } from "../../policy/files.ts";
import { isOwnSetting, resolveHookSettings } from "../../policy/check/hook-settings.ts";
import { getOwner, listWaitingCalls } from "../allow/waiting-calls.ts";
import type { HookSet } from "../find-hooks.ts";
import { identifyPolicy } from "../../operate/policy/identity.ts";
import type { TodaysPolicy } from "../../operate/report/report.ts";
import { separatePureHooks } from "../replay/causes.ts";
import type { ListedRule } from "../rules/report.ts";
import { collectRules } from "../rules/rules.ts";
import { tryHooks } from "../try/try.ts";
import type { CallReport, SettingReport } from "../try/report.ts";
import { listWaysToAllow, type WayToAllow } from "./ways-to-allow.ts";

/** What became of a call, and why. */
export interface Explanation {
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
  decision: string;
  hook?: string | undefined;
  rule?: string | undefined;
  subject?: string | undefined;
  reason?: string | undefined;
}

/** What hosts are told, all of them in the same words. */
export interface HostVerdict {
  hosts: readonly string[];
  decision: string;
  reason?: string | undefined;
}

/** Explains a line of the log. */
export async function explainLine(line: LogLine, hooks: HookSet): Promise<Explanation> {
  const { folder, tried, problem } = await tryLine(line, hooks);
  const { hash } = await identifyPolicy(hooks, folder);
  const { decision, wanted, hook, rule, subject, reason, asked } = line;
  const verdict = {
    decision:
      wanted === undefined
        ? decision
        : line.exceptions
          ? `${wanted}, let pass on purpose by the exception ${line.exceptions.join(", ")}`
          : line.mode === "enforce"
            ? `${wanted}, told as ${decision}`
            : `${wanted}, withheld by the mode ${line.mode}`,
    hook,
    rule,
    subject,
    reason,
  };
  const command = isObject(asked) && typeof asked.command === "string" ? asked.command : undefined;
  return {
    line,
    ...(tried && { today: tried.verdicts }),
    ...(problem !== undefined && { untried: problem }),
    ...(await describeCause(verdict, hooks, folder, {
      hasFailed: line.failures !== undefined,
      project: line.project,
      id: isWaiting(line.id) ? line.id : undefined,
    })),
    ...(command !== undefined && { command }),
    isChanged: line.policy !== undefined && hash !== undefined && hash !== line.policy.hash,
  };
}

/** Asks the hooks about the call of a line; `problem` says why that can't be done. */
async function tryLine(line: LogLine, hooks: HookSet) {
  const folder = [line.cwd, line.project].find((one) => one !== undefined && existsSync(one)) ?? process.cwd();
  const { event, problem } = rebuildEvent(line, folder);
  return { folder, problem, tried: event && (await tryEvent(event, hooks)) };
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
    ...(await describeCause(verdict, hooks, event.cwd, { hasFailed: verdict.decision === "failed" })),
    ...(command !== undefined && { command }),
    isChanged: false,
  };
}

async function describeCause(
  verdict: Verdict,
  hooks: HookSet,
  cwd: string,
  { hasFailed, project, id }: { hasFailed: boolean; project?: string | undefined; id?: string | undefined },
) {
  const { rules } = await collectRules(hooks, cwd);
  const rule = rules.find(({ id }) => id === verdict.rule);
  const isStopped = !/^(none|allow)$/.test(verdict.decision);
  return {
    verdict,
    ...(rule && { rule }),
    settings: verdict.hook === undefined ? [] : await collectSettings(verdict.hook, hooks, cwd),
    ways: isStopped ? await listWaysToAllow({ ...verdict, project, hasFailed, id }, hooks, cwd, rule) : [],
  };
}

/** Whether a denied call can be allowed on purpose. */
const isWaiting = (id: string) => listWaitingCalls(getOwner()).some((call) => call.id === id);

async function collectSettings(name: string, hooks: HookSet, cwd: string): Promise<SettingReport[]> {
  const entry = hooks.entries.find((one) => one.name === name);
  return entry ? (await resolveHookSettings(entry, openConfigFiles(cwd))).settings.filter(isOwnSetting) : [];
}

async function tryEvent(event: AnyEvent, hooks: HookSet): Promise<{ verdicts: HostVerdict[]; verdict: Verdict }> {
  const report = await tryHooks(hooks, { event, hosts, flags: [] });
  const calls = report.hosts.flatMap(({ name, calls: all }) => all.slice(0, 1).map((call) => ({ name, call })));
  const groups = Map.groupBy(calls, ({ call }) => JSON.stringify([call.decision, call.response.reason ?? ""]));
  const verdicts = [...groups.values()].map((group) => {
    const { decision, response } = (group[0] as (typeof calls)[number]).call;
    return { hosts: group.map(({ name }) => name), decision, reason: response.reason };
  });
  return { verdicts, verdict: findVerdict(calls.map(({ call }) => call)) };
}

const STRICTNESS = ["deny", "ask", "failed", "allow"];

/** The strictest decision of a hook, at the first host that it was made at. */
function findVerdict(calls: readonly CallReport[]): Verdict {
  for (const decision of STRICTNESS)
    for (const call of calls)
      for (const { name, response, failure } of call.hooks)
        if ((failure === undefined ? response.decision : "failed") === decision) {
          const { rule, subject, reason } = response;
          return { decision, hook: name, rule, subject, reason: failure ?? reason };
        }
  return { decision: "none" };
}

/** What the log leaves out of texts. */
const LEFT_OUT =
  /\[(?:cut: )?\d+ characters\]|\[cut|\[[a-z-]+-(?:token|key|url)\]|\[(?:private-key|password|authorization|cookie|passphrase|credential|secret|token|key)\]/;

/** The event of a line, to ask today's hooks about it; only before a tool call, where asking changes nothing. */
function rebuildEvent(line: LogLine, cwd: string): { event?: AnyEvent; problem?: string } {
  const { event, tool, asked, part } = line;
  if (part === "head")
    return { problem: "the details of the call are lost: its process was ended before it wrote them" };
  if (event !== "PreToolUse" || !isObject(asked) || !(TOOLS as readonly string[]).includes(tool ?? ""))
    return { problem: "only calls of tools are tried again, before they run" };
  if (line.content === "structure" || LEFT_OUT.test(JSON.stringify(asked)))
    return { problem: "the log left out a part of the call" };
  try {
    const setting = { host: line.host ?? "", session_id: "bridge-hooks-explain", cwd };
    return { event: completeEvent({ event, tool: tool as Tool, input: asked as never }, setting) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
