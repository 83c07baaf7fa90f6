import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Maximum number of markers. Once exceeded, markers older than a day are deleted. */
const MAX_MARKERS = 64;

/** Keeps a directory of markers small. A marker is a file that one process leaves for another. */
export function deleteOldMarkers(folder: string): void {
  const names = readdirSync(folder);
  if (names.length <= MAX_MARKERS) return;
  for (const name of names) {
    const path = join(folder, name);
    if (Date.now() - lstatSync(path).mtimeMs > DAY_MS) rmSync(path, { force: true });
  }
}
