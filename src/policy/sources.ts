import type { Hook } from "../protocol/hook.ts";
import { getManagedConfig, getUserConfigSteps, PROJECT_CONFIG } from "./config-paths.ts";
import { checkPath, getFolder, joinSteps, pathExists } from "../system/file-checks.ts";
import { homedir } from "../system/home.ts";
import { runLimited } from "../system/limit.ts";
import { cacheLookup } from "../system/lookups.ts";

/** Scopes of config files in descending order of precedence. */
export const CONFIG_SCOPES = ["managed", "project", "user"] as const;
export type ConfigScope = (typeof CONFIG_SCOPES)[number];

/** The path and scope of a config file, which may not exist. */
export interface ConfigSource {
  scope: ConfigScope;
  path: string;
  /** The path the file will be installed at if it is only proposed. */
  target?: string;
}

/** The proposed config file that commands use in place of the installed one. */
let proposedSource: ConfigSource | undefined;

/** Runs a function as if the given config file were installed. Without one, the installed files apply. */
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
 * Lists the config files for a project's directories, in descending order of precedence. The files may not exist. Of
 * all environment variables, only the one for the home directory can affect the paths, because a project's settings may
 * set variables for hooks.
 * @param folders the project's directories, with the main one first; the first config file that exists in them is the
 * project's
 */
export function listConfigSources(...folders: readonly string[]): ConfigSource[] {
  const [managed, user] = listSharedSources();
  const project = findProjectConfig(folders, homedir());
  return [managed, ...(project ? [replaceProposed({ scope: "project", path: project })] : []), user];
}

/** Returns the config files that apply to every directory: the administrators' and the user's. */
export const listSharedSources = (): [managed: ConfigSource, user: ConfigSource] => [
  replaceProposed({ scope: "managed", path: getManagedConfig() }),
  replaceProposed({ scope: "user", path: joinSteps(homedir(), getUserConfigSteps()) }),
];

/**
 * Scopes whose files may set modes, in descending order of precedence. A project's file may not: it could turn off the
 * very hooks that protect users from the project.
 */
export const MODE_SCOPES = ["managed", "user"] as const satisfies readonly ConfigScope[];

/** Lists the existing config files that may set modes, in descending order of precedence. */
export function listModeSources(): ConfigSource[] {
  const sources: ConfigSource[] = [];
  // Almost every call runs this code, and `filter` would have to be compiled first, so use a loop.
  for (const source of listSharedSources()) if (mayConfigExist(source.path)) sources.push(source);
  return sources;
}

const checkConfig = (path: string) => cacheLookup(`config ${path}`, () => checkPath(path));
const mayConfigExist = (path: string): boolean => checkConfig(path) !== "absent";

/**
 * Returns the first config file that exists in the project's directories. If there is none, returns where it would be
 * in the first directory.
 */
function findProjectConfig(folders: readonly string[], home: string): string | undefined {
  let first: string | undefined;
  for (const folder of folders) {
    if (folder === "") continue;
    const file = cacheLookup(`project ${home}\0${folder}`, () => searchProjectConfig(folder, home));
    if (checkConfig(file) !== "absent") return file;
    first ??= file;
  }
  return first;
}

/**
 * Returns the nearest config file, searching from a directory up to the root of its repository. Outside a repository,
 * only the directory itself is searched.
 */
function searchProjectConfig(cwd: string, home: string): string {
  let nearest: string | undefined;
  for (let at = cwd; at !== home && getFolder(at) !== at; at = getFolder(at)) {
    const file = joinSteps(at, [PROJECT_CONFIG]);
    if (!nearest && checkConfig(file) === "there") nearest = file;
    if (pathExists(joinSteps(at, [".git"]))) return nearest ?? file;
  }
  return joinSteps(cwd, [PROJECT_CONFIG]);
}

/** Returns whether a project has a config file, even one that can't be accessed. */
export function hasConfigFile(folders: readonly string[]): boolean {
  return listConfigSources(...folders).some(({ path }) => mayConfigExist(path));
}

/** A hook's options. If the project's file is ignored because it is invalid, `problem` explains why. */
export interface LoadedOptions {
  options: unknown;
  /** Why the project's file is ignored. `hook` is set if the problem is in this hook's own settings. */
  problem?: { message: string; hook?: string };
}

const defaultOptions = new WeakMap<Hook, LoadedOptions>();

/**
 * Returns the default options of a hook that has no settings. Returns undefined if its schema requires any.
 * @param ms time limit for the schema, in milliseconds
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

/** Freezes plain data that is shared by all calls in a resident process. */
export function freezeDeep<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  const prototype = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return value;
  for (const part of Object.values(value)) freezeDeep(part);
  return Object.freeze(value);
}
