import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Env } from "../protocol/host/host.ts";
import { stateDirectory } from "./state-directory.ts";

const DAY = 24 * 60 * 60 * 1000;
/** Bytes of a count. */
const LARGEST = 20;

/** How often in a row one agent of one session was made to go on; a file that exists only while it does. */
export function counter(env: Env, session: readonly string[]) {
  const file = join(stateDirectory(env), "continuations", Bun.hash(JSON.stringify(session)).toString(36));
  return {
    /** 0 where nothing is kept, or only something older than a day. */
    read(): number {
      try {
        const found = lstatSync(file);
        // A pipe or a device would be waited for.
        if (!found.isFile() || found.size > LARGEST || Date.now() - found.mtimeMs > DAY) return 0;
        return Math.max(0, Number(readFileSync(file, "utf8")) || 0);
      } catch {
        return 0;
      }
    },
    /** Whether the count could be kept. */
    write(count: number): boolean {
      try {
        if (count === 0) {
          rmSync(file, { force: true });
        } else {
          mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
          const written = `${file}.${process.pid}`;
          writeFileSync(written, String(count), { flag: "wx", mode: 0o600 });
          // In the place of whatever is there: nobody reads half of it, and no link is followed.
          renameSync(written, file);
        }
        return true;
      } catch {
        return false;
      }
    },
  };
}
