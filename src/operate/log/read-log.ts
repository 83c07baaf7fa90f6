import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { orAbsent, isAbsentError } from "../../system/errors.ts";
import type { Env } from "../../protocol/host/host.ts";
import { listFullFiles } from "../../call/log/log-file.ts";
import type { LogLine } from "../../call/log/log-line.ts";
import { getLogFile } from "../../call/log/log-path.ts";
import { parseLogLine } from "./line-schema.ts";

/** Name of the current log file in a log that was copied from another machine. */
const LOG_NAME = "decisions.jsonl";

/** Lists the existing files of the decision log, oldest first. */
export const listLogFiles = (env: Env): string[] => listFilesOf(getLogFile(env));

function listFilesOf(file: string): string[] {
  const names = readNames(dirname(file));
  const current = names.includes(file.slice(dirname(file).length + 1)) ? [file] : [];
  return [...listFullFiles(file, names), ...current];
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isAbsentError(error)) return [];
    throw error;
  }
}

const BLOCK_BYTES = 1 << 18;
const LINE_BREAK = 10;
/** Maximum length of a decision log line in bytes. */
const MAX_LINE_BYTES = 1 << 21;

/**
 * Calls a file system function on a log file. Returns undefined if the file is missing or its path is a symlink loop.
 */
function ignoreUnreachable<Found>(runLookup: () => Found): Found | undefined {
  try {
    return orAbsent(runLookup);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ELOOP") return undefined;
    throw error;
  }
}

/** Opens a log file for reading. Returns undefined if the path isn't a regular file. */
export function openLogFile(path: string): { fd: number; size: number } | undefined {
  const fd = ignoreUnreachable(() => openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)));
  if (fd === undefined) return undefined;
  const stats = fstatSync(fd);
  if (stats.isFile()) return { fd, size: stats.size };
  closeSync(fd);
  return undefined;
}

/** A line's bytes, without the newline, and their position in the file. */
export interface LineBytes {
  /** Contents of the line. Absent if the line is too long. */
  bytes?: Buffer;
  start: number;
  /** Offset just past the line's newline. */
  end: number;
  /** Set if the line doesn't end with a newline, for example because a process is still writing it. */
  isCut?: true;
}

/** Byte range to read, and maximum length of a line. */
interface ReadRange {
  from?: number;
  to: number;
  maxBytes?: number;
}

/** Yields the lines in a byte range. Only one line and one block are in memory at a time. */
export function* readLines(fd: number, { from = 0, to, maxBytes = MAX_LINE_BYTES }: ReadRange): Generator<LineBytes> {
  const block = Buffer.alloc(Math.min(BLOCK_BYTES, Math.max(0, to - from)));
  let parts: Buffer[] = [];
  let [length, lineStart] = [0, from];
  const addPart = (part: Buffer) => {
    length += part.length;
    if (length <= maxBytes) parts.push(Buffer.from(part));
    else parts = [];
  };
  const finishLine = (end: number): LineBytes => {
    const line = { start: lineStart, end, ...(length <= maxBytes && { bytes: Buffer.concat(parts) }) };
    [parts, length, lineStart] = [[], 0, end];
    return line;
  };
  for (let at = from; at < to;) {
    const count = readSync(fd, block, 0, Math.min(block.length, to - at), at);
    if (count === 0) break;
    const chunk = block.subarray(0, count);
    let start = 0;
    for (let end = chunk.indexOf(LINE_BREAK); end >= 0; end = chunk.indexOf(LINE_BREAK, start)) {
      addPart(chunk.subarray(start, end));
      start = end + 1;
      yield finishLine(at + start);
    }
    addPart(chunk.subarray(start));
    at += count;
  }
  if (length > 0) yield { ...finishLine(lineStart + length), isCut: true };
}

/**
 * Yields a file's lines from last to first, with only one line and one block in memory. Yields undefined for a line
 * that is too long.
 */
export function* readLinesBackwards(path: string): Generator<string | undefined> {
  const openFile = openLogFile(path);
  if (!openFile) return;
  const { fd, size } = openFile;
  try {
    const block = new Uint8Array(BLOCK_BYTES);
    // The bytes from the end of the current block up to the next newline.
    let parts: Uint8Array[] = [];
    let length = 0;
    const takeLine = () => {
      const line = length > MAX_LINE_BYTES ? undefined : Buffer.concat(parts.reverse()).toString("utf8");
      [parts, length] = [[], 0];
      return line;
    };
    const addPart = (part: Uint8Array) => {
      length += part.length;
      if (length <= MAX_LINE_BYTES) parts.push(part.slice());
      else parts = [];
    };
    for (let end = size; end > 0;) {
      const start = Math.max(0, end - BLOCK_BYTES);
      const bytes = block.subarray(0, readSync(fd, block, 0, end - start, start));
      let until = bytes.length;
      for (
        let at = bytes.lastIndexOf(LINE_BREAK);
        at >= 0;
        at = at === 0 ? -1 : bytes.lastIndexOf(LINE_BREAK, at - 1)
      ) {
        addPart(bytes.subarray(at + 1, until));
        const line = takeLine();
        if (line !== "") yield line;
        until = at;
      }
      addPart(bytes.subarray(0, until));
      end = start;
    }
    const first = takeLine();
    if (first !== "") yield first;
  } finally {
    closeSync(fd);
  }
}

/** Read statistics: the number of skipped lines. */
export interface ReadCounts {
  skipped: number;
}

/**
 * Margin in milliseconds. Clock adjustments can put lines slightly out of order, so reading backwards stops only at a
 * line that is older than the requested time by at least this much.
 */
const CLOCK_SLACK_MS = 24 * 60 * 60 * 1000;

/**
 * Yields the log's lines, newest first. Invalid lines are skipped and counted. A call's head (a short line written
 * before its full line) is yielded only if the full line is missing.
 */
export const readLog = (env: Env, reading: ReadCounts, since?: number): Generator<LogLine> =>
  readFiles(listLogFiles(env), reading, since);

/**
 * Yields the lines of the log at a path, newest first.
 * @param path a single log file, or a directory with all files of a log
 * @throws Error if there is no log at that path.
 */
export function readLogAt(path: string, reading: ReadCounts, since?: number): Generator<LogLine> {
  const stats = orAbsent(() => statSync(path));
  const files = stats?.isDirectory() ? listFilesOf(join(path, LOG_NAME)) : stats ? [path] : [];
  if (files.length === 0)
    throw new Error(
      `${stats ? `${path} has no ${LOG_NAME}` : `no such file: ${path}`}; pass a decision log file or its directory`,
    );
  return readFiles(files, reading, since);
}

function* readFiles(
  paths: readonly string[],
  reading: ReadCounts,
  since = Number.NEGATIVE_INFINITY,
): Generator<LogLine> {
  const fullLineIds = new Set<string>();
  for (const path of paths.toReversed()) {
    // Skip files last written well before the requested time.
    if ((ignoreUnreachable(() => statSync(path))?.mtimeMs ?? 0) < since - CLOCK_SLACK_MS) continue;
    for (const text of readLinesBackwards(path)) {
      const line = text === undefined ? undefined : parseLogLine(text);
      if (!line) {
        reading.skipped++;
        continue;
      }
      const time = Date.parse(line.time);
      if (time < since - CLOCK_SLACK_MS) return;
      // When reading backwards, a full line comes before its head.
      if (line.part !== "head") fullLineIds.add(line.id);
      else if (fullLineIds.delete(line.id)) continue;
      if (time >= since) yield line;
    }
  }
}
