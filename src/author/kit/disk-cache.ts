import { readlinkSync, statSync } from "../../system/files.ts";
import { basename, dirname, isAbsolute, join, resolve, sep } from "../../system/paths.ts";
import { pathExists, readRealPath } from "./real-path.ts";

/**
 * A cache of file system lookups for one event. The number of lookups is limited so that a call can't take too long.
 */
export interface DiskCache {
  /** Number of lookups that are still allowed. */
  remainingLookups: number;
  realPaths: Map<string, string>;
  /** Paths known to be missing. Nothing can exist below these paths. */
  missingPaths: Set<string>;
}

const MAX_LOOKUPS = 300;
/** Maximum number of nested links that operating systems follow. */
const MAX_LINK_DEPTH = 40;
export const createDiskCache = (): DiskCache => ({
  remainingLookups: MAX_LOOKUPS,
  realPaths: new Map(),
  missingPaths: new Set(),
});

/** Creates the "PathsError" for a call that names too many files to examine in time. */
export const createPathsError = (message: string): Error => Object.assign(new Error(message), { name: "PathsError" });

/** Runs a lookup. Returns undefined if the lookup fails or the limit is reached. */
function queryDisk<T>(disk: DiskCache, question: () => T): T | undefined {
  if (disk.remainingLookups <= 0) return undefined;
  disk.remainingLookups--;
  try {
    return question();
  } catch {
    return undefined;
  }
}

/** Whether a path could exist. Returns true if the lookup limit is reached. */
export const mayExist = (path: string, disk: DiskCache): boolean =>
  !disk.missingPaths.has(path) && (disk.remainingLookups <= 0 || queryDisk(disk, () => pathExists(path)) === true);
export const mayBeFolder = (path: string, disk: DiskCache): boolean =>
  disk.remainingLookups <= 0 ||
  queryDisk(disk, () => statSync(path, { throwIfNoEntry: false }))?.isDirectory() === true;

/**
 * Resolves the existing part of a path and follows every link, even broken ones. Like the system, resolves `..` from
 * the link's target.
 * @param absolutePath Absolute and not normalized, since `link/..` might not be the directory that contains the link.
 */
export function resolveRealPath(absolutePath: string, disk: DiskCache, links = 0): string {
  // Collapsing `/./` is safe, regardless of where links point.
  const path = absolutePath.includes("/./") ? absolutePath.replace(/\/(?:\.\/)+/g, "/") : absolutePath;
  const cached = disk.realPaths.get(path);
  if (cached !== undefined) return cached;
  const resolved = disk.missingPaths.has(dirname(path)) ? null : queryDisk(disk, () => readRealPath(path));
  if (resolved === null) disk.missingPaths.add(path);
  const realPath = resolved ?? resolveFromParent(path, disk, links, resolved === undefined);
  disk.realPaths.set(path, realPath);
  return realPath;
}

/** Resolves a path whose last segment is missing, using the cached path of its parent. */
function resolveFromParent(path: string, disk: DiskCache, links: number, mayBeLink: boolean): string {
  const parent = dirname(path);
  if (parent === path) return resolve(path);
  const folder = resolveRealPath(parent, disk, links);
  const name = basename(path);
  if (name === "." || name === "..") return resolve(folder, name);
  const nextPath = join(folder, name);
  const link = mayBeLink && links < MAX_LINK_DEPTH ? queryDisk(disk, () => readlinkSync(nextPath)) : undefined;
  return link === undefined
    ? nextPath
    : resolveRealPath(isAbsolute(link) ? link : `${folder}${sep}${link}`, disk, links + 1);
}
