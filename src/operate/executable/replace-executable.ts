import { readdirSync, renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isHeldError, removeLeftover, renameOver } from "../../system/replace-file.ts";

/** The name of an executable that was moved aside while it was running. */
const OLD_NAME = /^\.bridge-hooks-old-[a-z0-9-]+\.exe$/;

interface ReplaceExecutableOptions {
  platform?: NodeJS.Platform;
  /** The system's renames; tests stand in for Windows with it. */
  rename?: (from: string, to: string) => void;
}

/**
 * Puts an executable in the place of another, which may be running. Windows lets a running program be renamed, and not
 * be replaced: there the old file is moved aside, and removed by this build or a later one.
 * @throws Error if neither is possible; the old executable is in its place then.
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
    if (!isHeldError(error, platform)) throw error;
  }
  const old = join(folder, `.bridge-hooks-old-${process.pid}-${Math.random().toString(36).slice(2)}.exe`);
  rename(to, old);
  try {
    rename(from, to);
  } catch (error) {
    rename(old, to);
    throw error;
  }
  removeLeftover(old);
}

/** Removes executables that were moved aside, as far as they have ended. */
function removeOldExecutables(folder: string): void {
  try {
    for (const name of readdirSync(folder)) if (OLD_NAME.test(basename(name))) removeLeftover(join(folder, name));
  } catch {
    // A folder may be writable and not readable.
  }
}
