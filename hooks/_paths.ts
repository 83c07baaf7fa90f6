import { lstatSync, realpathSync } from "node:fs";
import { homedir } from "bridge-hooks";

/** A path that begins with `~`, from the home folder. */
export const expandHome = (path: string): string => path.replace(/^~(?=\/|$)/, homedir);

/** Where a path leads; nothing where nothing is there. */
export function followLinks(path: string): string | undefined {
  try {
    // To be told so that nothing is there costs less than an error.
    return lstatSync(path, { throwIfNoEntry: false }) && realpathSync.native(path);
  } catch {
    return undefined;
  }
}
