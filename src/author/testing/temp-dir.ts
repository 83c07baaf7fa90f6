import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setStateDirectory } from "../../call/state/state-directory.ts";

/** The directories in use. */
const tempFolders = new Set<string>();

/** Removes them, if the process is ended before the work is done. */
export function removeTempFolders(): void {
  for (const folder of tempFolders) rmSync(folder, { recursive: true, force: true });
}

/** Runs work with a temporary directory, and with another one for all small state of this process. */
export async function runInTempDir<T>(
  work: (folders: { folder: string; state: string }) => T | Promise<T>,
): Promise<T> {
  // The path as programs in it see it, links resolved.
  const home = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-")));
  const [folder, state] = [join(home, "files"), join(home, "state")];
  tempFolders.add(home);
  setStateDirectory(state);
  try {
    return await work({ folder, state });
  } finally {
    setStateDirectory();
    rmSync(home, { recursive: true, force: true });
    tempFolders.delete(home);
  }
}
