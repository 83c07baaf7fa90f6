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

/** Why a setting in a config file has no effect. */
export type IgnoreCause = "unknown" | "hook-locked" | "setting-locked" | "project-wrong" | "untrusted";

/** A setting in a config file, and its effect. */
export interface SettingStatement {
  name: string;
  scope: ConfigScope;
  file: string;
  value: unknown;
  /** `adds`: combined with the lists of other files; `overridden`: a file with higher precedence sets it. */
  effect: "counts" | "adds" | "overridden" | "ignored";
  /** Set if the setting is ignored. */
  cause?: IgnoreCause;
  /** Why it has no effect, as a clause. */
  reason?: string;
  /** The file that locks the setting. */
  by?: string;
  /** Suggested name for an unknown setting. */
  near?: string;
}

/** A setting of a hook as a call receives it. */
export interface ResolvedSetting extends Partial<Omit<OptionDescription, "name">> {
  name: string;
  /** Absent if no file sets it and it has no default. */
  value?: unknown;
  /** Scope of the config file that sets it; absent if the default applies. */
  scope?: ConfigScope;
  file?: string;
  /** Whether a project's file can set it only if the project is trusted. */
  trusted?: true;
  /** Whether the hook has no setting of this name. */
  unknown?: true;
}

/** The settings of a hook in a directory, and what each config file sets. */
export interface ResolvedHook {
  /** Absent if the hook can't be loaded. */
  hook?: Hook;
  /** The settings that the schema describes or a file mentions. */
  settings: readonly ResolvedSetting[];
  /** In descending order of the files' precedence. */
  statements: readonly SettingStatement[];
  /** Why the hook fails on each of its events, one cause per line. */
  problem?: string;
  /** Why the project's file has no effect, one cause per line. */
  projectProblem?: string;
  /** The file that keeps files with lower precedence from setting anything. */
  lockedBy?: string;
}

/** Resolves the settings of a hook as a call does, with what each file sets. */
export async function resolveHookSettings(entry: HookDescriptor, files: ConfigFiles): Promise<ResolvedHook> {
  const { name } = entry;
  let hook: Hook;
  try {
    hook = await entry.load();
  } catch (error) {
    return { settings: [], statements: [], problem: (error as Error).message };
  }
  const { settings: merged, options, problem, projectProblem } = await mergeAsCall(hook, name, files);
  const statements = await collectStatements(hook, name, files, { settings: merged, projectProblem });
  const described = (hook.options && describeOptions(hook.options)) ?? [];
  const names = new Set([
    ...described.map((option) => option.name),
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
      const known = described.find((one) => one.name === key);
      // If the schema rejects the settings, the defaults come from its description.
      const value = options[key] ?? known?.default;
      return {
        name: key,
        ...known,
        ...(value !== undefined && { value: toJsonValue(value) }),
        ...(source && { scope: source.scope, file: source.path }),
        ...(hook.trustedOptions?.includes(key) && { trusted: true }),
        ...(isUnknown(hook, key) && { unknown: true }),
      };
    }),
  };
}

/** Returns whether a setting belongs to the hook: its schema describes it, or a call receives it. */
export const isOwnSetting = ({ unknown, required, value }: ResolvedSetting): boolean =>
  !unknown && (required !== undefined || value !== undefined);

interface MergedSettings {
  settings: HookSettings;
  /** The options after validation, or the raw settings if the schema rejects them. */
  options: Readonly<Record<string, unknown>>;
  problem?: string;
  projectProblem?: string;
}

const NO_SETTINGS: HookSettings = { values: {}, sources: {}, ignored: [] };

/** Merges settings as a call does, which ignores a project's file that makes the hook fail. */
async function mergeAsCall(hook: Hook, name: string, files: ConfigFiles): Promise<MergedSettings> {
  const merged = await mergeFiles(hook, name, files);
  if (merged.problem === undefined) return merged;
  const others = { ...files, sources: files.sources.filter(({ scope }) => scope !== "project") };
  const without = await mergeFiles(hook, name, others);
  const remaining = without.problem?.split("\n") ?? [];
  const caused = merged.problem.split("\n").filter((line) => !remaining.includes(line));
  return caused.length === 0 ? merged : { ...without, projectProblem: caused.join("\n") };
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

type Judging = Pick<MergedSettings, "settings" | "projectProblem">;

async function collectStatements(
  hook: Hook,
  name: string,
  { sources, read }: ConfigFiles,
  judging: Judging,
): Promise<SettingStatement[]> {
  const found: SettingStatement[] = [];
  for (const source of sources) {
    const { scope, path: file } = source;
    const config = await read(source).catch(() => undefined);
    const configured = config && Object.hasOwn(config.hooks, name) ? config.hooks[name] : undefined;
    if (!isObject(configured)) continue;
    for (const [key, value] of Object.entries(configured)) {
      const about = { name: key, scope, file, value };
      found.push({ ...about, ...judgeStatement(hook, about, judging) });
    }
  }
  return found;
}

/** Reason for a project's setting that requires trust. */
const NOT_TRUSTED = "this project is not trusted";

function judgeStatement(
  hook: Hook,
  { name, scope, file, value }: Pick<SettingStatement, "name" | "scope" | "file" | "value">,
  { settings, projectProblem }: Judging,
): Omit<SettingStatement, "name" | "scope" | "file" | "value"> {
  const { lock, lockedOut = [], ignored, sources } = settings;
  const ignore = (cause: IgnoreCause, reason: string) => ({ effect: "ignored", cause, reason }) as const;
  if (lock && isWeaker(scope, lock.scope)) return ignore("hook-locked", `${lock.path} locks the hook`);
  if (isUnknown(hook, name)) {
    const near = findNearestName(name, (hook.options && listSchemaKeys(hook.options)) ?? []);
    const reason = hook.options ? `the hook has no such setting${formatHint(near)}` : "the hook has no settings";
    return { ...ignore("unknown", reason), ...(near !== undefined && { near }) };
  }
  const locking = lockedOut.find((one) => one.key === name && one.file === file);
  if (locking) return { ...ignore("setting-locked", `${locking.by} locks it`), by: locking.by };
  if (scope === "project" && projectProblem !== undefined)
    return ignore("project-wrong", `the hook ignores this file (${projectProblem.replaceAll("\n", "; ")})`);
  if (scope === "project" && ignored.includes(name)) return ignore("untrusted", NOT_TRUSTED);
  const winner = sources[name];
  if (winner === undefined || winner.path === file) return { effect: "counts" };
  return hook.additiveOptions?.includes(name) && Array.isArray(value)
    ? { effect: "adds" }
    : { effect: "overridden", reason: `${winner.path} sets it` };
}

function isUnknown({ options: schema }: Pick<Hook, "options">, key: string): boolean {
  const keys = schema ? listSchemaKeys(schema) : [];
  return keys !== undefined && !keys.includes(key);
}

/** Returns whether a lock in one scope excludes files of another. */
const isWeaker = (scope: ConfigScope, lock: ConfigScope): boolean =>
  lock === "managed" ? scope !== "managed" : scope === "project";

/** Converts a value to JSON; a value that JSON can't represent becomes a string. */
function toJsonValue(value: unknown): unknown {
  try {
    const copy: unknown = JSON.parse(JSON.stringify(value));
    if (Bun.deepEquals(copy, value)) return copy;
  } catch {
    // The value can't be serialized as JSON.
  }
  return Bun.inspect(value).replaceAll(/\s*\n\s*/g, " ");
}
