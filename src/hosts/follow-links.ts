import { realpathSync } from "../system/files.ts";
import type { MachineContext } from "../protocol/host/install.ts";
import { findProjectRoot } from "../system/project.ts";
import { isAbsolute, relative, sep } from "../system/paths.ts";

/** Resolves the links of a path; undefined if it does not exist. */
export function followLinks(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Resolves the links of a path; returns the path itself if it does not exist. */
export const resolveLinks = (path: string): string => followLinks(path) ?? path;

/** Whether two paths lead to the same file; paths that don't exist are compared as text. */
export const isSameFile = (one: string, other: string): boolean => resolveLinks(one) === resolveLinks(other);

/** Whether a path equals a directory or lies inside it, judged by names only. */
export function isUnder(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Whether a path lies in the project of a session, or in the repository around it; a home directory is not a project. */
export const isInProject = ({ roots, home }: Pick<MachineContext, "roots" | "home">, path: string): boolean =>
  roots.some((start) => {
    const root = findProjectRoot(start, home) ?? start;
    return isUnder(root, path) || isUnder(resolveLinks(root), resolveLinks(path));
  });
