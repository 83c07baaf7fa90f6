import type { RuleTerms } from "../protocol/hook.ts";
import { isObject } from "../protocol/object.ts";
import {
  type AddedRule,
  type CallConditions,
  type CallRule,
  type CallRuleKind,
  type Rule,
  DEFAULT_RULE_POLICY,
  type RuleAction,
  type RuleEffect,
  type RuleException,
  type RuleOrigin,
  type RulePolicy,
} from "../protocol/rule.ts";
import { isOwnRule, parseEnd, EXCEPTION } from "./describe.ts";
import { readPart } from "./schema.ts";
import type { ConfigFiles, ParsedConfig } from "./files.ts";
import { getConfigFolder, isInside, isTrusted } from "./read.ts";
import { findRuleProblems } from "./rule-check.ts";
import { fitsRuleId } from "./rule-ids.ts";
import { RULE_KINDS } from "./vocabulary.ts";

export const STRICTNESS: Readonly<Record<RuleAction, number>> = { off: 0, warn: 1, ask: 2, deny: 3 };
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
export async function readRulePolicy(
  hook: string,
  files: ConfigFiles,
  cwd: string,
  terms?: RuleTerms,
): Promise<RulePolicy> {
  const configs = await readRuleConfigs(hook, files);
  if (!Object.values(configs).some((config) => config !== undefined && speaksOfRules(config)))
    return DEFAULT_RULE_POLICY;
  return createRulePolicy(hook, configs, cwd, terms);
}

/** The config files whose word about rules counts here. */
export async function readRuleConfigs(hook: string, { sources, read }: ConfigFiles): Promise<RuleConfigs> {
  const get = async (scope: keyof RuleConfigs) => {
    const source = sources.find((one) => one.scope === scope);
    return source && (await read(source));
  };
  const managed = await get("managed");
  const user = await get("user").catch((error: unknown) => {
    if (managed && isHookLocked(managed, hook)) return undefined;
    throw error;
  });
  // A project's file that can't be read has no effect.
  const project = await get("project").catch(() => undefined);
  const trusted = [...(managed?.trusted ?? []), ...(user?.trusted ?? [])];
  return { managed, user, project: project && isTrusted(project, trusted) ? project : undefined };
}

const isHookLocked = ({ locked }: ParsedConfig, hook: string) => locked === true || locked.includes(hook);

/** Whether a file keeps weaker ones from changing a rule. */
export const isRuleLocked = (config: ParsedConfig, hook: string, id: string): boolean =>
  isHookLocked(config, hook) ||
  (config.locked !== true &&
    config.locked.some((name) => name.startsWith("rules/") && fitsRuleId(name.slice("rules/".length), id)));

/** The policy that config files make together. */
export function createRulePolicy(
  hook: string,
  { managed, user, project }: RuleConfigs,
  cwd: string,
  terms: RuleTerms | undefined,
): RulePolicy {
  const exceptions = new Map<ParsedConfig, FoundException[]>();
  const listOwn = (config: ParsedConfig) => {
    const known = exceptions.get(config);
    if (known) return known;
    const found = findExceptions(config, cwd);
    exceptions.set(config, found);
    return found;
  };
  const inOrder = [managed, project, user].filter((config) => config !== undefined);
  let names: ReturnType<typeof listNames> | undefined;
  const isUserLocked = (id: string) => managed !== undefined && isRuleLocked(managed, hook, id);
  const isProjectLocked = (id: string) => isUserLocked(id) || (user !== undefined && isRuleLocked(user, hook, id));
  return {
    isDefault: false,
    // Only hooks that enforce added rules ask for these.
    get setRules() {
      return (names ??= listNames(inOrder)).ids;
    },
    get addedPrograms() {
      return (names ??= listNames(inOrder)).programs;
    },
    findAdded: (program) => inOrder.flatMap((config) => findAddedRules(config, program, terms)),
    get addsCallRules() {
      return (names ??= listNames(inOrder)).hasCallRules;
    },
    findCallRules: (kind, fits) => inOrder.flatMap((config) => findCallRules(config, kind, fits, terms)),
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
      const fits = ({ rule }: FoundException) => fitsRuleId(rule, id);
      const isOpen = !isUserLocked(id) && (!managed || readAction(managed, id, "deny") === undefined);
      return [...(managed ? listOwn(managed).filter(fits) : []), ...(user && isOpen ? listOwn(user).filter(fits) : [])];
    },
  };
}

/** What a file says becomes of a rule; undefined where it says nothing. A rule that it adds speaks for itself. */
export function readAction({ rules }: ParsedConfig, id: string, action: RuleEffect): RuleAction | undefined {
  const configured = rules && Object.hasOwn(rules, id) ? rules[id] : undefined;
  // The terms of its pattern are left out: a rule of the company's that is wrong still binds the user.
  if (!isObject(configured) || findRuleProblems(id, configured).length > 0) return undefined;
  if (configured.enabled === false) return "off";
  if (configured.action !== undefined) return configured.action as RuleEffect;
  return configured.enabled === true || isOwnRule(configured) ? action : undefined;
}

