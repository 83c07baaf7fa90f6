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
import { isOwnRule, parseEnd, EXCEPTION_SCHEMA } from "./describe.ts";
import { readPart } from "./schema.ts";
import type { ConfigFiles, ParsedConfig } from "./files.ts";
import { getConfigFolder, isInside, isTrusted } from "./read.ts";
import { findRuleProblems } from "./rule-check.ts";
import { matchesRuleId } from "./rule-ids.ts";
import { RULE_KINDS } from "./vocabulary.ts";

export const STRICTNESS: Readonly<Record<RuleAction, number>> = { off: 0, warn: 1, ask: 2, deny: 3 };
const pickStricter = (a: RuleAction, b: RuleAction) => (STRICTNESS[b] > STRICTNESS[a] ? b : a);

/** The config files that apply to rules. Fields for missing files are absent. */
interface RuleConfigs {
  managed?: ParsedConfig | undefined;
  user?: ParsedConfig | undefined;
  /** The project's file. Applies only if the project is trusted. */
  project?: ParsedConfig | undefined;
}

const mentionsRules = ({ rules, exceptions }: ParsedConfig): boolean => rules !== undefined || exceptions !== undefined;

/**
 * Reads the policy for a hook's rules from the config files. Invalid parts have no effect; `doctor` reports them.
 * @throws Error if the managed or the user's file can't be read; a user's file that a lock excludes isn't read
 */
export async function readRulePolicy(
  hook: string,
  files: ConfigFiles,
  cwd: string,
  terms?: RuleTerms,
): Promise<RulePolicy> {
  const configs = await readRuleConfigs(hook, files);
  if (!Object.values(configs).some((config) => config !== undefined && mentionsRules(config)))
    return DEFAULT_RULE_POLICY;
  return createRulePolicy(hook, configs, cwd, terms);
}

/** Reads the config files that apply to a hook's rules. */
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
  // Ignore an unreadable project file.
  const project = await get("project").catch(() => undefined);
  const trustedFolders = [...(managed?.trusted ?? []), ...(user?.trusted ?? [])];
  return { managed, user, project: project && isTrusted(project, trustedFolders) ? project : undefined };
}

const isHookLocked = ({ locked }: ParsedConfig, hook: string) => locked === true || locked.includes(hook);

/** Returns whether a file locks a rule, so that files with lower precedence can't change it. */
export const isRuleLocked = (config: ParsedConfig, hook: string, id: string): boolean =>
  isHookLocked(config, hook) ||
  (config.locked !== true &&
    config.locked.some((name) => name.startsWith("rules/") && matchesRuleId(name.slice("rules/".length), id)));

/** Combines the config files into a policy for a hook's rules. */
export function createRulePolicy(
  hook: string,
  { managed, user, project }: RuleConfigs,
  cwd: string,
  terms: RuleTerms | undefined,
): RulePolicy {
  const exceptions = new Map<ParsedConfig, FoundException[]>();
  const listOwn = (config: ParsedConfig) => {
    const cachedExceptions = exceptions.get(config);
    if (cachedExceptions) return cachedExceptions;
    const list = findExceptions(config, cwd);
    exceptions.set(config, list);
    return list;
  };
  const orderedConfigs = [managed, project, user].filter((config) => config !== undefined);
  let names: ReturnType<typeof listNames> | undefined;
  const isUserLocked = (id: string) => managed !== undefined && isRuleLocked(managed, hook, id);
  const isProjectLocked = (id: string) => isUserLocked(id) || (user !== undefined && isRuleLocked(user, hook, id));
  return {
    isDefault: false,
    // Collect the names only on demand: few hooks enforce added rules, and the others don't need them.
    get setRules() {
      return (names ??= listNames(orderedConfigs)).ids;
    },
    get addedPrograms() {
      return (names ??= listNames(orderedConfigs)).programs;
    },
    findAdded: (program) => orderedConfigs.flatMap((config) => findAddedRules(config, program, terms)),
    get addsCallRules() {
      return (names ??= listNames(orderedConfigs)).hasCallRules;
    },
    findCallRules: (kind, fits) => orderedConfigs.flatMap((config) => findCallRules(config, kind, fits, terms)),
    resolveAction(id, action = "deny", enabled = true) {
      const [first, second, third] = [
        managed && readAction(managed, id, action),
        user && !isUserLocked(id) ? readAction(user, id, action) : undefined,
        project && !isProjectLocked(id) ? readAction(project, id, action) : undefined,
      ];
      const defaultAction: RuleAction = enabled ? action : "off";
      // A user's file can only make the administrator's setting stricter, and a project's file only the combination of
      // both.
      const withoutProject = first === undefined ? (second ?? defaultAction) : pickStricter(first, second ?? "off");
      return pickStricter(withoutProject, third ?? "off");
    },
    listExceptions(id) {
      const appliesToRule = ({ rule }: FoundException) => matchesRuleId(rule, id);
      const isOpen = !isUserLocked(id) && (!managed || readAction(managed, id, "deny") === undefined);
      return [
        ...(managed ? listOwn(managed).filter(appliesToRule) : []),
        ...(user && isOpen ? listOwn(user).filter(appliesToRule) : []),
      ];
    },
  };
}

