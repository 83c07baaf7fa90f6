import type { ConfigFolderRule, Project } from "../protocol/project.ts";
import { getFolder } from "./file-checks.ts";
import { basename, dirname, join, relative } from "./paths.ts";
import { findRepositoryRoot, findWorkingTree } from "./working-tree.ts";

/**
 * Finds the project of a session.
 * @param cwd the folder that it started in, or that a call works in.
 * @param rule which folders the host reads configuration from.
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

/** The root of the main working tree, from a linked one; undefined elsewhere. */
export function findMainTree({
  worktree,
  commonGitDir,
}: Pick<Project, "worktree" | "commonGitDir">): string | undefined {
  if (worktree === undefined || commonGitDir === undefined || basename(commonGitDir) !== ".git") return undefined;
  const main = dirname(commonGitDir);
  return main === worktree ? undefined : main;
}

/** The folder of the main working tree that corresponds to one in a linked tree. */
export const toMainTree = (folder: string, { worktree = "" }: Pick<Project, "worktree">, main: string): string =>
  join(main, relative(worktree, folder));

/**
 * The folder that a project's shared files belong in: the root of the repository around a folder, else the folder.
 * Undefined for a home directory and a whole disk: their files are the user's.
 */
export function findProjectRoot(folder: string, home: string): string | undefined {
  const isNone = (path: string) => path === home || getFolder(path) === path;
  const root = findRepositoryRoot(folder);
  if (root !== undefined && !isNone(root)) return root;
  return isNone(folder) ? undefined : folder;
}
