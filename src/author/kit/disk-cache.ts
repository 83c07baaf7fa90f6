import { readlinkSync, statSync } from "../../system/files.ts";
import { basename, dirname, isAbsolute, join, resolve, sep } from "../../system/paths.ts";
import { isThere, readRealPath } from "./real-path.ts";

/** A cache of file system lookups for one event; their number is limited, so that a call does not wait for them. */
export interface DiskCache {
  /** The number of lookups left. */
  remainingLookups: number;
  realPaths: Map<string, string>;
  /** Paths that do not exist, so nothing below them does either. */
  missing: Set<string>;
}

const MAX_LOOKUPS = 300;
/** The depth of links at which operating systems give up. */
const MAX_LINK_DEPTH = 40;
export const createDiskCache = (): DiskCache => ({
  remainingLookups: MAX_LOOKUPS,
  realPaths: new Map(),
  missing: new Set(),
});

/** The error for a call that names more files than there is time to examine. Its name is "PathsError". */
export const createPathsError = (message: string): Error => Object.assign(new Error(message), { name: "PathsError" });

/** Runs a lookup; undefined if it fails, or if no lookups are left. */
function queryDisk<T>(disk: DiskCache, question: () => T): T | undefined {
  if (disk.remainingLookups <= 0) return undefined;
  disk.remainingLookups--;
  try {
    return question();
  } catch {
    return undefined;
  }
}

/** Whether a path may exist; true if no lookups are left. */
export const mayExist = (path: string, disk: DiskCache): boolean =>
  !disk.missing.has(path) && (disk.remainingLookups <= 0 || queryDisk(disk, () => isThere(path)) === true);
export const mayBeFolder = (path: string, disk: DiskCache): boolean =>
  disk.remainingLookups <= 0 ||
  queryDisk(disk, () => statSync(path, { throwIfNoEntry: false }))?.isDirectory() === true;

/**
 * Resolves a path: follows every link, broken ones included, as far as the path exists. `..` is resolved as the system
 * does it, from the link's target.
 * @param given absolute; not normalized, since `link/..` may not be the directory that contains the link.
 */
export function resolveRealPath(given: string, disk: DiskCache, links = 0): string {
  // `there/./x` is `there/x` wherever links lead.
  const path = given.includes("/./") ? given.replace(/\/(?:\.\/)+/g, "/") : given;
  const known = disk.realPaths.get(path);
  if (known !== undefined) return known;
  const found = disk.missing.has(dirname(path)) ? null : queryDisk(disk, () => readRealPath(path));
  if (found === null) disk.missing.add(path);
  const real = found ?? resolveFromParent(path, disk, links, found === undefined);
  disk.realPaths.set(path, real);
  return real;
}

/** Resolves a path whose end does not exist, starting from its parent, which other paths may share. */
function resolveFromParent(path: string, disk: DiskCache, links: number, mayBeLink: boolean): string {
  const above = dirname(path);
  if (above === path) return resolve(path);
  const folder = resolveRealPath(above, disk, links);
  const name = basename(path);
  if (name === "." || name === "..") return resolve(folder, name);
  const next = join(folder, name);
  const link = mayBeLink && links < MAX_LINK_DEPTH ? queryDisk(disk, () => readlinkSync(next)) : undefined;
  return link === undefined
    ? next
    : resolveRealPath(isAbsolute(link) ? link : `${folder}${sep}${link}`, disk, links + 1);
}
