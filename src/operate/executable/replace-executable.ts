import { readdirSync, renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isInUseError, removeLeftoverFile, renameOver } from "../../system/replace-file.ts";

/** Matches the names given to executables that were still running when they were replaced. */
const RENAMED_EXECUTABLE = /^\.bridge-hooks-old-[a-z0-9-]+\.exe$/;

interface ReplaceExecutableOptions {
  platform?: NodeJS.Platform;
  /** Overrides the rename call. Tests use it to simulate Windows. */
  rename?: (from: string, to: string) => void;
}

/**
 * Replaces an executable that may be running. Windows lets a running program be renamed but not replaced, so there the
 * old file is renamed first. It's deleted at the end or, if it's still running, by a later replacement.
 * @throws Error if the file can't be replaced. The old executable then stays in place.
 */
export function replaceExecutable(
  from: string,
  to: string,
  { platform = process.platform, rename = renameSync }: ReplaceExecutableOptions = {},
): void {
  const folder = dirname(to);
  removeOldExecutables(folder);
  try {
    return renameOver(from, to, { platform, rename });
  } catch (error) {
    if (!isInUseError(error, platform)) throw error;
  }
  const asidePath = join(folder, `.bridge-hooks-old-${process.pid}-${Math.random().toString(36).slice(2)}.exe`);
  rename(to, asidePath);
  try {
    rename(from, to);
  } catch (error) {
    rename(asidePath, to);
    throw error;
  }
  removeLeftoverFile(asidePath);
}

/** Deletes renamed old executables that are no longer running. */
function removeOldExecutables(folder: string): void {
  try {
    for (const name of readdirSync(folder))
      if (RENAMED_EXECUTABLE.test(basename(name))) removeLeftoverFile(join(folder, name));
  } catch {
    // The directory can't be listed: it may be writable but not readable.
  }
}
