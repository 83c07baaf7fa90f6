import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keepStateIn } from "../../run/state-directory.ts";

/** The folders that are in use. */
const tempFolders = new Set<string>();

/** Removes them, for somebody who ends the process before the work is done. */
export function removeTempFolders(): void {
  for (const folder of tempFolders) rmSync(folder, { recursive: true, force: true });
}

/** Works with a folder that is gone afterwards, and another in which all small state of this process is kept meanwhile. */
export async function runInTempDir<T>(
  work: (folders: { folder: string; state: string }) => T | Promise<T>,
): Promise<T> {
  // As programs in it see it, links followed.
  const home = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-")));
  const [folder, state] = [join(home, "files"), join(home, "state")];
  tempFolders.add(home);
  keepStateIn(state);
  try {
    return await work({ folder, state });
  } finally {
    keepStateIn();
    rmSync(home, { recursive: true, force: true });
    tempFolders.delete(home);
  }
}
