import { lstatSync, realpathSync } from "../../system/files.ts";
import { cacheLookup } from "../../system/looks.ts";

/** Whether anything exists at a path, a link included. Costs less than catching an error. */
export const isThere = (path: string): boolean =>
  cacheLookup(`there ${path}`, () => lstatSync(path, { throwIfNoEntry: false }) !== undefined);

/** Resolves a path; null if its last segment doesn't exist, not even as a link. */
export const readRealPath = (path: string): string | null =>
  cacheLookup(`real ${path}`, () => (/[\\/]$/.test(path) || isThere(path) ? realpathSync.native(path) : null));

/**
 * Resolves a path, following every link. Undefined if it doesn't exist or can't be resolved. Results are shared between
 * calls that `bridge-hooks serve` handles, which costs less than `node:fs`.
 */
export function realPath(path: string): string | undefined {
  try {
    return readRealPath(path) ?? undefined;
  } catch {
    return undefined;
  }
}
