import type { ConfigFolderRule, Project } from "../protocol/project.ts";
import { getFolder } from "./file-checks.ts";
import { basename, dirname, join, relative } from "./paths.ts";
import { findRepositoryRoot, findWorkingTree } from "./working-tree.ts";

/**
 * Finds a session's project.
 * @param cwd the directory in which the session started or a call runs
 * @param rule which directories the host reads config from
 */
export function findProject(cwd: string, rule: ConfigFolderRule): Project {
  const tree = findWorkingTree(cwd);
  return {
    cwd,
    configFolders: listConfigFolders(cwd, rule),
    ...(tree && { worktree: tree.root, commonGitDir: tree.commonGitDir }),
  };
}

function listConfigFolders(cwd: string, rule: ConfigFolderRule): string[] {
  const top = rule === "start" ? cwd : (findRepositoryRoot(cwd) ?? (rule === "repository" ? cwd : undefined));
  const folders = [cwd];
  for (let at = cwd; at !== top && getFolder(at) !== at; folders.push(at)) at = getFolder(at);
  return folders;
}

/** Returns the root of the main working tree if the project is in a linked one, and undefined otherwise. */
export function findMainTree({
  worktree,
  commonGitDir,
}: Pick<Project, "worktree" | "commonGitDir">): string | undefined {
  if (worktree === undefined || commonGitDir === undefined || basename(commonGitDir) !== ".git") return undefined;
  const main = dirname(commonGitDir);
  return main === worktree ? undefined : main;
}

/** Maps a directory in a linked working tree to its counterpart in the main one. */
export const toMainTree = (folder: string, { worktree = "" }: Pick<Project, "worktree">, main: string): string =>
  join(main, relative(worktree, folder));

/**
 * Returns the directory for a project's files: the repository root, or the directory itself outside a repository.
 * Returns undefined for a home directory or a file system root, where files belong to the user rather than a project.
 */
export function findProjectRoot(folder: string, home: string): string | undefined {
  const isNone = (path: string) => path === home || getFolder(path) === path;
  const root = findRepositoryRoot(folder);
  if (root !== undefined && !isNone(root)) return root;
  return isNone(folder) ? undefined : folder;
}
