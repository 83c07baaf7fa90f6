import type { Hook } from "../protocol/hook.ts";
import { getManagedConfig, getUserConfigSteps, PROJECT_CONFIG } from "./config-paths.ts";
import { checkPath, getFolder, joinSteps, pathExists } from "../system/file-checks.ts";
import { homedir } from "../system/home.ts";
import { runLimited } from "../system/limit.ts";
import { cacheLookup } from "../system/lookups.ts";

/** Scopes of config files in descending order of precedence. */
export const CONFIG_SCOPES = ["managed", "project", "user"] as const;
export type ConfigScope = (typeof CONFIG_SCOPES)[number];

/** The path and scope of a config file. The file doesn't have to exist. */
export interface ConfigSource {
  scope: ConfigScope;
  path: string;
  /** Path at which the file will be installed, if it is only proposed. */
  target?: string;
}

/** Proposed config file that commands use instead of the installed file. */
let proposedSource: ConfigSource | undefined;

/** Runs a function as if the given config file were installed. If no file is given, the installed files apply. */
export async function withProposedConfig<T>(source: ConfigSource | undefined, work: () => T | Promise<T>): Promise<T> {
  const previous = proposedSource;
  proposedSource = source;
  try {
    return await work();
  } finally {
    proposedSource = previous;
  }
}

const replaceProposed = (source: ConfigSource): ConfigSource =>
  proposedSource?.scope === source.scope ? { ...proposedSource, target: source.path } : source;

/**
 * Lists the config files for a project's directories in descending order of precedence. A listed file doesn't have to
 * exist. The paths don't depend on environment variables other than the one for the home directory, because a project's
 * settings may set variables for hooks.
 * @param folders the project's directories, starting with the main one. The first existing config file in them is the
 * project's file.
 */
export function listConfigSources(...folders: readonly string[]): ConfigSource[] {
  const [managed, user] = listSharedSources();
  const project = findProjectConfig(folders, homedir());
  return [managed, ...(project ? [replaceProposed({ scope: "project", path: project })] : []), user];
}

/** Returns the administrators' config file and the user's config file. Both apply to every directory. */
export const listSharedSources = (): [managed: ConfigSource, user: ConfigSource] => [
  replaceProposed({ scope: "managed", path: getManagedConfig() }),
  replaceProposed({ scope: "user", path: joinSteps(homedir(), getUserConfigSteps()) }),
];

/**
 * Scopes whose files may set modes, in descending order of precedence. If a project's file could set modes, a project
 * could turn off the hooks that protect users from it.
 */
export const MODE_SCOPES = ["managed", "user"] as const satisfies readonly ConfigScope[];

/** Lists the existing config files that may set modes, in descending order of precedence. */
export function listModeSources(): ConfigSource[] {
  const sources: ConfigSource[] = [];
  // Use a loop, because almost every call runs this code and the engine would have to compile `filter` first.
  for (const source of listSharedSources()) if (mayConfigExist(source.path)) sources.push(source);
  return sources;
}

const checkConfig = (path: string) => cacheLookup(`config ${path}`, () => checkPath(path));
const mayConfigExist = (path: string): boolean => checkConfig(path) !== "absent";

/**
 * Returns the first existing config file in the project's directories. If none exists, returns the path of a config
 * file in the first directory.
 */
function findProjectConfig(folders: readonly string[], home: string): string | undefined {
  let first: string | undefined;
  for (const folder of folders) {
    if (folder === "") continue;
    const file = cacheLookup(`project ${home}\0${folder}`, () => lookForProjectConfig(folder, home));
    if (checkConfig(file) !== "absent") return file;
    first ??= file;
  }
  return first;
}

/**
 * Returns the nearest config file between a directory and the root of its repository. Outside a repository, only the
 * directory itself is searched.
 */

function lookForProjectConfig(cwd: string, home: string): string {
  let nearest: string | undefined;
  for (let at = cwd; at !== home && getFolder(at) !== at; at = getFolder(at)) {
    const file = joinSteps(at, [PROJECT_CONFIG]);
    if (!nearest && checkConfig(file) === "there") nearest = file;
    if (pathExists(joinSteps(at, [".git"]))) return nearest ?? file;
  }
  return joinSteps(cwd, [PROJECT_CONFIG]);
}

/** Returns whether a project has a config file, even if the file can't be accessed. */
export function isConfigured(folders: readonly string[]): boolean {
  return listConfigSources(...folders).some(({ path }) => mayConfigExist(path));
}

/** The options of a hook. If the project's file is invalid and therefore ignored, `problem` explains why. */
export interface LoadedOptions {
  options: unknown;
  problem?: string;
}

const defaultOptions = new WeakMap<Hook, LoadedOptions>();

/**
 * Returns the schema's default options for a hook without settings. Returns undefined if the schema has required
 * settings.
 * @param ms time limit for the schema, in milliseconds.
 */
export async function loadDefaultOptions(hook: Hook, ms: number): Promise<LoadedOptions | undefined> {
  const cachedOptions = defaultOptions.get(hook);
  if (cachedOptions) return cachedOptions;
  const result = await runLimited(async () => hook.options?.["~standard"].validate({}), ms);
  if (!result || result.issues) return undefined;
  const loadedOptions = { options: freezeDeep(result.value) };
  defaultOptions.set(hook, loadedOptions);
  return loadedOptions;
}

/** Freezes plain data that all calls in a resident process share. */
export function freezeDeep<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  const prototype = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return value;
  for (const part of Object.values(value)) freezeDeep(part);
  return Object.freeze(value);
}
