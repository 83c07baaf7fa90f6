import type { Dirent } from "node:fs";
import { lstatSync, readdirSync } from "../../system/files.ts";
import { join, parse } from "../../system/paths.ts";
import { wildcardPattern } from "../../shell/words/wildcard.ts";
import { createPathsError } from "./disk-cache.ts";

/**
 * A cache of directory listings for one event's wildcards. The number of names is limited so that a call can't take too
 * long.
 */
export interface FolderCache {
  /** Number of names that can still be read. */
  remainingNames: number;
  folders: Map<string, readonly Dirent[]>;
  /** Caches whether paths without wildcards exist. */
  existence: Map<string, boolean>;
}

/** Maximum number of names to test or match. Opening a directory counts as `FOLDER_READ_COST` names. */
const MAX_NAMES_READ = 100_000;
const FOLDER_READ_COST = 16;

export const createFolderCache = (): FolderCache => ({
  remainingNames: MAX_NAMES_READ,
  folders: new Map(),
  existence: new Map(),
});

/**
 * Returns the paths that an absolute glob currently matches, following shell rules. A backslash escapes a wildcard.
 * @throws Error named "PathsError" if too many names would have to be read.
 */
export function findMatchingPaths(pattern: string, folderCache: FolderCache): string[] {
  const { root } = parse(pattern);
  let paths = [root];
  const parts = pattern
    .slice(root.length)
    .split(/(?<!\\)\//)
    .filter(Boolean);
  for (const [at, part] of parts.entries()) {
    const name = part.replace(/\\([^])/g, "$1");
    if (!/(?<!\\)[*?[]/.test(part))
      paths = paths.map((folder) => join(folder, name)).filter((path) => pathExists(path, folderCache));
    else {
      const matchesName = createNameMatcher(part);
      const isLast = at === parts.length - 1;
      paths = paths.flatMap((folder) =>
        readFolder(folder, folderCache)
          .flatMap((entry) =>
            matchesName(entry.name) && (isLast || !entry.isFile()) ? [join(folder, entry.name)] : [],
          )
          .sort(),
      );
      if (isLast) chargeNames(folderCache, paths.length);
    }
  }
  return paths;
}

function pathExists(path: string, folderCache: FolderCache): boolean {
  chargeNames(folderCache, 1);
  let exists = folderCache.existence.get(path);
  if (exists === undefined) folderCache.existence.set(path, (exists = mayBeRead(path)));
  return exists;
}

function mayBeRead(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function readFolder(folder: string, folderCache: FolderCache): readonly Dirent[] {
  let names = folderCache.folders.get(folder);
  chargeNames(folderCache, names ? names.length >> 3 : FOLDER_READ_COST);
  if (names) return names;
  try {
    names = readdirSync(folder, { withFileTypes: true });
  } catch {
    names = [];
  }
  folderCache.folders.set(folder, names);
  chargeNames(folderCache, names.length);
  return names;
}

function chargeNames(folderCache: FolderCache, names: number): void {
  folderCache.remainingNames -= names;
  if (folderCache.remainingNames < 0)
    throw createPathsError(
      `the wildcards in this call match more than ${MAX_NAMES_READ} files, too many to check; narrow the wildcards or split the call`,
    );
}

/** Compiles a wildcard into a name matcher. Only a literal dot matches a leading dot. */
export function createNameMatcher(pattern: string): (name: string) => boolean {
  const matchesPattern = wildcardPattern(pattern);
  const matchesHidden = /^\\?\./.test(pattern);
  return (name) => (matchesHidden || !name.startsWith(".")) && matchesPattern(name);
}
