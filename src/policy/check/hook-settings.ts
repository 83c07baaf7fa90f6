import type { Hook, HookDescriptor } from "../../protocol/hook.ts";
import { findNearestName, formatHint } from "../../protocol/name-suggestions.ts";
import { isObject } from "../../protocol/object.ts";
import { listSchemaKeys } from "../../protocol/schema.ts";
import { runLimited } from "../../system/limit.ts";
import type { ConfigFiles } from "../files.ts";
import { type HookSettings, mergeSettings, validateHookOptions } from "../merge.ts";
import type { ConfigScope } from "../sources.ts";
import { describeOptions, type OptionDescription } from "./option-schema.ts";
import { SCHEMA_TIMEOUT_MS } from "./rule-catalog.ts";

/** Why a setting in a config file is ignored. */
export type IgnoreCause = "unknown" | "hook-locked" | "setting-locked" | "project-wrong" | "untrusted";

/** A hook setting in a config file and whether it takes effect. */
export interface SettingStatement {
  name: string;
  scope: ConfigScope;
  file: string;
  value: unknown;
  /**
   * `counts`: the value is used. `adds`: the list is combined with those in other files. `overridden`: a file with
   * higher precedence sets a different value.
   */
  effect: "counts" | "adds" | "overridden" | "ignored";
  /** Why the setting is ignored. Absent if it isn't. */
  cause?: IgnoreCause;
  /** Why the setting has no effect, worded as a clause. */
  reason?: string;
  /** Path of the file that locks the setting. */
  by?: string;
  /** The name to suggest if the setting is unknown. */
  near?: string;
}

/** A hook setting and the value that a call receives for it. */
export interface ResolvedSetting extends Partial<Omit<OptionDescription, "name">> {
  name: string;
  /** The setting's value. Absent if no file sets it and there is no default. */
  value?: unknown;
  /** Scope of the config file that sets the value. Absent if the default is used. */
  scope?: ConfigScope;
  file?: string;
  /** Set if a project's file can set this only when the project is trusted. */
  trusted?: true;
  /** Set if the hook doesn't have a setting with this name. */
  unknown?: true;
}

/** A hook's settings in a directory, and how each config file contributes to them. */
export interface ResolvedHook {
  /** The loaded hook. Absent if loading failed. */
  hook?: Hook;
  /** All settings that are described in the schema or mentioned in a file. */
  settings: readonly ResolvedSetting[];
  /** The settings in each config file. The file with the highest precedence comes first. */
  statements: readonly SettingStatement[];
  /** Why the hook fails on every event, one reason per line. */
  problem?: string;
  /** Why the project's file has no effect, one reason per line. */
  projectProblem?: string;
  /** Path of the file that locks the hook against files with lower precedence. */
  lockedBy?: string;
}

/** Resolves a hook's settings the way a call does, and describes the settings in each file. */
export async function resolveHookSettings(entry: HookDescriptor, files: ConfigFiles): Promise<ResolvedHook> {
  const { name } = entry;
  let hook: Hook;
  try {
    hook = await entry.load();
  } catch (error) {
    return { settings: [], statements: [], problem: (error as Error).message };
  }
  const { settings: merged, options, problem, projectProblem } = await mergeAsInCall(hook, name, files);
  const statements = await collectStatements(hook, name, files, { settings: merged, projectProblem });
  const optionDescriptions = (hook.options && describeOptions(hook.options)) ?? [];
  const names = new Set([
    ...optionDescriptions.map((option) => option.name),
    ...Object.keys(options),
    ...statements.map((statement) => statement.name),
  ]);
  return {
    hook,
    statements,
    ...(problem !== undefined && { problem }),
    ...(projectProblem !== undefined && { projectProblem }),
    ...(merged.lock && { lockedBy: merged.lock.path }),
    settings: [...names].map((key): ResolvedSetting => {
      const source = merged.sources[key];
      const description = optionDescriptions.find((one) => one.name === key);
      // If the schema rejected the settings, fall back to the defaults it describes.
      const value = options[key] ?? description?.default;
      return {
        name: key,
        ...description,
        ...(value !== undefined && { value: toJsonValue(value) }),
        ...(source && { scope: source.scope, file: source.path }),
        ...(hook.trustedOptions?.includes(key) && { trusted: true }),
        ...(isUnknownKey(hook, key) && { unknown: true }),
      };
    }),
  };
}

/** Returns whether a hook has a setting, that is, whether the schema describes it or a call receives a value for it. */
export const isOwnSetting = ({ unknown, required, value }: ResolvedSetting): boolean =>
  !unknown && (required !== undefined || value !== undefined);

