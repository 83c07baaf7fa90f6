import { lstatSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Env } from "../../protocol/host/host.ts";
import { getStateDirectory } from "./state-directory.ts";
import { replaceFile } from "../../system/replace-file.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Maximum size of a counter file in bytes. */
const MAX_COUNTER_BYTES = 20;

/**
 * Counts how many times in a row hooks have made one of a session's agents continue. The count is stored in a file that
 * exists only while it is above 0.
 */
export function openCounter(env: Env, session: readonly string[]) {
  const file = join(getStateDirectory(env), "continuations", Bun.hash(JSON.stringify(session)).toString(36));
  return {
    /** Returns 0 if no count is stored or if it is more than a day old. */
    read(): number {
      try {
        const stats = lstatSync(file);
        // Reading a pipe or a device could block.
        if (!stats.isFile() || stats.size > MAX_COUNTER_BYTES || Date.now() - stats.mtimeMs > DAY_MS) return 0;
        return Math.max(0, Number(readFileSync(file, "utf8")) || 0);
      } catch {
        return 0;
      }
    },
    /** Returns whether the count was saved. */
    write(count: number): boolean {
      try {
        if (count === 0) {
          rmSync(file, { force: true });
        } else {
          mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
          replaceFile(file, String(count), { mode: 0o600 });
        }
        return true;
      } catch {
        return false;
      }
    },
  };
}
