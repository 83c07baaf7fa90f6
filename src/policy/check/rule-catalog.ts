import { findNearestName } from "../../protocol/name-suggestions.ts";
import type { Hook, HookDescriptor, RuleTerms } from "../../protocol/hook.ts";
import type { Rule } from "../../protocol/rule.ts";
import { listSchemaKeys } from "../../protocol/schema.ts";
import { type ConfigFiles, openConfigFiles } from "../files.ts";
import { readHookOptions, validateHookOptions } from "../merge.ts";

/** The parts of a hook that config files can refer to. */
export interface CatalogHook {
  name: string;
  /** The names of its settings; absent if its schema doesn't expose them. */
  settings?: readonly string[];
  rules: readonly Rule[];
  /** Terms for the patterns of added rules; absent if the hook doesn't enforce any. */
  terms?: RuleTerms;
}

/** The known hooks and their rules. */
export interface RuleCatalog {
  /** The names of all hooks, including those that can't be loaded. */
  names: readonly string[];
  /** The hooks that can be loaded. */
  hooks: readonly CatalogHook[];
  /** Terms for the patterns of added rules; absent if no hook enforces any. */
  terms?: RuleTerms;
  /** The hooks that enforce added rules. */
  enforcers: readonly string[];
  /** Why some hooks can't list their rules, or only with default settings. */
  problems: readonly string[];
  /** Whether all hooks listed their rules; otherwise an unlisted rule may exist. */
  isComplete: boolean;
}

/** The hooks of an executable or a directory. */
export interface HookEntries {
  entries: readonly HookDescriptor[];
}

/** Time limit for a hook's schema, in milliseconds. */
export const SCHEMA_TIMEOUT_MS = 5_000;

/** Loads the rules of hooks, with the options from the config files for a directory or from the given files. */
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
      const known = {
        name,
        ...(settings && { settings }),
        ...(hook.rules && hook.ruleTerms && { terms: hook.ruleTerms }),
      };
      const found: CatalogHook = { ...known, rules: [] };
      hooks.push(found);
      if (!hook.rules) continue;
      const { options, problem } = await resolveOptions(hook, name, files);
      if (problem !== undefined) problems.push(`${name}: ${problem}`);
      found.rules = [...(await hook.rules(options as never))];
    } catch (error) {
      isComplete = false;
      problems.push(`${name}: its rules can't be read (${error instanceof Error ? error.message : String(error)})`);
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

/** Returns a hook's options as a call receives them, or its defaults if its settings are invalid. */
async function resolveOptions(
  hook: Hook,
  name: string,
  files: ConfigFiles,
): Promise<{ options: unknown; problem?: string }> {
  try {
    return await readHookOptions(hook, name, files, SCHEMA_TIMEOUT_MS);
  } catch (error) {
    if (!hook.options) throw error;
    const { options, wrong } = await validateHookOptions(name, hook.options, { values: {}, sources: {} });
    if (wrong.length > 0) throw error;
    return { options, problem: `${(error as Error).message}; its rules are shown with default settings` };
  }
}

/** Finds the hook's rule with this id, and the hook's name. */
export function findHookRule({ hooks }: RuleCatalog, id: string): { hook: string; rule: Rule } | undefined {
  for (const { name, rules } of hooks) {
    const rule = rules.find((one) => one.id === id);
    if (rule) return { hook: name, rule };
  }
  return undefined;
}

/**
 * Returns the id that was probably meant: one that differs in few characters, or that has the same name in another
 * category.
 */
export function findNearestRuleId(id: string, ids: readonly string[]): string | undefined {
  const getName = (full: string) => full.slice(full.indexOf("/") + 1);
  const names = ids.map(getName);
  return (
    ids.find((known) => getName(known) === getName(id)) ??
    findNearestName(id, ids) ??
    ids[names.indexOf(findNearestName(getName(id), names) ?? "")]
  );
}
