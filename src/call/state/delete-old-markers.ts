import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Number of markers above which markers older than a day are deleted. */
const MAX_MARKS = 64;

/** Keeps a marker directory small. A marker is a file that one process creates for another. */
export function deleteOldMarks(folder: string): void {
  const names = readdirSync(folder);
  if (names.length <= MAX_MARKS) return;
  for (const name of names) {
    const path = join(folder, name);
    if (Date.now() - lstatSync(path).mtimeMs > DAY_MS) rmSync(path, { force: true });
  }
}
