import { findNearestName } from "../../protocol/name-suggestions.ts";
import type { Hook, HookDescriptor, RuleTerms } from "../../protocol/hook.ts";
import type { Rule } from "../../protocol/rule.ts";
import { listSchemaKeys } from "../../protocol/schema.ts";
import { type ConfigFiles, openConfigFiles } from "../files.ts";
import { readOptionsOf, validateHookOptions } from "../merge.ts";

/** A hook, as far as config files can speak of it. */
export interface CatalogHook {
  name: string;
  /** The names of its settings; absent where its schema does not tell them. */
  settings?: readonly string[];
  rules: readonly Rule[];
  /** What the patterns of added rules can name; absent where it does not enforce any. */
  terms?: RuleTerms;
}

/** The hooks here, and their rules. */
export interface RuleCatalog {
  /** The names of all hooks, with those that can't be loaded. */
  names: readonly string[];
  /** Those that can be loaded. */
  hooks: readonly CatalogHook[];
  /** What the patterns of added rules can name; absent where no hook enforces any. */
  terms?: RuleTerms;
  /** The hooks that enforce added rules. */
  enforcers: readonly string[];
  /** Why hooks can't give their rules, or not as settings have them. */
  problems: readonly string[];
  /** Whether all hooks gave theirs: else a rule that is not listed may exist. */
  isComplete: boolean;
}

/** The hooks of an executable, or of a folder. */
export interface HookEntries {
  entries: readonly HookDescriptor[];
}

/** Milliseconds that a hook's schema may take. */
export const SCHEMA_TIMEOUT_MS = 5_000;

/** Loads the rules of hooks, with the options that config files give them: those for a folder, unless others are named. */
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

/** A hook's options as a call gets them; where its settings are wrong, its defaults. */
async function resolveOptions(
  hook: Hook,
  name: string,
  files: ConfigFiles,
): Promise<{ options: unknown; problem?: string }> {
  try {
    return await readOptionsOf(hook, name, files, SCHEMA_TIMEOUT_MS);
  } catch (error) {
    if (!hook.options) throw error;
    const { options, wrong } = await validateHookOptions(name, hook.options, { values: {}, sources: {} });
    if (wrong.length > 0) throw error;
    return { options, problem: `${(error as Error).message}; its rules are shown with default settings` };
  }
}

/** The rule of a hook with this id, and the hook's name. */
export function findHookRule({ hooks }: RuleCatalog, id: string): { hook: string; rule: Rule } | undefined {
  for (const { name, rules } of hooks) {
    const rule = rules.find((one) => one.id === id);
    if (rule) return { hook: name, rule };
  }
  return undefined;
}

/** The id that was probably meant: one that differs in few letters, or that has this name in another category. */
export function findNearestRuleId(id: string, ids: readonly string[]): string | undefined {
  const getName = (full: string) => full.slice(full.indexOf("/") + 1);
  const names = ids.map(getName);
  return (
    ids.find((known) => getName(known) === getName(id)) ??
    findNearestName(id, ids) ??
    ids[names.indexOf(findNearestName(getName(id), names) ?? "")]
  );
}
