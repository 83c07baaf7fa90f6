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

/** A rule that is in force. */
export interface ActiveRule extends IndexedRule {
  action: RuleEffect;
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
    const ids = readLine(PROGRAM_RULES, name)?.split(" ") ?? [];
    for (const category of categories)
      for (const id of ids) if (id.startsWith(`${category}/`)) found.push(...activate(readRule(id), category, policy));
  }
  return found;
}

/** What a program may be called in the rules: `mkfs.ext4` is `mkfs.*` there, and a tool of an MCP server `mcp__*`. */
function getRuleNames(program: string): readonly string[] {
  if (program.startsWith("mcp__")) return [program, "mcp__*"];
  const names = listProgramNames(program);
  const dot = program.indexOf(".");
  return dot < 0 ? names : [...names, `${program.slice(0, dot)}.*`];
}

/** What a table has behind a name; undefined where it has no line for it. */
function readLine(table: string, name: string): string | undefined {
  const start = `\n${name}\t`;
  const at = table.indexOf(start);
  const from = at + start.length;
  return at < 0 ? undefined : table.slice(from, table.indexOf("\n", from));
}

const readRule = (id: string): IndexedRule => JSON.parse(readLine(INDEXED_RULES, id) as string) as IndexedRule;

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
): ActiveRule | undefined => activate(readRule(id), category, policy)[0];

/** Whether an exception from a rule names a command. */
export const isExcepted = ({ id }: ActiveRule, commands: readonly Command[], { rules }: DestructivePolicy): boolean =>
  rules
    .listExceptions(id)
    .some(({ match }) => match === undefined || commands.some((command) => argumentPattern(match)(command)));

/** Whether an exception from a rule names a whole line. */
export const isLineExcepted = (line: string, { id }: ActiveRule, { rules }: DestructivePolicy): boolean =>
  rules.listExceptions(id).some(({ match }) => match === undefined || wildcardPattern(match)(line.trim()));
