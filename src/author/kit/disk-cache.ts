import { readlinkSync, statSync } from "../../system/files.ts";
import { basename, dirname, isAbsolute, join, resolve, sep } from "../../system/paths.ts";
import { isThere, readRealPath } from "./real-path.ts";

/** A cache of file system lookups for one event. The number of lookups is limited to bound a call's duration. */
export interface DiskCache {
  /** The number of lookups left. */
  remainingLookups: number;
  realPaths: Map<string, string>;
  /** Missing paths; nothing below them exists. */
  missing: Set<string>;
}

const MAX_LOOKUPS = 300;
/** The link depth at which operating systems give up. */
const MAX_LINK_DEPTH = 40;
export const createDiskCache = (): DiskCache => ({
  remainingLookups: MAX_LOOKUPS,
  realPaths: new Map(),
  missing: new Set(),
});

/** Creates the error, named "PathsError", for a call with too many files to examine in time. */
export const createPathsError = (message: string): Error => Object.assign(new Error(message), { name: "PathsError" });

/** Runs a lookup; returns undefined if it fails or if no lookups are left. */
function queryDisk<T>(disk: DiskCache, question: () => T): T | undefined {
  if (disk.remainingLookups <= 0) return undefined;
  disk.remainingLookups--;
  try {
    return question();
  } catch {
    return undefined;
  }
}

/** Whether a path may exist. True if no lookups are left. */
export const mayExist = (path: string, disk: DiskCache): boolean =>
  !disk.missing.has(path) && (disk.remainingLookups <= 0 || queryDisk(disk, () => isThere(path)) === true);
export const mayBeFolder = (path: string, disk: DiskCache): boolean =>
  disk.remainingLookups <= 0 ||
  queryDisk(disk, () => statSync(path, { throwIfNoEntry: false }))?.isDirectory() === true;

/**
 * Resolves a path as far as it exists, following every link, even broken ones. Like the system, it resolves `..` from
 * the link's target.
 * @param given Absolute and not normalized, since `link/..` may not be the directory that contains the link.
 */
export function resolveRealPath(given: string, disk: DiskCache, links = 0): string {
  // Collapsing `/./` is safe, wherever links lead.
  const path = given.includes("/./") ? given.replace(/\/(?:\.\/)+/g, "/") : given;
  const known = disk.realPaths.get(path);
  if (known !== undefined) return known;
  const found = disk.missing.has(dirname(path)) ? null : queryDisk(disk, () => readRealPath(path));
  if (found === null) disk.missing.add(path);
  const real = found ?? resolveFromParent(path, disk, links, found === undefined);
  disk.realPaths.set(path, real);
  return real;
}

/** Resolves a path whose last segment is missing from its parent, whose resolved path is cached. */
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
