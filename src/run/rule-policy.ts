import { isObject } from "../protocol/object.ts";
import {
  type AddedRule,
  DEFAULT_RULE_POLICY,
  type RuleAction,
  type RuleException,
  type RulePolicy,
} from "../protocol/rule.ts";
import { wildcardPattern } from "../shell/wildcard.ts";
import { type ConfigFiles, isInside, isStringList, isTrusted, type ParsedConfig } from "./config.ts";

const STRICTNESS: Readonly<Record<RuleAction, number>> = { off: 0, ask: 1, deny: 2 };
const pickStricter = (a: RuleAction, b: RuleAction) => (STRICTNESS[b] > STRICTNESS[a] ? b : a);

/** The config files that speak of rules here; absent where there is none. */
interface RuleConfigs {
  managed?: ParsedConfig | undefined;
  user?: ParsedConfig | undefined;
  /** A project's file counts only where the project is trusted. */
  project?: ParsedConfig | undefined;
}

const speaksOfRules = ({ rules, exceptions }: ParsedConfig): boolean => rules !== undefined || exceptions !== undefined;

/**
 * Reads what the config files for a folder say about a hook's rules. What is wrong in them has no effect; `doctor`
 * reports it.
 * @throws Error when the managed or the user's file can't be read, unless a lock excludes the user's.
 */
export async function readRulePolicy(hook: string, files: ConfigFiles, cwd: string): Promise<RulePolicy> {
  const configs = await readRuleConfigs(hook, files);
  if (!Object.values(configs).some((config) => config !== undefined && speaksOfRules(config)))
    return DEFAULT_RULE_POLICY;
  return createRulePolicy(hook, configs, cwd);
}

async function readRuleConfigs(hook: string, { sources, read }: ConfigFiles): Promise<RuleConfigs> {
  const get = async (scope: keyof RuleConfigs) => {
    const source = sources.find((one) => one.scope === scope);
    return source && (await read(source));
  };
  const managed = await get("managed");
  const user = await get("user").catch((error: unknown) => {
    if (managed && isHookLocked(managed, hook)) return undefined;
    throw error;
  });
  // A project's file that can't be read does not count.
  const project = await get("project").catch(() => undefined);
  const trusted = [...(managed?.trusted ?? []), ...(user?.trusted ?? [])];
  return { managed, user, project: project && isTrusted(project.path, trusted) ? project : undefined };
}

const isHookLocked = ({ locked }: ParsedConfig, hook: string) => locked === true || locked.includes(hook);

/** Whether a file keeps weaker ones from changing a rule. */
const isRuleLocked = (config: ParsedConfig, hook: string, id: string): boolean =>
  isHookLocked(config, hook) ||
  (config.locked !== true &&
    config.locked.some((name) => name.startsWith("rules/") && isWildcardMatch(name.slice("rules/".length), id)));

const isWildcardMatch = (pattern: string, text: string) =>
  pattern === text || (pattern.includes("*") && wildcardPattern(pattern)(text));

/** The policy that config files make together. */
export function createRulePolicy(hook: string, { managed, user, project }: RuleConfigs, cwd: string): RulePolicy {
  const exceptions = new Map<ParsedConfig, FoundException[]>();
  const listOwn = (config: ParsedConfig) => {
    const known = exceptions.get(config);
    if (known) return known;
    const found = findExceptions(config, cwd);
    exceptions.set(config, found);
    return found;
  };
  const isUserLocked = (id: string) => managed !== undefined && isRuleLocked(managed, hook, id);
  const isProjectLocked = (id: string) => isUserLocked(id) || (user !== undefined && isRuleLocked(user, hook, id));
  return {
    isDefault: false,
    added: [managed, project, user].flatMap((config) => (config ? listAddedRules(config) : [])),
    resolveAction(id, action = "deny", enabled = true) {
      const [first, second, third] = [
        managed && readAction(managed, id, action),
        user && !isUserLocked(id) ? readAction(user, id, action) : undefined,
        project && !isProjectLocked(id) ? readAction(project, id, action) : undefined,
      ];
      const byDefault: RuleAction = enabled ? action : "off";
      // What the company says, a user can tighten; a project can tighten both.
      const own = first === undefined ? (second ?? byDefault) : pickStricter(first, second ?? "off");
      return pickStricter(own, third ?? "off");
    },
    listExceptions(id) {
      const fits = ({ rule }: FoundException) => isWildcardMatch(rule, id);
      const isOpen = !isUserLocked(id) && (!managed || readAction(managed, id, "deny") === undefined);
      return [...(managed ? listOwn(managed).filter(fits) : []), ...(user && isOpen ? listOwn(user).filter(fits) : [])];
    },
  };
}

/** What a file says becomes of a rule; undefined where it says nothing. A rule that it adds speaks for itself. */
function readAction({ rules }: ParsedConfig, id: string, action: "deny" | "ask"): RuleAction | undefined {
  const said = rules && Object.hasOwn(rules, id) ? rules[id] : undefined;
  if (!isObject(said)) return undefined;
  if (said.enabled === false) return "off";
  if (said.action === "deny" || said.action === "ask") return said.action;
  return said.enabled === true || said.program !== undefined ? action : undefined;
}

/** The rules that a file adds, without those whose form is wrong. */
function listAddedRules({ path, rules = {} }: ParsedConfig): AddedRule[] {
  const found: AddedRule[] = [];
  for (const id in rules) {
    const said = rules[id];
    if (!isObject(said)) continue;
    const { program, pattern = "", reason, advice, action, enabled } = said;
    if (typeof program !== "string" || typeof reason !== "string") continue;
    const patterns = typeof pattern === "string" ? [pattern] : pattern;
    if (!isStringList(patterns)) continue;
    found.push({
      id,
      program,
      patterns,
      reason,
      ...(typeof advice === "string" && { advice }),
      action: action === "ask" ? "ask" : "deny",
      enabled: enabled !== false,
      file: path,
    });
  }
  return found;
}

interface FoundException extends RuleException {
  rule: string;
}

/** The exceptions of a file that are in force in a folder, today. */
const findExceptions = ({ exceptions = [] }: ParsedConfig, cwd: string): FoundException[] =>
  exceptions.flatMap((said) => {
    if (!isObject(said)) return [];
    const { rule, match, project, reason, until } = said;
    const isText = (value: unknown) => value === undefined || (typeof value === "string" && value !== "");
    if (typeof rule !== "string" || typeof reason !== "string" || reason.trim() === "") return [];
    if (!isText(match) || !isText(project)) return [];
    if (until !== undefined && !(Date.now() < readEnd(until))) return [];
    if (typeof project === "string" && !isInside(cwd, project)) return [];
    return { rule, ...(typeof match === "string" && { match }) };
  });

/** When an exception ends, in milliseconds: a day ends in all time zones at once. NaN: this is no date. */
export function readEnd(until: unknown): number {
  if (typeof until !== "string") return Number.NaN;
  if (/^\d{4}-\d\d-\d\d$/.test(until)) return Date.parse(`${until}T23:59:59.999Z`);
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(until) ? Date.parse(until) : Number.NaN;
}
