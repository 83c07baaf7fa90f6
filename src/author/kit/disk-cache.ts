import { lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";

/** What is asked of the disk for one event: at most so much, so that no call waits for it. */
export interface DiskCache {
  /** How often more it may be asked about a name. */
  remainingLookups: number;
  realPaths: Map<string, string>;
  /** Names that are not there: what would be below them isn't either. */
  missing: Set<string>;
}

const MAX_LOOKUPS = 300;
/** Links that lead to links; a system gives up there too. */
const MAX_LINK_DEPTH = 40;
export const createDiskCache = (): DiskCache => ({
  remainingLookups: MAX_LOOKUPS,
  realPaths: new Map(),
  missing: new Set(),
});

/** The error of a call that names more than can be looked at in the time that a call has. Its name is "PathsError". */
export const createPathsError = (message: string): Error => Object.assign(new Error(message), { name: "PathsError" });

/** Asks the disk; nothing where it says no, or was asked too often. */
function queryDisk<T>(disk: DiskCache, question: () => T): T | undefined {
  if (disk.remainingLookups <= 0) return undefined;
  disk.remainingLookups--;
  try {
    return question();
  } catch {
    return undefined;
  }
}

/** Whether something is there; what can't be asked any more may be. */
export const mayExist = (path: string, disk: DiskCache): boolean =>
  !disk.missing.has(path) &&
  (disk.remainingLookups <= 0 || queryDisk(disk, () => lstatSync(path, { throwIfNoEntry: false })) !== undefined);
export const mayBeFolder = (path: string, disk: DiskCache): boolean =>
  disk.remainingLookups <= 0 ||
  queryDisk(disk, () => statSync(path, { throwIfNoEntry: false }))?.isDirectory() === true;

/**
 * Where a path leads: every link followed as far as there is something, those that lead nowhere included, and `..` as the
 * system takes it, from where a link leads.
 * @param path absolute; not normalised, since `link/..` isn't the folder that the link is in.
 */
export function resolveRealPath(path: string, disk: DiskCache, links = 0): string {
  const known = disk.realPaths.get(path);
  if (known !== undefined) return known;
  const found = disk.missing.has(dirname(path)) ? null : queryDisk(disk, () => readRealPath(path));
  if (found === null) disk.missing.add(path);
  const real = found ?? resolveFromParent(path, disk, links, found === undefined);
  disk.realPaths.set(path, real);
  return real;
}

/** Where a path leads; null where its last name isn't there, not even as a link. To be told so costs less than an error. */
const readRealPath = (path: string) =>
  /[\\/]$/.test(path) || lstatSync(path, { throwIfNoEntry: false }) ? realpathSync.native(path) : null;

/** The same for a path of which the end isn't there: from its folder, which the next name may share. */
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
