import { lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";

/** What is asked of the disk for one event: at most so much, so that no call waits for it. */
export interface Disk {
  /** How often more it may be asked about a name. */
  left: number;
  real: Map<string, string>;
  /** Names that are not there: what would be below them isn't either. */
  missing: Set<string>;
}

const MOST_ASKED = 300;
/** Links that lead to links; a system gives up there too. */
const MOST_LINKS = 40;
export const newDisk = (): Disk => ({ left: MOST_ASKED, real: new Map(), missing: new Set() });

/** The error of a call that names more than can be looked at in the time that a call has. Its name is "PathsError". */
export const pathsError = (message: string): Error => Object.assign(new Error(message), { name: "PathsError" });

/** Asks the disk; nothing where it says no, or was asked too often. */
function asked<T>(disk: Disk, question: () => T): T | undefined {
  if (disk.left <= 0) return undefined;
  disk.left--;
  try {
    return question();
  } catch {
    return undefined;
  }
}

/** Whether something is there; what can't be asked any more may be. */
export const exists = (path: string, disk: Disk): boolean =>
  !disk.missing.has(path) &&
  (disk.left <= 0 || asked(disk, () => lstatSync(path, { throwIfNoEntry: false })) !== undefined);
export const isFolder = (path: string, disk: Disk): boolean =>
  disk.left <= 0 || asked(disk, () => statSync(path, { throwIfNoEntry: false }))?.isDirectory() === true;

/**
 * Where a path leads: every link followed as far as there is something, those that lead nowhere included, and `..` as the
 * system takes it, from where a link leads.
 * @param path absolute; not normalised, since `link/..` isn't the folder that the link is in.
 */
export function realPath(path: string, disk: Disk, links = 0): string {
  const known = disk.real.get(path);
  if (known !== undefined) return known;
  const found = disk.missing.has(dirname(path)) ? null : asked(disk, () => realOrNull(path));
  if (found === null) disk.missing.add(path);
  const real = found ?? stepwise(path, disk, links, found === undefined);
  disk.real.set(path, real);
  return real;
}

/** Where a path leads; null where its last name isn't there, not even as a link. To be told so costs less than an error. */
const realOrNull = (path: string) =>
  /[\\/]$/.test(path) || lstatSync(path, { throwIfNoEntry: false }) ? realpathSync.native(path) : null;

/** The same for a path of which the end isn't there: from its folder, which the next name may share. */
function stepwise(path: string, disk: Disk, links: number, mayBeLink: boolean): string {
  const above = dirname(path);
  if (above === path) return resolve(path);
  const folder = realPath(above, disk, links);
  const name = basename(path);
  if (name === "." || name === "..") return resolve(folder, name);
  const next = join(folder, name);
  const link = mayBeLink && links < MOST_LINKS ? asked(disk, () => readlinkSync(next)) : undefined;
  return link === undefined ? next : realPath(isAbsolute(link) ? link : `${folder}${sep}${link}`, disk, links + 1);
}
