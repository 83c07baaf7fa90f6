import type { Hook, HookDescriptor } from "../../protocol/hook.ts";
import { hintOf, findNearestName } from "../../protocol/name-suggestions.ts";
import { isObject } from "../../protocol/object.ts";
import { listSchemaKeys } from "../../protocol/schema.ts";
import type { ConfigFiles } from "../../policy/files.ts";
import { type HookSettings, mergeSettings, validateHookOptions } from "../../policy/merge.ts";
import { runLimited } from "../../system/limit.ts";
import type { ConfigScope } from "../../policy/sources.ts";
import { describeOptions } from "../../policy/check/option-schema.ts";
import { toJsonValue } from "../list/settings.ts";
import { SCHEMA_TIMEOUT_MS } from "../../policy/check/rule-catalog.ts";

/** What a config file says of a setting. */
export interface SettingStatement {
  scope: ConfigScope;
  file: string;
  value: unknown;
  /** `adds`: it counts together with those of other files; `overridden`: a stronger file says otherwise. */
  effect: "counts" | "adds" | "overridden" | "ignored";
  /** Why it has no effect, as a clause. */
  reason?: string;
}

/** A setting of a hook, as a call gets it, and what the config files say of it, the strongest first. */
export interface EffectiveSetting {
  name: string;
  /** Absent where nothing sets it, and it has no default. */
  value?: unknown;
  /** The hook has no such setting. */
  unknown?: true;
  statements: SettingStatement[];
}

/** The settings of a hook. */
export interface EffectiveHook {
  hook: string;
  /** Why the hook fails here at each of its events, a line each. */
  problem?: string;
  /** The file that keeps weaker ones from setting anything. */
  lockedBy?: string;
  settings: EffectiveSetting[];
}

/** Resolves the settings of a hook as a call does, with what each file says of them. */
export async function resolveHookSettings(entry: HookDescriptor, files: ConfigFiles): Promise<EffectiveHook> {
  const { name } = entry;
  let hook: Hook;
  try {
    hook = await entry.load();
  } catch (error) {
    return { hook: name, problem: (error as Error).message, settings: [] };
  }
  const merged = await mergeAsCall(hook, name, files);
  const statements = await collectStatements(hook, name, files, merged);
  const described = hook.options && describeOptions(hook.options);
  const names = new Set([
    ...(described ?? []).map((option) => option.name),
    ...Object.keys(merged.options),
    ...statements.keys(),
  ]);
  return {
    hook: name,
    ...(merged.problem !== undefined && { problem: merged.problem }),
    ...(merged.settings.lock && { lockedBy: merged.settings.lock.path }),
    settings: [...names].map((key) => {
      // Of settings that the schema refuses, the defaults are not known otherwise.
      const value = merged.options[key] ?? described?.find((option) => option.name === key)?.default;
      return {
        name: key,
        ...(value !== undefined && { value: toJsonValue(value) }),
        ...(isUnknown(hook, key) && { unknown: true as const }),
        statements: statements.get(key) ?? [],
      };
    }),
  };
}

/** Why a setting of a project that needs trust has no effect. */
export const NOT_TRUSTED = "this project is not trusted";

interface MergedSettings {
  settings: HookSettings;
  /** As the schema has them; what the files say where it refuses that. */
  options: Readonly<Record<string, unknown>>;
  problem?: string;
  /** Why the project's file has no effect. */
  projectProblem?: string;
}

const NO_SETTINGS: HookSettings = { values: {}, sources: {}, ignored: [] };

/** A project's file that makes the hook fail has no effect. */
async function mergeAsCall(hook: Hook, name: string, files: ConfigFiles): Promise<MergedSettings> {
  const merged = await mergeFiles(hook, name, files);
  if (merged.problem === undefined) return merged;
  const others = { ...files, sources: files.sources.filter(({ scope }) => scope !== "project") };
  const without = await mergeFiles(hook, name, others);
  return without.problem === undefined ? { ...without, projectProblem: merged.problem } : without;
}

async function mergeFiles(
  { options: schema, ...hook }: Hook,
  name: string,
  { sources, read }: ConfigFiles,
): Promise<MergedSettings> {
  let settings = NO_SETTINGS;
  try {
    settings = await mergeSettings(name, sources, hook, read);
    if (!schema) return { settings, options: {} };
    const { options, wrong } = await runLimited(
      () => validateHookOptions(name, schema, settings, sources),
      SCHEMA_TIMEOUT_MS,
    );
    return wrong.length === 0
      ? { settings, options: options as Record<string, unknown> }
      : { settings, options: settings.values, problem: wrong.join("\n") };
  } catch (error) {
    return schema
      ? { settings, options: settings.values, problem: (error as Error).message }
      : { settings, options: settings.values };
  }
}

async function collectStatements(
  hook: Hook,
  name: string,
  { sources, read }: ConfigFiles,
  merged: MergedSettings,
): Promise<Map<string, SettingStatement[]>> {
  const found = new Map<string, SettingStatement[]>();
  for (const { scope, path } of sources) {
    const config = await read({ scope, path }).catch(() => undefined);
    const configured = config && Object.hasOwn(config.hooks, name) ? config.hooks[name] : undefined;
    if (!isObject(configured)) continue;
    for (const key of Object.keys(configured)) {
      const statement = judgeStatement(hook, key, { scope, file: path, value: configured[key] }, merged);
      found.set(key, [...(found.get(key) ?? []), statement]);
    }
  }
  return found;
}

function judgeStatement(
  { options: schema, additiveOptions = [] }: Hook,
  key: string,
  statement: Pick<SettingStatement, "scope" | "file" | "value">,
  { settings, projectProblem }: MergedSettings,
): SettingStatement {
  const { scope, file } = statement;
  const { lock, lockedOut = [], ignored, sources } = settings;
  const ignore = (reason: string): SettingStatement => ({ ...statement, effect: "ignored", reason });
  if (isUnknown({ options: schema }, key)) {
    const keys = (schema && listSchemaKeys(schema)) ?? [];
    return ignore(
      schema ? `the hook has no such setting${hintOf(findNearestName(key, keys))}` : "the hook has no settings",
    );
  }
  if (lock && isWeaker(scope, lock.scope)) return ignore(`${lock.path} locks the hook`);
  const locking = lockedOut.find((one) => one.key === key && one.file === file);
  if (locking) return ignore(`${locking.by} locks it`);
  if (scope === "project" && projectProblem !== undefined)
    return ignore(`the hook ignores this file (${projectProblem.replaceAll("\n", "; ")})`);
  if (scope === "project" && ignored.includes(key)) return ignore(NOT_TRUSTED);
  const winner = sources[key];
  if (winner === undefined || winner.path === file) return { ...statement, effect: "counts" };
  return additiveOptions.includes(key) && Array.isArray(statement.value)
    ? { ...statement, effect: "adds" }
    : { ...statement, effect: "overridden", reason: `${winner.path} sets it` };
}

function isUnknown({ options: schema }: Pick<Hook, "options">, key: string): boolean {
  const keys = schema ? listSchemaKeys(schema) : [];
  return keys !== undefined && !keys.includes(key);
}

/** Whether a lock of one scope keeps files of another from counting. */
const isWeaker = (scope: ConfigScope, lock: ConfigScope): boolean =>
  lock === "managed" ? scope !== "managed" : scope === "project";
