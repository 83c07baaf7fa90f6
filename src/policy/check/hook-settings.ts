import type { Hook, HookDescriptor } from "../../protocol/hook.ts";
import { findNearestName, hintOf } from "../../protocol/name-suggestions.ts";
import { isObject } from "../../protocol/object.ts";
import { listSchemaKeys } from "../../protocol/schema.ts";
import { runLimited } from "../../system/limit.ts";
import type { ConfigFiles } from "../files.ts";
import { type HookSettings, mergeSettings, validateHookOptions } from "../merge.ts";
import type { ConfigScope } from "../sources.ts";
import { describeOptions, type OptionDescription } from "./option-schema.ts";
import { SCHEMA_TIMEOUT_MS } from "./rule-catalog.ts";

/** Why what a config file says of a setting has no effect. */
export type IgnoreCause = "unknown" | "hook-locked" | "setting-locked" | "project-wrong" | "untrusted";

/** What a config file says of a setting. */
export interface SettingStatement {
  name: string;
  scope: ConfigScope;
  file: string;
  value: unknown;
  /** `adds`: it counts together with those of other files; `overridden`: a stronger file says otherwise. */
  effect: "counts" | "adds" | "overridden" | "ignored";
  /** Of an ignored one. */
  cause?: IgnoreCause;
  /** Why it has no effect, as a clause. */
  reason?: string;
  /** The file that locks the setting. */
  by?: string;
  /** The setting that an unknown one was perhaps meant to be. */
  near?: string;
}

/** A setting of a hook, as a call gets it. */
export interface ResolvedSetting extends Partial<Omit<OptionDescription, "name">> {
  name: string;
  /** Absent where nothing sets it, and it has no default. */
  value?: unknown;
  /** The config file that sets it; absent: the default applies. */
  scope?: ConfigScope;
  file?: string;
  /** A project's file can set it only if the project is trusted. */
  trusted?: true;
  /** The hook has no such setting. */
  unknown?: true;
}

/** The settings of a hook in a folder, and what the config files say of them. */
export interface ResolvedHook {
  /** Absent where it can't be loaded. */
  hook?: Hook;
  /** What the schema describes or a file mentions. */
  settings: readonly ResolvedSetting[];
  /** The strongest file first. */
  statements: readonly SettingStatement[];
  /** Why the hook fails at each of its events, a line each. */
  problem?: string;
  /** Why the project's file has no effect, a line each. */
  projectProblem?: string;
  /** The file that keeps weaker ones from setting anything. */
  lockedBy?: string;
}

/** Resolves the settings of a hook as a call does, with what each file says of them. */
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
      // Of settings that the schema refuses, the defaults are not known otherwise.
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

/** Whether a setting is one of the hook's own: its schema describes it, or a call gets it. */
export const isOwnSetting = ({ unknown, required, value }: ResolvedSetting): boolean =>
  !unknown && (required !== undefined || value !== undefined);

interface MergedSettings {
  settings: HookSettings;
  /** As the schema has them; what the files say where it refuses that. */
  options: Readonly<Record<string, unknown>>;
  problem?: string;
  projectProblem?: string;
}

const NO_SETTINGS: HookSettings = { values: {}, sources: {}, ignored: [] };

/** A project's file that makes the hook fail has no effect. */
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

/** Why a setting of a project that needs trust has no effect. */
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
    const reason = hook.options ? `the hook has no such setting${hintOf(near)}` : "the hook has no settings";
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

/** Whether a lock of one scope keeps files of another from counting. */
const isWeaker = (scope: ConfigScope, lock: ConfigScope): boolean =>
  lock === "managed" ? scope !== "managed" : scope === "project";

/** Converts a value to JSON; a value that JSON can't represent becomes text. */
function toJsonValue(value: unknown): unknown {
  try {
    const copy: unknown = JSON.parse(JSON.stringify(value));
    if (Bun.deepEquals(copy, value)) return copy;
  } catch {
    // The value can't be serialized as JSON.
  }
  return Bun.inspect(value).replaceAll(/\s*\n\s*/g, " ");
}
