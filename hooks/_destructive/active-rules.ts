import {
  argumentPattern,
  type Command,
  listProgramNames,
  type RuleEffect,
  type RulePolicy,
  wildcardPattern,
} from "bridge-hooks";
import { listNamedOptions, type OptionSet } from "./given-options.ts";
import { CATEGORIES, DEFAULT_CATEGORIES } from "./programs.build.ts";
import { INDEXED_RULES, type IndexedRule, PROGRAM_RULES } from "./rule-index.build.ts";
import type { RuleCategory, DestructiveSettings } from "./rules.ts";

/** A rule that is enabled, with its effective action. */
export interface ActiveRule extends IndexedRule {
  action: RuleEffect;
}

/** The hook's options and the rule settings from config files. */
export interface DestructivePolicy {
  settings: DestructiveSettings;
  rules: RulePolicy;
}

/** A program's active rules, and the options that appear in their patterns. */
interface ProgramRules {
  rules: readonly ActiveRule[];
  patternOptions: OptionSet;
}

/** Cache of active rules, keyed by config-file rules, then by options, then by program. Most calls share the same config-file rules. */
const knownRules = new WeakMap<RulePolicy, WeakMap<DestructiveSettings, Map<string, ProgramRules>>>();
/** Rule categories that apply to a test run. `database` is left out because a test database is disposable. */
export const TEST_RUN_CATEGORIES = CATEGORIES.filter((category) => category !== "database");
const CATEGORY_LISTS: readonly (readonly RuleCategory[])[] = [CATEGORIES, TEST_RUN_CATEGORIES, DEFAULT_CATEGORIES];
/** Maximum number of cached programs, so that names such as `mkfs.x` can't fill the cache. */
export const MAX_KNOWN_PROGRAMS = 1_000;
/** Maximum length of a cached program name. No program name in a rule is longer. */
export const MAX_PROGRAM_LENGTH = 64;

/** Returns a program's active rules, cached across calls with the same policy. */
export function findProgramRules(
  program: string,
  policy: DestructivePolicy,
  categories: readonly RuleCategory[] = CATEGORIES,
): ProgramRules {
  const { rules, settings } = policy;
  let bySettings = knownRules.get(rules);
  if (!bySettings) knownRules.set(rules, (bySettings = new WeakMap()));
  let byProgram = bySettings.get(settings);
  if (!byProgram || byProgram.size > MAX_KNOWN_PROGRAMS) bySettings.set(settings, (byProgram = new Map()));
  const key = `${CATEGORY_LISTS.indexOf(categories)} ${program}`;
  let cachedRules = byProgram.get(key);
  if (!cachedRules) {
    const active = findActiveRules(program, policy, categories);
    let patternOptions: OptionSet | undefined;
    const list = () => (patternOptions ??= listNamedOptions(active.flatMap(({ patterns }) => patterns)));
    cachedRules = { rules: active, patternOptions: { has: (option) => list().has(option) } };
    if (program.length <= MAX_PROGRAM_LENGTH) byProgram.set(key, cachedRules);
  }
  return cachedRules;
}

/** Collects a program's active rules, with the rules from config files first. */
function findActiveRules(
  program: string,
  policy: DestructivePolicy,
  categories: readonly RuleCategory[],
): ActiveRule[] {
  const activeRules: ActiveRule[] = [];
  for (const name of getRuleNames(program)) {
    for (const { id, program: _, ...rule } of policy.rules.findAdded(name)) {
      const action = policy.rules.resolveAction(id, rule.action, rule.enabled);
      if (action !== "off") activeRules.push({ ...rule, id, action });
    }
    const ids = readLine(PROGRAM_RULES, name)?.split(" ") ?? [];
    for (const category of categories)
      for (const id of ids)
        if (id.startsWith(`${category}/`)) activeRules.push(...toActiveRules(readRule(id), category, policy));
  }
  return activeRules;
}

/** Lists the names a rule can use for a program, such as `mkfs.*` for `mkfs.ext4` and `mcp__*` for an MCP tool. */
function getRuleNames(program: string): readonly string[] {
  if (program.startsWith("mcp__")) return [program, "mcp__*"];
  const names = listProgramNames(program);
  const dot = program.indexOf(".");
  return dot < 0 ? names : [...names, `${program.slice(0, dot)}.*`];
}

/** Looks up a name in a tab-separated table; undefined if the table doesn't contain it. */
function readLine(table: string, name: string): string | undefined {
  const start = `\n${name}\t`;
  const at = table.indexOf(start);
  const from = at + start.length;
  return at < 0 ? undefined : table.slice(from, table.indexOf("\n", from));
}

const readRule = (id: string): IndexedRule => JSON.parse(readLine(INDEXED_RULES, id) as string) as IndexedRule;

/** Returns the rule with its effective action, or an empty list if the rule is off. */
function toActiveRules(
  rule: IndexedRule,
  category: RuleCategory,
  { settings, rules }: DestructivePolicy,
): ActiveRule[] {
  const action = rules.resolveAction(rule.id, settings.decision, settings.categories.includes(category));
  return action === "off" ? [] : [{ ...rule, action }];
}

/** Returns a rule implemented in code, or undefined if the rule is off. */
export const activateBuiltIn = (
  category: RuleCategory,
  id: string,
  policy: DestructivePolicy,
): ActiveRule | undefined => toActiveRules(readRule(id), category, policy)[0];

/** Whether an exception to the rule matches any of the commands. */
export const isExcepted = ({ id }: ActiveRule, commands: readonly Command[], { rules }: DestructivePolicy): boolean =>
  rules
    .listExceptions(id)
    .some(({ match }) => match === undefined || commands.some((command) => argumentPattern(match)(command)));

/** Whether an exception to the rule matches the shell command as a whole. */
export const isLineExcepted = (line: string, { id }: ActiveRule, { rules }: DestructivePolicy): boolean =>
  rules.listExceptions(id).some(({ match }) => match === undefined || wildcardPattern(match)(line.trim()));