interface MergedSettings {
  settings: HookSettings;
  /** The validated options, or the raw settings if the schema rejects them. */
  options: Readonly<Record<string, unknown>>;
  problem?: string;
  projectProblem?: string;
}

const NO_SETTINGS: HookSettings = { values: {}, sources: {}, ignored: [] };

/** Merges settings the way a call does: if a project's file would make the hook fail, the file is ignored. */
async function mergeAsInCall(hook: Hook, name: string, files: ConfigFiles): Promise<MergedSettings> {
  const result = await mergeFiles(hook, name, files);
  if (result.problem === undefined) return result;
  const otherFiles = { ...files, sources: files.sources.filter(({ scope }) => scope !== "project") };
  const mergedWithout = await mergeFiles(hook, name, otherFiles);
  const otherProblems = mergedWithout.problem?.split("\n") ?? [];
  const projectProblems = result.problem.split("\n").filter((line) => !otherProblems.includes(line));
  return projectProblems.length === 0 ? result : { ...mergedWithout, projectProblem: projectProblems.join("\n") };
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
    return { settings, options: settings.values, ...(schema && { problem: (error as Error).message }) };
  }
}

type MergeResult = Pick<MergedSettings, "settings" | "projectProblem">;

async function collectStatements(
  hook: Hook,
  name: string,
  { sources, read }: ConfigFiles,
  judging: MergeResult,
): Promise<SettingStatement[]> {
  const statements: SettingStatement[] = [];
  for (const source of sources) {
    const { scope, path: file } = source;
    const config = await read(source).catch(() => undefined);
    const configured = config && Object.hasOwn(config.hooks, name) ? config.hooks[name] : undefined;
    if (!isObject(configured)) continue;
    for (const [key, value] of Object.entries(configured)) {
      const statement = { name: key, scope, file, value };
      statements.push({ ...statement, ...judgeStatement(hook, statement, judging) });
    }
  }
  return statements;
}

/** Returns why a setting in a project's file is ignored. */
const NOT_TRUSTED_REASON = "this project is not trusted";

function judgeStatement(
  hook: Hook,
  { name, scope, file, value }: Pick<SettingStatement, "name" | "scope" | "file" | "value">,
  { settings, projectProblem }: MergeResult,
): Omit<SettingStatement, "name" | "scope" | "file" | "value"> {
  const { lock, lockedOut = [], ignored, sources } = settings;
  const ignore = (cause: IgnoreCause, reason: string) => ({ effect: "ignored", cause, reason }) as const;
  if (lock && isWeaker(scope, lock.scope)) return ignore("hook-locked", `${lock.path} locks the hook`);
  if (isUnknownKey(hook, name)) {
    const suggestion = findNearestName(name, (hook.options && listSchemaKeys(hook.options)) ?? []);
    const reason = hook.options ? `the hook has no such setting${formatHint(suggestion)}` : "the hook has no settings";
    return { ...ignore("unknown", reason), ...(suggestion !== undefined && { near: suggestion }) };
  }
  const lockEntry = lockedOut.find((one) => one.key === name && one.file === file);
  if (lockEntry) return { ...ignore("setting-locked", `${lockEntry.by} locks this setting`), by: lockEntry.by };
  if (scope === "project" && projectProblem !== undefined)
    return ignore("project-wrong", `the hook ignores this file (${projectProblem.replaceAll("\n", "; ")})`);
  if (scope === "project" && ignored.includes(name)) return ignore("untrusted", NOT_TRUSTED_REASON);
  const winner = sources[name];
  if (winner === undefined || winner.path === file) return { effect: "counts" };
  return hook.additiveOptions?.includes(name) && Array.isArray(value)
    ? { effect: "adds" }
    : { effect: "overridden", reason: `${winner.path} takes precedence` };
}

function isUnknownKey({ options: schema }: Pick<Hook, "options">, key: string): boolean {
  const keys = schema ? listSchemaKeys(schema) : [];
  return keys !== undefined && !keys.includes(key);
}

/** Returns whether a lock set by a file in one scope applies to files in another. */
const isWeaker = (scope: ConfigScope, lock: ConfigScope): boolean =>
  lock === "managed" ? scope !== "managed" : scope === "project";

/** Converts a value to JSON. Values that JSON can't represent become strings. */
function toJsonValue(value: unknown): unknown {
  try {
    const copy: unknown = JSON.parse(JSON.stringify(value));
    if (Bun.deepEquals(copy, value)) return copy;
  } catch {
    // JSON can't represent the value.
  }
  return Bun.inspect(value).replaceAll(/\s*\n\s*/g, " ");
}
