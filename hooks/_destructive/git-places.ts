import { existsSync } from "bridge-hooks/files";
import { isSameOrAbove, type LineContext, normalizePath } from "./line-context.ts";
import { BARE_REPOSITORY_ENTRIES } from "./precious-files.ts";

/** Whether a path such as `shop.git/objects` is part of a bare repository. */
export function isInBareRepository(path: string): boolean {
  const parts = path.split("/");
  const at = parts.findIndex((part) => BARE_REPOSITORY_ENTRIES.has(part));
  if (at < 2 || path.endsWith(".lock")) return false;
  const folder = parts.slice(0, at).join("/");
  const name = parts[at - 1] as string;
  if (name === ".git") return false;
  return (
    name.endsWith(".git") ||
    [...BARE_REPOSITORY_ENTRIES].every((part) => part === "packed-refs" || existsSync(`${folder}/${part}`))
  );
}

/** Whether a directory is a linked worktree of the project with uncommitted changes. */
export function isChangedTree(path: string, { folders, repository }: LineContext): boolean {
  if (!existsSync(`${path}/.git`)) return false;
  const { root, commonGitDir, dirty } = repository(path) ?? {};
  const isTree = root !== undefined && normalizePath(root) === path;
  return isTree && dirty !== false && folders.some((folder) => repository(folder)?.commonGitDir === commonGitDir);
}

/**
 * Returns a path relative to its repository, such as `.git/config`, if the path is in the `.git` directory of the project, a parent
 * directory, or the main worktree.
 */
export function getPathFromGit(path: string, context: LineContext): string | undefined {
  const at = path.indexOf("/.git");
  const repositoryFolder = path.slice(0, at) || "/";
  if (at >= 0 && (path.length === at + 5 || path[at + 5] === "/"))
    for (const folder of context.folders) if (isSameOrAbove(repositoryFolder, folder)) return path.slice(at + 1);
  const shared = listSharedGitFolders(path, context).find((sharedFolder) => isSameOrAbove(sharedFolder, path));
  return shared && `.git${path.slice(shared.length)}`;
}

/** Lists the shared git directories of the project's linked worktrees that could contain a path. */
export function listSharedGitFolders(path: string, { folders, repository }: LineContext): string[] {
  if (folders.some((folder) => isSameOrAbove(folder, path))) return [];
  return folders.flatMap((folder) => {
    const { root, commonGitDir } = repository(folder) ?? {};
    const shared = commonGitDir && normalizePath(commonGitDir);
    return shared && shared !== `${normalizePath(root ?? "")}/.git` ? [shared] : [];
  });
}
