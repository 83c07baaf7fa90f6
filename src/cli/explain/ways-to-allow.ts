import { getManagedConfig } from "../../policy/config-paths.ts";
import { findHookRule, loadRuleCatalog } from "../../policy/check/rule-catalog.ts";
import { loadAllowPolicy } from "../../policy/load-allow.ts";
import { formatOwnCommand, getOwnCommand, quoteTypedFields, quoteTypedJson } from "../../system/own-command.ts";
import { escapeInvisible } from "../../operate/text.ts";
import { getOwner, listAllowableCalls } from "../allow/waiting-calls.ts";
import { changesBehavior } from "../config/change.ts";
import { findProposedSource, formatConfigChange } from "../config/suggested-change.ts";
import { isObject } from "../../protocol/object.ts";
import type { RuleEffect } from "../../protocol/rule.ts";
import type { AnyEvent } from "../../protocol/event.ts";
import { findWorkingExceptions, guessExceptions } from "./working-exceptions.ts";
import { type HookSet, nameHooksFolder } from "../find-hooks.ts";
import type { ListedRule } from "../rules/report.ts";

/** A blocked call, which the user may want to allow. */
export interface BlockedCall {
  hook?: string | undefined;
  rule?: string | undefined;
  /** The judged text as written in the call. */
  subject?: string | undefined;
  project?: string | undefined;
  /** Whether a failure prevented the hooks from judging the call. */
  hasFailed: boolean;
  /** Whether the current policy allows the call on every host, perhaps with a warning. */
  passesToday?: boolean | undefined;
  /** Names of the hosts that can't ask the user about a call and deny it instead. */
  deniesAsked?: readonly string[] | undefined;
  /** The mode that let the call through. */
  passedBy?: string | undefined;
  /** The log line's ID; absent for a hypothetical call. */
  id?: string | undefined;
  /** The full shell command, if known. */
  command?: string | undefined;
  /** The full call, if known. */
  event?: AnyEvent | undefined;
}

/** A way to allow calls like this one: a description, and a command to run unchanged. */
export interface WayToAllow {
  text: string;
  command?: string;
  /** The command split into multiple lines that can be pasted together. Absent if a single line is short enough. */
  lines?: readonly string[];
}