/**
 * Returns what a file says should happen to calls that match a rule. Returns undefined if the file doesn't mention the
 * rule. If the file adds the rule, its entry contains the action.
 */
export function readAction({ rules }: ParsedConfig, id: string, action: RuleEffect): RuleAction | undefined {
  const configured = rules && Object.hasOwn(rules, id) ? rules[id] : undefined;
  // Don't check the terms in the pattern. A rule in the managed file restricts the user's file even if its pattern is
  // invalid.
  if (!isObject(configured) || findRuleProblems(id, configured).length > 0) return undefined;
  if (configured.enabled === false) return "off";
  if (configured.action !== undefined) return configured.action as RuleEffect;
  return configured.enabled === true || isOwnRule(configured) ? action : undefined;
}

/** Lists the ids of changed rules, and the programs of added rules in the form `|deploy|kubectl|`. */
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

/** An added rule as its config file states it. */
export interface ConfiguredRule extends Omit<Rule, "id" | "deny" | "allow"> {
  deny?: readonly RuleExample[];
  allow?: readonly RuleExample[];
}

/** An example in a rule, which is either a shell command or a call with the rule's fields. */
export type RuleExample = string | Readonly<Record<string, unknown>>;

/** Lists the valid rules that a file adds, along with their ids. */
export const listAddedRules = ({ rules = {} }: ParsedConfig, terms?: RuleTerms): [id: string, rule: ConfiguredRule][] =>
  Object.entries(rules).filter(
    (entry): entry is [string, ConfiguredRule] =>
      isObject(entry[1]) && isOwnRule(entry[1]) && findRuleProblems(...entry, terms).length === 0,
  );

/** Finds the valid rules that a file adds for a program. */
function findAddedRules(
  { path, rules = {} }: ParsedConfig,
  program: string,
  terms: RuleTerms | undefined,
): AddedRule[] {
  const addedRules: AddedRule[] = [];
  for (const id in rules) {
    const configured = (rules[id] ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof configured.program !== "string" || !isListedProgram(configured.program, program)) continue;
    if (findRuleProblems(id, configured, terms).length === 0)
      addedRules.push(toAddedRule(id, configured as never, path));
  }
  return addedRules;
}

/** Finds the valid rules about calls that a file adds and that apply to a given call. */
function findCallRules<K extends CallRuleKind>(
  config: ParsedConfig,
  kind: K,
  fits: (conditions: CallConditions[K], origin: RuleOrigin) => boolean,
  terms: RuleTerms | undefined,
): CallRule[] {
  const callRules: CallRule[] = [];
  const { path, scope, rules = {} } = config;
  const origin: RuleOrigin = { file: path, ...(scope === "project" && { project: getConfigFolder(config) }) };
  const fields: readonly string[] = RULE_KINDS[kind].fields;
  for (const id in rules) {
    const configured = (rules[id] ?? {}) as Readonly<Record<string, unknown>>;
    if (!fields.some((field) => configured[field] !== undefined) || !fits(configured as never, origin)) continue;
    if (findRuleProblems(id, configured, terms).length > 0) continue;
    const { reason, advice, action = "deny", enabled = true } = configured as unknown as CallRule;
    callRules.push({
      id,
      reason,
      ...(advice !== undefined && { advice }),
      action,
      enabled,
      ...origin,
      conditions: configured as never,
    });
  }
  return callRules;
}

const isListedProgram = (programs: string, program: string) =>
  programs.includes("|") || programs.length === program.length
    ? `|${programs.toLowerCase()}|`.includes(`|${program.toLowerCase()}|`)
    : false;

/** Converts a valid rule from a config file to the form that hooks use. */
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

/** Finds a file's exceptions that are currently in force in a directory. */
const findExceptions = ({ path, exceptions = [] }: ParsedConfig, cwd: string): FoundException[] =>
  exceptions.flatMap((input, at) => {
    const { value, problems } = readPart(EXCEPTION_SCHEMA, input);
    if (problems.length > 0) return [];
    const { rule, match, project, until } = value;
    if (until !== undefined && Date.now() >= parseEnd(until)) return [];
    if (project !== undefined && !isInside(cwd, project)) return [];
    return { rule, ...(match !== undefined && { match }), source: `${path}: exceptions.${at}` };
  });
