import type { Hook } from "../protocol/hook.ts";
import { getManagedConfig, getUserConfigSteps, PROJECT_CONFIG } from "./config-paths.ts";
import { checkPath, getFolder, joinSteps, pathExists } from "../system/file-checks.ts";
import { homedir } from "../system/home.ts";
import { runLimited } from "../system/limit.ts";
import { lookOnce } from "../system/looks.ts";

/** The scopes of config files, strongest first. */
export const CONFIG_SCOPES = ["managed", "project", "user"] as const;
export type ConfigScope = (typeof CONFIG_SCOPES)[number];

/** A config file. */
export interface ConfigSource {
  scope: ConfigScope;
  path: string;
  /** Of a file that is only proposed: the path that it is meant for. */
  target?: string;
}

/** A config file that commands judge by as if it were in place, instead of the one that is. */
let proposed: ConfigSource | undefined;

/** Runs work as if a config file were in place; without one, by the files that are. */
export async function withProposedConfig<T>(source: ConfigSource | undefined, work: () => T | Promise<T>): Promise<T> {
  const before = proposed;
  proposed = source;
  try {
    return await work();
  } finally {
    proposed = before;
  }
}

const replaceProposed = (source: ConfigSource): ConfigSource =>
  proposed?.scope === source.scope ? { ...proposed, target: source.path } : source;

/**
 * The config files for the folders of a project, strongest first; they may not exist. No variable except the home
 * directory's changes the other paths: a project's settings may set variables for hooks.
 * @param folders the one that stands for the project first: its file is the project's, or else that of the next.
 */
export function listConfigSources(...folders: readonly string[]): ConfigSource[] {
  const [managed, user] = listSharedSources();
  const project = findProjectConfig(folders, homedir());
  return [managed, ...(project ? [replaceProposed({ scope: "project", path: project })] : []), user];
}

/** The administrators' config file and the user's, which hold for every directory. */
export const listSharedSources = (): [managed: ConfigSource, user: ConfigSource] => [
  replaceProposed({ scope: "managed", path: getManagedConfig() }),
  replaceProposed({ scope: "user", path: joinSteps(homedir(), getUserConfigSteps()) }),
];

/** The scopes whose files may set modes, strongest first. A project can't: it would switch off what guards against it. */
export const MODE_SCOPES = ["managed", "user"] as const satisfies readonly ConfigScope[];

/** The config files that may set modes and are there, strongest first. */
export function listModeSources(): ConfigSource[] {
  const found: ConfigSource[] = [];
  // A loop: every call that is looked at comes by here, and the engine would compile `filter` for it.
  for (const source of listSharedSources()) if (mayConfigExist(source.path)) found.push(source);
  return found;
}

const checkConfig = (path: string) => lookOnce(`config ${path}`, () => checkPath(path));
const mayConfigExist = (path: string): boolean => checkConfig(path) !== "absent";

/** The project's config file: the first of its folders' that is there, or the place of the first one. */
function findProjectConfig(folders: readonly string[], home: string): string | undefined {
  let first: string | undefined;
  for (const folder of folders) {
    if (folder === "") continue;
    const file = lookOnce(`project ${home}\0${folder}`, () => lookForProjectConfig(folder, home));
    if (checkConfig(file) !== "absent") return file;
    first ??= file;
  }
  return first;
}

/**
 * The nearest config file from a directory up to the root of its repository; outside a repository, only the directory's
 * own.
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

/** Whether a config file exists for a project, or something with its name that can't be accessed. */
export function isConfigured(folders: readonly string[]): boolean {
  return listConfigSources(...folders).some(({ path }) => mayConfigExist(path));
}

/** The options of a hook; `problem` is set if the project's file was ignored because it is invalid. */
export interface LoadedOptions {
  options: unknown;
  problem?: string;
}

const defaultOptions = new WeakMap<Hook, LoadedOptions>();

/**
 * The schema's options for a hook without settings; undefined if the schema rejects that.
 * @param ms time limit for the schema.
 */
export async function loadDefaultOptions(hook: Hook, ms: number): Promise<LoadedOptions | undefined> {
  const known = defaultOptions.get(hook);
  if (known) return known;
  const result = await runLimited(async () => hook.options?.["~standard"].validate({}), ms);
  if (!result || result.issues) return undefined;
  const found = { options: freezeDeep(result.value) };
  defaultOptions.set(hook, found);
  return found;
}

/** Freezes plain data: in a resident process all calls share it. */
export function freezeDeep<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  const prototype = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return value;
  for (const part of Object.values(value)) freezeDeep(part);
  return Object.freeze(value);
}
