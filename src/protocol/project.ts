import type { EventBase } from "./event.ts";
import type { Env, Payload } from "./host/payload.ts";

/** The project that contains a directory, as a host sees it. Paths are absolute. */
export interface Project {
  /** The directory in which the session started or the call runs. */
  cwd: string;
  /** Directories whose project config the host reads, `cwd` first. */
  configFolders: readonly string[];
  /** Root of the git working tree around `cwd`. */
  worktree?: string;
  /** The directory shared by all working trees of the repository: `.git` of the main working tree. */
  commonGitDir?: string;
}

/**
 * Directories whose project config a host reads.
 * - `start`: only the directory in which the session started.
 * - `repository`: every directory from the start up to the root of the git working tree; outside a working tree, only
 * the start.
 * - `parents`: like `repository`, but outside a working tree, every directory up to the root of the file system.
 */
export type ConfigFolderRule = "start" | "repository" | "parents";

/** How a host reports its project. */
export interface ProjectTraits {
  /** Payload fields that contain a directory, or a list of directories, open in the host. */
  rootFields?: readonly string[];
  /** Environment variables, set for hooks, that contain the path of an open directory. */
  rootVariables?: readonly string[];
  configFolders: ConfigFolderRule;
}

/** Maximum length of a path, in characters. */
const MAX_PATH_LENGTH = 4_096;

/** Returns the directories that the host names in a payload or in its hooks' environment. Most hosts name only one. */
export function listNamedRoots(
  { rootFields = [], rootVariables = [] }: Partial<ProjectTraits>,
  payload: Payload,
  env: Env,
): string[] {
  const folders: string[] = [];
  const add = (folder: unknown) => {
    if (typeof folder !== "string" || folder === "" || folder.length > MAX_PATH_LENGTH) return;
    const path = trimSlash(folder);
    if (!folders.includes(path)) folders.push(path);
  };
  for (const name of rootFields) {
    const value = payload[name];
    if (Array.isArray(value)) for (const entry of value) add(entry);
    else add(value);
  }
  for (const name of rootVariables) add(env[name]);
  return folders;
}

/** Returns the directories of a payload's session: the directories that the host names, or its working directory. */
export function listSessionRoots(traits: ProjectTraits, payload: Payload, env: Env): string[] {
  const namedRoots = listNamedRoots(traits, payload, env);
  return namedRoots.length > 0 || typeof payload.cwd !== "string" ? namedRoots : [payload.cwd];
}

const trimSlash = (folder: string): string =>
  /^(?:[A-Za-z]:)?[\\/]$/.test(folder) ? folder : folder.replace(/[\\/]$/, "");

/**
 * Returns the directories of a session's project. The first one represents the project: the innermost root that
 * contains the working directory. The host's other roots and the working directory itself follow.
 */
export function listProjectFolders({
  cwd,
  workspace_roots = [],
}: Pick<EventBase<string>, "cwd" | "workspace_roots">): string[] {
  const enclosingRoots = workspace_roots.filter(
    (root) => cwd === root || cwd.startsWith(`${root}/`) || cwd.startsWith(`${root}\\`),
  );
  const nearestFirst = enclosingRoots.toSorted((one, other) => other.length - one.length);
  return [...new Set([...nearestFirst, ...workspace_roots, cwd])].filter(
    ({ length }) => length > 0 && length <= MAX_PATH_LENGTH,
  );
}
