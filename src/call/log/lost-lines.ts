import { closeSync, constants, fstatSync, ftruncateSync, lstatSync, openSync } from "node:fs";
import type { Env } from "../../protocol/host/host.ts";
import { orAbsent } from "../../system/errors.ts";
import { FILE_MODE } from "./log-files.ts";
import { getLogFile, isLogFile } from "./log-place.ts";

/**
 * The file whose length is the number of lines of which not even the head could be written. It grows without taking any
 * room, so it does on a full disk as well.
 */
export const getLostFile = (env: Env): string => getLogFile(env).replace(/\.jsonl$/, ".lost");

const { O_WRONLY, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
const MAX_LOST = 1_000_000_000;

/** Counts lines that could not be written; where nothing can be written at all, nothing is counted. */
export function countLostLines(env: Env, count = 1): void {
  try {
    const fd = openSync(getLostFile(env), O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, FILE_MODE);
    try {
      const found = fstatSync(fd);
      if (isLogFile(found)) ftruncateSync(fd, Math.min(found.size + count, MAX_LOST));
    } finally {
      closeSync(fd);
    }
  } catch {
    // The folder can't be written either: doctor reports that.
  }
}

/**
 * How many lines could not be written, and when the last of them, in milliseconds since the epoch. The count is unknown
 * where something else is in place of the file.
 */
export function readLostLines(env: Env): { count: number | "unknown"; last: number } {
  const found = orAbsent(() => lstatSync(getLostFile(env)));
  if (!found) return { count: 0, last: 0 };
  return isLogFile(found)
    ? { count: found.size, last: found.mtimeMs }
    : { count: "unknown", last: Number.POSITIVE_INFINITY };
}
