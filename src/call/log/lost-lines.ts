import { closeSync, constants, fstatSync, ftruncateSync, lstatSync, openSync } from "node:fs";
import type { Env } from "../../protocol/host/host.ts";
import { orAbsent } from "../../system/errors.ts";
import { FILE_MODE } from "./log-files.ts";
import { getLogFile, isLogFile } from "./log-path.ts";

/**
 * Returns the path of the file that counts lost lines, those without even a head. The count is the file's length.
 * Because growing the file doesn't take disk space, counting works even when the disk is full.
 */
export const getLostLinesFile = (env: Env): string => getLogFile(env).replace(/\.jsonl$/, ".lost");

const { O_WRONLY, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
const MAX_LOST_LINES = 1_000_000_000;

/** Counts lines that couldn't be written. Counts nothing if the directory isn't writable either. */
export function countLostLines(env: Env, count = 1): void {
  try {
    const fd = openSync(getLostLinesFile(env), O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, FILE_MODE);
    try {
      const stats = fstatSync(fd);
      if (isLogFile(stats)) ftruncateSync(fd, Math.min(stats.size + count, MAX_LOST_LINES));
    } finally {
      closeSync(fd);
    }
  } catch {
    // The directory isn't writable either. `doctor` reports that.
  }
}

/**
 * Returns how many lines were lost and when the last one was lost, as Unix time in milliseconds. The count is unknown
 * if the path isn't a regular file.
 */
export function readLostLines(env: Env): { count: number | "unknown"; lastFailure: number } {
  const stats = orAbsent(() => lstatSync(getLostLinesFile(env)));
  if (!stats) return { count: 0, lastFailure: 0 };
  return isLogFile(stats)
    ? { count: stats.size, lastFailure: stats.mtimeMs }
    : { count: "unknown", lastFailure: Number.POSITIVE_INFINITY };
}
