import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join, parse } from "node:path";
import { wildcardPattern } from "../../shell/wildcard.ts";
import { pathsError } from "./disk.ts";

/** What is read for the wildcards of one event: at most so much, so that no call waits for it. */
export interface Reading {
  /** How many more names may be read. */
  left: number;
  folders: Map<string, readonly Dirent[]>;
}

/** Names that wildcards are tried on or fit, and what opening a folder counts as. */
const MOST_READ = 100_000;
const FOLDER = 16;

export const newReading = (): Reading => ({ left: MOST_READ, folders: new Map() });

/**
 * The paths that an absolute pattern fits now, as a shell would find them; a backslash makes a wildcard a letter.
 * @throws Error named "PathsError" where that takes too much reading.
 */
export function fitting(pattern: string, reading: Reading): string[] {
  const { root } = parse(pattern);
  let found = [root];
  const parts = pattern
    .slice(root.length)
    .split(/(?<!\\)\//)
    .filter(Boolean);
  for (const [at, part] of parts.entries()) {
    const plain = part.replace(/\\([^])/g, "$1");
    if (!/(?<!\\)[*?[]/.test(part))
      found = found.map((folder) => join(folder, plain)).filter((path) => isThere(path, reading));
    else {
      const fit = fitter(part);
      const isLast = at === parts.length - 1;
      found = found.flatMap((folder) =>
        entries(folder, reading)
          .flatMap((entry) => (fit(entry.name) && (isLast || !entry.isFile()) ? [join(folder, entry.name)] : []))
          .sort(),
      );
      if (isLast) spend(reading, found.length);
    }
  }
  return found;
}

function isThere(path: string, reading: Reading): boolean {
  spend(reading, 1);
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function entries(folder: string, reading: Reading): readonly Dirent[] {
  let found = reading.folders.get(folder);
  spend(reading, found ? found.length >> 3 : FOLDER);
  if (found) return found;
  try {
    found = readdirSync(folder, { withFileTypes: true });
  } catch {
    found = [];
  }
  reading.folders.set(folder, found);
  spend(reading, found.length);
  return found;
}

function spend(reading: Reading, names: number): void {
  reading.left -= names;
  if (reading.left < 0)
    throw pathsError(
      `the wildcards of this call are tried on too many files to look at (more than ${MOST_READ}); name fewer, or split it up`,
    );
}

/** Whether a wildcard fits a name. A name with a dot before it is only fit by a dot. */
export function fitter(pattern: string): (name: string) => boolean {
  const fits = wildcardPattern(pattern);
  const hidden = /^\\?\./.test(pattern);
  return (name) => (hidden || !name.startsWith(".")) && fits(name);
}