/** Matches placeholders for text that the log omits. */
const OMITTED_TEXT =
  /\[(?:cut: )?\d+ characters\]|\[cut|\[[a-z-]+-(?:token|key|url)\]|\[(?:private-key|password|authorization|cookie|passphrase|credential|secret|token|key)\]/;

/** Whether the log omitted part of the text. */
export const hasOmission = (text: string): boolean => OMITTED_TEXT.test(text);

/** Lists ways to allow a call, narrowest first. */
export async function listWaysToAllow(
  call: BlockedCall,
  hooks: HookSet,
  cwd: string,
  listedRule: ListedRule | undefined,
): Promise<WayToAllow[]> {
  const { hook, rule, hasFailed, passesToday } = call;
  if (passesToday)
    return [{ text: `such a call is now allowed${listedRule?.action === "warn" ? ", with a warning" : ""}` }];
  if (hook === undefined || hasFailed) return suggestTrials(call);
  const isFixedRule = rule !== undefined && findHookRule(await loadRuleCatalog(hooks, cwd), rule)?.rule.fixed;
  if (isFixedRule) return [{ text: `${rule} can't have exceptions` }];
  if (listedRule?.lockedBy !== undefined)
    return [{ text: `${listedRule.lockedBy} locks ${rule}; only that file can contain an exception` }];
  const exactWay = await findExactException(call);
  if (rule !== undefined)
    return [...exactWay, ...(await listConfigChanges({ ...call, rule, action: listedRule?.action }, hooks, cwd))];
  if (exactWay.some(({ command }) => command !== undefined)) return exactWay;
  const advice = `the hook ${hook} decided without a rule; check its settings or code to see what it allows`;
  return [...exactWay, { text: advice, command: formatOwnCommand(["list", ...nameHooksFolder(hooks)]) }];
}

/** Suggests how to find out what failed. */
function suggestTrials({ command }: BlockedCall): WayToAllow[] {
  const isShown = command !== undefined && !command.includes("\n") && escapeInvisible(command) === command;
  return [
    { text: "a failure decided this call, not a rule; find out what failed", command: formatOwnCommand(["doctor"]) },
    ...(isShown
      ? [{ text: "try the same call again", command: formatOwnCommand(["try", "--explain", "--command", command]) }]
      : []),
  ];
}

/** Returns the command that allows exactly this call, or the reason why no such command exists. */
async function findExactException({ id, hook = "", rule, passedBy }: BlockedCall): Promise<WayToAllow[]> {
  if (passedBy !== undefined) {
    const allows = id === undefined ? "allows" : "allowed";
    return [{ text: `mode ${passedBy} ${allows} this call; to keep allowing such calls once the mode is enforce:` }];
  }
  if (id === undefined) return [];
  const policy = await loadAllowPolicy().catch(() => undefined);
  const managed = getManagedConfig();
  if (!policy) return [{ text: `${managed} can't be read, so no exception can be created` }];
  if (policy.by === "nobody") return [{ text: `${managed} forbids exceptions; ask its owner` }];
  if (policy.isLocked(hook, rule))
    return [{ text: `${managed} locks ${rule ?? hook}; only that file can contain an exception` }];
  if (!listAllowableCalls(getOwner()).some((call) => call.id === id))
    return [{ text: "this exact call can't be allowed: the denial is too old, or the call can't have exceptions" }];
  const text = "allow exactly this call once, from your own terminal";
  return policy.by === "administrators"
    ? [{ text: `${text}, as an administrator`, command: formatOwnCommand(["allow", id, "--managed"], "sudo") }]
    : [{ text, command: formatOwnCommand(["allow", id]) }];
}

const DAY_MS = 24 * 3_600_000;
/** The lifetime, in days, of an exception in suggested commands. */
const EXCEPTION_DAYS = 30;

const formatDay = (time: number) => new Date(time).toISOString().slice(0, 10);

/** A change to the user's config file. */
interface ConfigChange {
  text: string;
  key: string;
  value: unknown;
}

/** Lists valid changes to the user's config file that would allow calls like this one. */
async function listConfigChanges(
  call: BlockedCall & { rule: string; action?: RuleEffect | undefined },
  hooks: HookSet,
  cwd: string,
): Promise<WayToAllow[]> {
  const { rule, action, deniesAsked = [] } = call;
  const denyingNote = deniesAsked.length === 0 ? "" : `; ${deniesAsked.join(", ")} can't ask and would still deny`;
  const ask = {
    text: `ask the user instead of denying, in every project${denyingNote}`,
    key: `rules.${rule}.action`,
    value: "ask",
  };
  const ways: ConfigChange[][] = [await listExceptions(call, hooks), ...(action === "deny" ? [[ask]] : [])];
  const waysToAllow: WayToAllow[] = [];
  for (const changes of ways) {
    const commands = await formatChanges(changes, hooks, cwd);
    // A call stopped by multiple rules needs an exception for each of them.
    if (commands.length === changes.length) waysToAllow.push(...commands);
  }
  return waysToAllow.length > 0
    ? waysToAllow
    : [{ text: `your config file can't weaken ${rule}; to see why: ${getOwnCommand()} config show --origin` }];
}

async function formatChanges(changes: readonly ConfigChange[], hooks: HookSet, cwd: string): Promise<WayToAllow[]> {
  const ways: WayToAllow[] = [];
  const proposed = findProposedSource(cwd);
  for (const { text, key, value } of changes) {
    const change = { key, value: JSON.stringify(value), scope: "user" } as const;
    if (await changesBehavior(change, hooks, cwd)) {
      if (proposed?.scope === "user") {
        ways.push({ text: `${text}: ${formatConfigChange(change, cwd)}` });
        continue;
      }
      const set = formatOwnCommand(["config", "set", ...nameHooksFolder(hooks), key]);
      const [first, ...rest] = (isObject(value) && quoteTypedFields(value)) || [];
      ways.push({
        text,
        command: `${set} ${typeof value === "string" ? value : quoteTypedJson(value)}`,
        ...(first !== undefined && { lines: [`${set} ${first}`, ...rest] }),
      });
    }
  }
  return ways;
}

/** Lists the exceptions that a call needs: one for each rule that stops the call. */
async function listExceptions(
  { rule, subject, hook, event, project, id }: BlockedCall & { rule: string },
  hooks: HookSet,
): Promise<ConfigChange[]> {
  const entry = hooks.entries.find(({ name }) => name === hook);
  const exceptions =
    event && entry?.pure
      ? await findWorkingExceptions(entry, event, { rule, subject })
      : subject !== undefined && hasOmission(subject)
        ? []
        : guessExceptions({ rule, subject });
  const now = Date.now();
  const until = formatDay(now + EXCEPTION_DAYS * DAY_MS);
  const scope = project === undefined ? "everywhere" : "in this project";
  return (exceptions ?? []).map(({ rule: broken, match }, at) => ({
    text: `${at === 0 ? "" : "and "}an exception for ${describeMatch(broken, match)}, ${scope}, until ${until} (permanent without "until")`,
    key: "exceptions.+",
    value: {
      rule: broken,
      ...(match !== undefined && { match }),
      ...(project !== undefined && { project }),
      reason: id === undefined ? `allowed on ${formatDay(now)}` : `allowed after the denial ${id}`,
      until,
    },
  }));
}

const describeMatch = (rule: string, match: string | undefined): string =>
  match === undefined ? `everything that ${rule} matches` : `"${match}"`;
