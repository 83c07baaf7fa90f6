import { lstatSync, realpathSync } from "../../system/files.ts";
import { cacheLookup } from "../../system/lookups.ts";

/** Whether a file, directory or link exists at a path. Faster than catching an error. */
export const pathExists = (path: string): boolean =>
  cacheLookup(`there ${path}`, () => lstatSync(path, { throwIfNoEntry: false }) !== undefined);

/** Resolves a path. Returns null if nothing exists at its last segment, not even a link. */
export const readRealPath = (path: string): string | null =>
  cacheLookup(`real ${path}`, () => (/[\\/]$/.test(path) || pathExists(path) ? realpathSync.native(path) : null));

/**
 * Resolves a path and follows every link. Returns undefined if the path doesn't exist or can't be resolved. Faster than
 * `node:fs`, because calls handled by `bridge-hooks serve` share results.
 */
export function realPath(path: string): string | undefined {
  try {
    return readRealPath(path) ?? undefined;
  } catch {
    return undefined;
  }
}
