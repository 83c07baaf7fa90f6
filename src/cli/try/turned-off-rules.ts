import { isStopped } from "../../call/exceptions/find-exceptions.ts";
import { resolveHookSettings } from "../../policy/check/hook-settings.ts";
import { openConfigFiles } from "../../policy/files.ts";
import { type ConfigScope, listConfigSources } from "../../policy/sources.ts";
import type { AnyEvent } from "../../protocol/event.ts";
import type { HookDescriptor } from "../../protocol/hook.ts";
import type { RulePolicy } from "../../protocol/rule.ts";
import { changesBehavior, type ConfigChange } from "../config/change.ts";
import { findProposedSource, formatConfigChange } from "../config/suggested-change.ts";
import { type HookSet, nameHooksFolder } from "../find-hooks.ts";
import type { ListedRule } from "../rules/report.ts";
import { formatPath } from "../terminal/layout.ts";
import { collectRules } from "../rules/rules.ts";
import type { CallReport } from "./report.ts";
import { runWithPolicy } from "./run-with-policy.ts";
import { findVerdict } from "./verdict.ts";

/** A rule that would stop a call if it were on. */
export interface DisabledRule {
  hook: string;
  rule: string;
  decision: "deny" | "ask";
  subject?: string | undefined;
  reason?: string | undefined;
  /** The setting that turns the rule off; absent if the rule is off by default. */
  origin?: SettingOrigin | undefined;
  /** The command that turns the rule on, or the change to the file from --config; absent if nothing the user can change would. */
  command?: string | undefined;
  /** The config file that locks the rule. */
  lockedBy?: string | undefined;
}

interface SettingOrigin {
  key: string;
  file: string;
  scope: ConfigScope | undefined;
}

/** The maximum number of rules to report for each hook. */
const MAX_RULES = 5;

/** Finds the rules that would stop a call if they were on, by judging the call again with every rule on. */
export async function findDisabledRules(
  hooks: HookSet,
  event: AnyEvent,
  rules: readonly ListedRule[],
): Promise<DisabledRule[]> {
  const foundRules: DisabledRule[] = [];
  for (const entry of hooks.entries) {
    const offRules = rules.filter(({ hook, enabled }) => hook === entry.name && !enabled);
    if (!entry.pure || !entry.events.includes(event.event) || offRules.length === 0) continue;
    const knownIds: string[] = [];
    while (knownIds.length < MAX_RULES) {
      const response = await runWithPolicy(entry, event, (policy) => turnOnRules(policy, knownIds));
      const rule = offRules.find(({ id }) => id === response?.rule && !knownIds.includes(id));
      if (!response || !isStopped(response) || !rule) break;
      const { decision, subject, reason } = response;
      const origin = await findOrigin(rule, entry, event.cwd);
      knownIds.push(rule.id);
      foundRules.push({
        ...{ hook: entry.name, rule: rule.id, decision: decision as "deny" | "ask", subject, reason },
        origin,
        command: await findCommand(rule, origin, hooks, event.cwd),
        lockedBy: rule.lockedBy,
      });
    }
  }
  return foundRules;
}

/** Finds the rules that would stop a tried call if they were on. Empty unless the call is simply allowed. */
export async function findDisabledRulesOfCalls(
  hooks: HookSet,
  event: AnyEvent,
  calls: readonly Pick<CallReport, "hooks">[],
): Promise<DisabledRule[]> {
  const isStoppedOrExcepted =
    /^(?:deny|ask|failed)$/.test(findVerdict(calls)?.decision ?? "") ||
    calls.some((call) => call.hooks.some(({ allowed }) => allowed));
  return isStoppedOrExcepted ? [] : findDisabledRules(hooks, event, (await collectRules(hooks, event.cwd)).rules);
}

/** Turns on all rules, except rules that only warn and the given rules. */
const turnOnRules = (policy: RulePolicy, exceptIds: readonly string[]): RulePolicy =>
  Object.create(policy, {
    isDefault: { value: false },
    resolveAction: {
      value: ((id, action = "deny", enabled = true) => {
        const currentAction = policy.resolveAction(id, action, enabled);
        return currentAction === "off" && action !== "warn" && !exceptIds.includes(id) ? action : currentAction;
      }) satisfies RulePolicy["resolveAction"],
    },
  }) as RulePolicy;

/** Finds the setting that turns a rule off: in `rules`, or a hook setting without which the rule would be on. */
async function findOrigin(
  { id, source, setBy }: ListedRule,
  entry: HookDescriptor,
  cwd: string,
): Promise<SettingOrigin | undefined> {
  const key = `rules.${id}.enabled`;
  const statement = setBy.find(({ action }) => action === "off");
  if (statement) return { key, file: statement.file, scope: statement.scope };
  if (source !== "built-in")
    return { key, file: source, scope: listConfigSources(cwd).find(({ path }) => path === source)?.scope };
  const { hook, settings } = await resolveHookSettings(entry, openConfigFiles(cwd));
  const options = Object.fromEntries(settings.map(({ name, value }) => [name, value]));
  for (const setting of settings) {
    if (setting.file === undefined) continue;
    const rules = await hook?.rules?.({ ...options, [setting.name]: setting.default } as never);
    if (rules?.find((rule) => rule.id === id)?.enabled !== false)
      return { key: `hooks.${entry.name}.${setting.name}`, file: setting.file, scope: setting.scope };
  }
  return undefined;
}

/**
 * Returns the change that turns a rule on: removing the hook setting that turns it off, or enabling the rule. The change
 * is made in the file from --config or, if another file turns the rule off, in the user's file.
 */
async function findCommand(
  { id }: ListedRule,
  origin: SettingOrigin | undefined,
  hooks: HookSet,
  cwd: string,
): Promise<string | undefined> {
  const proposed = findProposedSource(cwd);
  const isProposed = proposed !== undefined && (origin === undefined || origin.file === proposed.path);
  const scope = isProposed ? proposed.scope : "user";
  const changes: ConfigChange[] = [
    ...(origin?.key.startsWith("hooks.") && origin.scope === scope ? [{ key: origin.key, scope }] : []),
    { key: `rules.${id}.enabled`, value: "true", scope },
  ];
  for (const change of changes)
    if (await changesBehavior(change, hooks, cwd)) return formatConfigChange(change, cwd, nameHooksFolder(hooks));
  return undefined;
}

/** Describes which rule would stop a call, why the rule is off, and how to turn it on. */
export function formatDisabledRule({ rule, decision, origin, command, lockedBy }: DisabledRule): string[] {
  const scope = origin?.scope === undefined ? "" : ` (${origin.scope})`;
  const cause = origin ? `: "${origin.key}" in ${formatPath(origin.file)}${scope}` : " by default";
  return [
    `${rule} would ${decision} this call, but is off${cause}`,
    command !== undefined
      ? `to turn it on: ${command}`
      : lockedBy === undefined
        ? "your config file can't turn it on"
        : `only ${formatPath(lockedBy)} can turn it on`,
  ];
}
