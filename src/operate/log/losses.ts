import { closeSync, lstatSync } from "node:fs";
import { LINE_VERSION } from "../../call/log/log-head.ts";
import { getLogFile, isLogFile } from "../../call/log/log-place.ts";
import { readLostLines } from "../../call/log/lost-lines.ts";
import { orAbsent } from "../../system/errors.ts";
import type { Env } from "../../protocol/host/host.ts";
import { formatCount } from "../text.ts";
import { listLogFiles, openLogFile, readLines } from "./read-log.ts";

/** What the log does not have, although it was decided. */
export interface LogLosses {
  /** Lines of which only the head is there: host, event, decision and rule, but not what was asked. */
  details: number;
  /** Lines of which not even the head could be written; unknown where the file that counts them was replaced. */
  unwritten: number | "unknown";
  /** Something else is in place of the log: nothing is written to it. */
  irregular?: true;
}

/** How long a whole line may take to follow its head, in milliseconds: its process has ended by then. */
export const SETTLE_MS = 5_000;

/** How every line begins. No text within a line has these bytes: its quotes are escaped. */
const LINE_START = `{"v":${LINE_VERSION},"id":"`;
/** Id, time and mark of a head are at the beginning of a line. */
const IDENTITY_LENGTH = 160;
const IDENTITY = /^\{"v":\d+,"id":"([^"\\]{1,40})","time":"([^"\\]{1,40})",("part":"head")?/;

/** Reads whether a line is a head, and of which line; far faster than to parse it. */
function readIdentity(bytes: Buffer): { id: string; time: string; isHead: boolean } | undefined {
  // Behind a line that was cut because the disk was full, the next one stands in the same line.
  const start = Math.max(0, bytes.lastIndexOf(LINE_START));
  const [, id, time = "", head] = IDENTITY.exec(bytes.toString("latin1", start, start + IDENTITY_LENGTH)) ?? [];
  return id === undefined ? undefined : { id, time, isHead: head !== undefined };
}

/** Counts what the log lost after a time. A whole line that may still follow its head is not lost. */
export function countLosses(env: Env, since = Number.NEGATIVE_INFINITY, now = Date.now()): LogLosses {
  const heads = new Map<string, number>();
  for (const path of listLogFiles(env))
    for (const { id, time, isHead } of readIdentities(path))
      if (isHead) heads.set(id, Date.parse(time));
      else heads.delete(id);
  let details = 0;
  for (const time of heads.values()) if (time >= since && time <= now - SETTLE_MS) details++;
  const { count, last } = readLostLines(env);
  return { details, unwritten: last >= since ? count : 0, ...(isIrregular(env) && { irregular: true }) };
}

function isIrregular(env: Env): boolean {
  const found = orAbsent(() => lstatSync(getLogFile(env)));
  return found !== undefined && !isLogFile(found);
}

export const hasLosses = ({ details, unwritten, irregular }: LogLosses): boolean =>
  details > 0 || unwritten !== 0 || irregular === true;

/** The ids of all whole lines in files. */
export function collectWholeIds(paths: readonly string[]): Set<string> {
  const ids = new Set<string>();
  for (const path of paths) for (const { id, isHead } of readIdentities(path)) if (!isHead) ids.add(id);
  return ids;
}

function* readIdentities(path: string): Generator<NonNullable<ReturnType<typeof readIdentity>>> {
  const opened = openLogFile(path);
  if (!opened) return;
  try {
    for (const { bytes } of readLines(opened.fd, { to: opened.size })) {
      const identity = bytes && readIdentity(bytes);
      if (identity) yield identity;
    }
  } finally {
    closeSync(opened.fd);
  }
}

/** Says what was lost, for people; undefined if nothing was. */
export function formatLosses({ details, unwritten, irregular }: LogLosses): string | undefined {
  const parts = [
    details > 0 &&
      `${formatCount(details, "line has", "lines have")} lost the details of the call: the process was ended, or the disk was full`,
    unwritten === "unknown"
      ? "how many lines could not be written is unknown: decisions.lost is not a regular file with one name"
      : unwritten > 0 && `${formatCount(unwritten, "line", "lines")} could not be written`,
    irregular && "the log is not a regular file with one name: no line is written to it",
  ];
  return parts.filter(Boolean).join("; ") || undefined;
}
