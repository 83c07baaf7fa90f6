import type { Hook } from "../../protocol/hook.ts";
import { findNearestName, hintOf } from "../../protocol/name-suggestions.ts";
import type { Rule } from "../../protocol/rule.ts";
import { validateHookOptions, openConfigFiles, readOptionsOf } from "../../run/config.ts";
import { describeHooksOrigin, type HookSet } from "../find-hooks.ts";

/** A rule as `rules --json` prints it. */
export interface ListedRule {
  /** The hook that enforces it. */
  hook: string;
  id: string;
  /** The first part of its id. */
  category: string;
  action: "deny" | "ask";
  /** `false`: settings turn it off. */
  enabled: boolean;
  program?: string;
  /** In the hook's pattern language; absent where `finds` says in words what it catches. */
  patterns?: readonly string[];
  finds?: string;
  reason: string;
  advice?: string;
  /** Examples that it catches. */
  deny: readonly string[];
  /** Near misses, which pass. */
  allow: readonly string[];
}

/** The rules of all hooks, in their order, and why hooks can't give theirs. */
interface RuleSet {
  /** The folder of the hooks, or "compiled in". */
  from: string;
  rules: ListedRule[];
  problems: string[];
}

/** Milliseconds that a hook's schema may take. */
const SCHEMA_TIMEOUT_MS = 5_000;

/** The rules of hooks, with the settings that config files give them in a folder. */
export async function collectRules(hooks: HookSet, cwd: string): Promise<RuleSet> {
  const [rules, problems]: [ListedRule[], string[]] = [[], []];
  for (const { name, load } of hooks.entries) {
    try {
      const hook = await load();
      if (!hook.rules) continue;
      const { options, problem } = await resolveOptions(hook, name, cwd);
      if (problem !== undefined) problems.push(`${name}: ${problem}`);
      const given = await hook.rules(options as never);
      rules.push(...given.map((rule) => listRule(rule, name)));
    } catch (error) {
      problems.push(`${name}: it can't give its rules (${error instanceof Error ? error.message : String(error)})`);
    }
  }
  return { from: describeHooksOrigin(hooks), rules, problems };
}

/** A hook's options as a call gets them; where its settings are wrong, its defaults. */
async function resolveOptions(hook: Hook, name: string, cwd: string): Promise<{ options: unknown; problem?: string }> {
  try {
    return await readOptionsOf(hook, name, openConfigFiles(cwd), SCHEMA_TIMEOUT_MS);
  } catch (error) {
    if (!hook.options) throw error;
    const { options, wrong } = await validateHookOptions(name, hook.options, { values: {}, sources: {} });
    if (wrong.length > 0) throw error;
    return { options, problem: `${(error as Error).message}; shown are the rules with its default settings` };
  }
}

const listRule = (rule: Rule, hook: string): ListedRule => {
  const { id, program, pattern, finds, reason, advice, action = "deny", enabled = true, deny, allow } = rule;
  return {
    hook,
    id,
    category: id.split("/", 1)[0] as string,
    action,
    enabled,
    ...(program !== undefined && { program }),
    ...(pattern !== undefined && { patterns: [pattern].flat() }),
    ...(finds !== undefined && { finds }),
    reason,
    ...(advice !== undefined && { advice }),
    deny,
    allow,
  };
};

/**
 * The rules that somebody asks for.
 * @throws Error for an unknown id or category, with what was probably meant.
 */
export function selectRules(
  rules: readonly ListedRule[],
  { id, category }: { id?: string; category?: string },
): ListedRule[] {
  const categories = [...new Set(rules.map((rule) => rule.category))];
  if (category !== undefined && !categories.includes(category))
    throw new Error(
      `unknown category "${category}"${hintOf(findNearestName(category, categories)) || `; known: ${categories.join(", ")}`}`,
    );
  const inCategory = rules.filter((rule) => category === undefined || rule.category === category);
  if (id === undefined) return inCategory;
  const found = inCategory.filter((rule) => rule.id === id);
  if (found.length === 0) throw new Error(`unknown rule "${id}"${suggestRule(id, inCategory, categories)}`);
  return found;
}

/** What was probably meant: a category, a rule's name without its category, or an id that differs in few letters. */
function suggestRule(id: string, rules: readonly ListedRule[], categories: readonly string[]): string {
  if (categories.includes(id)) return `; did you mean --category ${id}?`;
  const ids = rules.map((rule) => rule.id);
  const getName = (full: string) => full.slice(full.indexOf("/") + 1);
  const near =
    ids.find((known) => getName(known) === getName(id)) ??
    findNearestName(id, ids) ??
    ids[ids.map(getName).indexOf(findNearestName(getName(id), ids.map(getName)) ?? "")];
  return hintOf(near) || "; bridge-hooks rules lists them";
}
