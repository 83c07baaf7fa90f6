import { findNearestName } from "../../protocol/name-suggestions.ts";
import type { Hook, HookDescriptor, RuleTerms } from "../../protocol/hook.ts";
import type { Rule } from "../../protocol/rule.ts";
import { listSchemaKeys } from "../../protocol/schema.ts";
import { type ConfigFiles, openConfigFiles } from "../files.ts";
import { readHookOptions, validateHookOptions } from "../merge.ts";

/** The parts of a hook that config files can refer to. */
export interface CatalogHook {
  name: string;
  /** Names of the hook's settings. Absent if its schema doesn't list them. */
  settings?: readonly string[];
  rules: readonly Rule[];
  /** Terms that patterns of added rules may use. Absent if the hook doesn't enforce added rules. */
  terms?: RuleTerms;
}

/** All known hooks and rules. */
export interface RuleCatalog {
  /** Names of all hooks, including those that can't be loaded. */
  names: readonly string[];
  /** The hooks that could be loaded. */
  hooks: readonly CatalogHook[];
  /** Terms that patterns of added rules may use. Absent if no hook enforces added rules. */
  terms?: RuleTerms;
  /** Names of the hooks that enforce added rules. */
  enforcers: readonly string[];
  /** Explains which hooks can't list their rules, or can do so only with default settings. */
  problems: readonly string[];
  /** Whether every hook listed its rules. If not, there may be unlisted rules. */
  isComplete: boolean;
}

/** The hooks in an executable or a directory. */
export interface HookEntries {
  entries: readonly HookDescriptor[];
}

/** Time limit for validating settings with a hook's schema, in milliseconds. */
export const SCHEMA_TIMEOUT_MS = 5_000;

/**
 * Loads the hooks' rules, using options from the given config files. By default, these are the files that apply in a
 * directory.
 */
export async function loadRuleCatalog(
  { entries }: HookEntries,
  cwd: string,
  files: ConfigFiles = openConfigFiles(cwd),
): Promise<RuleCatalog> {
  const [hooks, problems]: [CatalogHook[], string[]] = [[], []];
  let isComplete = true;
  for (const { name, load } of entries) {
    try {
      const hook = await load();
      const settings = hook.options ? listSchemaKeys(hook.options) : [];
      const base = {
        name,
        ...(settings && { settings }),
        ...(hook.rules && hook.ruleTerms && { terms: hook.ruleTerms }),
      };
      const entry: CatalogHook = { ...base, rules: [] };
      hooks.push(entry);
      if (!hook.rules) continue;
      const { options, problem } = await resolveOptions(hook, name, files);
      if (problem !== undefined) problems.push(`${name}: ${problem}`);
      entry.rules = [...(await hook.rules(options as never))];
    } catch (error) {
      isComplete = false;
      problems.push(`${name}: the rules can't be read (${error instanceof Error ? error.message : String(error)})`);
    }
  }
  const terms = hooks.flatMap((hook) => hook.terms ?? []);
  return {
    names: entries.map(({ name }) => name),
    hooks,
    ...(terms.length > 0 && {
      terms: { sets: terms.flatMap(({ sets }) => sets), conditions: terms.flatMap(({ conditions }) => conditions) },
    }),
    enforcers: hooks.filter((hook) => hook.terms).map(({ name }) => name),
    problems,
    isComplete,
  };
}

/** Returns a hook's options as a call receives them, or the default options if the settings are invalid. */
async function resolveOptions(
  hook: Hook,
  name: string,
  files: ConfigFiles,
): Promise<{ options: unknown; problem?: string }> {
  try {
    const { options, problem } = await readHookOptions(hook, name, files, SCHEMA_TIMEOUT_MS);
    return { options, ...(problem && { problem: problem.message }) };
  } catch (error) {
    if (!hook.options) throw error;
    const { options, wrong } = await validateHookOptions(name, hook.options, { values: {}, sources: {} });
    if (wrong.length > 0) throw error;
    return { options, problem: `${(error as Error).message}; the rules are shown with default settings` };
  }
}

/** Finds a rule by id, and the hook that contains the rule. */
export function findHookRule({ hooks }: RuleCatalog, id: string): { hook: string; rule: Rule } | undefined {
  for (const { name, rules } of hooks) {
    const rule = rules.find((one) => one.id === id);
    if (rule) return { hook: name, rule };
  }
  return undefined;
}

/**
 * Returns the most similar rule id: one that differs by only a few characters, or one with the same name in another
 * category.
 */
export function findNearestRuleId(id: string, ids: readonly string[]): string | undefined {
  const getName = (full: string) => full.slice(full.indexOf("/") + 1);
  const names = ids.map(getName);
  return (
    ids.find((knownId) => getName(knownId) === getName(id)) ??
    findNearestName(id, ids) ??
    ids[names.indexOf(findNearestName(getName(id), names) ?? "")]
  );
}
