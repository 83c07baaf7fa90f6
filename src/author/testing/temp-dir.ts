import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setStateDirectory } from "../../call/state/state-directory.ts";

/** Temporary directories in use. */
const tempFolders = new Set<string>();

/** Removes all temporary directories if the process ends early. */
export function removeTempFolders(): void {
  for (const folder of tempFolders) rmSync(folder, { recursive: true, force: true });
}

/** Runs a function with a temporary directory and a separate state directory. */
export async function runInTempDir<T>(run: (folders: { folder: string; state: string }) => T | Promise<T>): Promise<T> {
  // Resolve links, so that the path is the one that programs in the directory see.
  const home = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-")));
  const [folder, state] = [join(home, "files"), join(home, "state")];
  tempFolders.add(home);
  setStateDirectory(state);
  try {
    return await run({ folder, state });
  } finally {
    setStateDirectory();
    rmSync(home, { recursive: true, force: true });
    tempFolders.delete(home);
  }
}
