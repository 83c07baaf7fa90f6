import { closeSync, lstatSync } from "node:fs";
import { LINE_VERSION } from "../../call/log/log-head.ts";
import { getLogFile, isLogFile } from "../../call/log/log-path.ts";
import { readLostLines } from "../../call/log/lost-lines.ts";
import { orAbsent } from "../../system/errors.ts";
import type { Env } from "../../protocol/host/host.ts";
import { formatCount } from "../text.ts";
import { listLogFiles, openLogFile, readLines } from "./read-log.ts";

/** Decisions that are entirely or partly missing from the log. */
export interface LogLosses {
  /** Number of calls for which only a head was logged: the host, event, decision and rule, but not the request. */
  details: number;
  /**
   * Number of calls for which not even a head was logged, or "unknown" if the file that stores this count was replaced.
   */
  unwritten: number | "unknown";
  /** Set if the log isn't a regular file, in which case no lines are written. */
  irregular?: true;
}

/**
 * Maximum time in milliseconds between a call's head and its full line. After that, the process is assumed to have been
 * killed.
 */
export const WRITE_SETTLE_MS = 5_000;

/** Start of every log line. It can't occur again within a line, because quotes in values are escaped. */
const LINE_START = `{"v":${LINE_VERSION},"id":"`;
/** The ID, the time and the marker of a head are within this many bytes of the start of a line. */
const IDENTITY_LENGTH = 160;
const LINE_IDENTITY = /^\{"v":\d+,"id":"([^"\\]{1,40})","time":"([^"\\]{1,40})",("part":"head")?/;

/** Reads the ID and time of a line, and whether it is a head. This is much faster than parsing the whole line. */
function readIdentity(bytes: Buffer): { id: string; time: string; isHead: boolean } | undefined {
  // If the disk was full, a line can be cut short without a newline. The next line then follows directly.
  const start = Math.max(0, bytes.lastIndexOf(LINE_START));
  const [, id, time = "", head] = LINE_IDENTITY.exec(bytes.toString("latin1", start, start + IDENTITY_LENGTH)) ?? [];
  return id === undefined ? undefined : { id, time, isHead: head !== undefined };
}

/**
 * Counts the lost lines and details since a given time. A head isn't counted while its full line might still be
 * written.
 */
export function countLosses(env: Env, since = Number.NEGATIVE_INFINITY, now = Date.now()): LogLosses {
  const heads = new Map<string, number>();
  for (const path of listLogFiles(env))
    for (const { id, time, isHead } of readIdentities(path))
      if (isHead) heads.set(id, Date.parse(time));
      else heads.delete(id);
  let details = 0;
  for (const time of heads.values()) if (time >= since && time <= now - WRITE_SETTLE_MS) details++;
  const { count, lastFailure: last } = readLostLines(env);
  return { details, unwritten: last >= since ? count : 0, ...(hasIrregularLine(env) && { irregular: true }) };
}

function hasIrregularLine(env: Env): boolean {
  const stats = orAbsent(() => lstatSync(getLogFile(env)));
  return stats !== undefined && !isLogFile(stats);
}

export const hasLosses = ({ details, unwritten, irregular }: LogLosses): boolean =>
  details > 0 || unwritten !== 0 || irregular === true;

/** Collects the IDs of all full lines in the files (the lines that aren't heads). */
export function collectWholeIds(paths: readonly string[]): Set<string> {
  const ids = new Set<string>();
  for (const path of paths) for (const { id, isHead } of readIdentities(path)) if (!isHead) ids.add(id);
  return ids;
}

function* readIdentities(path: string): Generator<NonNullable<ReturnType<typeof readIdentity>>> {
  const openFile = openLogFile(path);
  if (!openFile) return;
  try {
    for (const { bytes } of readLines(openFile.fd, { to: openFile.size })) {
      const identity = bytes && readIdentity(bytes);
      if (identity) yield identity;
    }
  } finally {
    closeSync(openFile.fd);
  }
}

/** Describes the losses in words, or returns undefined if nothing was lost. */
export function formatLosses({ details, unwritten, irregular }: LogLosses): string | undefined {
  const parts = [
    details > 0 &&
      `${formatCount(details, "line has", "lines have")} lost the details of the call, because the process was killed or the disk was full`,
    unwritten === "unknown"
      ? "the number of unwritten lines is unknown, because decisions.lost is not a regular file with a single hard link"
      : unwritten > 0 && `${formatCount(unwritten, "line", "lines")} could not be written`,
    irregular && "the log is not a regular file with a single hard link, so no lines are written",
  ];
  return parts.filter(Boolean).join("; ") || undefined;
}
