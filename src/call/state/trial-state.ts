import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { replaceStateDirectory } from "./state-directory.ts";

/** Runs a function with a temporary state directory. */
export async function runWithTrialState<T>(run: () => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-probe-"));
  const restore = replaceStateDirectory(folder);
  try {
    return await run();
  } finally {
    restore();
    rmSync(folder, { recursive: true, force: true });
  }
}
