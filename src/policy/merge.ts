import type { Hook } from "../protocol/hook.ts";
import { describeWrongType } from "../protocol/choices.ts";
import { isObject } from "../protocol/object.ts";
import { listSchemaKeys, type Schema } from "../protocol/schema.ts";
import { runLimited } from "../system/limit.ts";
import { type ConfigFiles, type ConfigReader, type ParsedConfig, readConfig } from "./files.ts";
import { isTrusted } from "./read.ts";
import { type ConfigScope, type ConfigSource, freezeDeep, type LoadedOptions } from "./sources.ts";

/** Assigning to this key would change an object's prototype. Schemas don't check for that. */
const PROTOTYPE_KEY = "__proto__";

/** A hook's merged settings, and where each comes from. */
export interface HookSettings {
  values: Readonly<Record<string, unknown>>;
  /** The file that each setting comes from. */
  sources: Readonly<Record<string, ConfigSource>>;
  /** Settings in the project's file that are ignored until the project is trusted. */
  ignored: readonly string[];
  /**
   * Settings that are ignored because a file with higher precedence locks them, each with the file that sets it and the
   * file that locks it.
   */
  lockedOut?: readonly { key: string; file: string; by: string }[];
  /** Path of the file that locks the hook. */
  lock?: ConfigSource;
}

/** Scopes that can lock a hook, in descending order of precedence. A project's file can't. */
const LOCKING_SCOPES = ["managed", "user"] as const;

/**
 * Reads the files that apply to a hook, in descending order of precedence. Files excluded by a lock aren't read, so
 * errors in them can't break the hook.
 */
async function readApplicableConfigs(
  name: string,
  sources: readonly ConfigSource[],
  read: ConfigReader,
): Promise<{ configs: ParsedConfig[]; lock?: ParsedConfig }> {
  const configs: ParsedConfig[] = [];
  for (const scope of LOCKING_SCOPES) {
    const source = sources.find((one) => one.scope === scope);
    const config = source && (await read(source));
    if (config) configs.push(config);
    if (config?.locked === true || config?.locked.includes(name)) return { configs, lock: config };
  }
  const project = sources.find(({ scope }) => scope === "project");
  const config = project && (await read(project));
  if (config) configs.splice(configs[0]?.scope === "managed" ? 1 : 0, 0, config);
  return { configs };
}

/** Returns whether a file locks an option, so that files with lower precedence can't set it. */
const locksSetting = ({ scope, locked }: ParsedConfig, weaker: ConfigScope, hook: string, key: string): boolean =>
  (scope === "managed" || (scope === "user" && weaker === "project")) &&
  scope !== weaker &&
  locked !== true &&
  locked.includes(`${hook}/${key}`);

/** An error in the settings of one hook. An error without `hook` concerns a whole file. */
type SettingsError = Error & { hook: string };

const createSettingsError = (hook: string, message: string): SettingsError =>
  Object.assign(new Error(message), { hook });

/**
 * Returns a hook's settings from a file.
 * @throws Error if the settings aren't an object.
 */
function getConfiguredSettings({ path, hooks }: ParsedConfig, name: string): Readonly<Record<string, unknown>> {
  const configured = Object.hasOwn(hooks, name) ? hooks[name] : {};
  if (!isObject(configured)) throw createSettingsError(name, `${path}: hooks.${name}: must be an object`);
  return configured;
}

/**
 * Merges a hook's settings key by key. The managed file takes precedence over the project's, and the project's over the
 * user's. If a file locks the hook, files with lower precedence are ignored; for locks, the user's file ranks above the
 * project's.
 * @param hook its `trustedOptions` can be set by a project's file only if the managed or the user's file trusts the
 * project's directory; its `additiveOptions` are lists that are combined
 * @throws Error if a file that applies can't be read or has the wrong shape
 */
