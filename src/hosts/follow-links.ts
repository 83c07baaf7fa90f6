import { realpathSync } from "../system/files.ts";
import type { MachineContext } from "../protocol/host/install.ts";
import { findProjectRoot } from "../system/project.ts";
import { isAbsolute, relative, sep } from "../system/paths.ts";

/** Resolves symbolic links in a path; returns undefined if the path does not exist. */
export function followLinks(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Resolves symbolic links in a path; returns the path unchanged if it does not exist. */
export const resolveSymbolicLinks = (path: string): string => followLinks(path) ?? path;

/** Whether two paths lead to the same file. Paths that don't exist are compared as strings. */
export const isSameFile = (path: string, otherPath: string): boolean =>
  resolveSymbolicLinks(path) === resolveSymbolicLinks(otherPath);

/** Whether a path equals a directory or lies inside it. Only names are compared; symbolic links aren't resolved. */
export function isInsideFolder(folder: string, path: string): boolean {
  const relativePath = relative(folder, path);
  return relativePath !== ".." && !relativePath.startsWith(`..${sep}`) && !isAbsolute(relativePath);
}

/**
 * Whether a path lies in the session's project or in the enclosing repository. A home directory is not treated as a
 * project.
 */
export const isInProject = ({ roots, home }: Pick<MachineContext, "roots" | "home">, path: string): boolean =>
  roots.some((start) => {
    const root = findProjectRoot(start, home) ?? start;
    return isInsideFolder(root, path) || isInsideFolder(resolveSymbolicLinks(root), resolveSymbolicLinks(path));
  });
