import { closeSync, readSync } from "node:fs";
import type { LogLine } from "../../call/log/log-line.ts";
import { parseLogLine } from "../log/line-schema.ts";
import { type ReadCounts, openLogFile, readLines } from "../log/read-log.ts";
import type { LogMarker } from "./bookmark.ts";

/** A log line and its position in the file. */
export interface PositionedLine {
  line: LogLine;
  mark: LogMarker;
}

/**
 * Reads the lines after the marked line of a file, oldest first. Invalid lines are skipped and counted. An incomplete
 * last line is ignored.
 * @param onFound is called with the mark if the file contains a marked line
 */
export function* readNewLines(
  path: string,
  marks: ReadonlySet<LogMarker>,
  reading: ReadCounts,
  onFound: (mark: LogMarker) => void,
): Generator<PositionedLine> {
  const openFile = openLogFile(path);
  if (!openFile) return;
  const { fd, size } = openFile;
  try {
    const lastMark = findMarker(fd, size, marks);
    if (lastMark) onFound(lastMark);
    for (const { bytes, end, isCut } of readLines(fd, { from: lastMark?.end ?? 0, to: size })) {
      if (bytes?.length === 0 || isCut) continue;
      const line = bytes && parseLogLine(bytes.toString("utf8"));
      if (line && bytes) yield { line, mark: createMarker(bytes, end) };
      else reading.skipped++;
    }
  } finally {
    closeSync(fd);
  }
}

const hashBytes = (bytes: Uint8Array) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
const createMarker = (bytes: Uint8Array, end: number): LogMarker => ({
  end,
  length: bytes.length,
  hash: hashBytes(bytes),
});

/**
 * Finds the last marked line in a file: at its recorded offset or, if earlier lines were deleted, anywhere in the file.
 */
function findMarker(fd: number, size: number, marks: ReadonlySet<LogMarker>): LogMarker | undefined {
  for (const mark of marks) {
    const start = mark.end - 1 - mark.length;
    if (mark.end > size || start < 0) continue;
    const bytes = Buffer.alloc(mark.length);
    if (readSync(fd, bytes, 0, mark.length, start) === mark.length && hashBytes(bytes) === mark.hash) return mark;
  }
  if (marks.size === 0) return undefined;
  const hashes = new Set([...marks].map(({ hash }) => hash));
  let lastMark: LogMarker | undefined;
  for (const { bytes, end, isCut } of readLines(fd, { to: size })) {
    const mark = bytes && bytes.length > 0 && !isCut ? createMarker(bytes, end) : undefined;
    if (mark && hashes.has(mark.hash)) lastMark = mark;
  }
  return lastMark;
}
