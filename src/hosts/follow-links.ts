import { realpathSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";

/** Where a path leads, with links followed; nothing where there is nothing. */
export function followLinks(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Where a path leads, or the path itself where there is nothing. */
export const resolveLinks = (path: string): string => followLinks(path) ?? path;

/** Whether two paths lead to one file; two that lead nowhere are compared by their text. */
export const isSameFile = (one: string, other: string): boolean => resolveLinks(one) === resolveLinks(other);

/** Whether a path is a folder's or lies in it, by their names. */
export function isUnder(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
