import { argumentPattern, type Command, listProgramNames, type RulePolicy, wildcardPattern } from "bridge-hooks";
import { listNamedOptions, type OptionSet } from "./given-options.ts";
import { CATEGORIES, DEFAULT_CATEGORIES } from "./programs.build.ts";
import { INDEXED_RULES, type IndexedRule } from "./rule-index.build.ts";
import type { RuleCategory, DestructiveSettings } from "./rules.ts";

/** A rule that is in force. */
export interface ActiveRule extends IndexedRule {
  action: "deny" | "ask";
}

/** What decides about a call: the hook's settings, and what the config files say about rules. */
export interface DestructivePolicy {
  settings: DestructiveSettings;
  rules: RulePolicy;
}

/** The rules in force that are about a program, and the options in their patterns. */
interface ProgramRules {
  rules: readonly ActiveRule[];
  named: OptionSet;
}

/** By what config files say about rules, which most calls have in common, and the hook's settings; then by program. */
const knownRules = new WeakMap<RulePolicy, WeakMap<DestructiveSettings, Map<string, ProgramRules>>>();
/** What is looked for in a test run: its database is made for it. */
export const TEST_CATEGORIES = CATEGORIES.filter((category) => category !== "database");
const CATEGORY_LISTS: readonly (readonly RuleCategory[])[] = [CATEGORIES, TEST_CATEGORIES, DEFAULT_CATEGORIES];
/** A line may have any number of programs called `mkfs.x`. */
export const MAX_KNOWN_PROGRAMS = 1_000;
/** No rule has a longer name, and none of a line's is kept in memory. */
export const MAX_PROGRAM_LENGTH = 64;

/** The rules in force that are about a program, found once for all calls with the same policy. */
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
  let found = byProgram.get(key);
  if (!found) {
    const active = findActiveRules(program, policy, categories);
    let named: OptionSet | undefined;
    const list = () => (named ??= listNamedOptions(active.flatMap(({ patterns }) => patterns)));
    found = { rules: active, named: { has: (option) => list().has(option) } };
    if (program.length <= MAX_PROGRAM_LENGTH) byProgram.set(key, found);
  }
  return found;
}

/** The same, looked for: the rules of the config files first. */
function findActiveRules(
  program: string,
  policy: DestructivePolicy,
  categories: readonly RuleCategory[],
): ActiveRule[] {
  const found: ActiveRule[] = [];
  for (const name of getRuleNames(program)) {
    for (const { id, program: _, ...rule } of policy.rules.findAdded(name)) {
      const action = policy.rules.resolveAction(id, rule.action, rule.enabled);
      if (action !== "off") found.push({ ...rule, id, action });
    }
    const indexed = readIndexedRules(name);
    for (const category of categories)
      for (const rule of indexed[category] ?? []) found.push(...activate(rule, category, policy));
  }
  return found;
}

/** What a program may be called in the rules: `mkfs.ext4` is `mkfs.*` there. */
function getRuleNames(program: string): readonly string[] {
  const names = listProgramNames(program);
  const dot = program.indexOf(".");
  return dot < 0 ? names : [...names, `${program.slice(0, dot)}.*`];
}

/** The rules by category that are about a program, or the one that is code and has this id. */
function readIndexedRules(name: string): Partial<Record<RuleCategory, readonly IndexedRule[]>> {
  const start = `\n${name}\t`;
  const at = INDEXED_RULES.indexOf(start);
  if (at < 0) return {};
  const from = at + start.length;
  return JSON.parse(INDEXED_RULES.slice(from, INDEXED_RULES.indexOf("\n", from))) as ReturnType<
    typeof readIndexedRules
  >;
}

/** A rule with what becomes of a call that it catches; nothing where it is off. */
function activate(rule: IndexedRule, category: RuleCategory, { settings, rules }: DestructivePolicy): ActiveRule[] {
  const action = rules.resolveAction(rule.id, settings.decision, settings.categories.includes(category));
  return action === "off" ? [] : [{ ...rule, action }];
}

/** A rule that is code, where it is in force. */
export const activateBuiltIn = (
  category: RuleCategory,
  id: string,
  policy: DestructivePolicy,
): ActiveRule | undefined => activate(readIndexedRules(id)[category]?.[0] as IndexedRule, category, policy)[0];

/** Whether an exception from a rule names a command. */
export const isExcepted = ({ id }: ActiveRule, commands: readonly Command[], { rules }: DestructivePolicy): boolean =>
  rules
    .listExceptions(id)
    .some(({ match }) => match === undefined || commands.some((command) => argumentPattern(match)(command)));

/** Whether an exception from a rule names a whole line. */
export const isLineExcepted = (line: string, { id }: ActiveRule, { rules }: DestructivePolicy): boolean =>
  rules.listExceptions(id).some(({ match }) => match === undefined || wildcardPattern(match)(line.trim()));
