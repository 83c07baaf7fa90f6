import type { EventBase } from "./event.ts";
import type { Env, Payload } from "./host/payload.ts";

/** The project around a folder, as a host sees it. Paths are absolute. */
export interface Project {
  /** The folder that the session started in, or that a call works in. */
  cwd: string;
  /** The folders whose project config the host reads, `cwd` first. */
  configFolders: readonly string[];
  /** The root of the git working tree around `cwd`. */
  worktree?: string;
  /** Where git keeps what all working trees of the repository share: `.git` of the main one. */
  commonGitDir?: string;
}

/**
 * The folders whose project config a host reads: that of the session's start; each one from there up to the root of the
 * git working tree, or the start alone outside of one; or up to the root of the disk outside of one.
 */
export type ConfigFolderRule = "start" | "repository" | "parents";

/** How a host tells its project. */
export interface ProjectTraits {
  /** Fields of the payload with a folder, or a list of folders, that the host works on. */
  rootFields?: readonly string[];
  /** Variables of a hook's environment with such a folder. */
  rootVariables?: readonly string[];
  configFolders: ConfigFolderRule;
}

/** No folder has a longer path. */
const MAX_PATH_LENGTH = 4_096;

/** The folders that a host says it works on, in a payload or in the environment of its hooks; most hosts name one. */
export function listNamedRoots(
  { rootFields = [], rootVariables = [] }: Partial<ProjectTraits>,
  payload: Payload,
  env: Env,
): string[] {
  const found: string[] = [];
  const add = (folder: unknown) => {
    if (typeof folder !== "string" || folder === "" || folder.length > MAX_PATH_LENGTH) return;
    const path = trimSlash(folder);
    if (!found.includes(path)) found.push(path);
  };
  for (const name of rootFields) {
    const value = payload[name];
    if (Array.isArray(value)) for (const one of value) add(one);
    else add(value);
  }
  for (const name of rootVariables) add(env[name]);
  return found;
}

/** The folders of a payload's session: the ones that the host names, or its working directory. */
export function listSessionRoots(traits: ProjectTraits, payload: Payload, env: Env): string[] {
  const named = listNamedRoots(traits, payload, env);
  return named.length > 0 || typeof payload.cwd !== "string" ? named : [payload.cwd];
}

const trimSlash = (folder: string): string =>
  /^(?:[A-Za-z]:)?[\\/]$/.test(folder) ? folder : folder.replace(/[\\/]$/, "");

/**
 * The folders of a session's project, the one that stands for it first: the root that the call works in, the other roots
 * that the host names, and the working directory, wherever the agent has gone.
 */
export function listProjectFolders({
  cwd,
  workspace_roots = [],
}: Pick<EventBase<string>, "cwd" | "workspace_roots">): string[] {
  const around = workspace_roots.filter(
    (root) => cwd === root || cwd.startsWith(`${root}/`) || cwd.startsWith(`${root}\\`),
  );
  const nearest = around.toSorted((one, other) => other.length - one.length);
  return [...new Set([...nearest, ...workspace_roots, cwd])].filter(
    ({ length }) => length > 0 && length <= MAX_PATH_LENGTH,
  );
}
