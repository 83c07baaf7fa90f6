import { lstatSync, realpathSync } from "../../system/files.ts";
import { lookOnce } from "../../system/looks.ts";

/** Whether there is anything by a name, be it a link. To be told so costs less than an error. */
export const isThere = (path: string): boolean =>
  lookOnce(`there ${path}`, () => lstatSync(path, { throwIfNoEntry: false }) !== undefined);

/** Where a path leads; null if its last part does not exist, not even as a link. */
export const readRealPath = (path: string): string | null =>
  lookOnce(`real ${path}`, () => (/[\\/]$/.test(path) || isThere(path) ? realpathSync.native(path) : null));

/**
 * Where a path leads, every link followed; undefined where nothing is there, or nobody can tell. Calls that `bridge-hooks
 * serve` reads together share what is found, so it costs less than `node:fs`.
 */
export function realPath(path: string): string | undefined {
  try {
    return readRealPath(path) ?? undefined;
  } catch {
    return undefined;
  }
}