/** The ids of the rules that files set, and the programs of those that they add: `|deploy|kubectl|`. */
function listNames(configs: readonly ParsedConfig[]): { ids: string; programs: string; hasCallRules: boolean } {
  let [ids, programs, hasCallRules] = ["", "", false];
  for (const { rules = {} } of configs)
    for (const id in rules) {
      const { program, path, mcp, tool, url } = (rules[id] ?? {}) as Record<string, unknown>;
      if (typeof program === "string") programs += `${program}|`;
      else if (path !== undefined || mcp !== undefined || tool !== undefined || url !== undefined) hasCallRules = true;
      else ids += `${id}|`;
    }
  return { ids: ids && `|${ids}`, programs: programs && `|${programs.toLowerCase()}`, hasCallRules };
}

/** An added rule as its file has it. */
export interface ConfiguredRule extends Omit<Rule, "id" | "deny" | "allow"> {
  deny?: readonly RuleExample[];
  allow?: readonly RuleExample[];
}

/** An example of a rule: a line, or a call by the fields of the rule. */
export type RuleExample = string | Readonly<Record<string, unknown>>;

/** The rules that a file adds, by their ids, without those that are void. */
export const listAddedRules = ({ rules = {} }: ParsedConfig, terms?: RuleTerms): [id: string, rule: ConfiguredRule][] =>
  Object.entries(rules).filter(
    (entry): entry is [string, ConfiguredRule] =>
      isObject(entry[1]) && isOwnRule(entry[1]) && findRuleProblems(...entry, terms).length === 0,
  );

/** The rules about a program that a file adds, without those that are wrong. */
function findAddedRules(
  { path, rules = {} }: ParsedConfig,
  program: string,
  terms: RuleTerms | undefined,
): AddedRule[] {
  const found: AddedRule[] = [];
  for (const id in rules) {
    const configured = (rules[id] ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof configured.program !== "string" || !isNamed(configured.program, program)) continue;
    if (findRuleProblems(id, configured, terms).length === 0) found.push(toAddedRule(id, configured as never, path));
  }
  return found;
}

/** The rules about calls that a file adds and whose conditions a call fits, without those that are wrong. */
function findCallRules<K extends CallRuleKind>(
  config: ParsedConfig,
  kind: K,
  fits: (conditions: CallConditions[K], origin: RuleOrigin) => boolean,
  terms: RuleTerms | undefined,
): CallRule[] {
  const found: CallRule[] = [];
  const { path, scope, rules = {} } = config;
  const origin: RuleOrigin = { file: path, ...(scope === "project" && { project: getConfigFolder(config) }) };
  const fields: readonly string[] = RULE_KINDS[kind].fields;
  for (const id in rules) {
    const configured = (rules[id] ?? {}) as Readonly<Record<string, unknown>>;
    if (!fields.some((field) => configured[field] !== undefined) || !fits(configured as never, origin)) continue;
    if (findRuleProblems(id, configured, terms).length > 0) continue;
    const { reason, advice, action = "deny", enabled = true } = configured as unknown as CallRule;
    found.push({
      id,
      reason,
      ...(advice !== undefined && { advice }),
      action,
      enabled,
      ...origin,
      conditions: configured as never,
    });
  }
  return found;
}

const isNamed = (programs: string, program: string) =>
  programs.includes("|") || programs.length === program.length
    ? `|${programs.toLowerCase()}|`.includes(`|${program.toLowerCase()}|`)
    : false;

/** @param said a rule without problems. */
const toAddedRule = (
  id: string,
  { program, pattern = "", reason, advice, action = "deny", enabled = true }: Omit<Rule, "id">,
  file: string,
): AddedRule => ({
  id,
  program: program as string,
  patterns: [pattern].flat(),
  reason,
  ...(advice !== undefined && { advice }),
  action,
  enabled,
  file,
});

interface FoundException extends RuleException {
  rule: string;
}

/** The exceptions of a file that are in force in a folder, now. */
const findExceptions = ({ exceptions = [] }: ParsedConfig, cwd: string): FoundException[] =>
  exceptions.flatMap((given) => {
    const { value, problems } = readPart(EXCEPTION, given);
    if (problems.length > 0) return [];
    const { rule, match, project, until } = value;
    if (until !== undefined && Date.now() >= parseEnd(until)) return [];
    if (project !== undefined && !isInside(cwd, project)) return [];
    return { rule, ...(match !== undefined && { match }) };
  });