export async function mergeSettings(
  name: string,
  sources: readonly ConfigSource[],
  { trustedOptions = [], additiveOptions = [] }: Pick<Hook, "trustedOptions" | "additiveOptions"> = {},
  reader: ConfigReader = readConfig,
): Promise<HookSettings> {
  const { configs, lock } = await readApplicableConfigs(name, sources, reader);
  const values: Record<string, unknown> = Object.create(null);
  const from: Record<string, ConfigSource> = Object.create(null);
  const ignoredKeys: string[] = [];
  const lockedOut: { key: string; file: string; by: string }[] = [];
  const trustedFolders = configs.flatMap((config) => config.trusted);
  const isUntrusted = (config: ParsedConfig, key: string) =>
    config.scope === "project" && trustedOptions.includes(key) && !isTrusted(config, trustedFolders);
  for (const config of configs) {
    const { scope, path } = config;
    const configured = getConfiguredSettings(config, name);
    for (const key in configured) {
      const isSet = Object.hasOwn(values, key);
      const isAdded = isSet && additiveOptions.includes(key);
      if (key === PROTOTYPE_KEY || (isSet && !isAdded)) continue;
      const lockingConfig = configs.find((one) => locksSetting(one, scope, name, key));
      if (lockingConfig) lockedOut.push({ key, file: path, by: lockingConfig.path });
      else if (isUntrusted(config, key)) ignoredKeys.push(key);
      else if (isAdded && Array.isArray(values[key]) && Array.isArray(configured[key]))
        values[key] = [...values[key], ...configured[key]];
      // Keep a value that isn't a list so that the schema rejects it.
      else if (!isAdded || Array.isArray(values[key])) {
        values[key] = configured[key];
        from[key] = { scope, path };
      }
    }
  }
  return {
    values: { ...values },
    sources: { ...from },
    ignored: ignoredKeys,
    ...(lockedOut.length > 0 && { lockedOut }),
    ...(lock && { lock: { scope: lock.scope, path: lock.path } }),
  };
}

/** Each hook's most recently validated options. A resident process validates them again only if the settings change. */
const validatedOptions = new WeakMap<Hook, { serialized: string; options: unknown }>();

const EMPTY_OPTIONS = Object.freeze({});

/**
 * Returns a hook's validated options in a directory. If a project's file is invalid, all of it is ignored. Otherwise,
 * the project could make the hook fail, and calls would run if the hook's failure policy is `allow`.
 * @param ms time limit for the schema, in milliseconds
 * @throws Error with the file and the position
 */
export async function readHookOptions(
  hook: Hook,
  name: string,
  files: ConfigFiles,
  ms: number,
): Promise<LoadedOptions> {
  if (!hook.options) return { options: EMPTY_OPTIONS };
  try {
    return { options: await validateSettings(hook, name, files, ms) };
  } catch (error) {
    const otherFiles = { ...files, sources: files.sources.filter(({ scope }) => scope !== "project") };
    const { message, hook: wrongHook } = error as Partial<SettingsError> & Error;
    const problem = { message, ...(wrongHook !== undefined && { hook: wrongHook }) };
    return { options: await validateSettings(hook, name, otherFiles, ms), problem };
  }
}

async function validateSettings(
  hook: Hook,
  name: string,
  { sources, read }: ConfigFiles,
  ms: number,
): Promise<unknown> {
  const settings = await mergeSettings(name, sources, hook, read);
  const serialized = JSON.stringify(settings.values);
  const lastOptions = validatedOptions.get(hook);
  if (lastOptions?.serialized === serialized) return lastOptions.options;
  const options = freezeDeep(
    await runLimited(() => parseHookOptions(name, hook.options as Schema, settings, sources), ms),
  );
  validatedOptions.set(hook, { serialized, options });
  return options;
}

/**
 * Validates settings with a hook's schema.
 * @throws Error that describes the first problem.
 */
export async function parseHookOptions<T>(...args: Parameters<typeof validateHookOptions<T>>): Promise<T> {
  const { options, wrong } = await validateHookOptions(...args);
  if (wrong[0] !== undefined) throw createSettingsError(args[0], wrong[0]);
  return options as T;
}

/** Validates settings with a hook's schema. Each problem states the file and the position. */
export async function validateHookOptions<T>(
  name: string,
  schema: Schema<T>,
  { values, sources: from }: Pick<HookSettings, "values" | "sources">,
  sources: readonly ConfigSource[] = [],
): Promise<{
  options: T | undefined;
  wrong: readonly string[];
  /** Settings that the schema doesn't know. They are ignored, since a newer version of the hook may support them. */
  unknown: readonly string[];
}> {
  const keys = listSchemaKeys(schema);
  const unknown = keys ? Object.keys(values).filter((key) => !keys.includes(key)) : [];
  const knownValues =
    unknown.length === 0
      ? values
      : Object.fromEntries(Object.entries(values).filter(([key]) => !unknown.includes(key)));
  const result = await schema["~standard"].validate(knownValues);
  if (!result.issues) return { options: result.value, wrong: [], unknown };
  const problems = result.issues.map((issue) => {
    const [path, message] = [issue.path ?? [], describeWrongType(issue.message)];
    const parts = path.map((part) => String(typeof part === "object" ? part.key : part));
    const keyPath = ["hooks", name, ...parts].join(".");
    const file = from[parts[0] ?? ""]?.path ?? Object.values(from)[0]?.path;
    return file
      ? `${file}: ${keyPath}: ${message}`
      : `${keyPath}: ${message}; set it in ${sources.at(-1)?.path ?? "the options"}`;
  });
  return { options: undefined, wrong: problems, unknown };
}
