import type { Env } from "../../protocol/host/host.ts";
import type { LogLine } from "../../call/log/log-line.ts";
import { collectWholeIds, WRITE_SETTLE_MS } from "../log/losses.ts";
import { listLogFiles } from "../log/read-log.ts";
import { type Bookmark, locateBookmark, type LogMarker, openBookmark } from "./bookmark.ts";
import { readNewLines } from "./read-new-lines.ts";

/** Where exported log lines are sent. */
export interface Destination {
  /** Name of the destination's bookmark. Without a bookmark, every export starts at the beginning of the log. */
  name?: string;
  /**
   * Sends lines. If the destination confirms receipt, waits for the confirmation.
   * @throws Error if some lines might not have arrived.
   */
  send: (lines: readonly LogLine[]) => Promise<void>;
}

/** Maximum number of lines per batch. */
const BATCH_LINES = 500;
/** Maximum size of a batch, in bytes of log text. */
const BATCH_BYTES = 1 << 20;

export interface ExportResult {
  shipped: number;
  skipped: number;
  /**
   * Absent if the export stopped at a head (the short line before a call's full line) because the full line may still
   * follow. The next export resumes there.
   */
  isSettled?: true;
}

/** Thrown if another process is exporting to the same destination. */
export class BusyError extends Error {}

/**
 * Exports lines that haven't been delivered yet, oldest first. The bookmark advances after each delivered batch. The
 * next export resends a batch that was interrupted, so no lines are lost.
 * @throws Error if a batch isn't delivered. Batches delivered before the error aren't sent again.
 */
export async function exportLog(env: Env, { name, send }: Destination): Promise<ExportResult> {
  if (name === undefined) return exportLines(env, { marks: new Set(), save: () => {} }, send);
  const lock = await lockBookmark(env, name);
  try {
    return await exportLines(env, openBookmark(env, name), send);
  } finally {
    lock.close();
  }
}

async function lockBookmark(env: Env, name: string): Promise<{ close: () => void }> {
  const { lockFile } = await import("../machine/receipts.ts");
  const file = locateBookmark(env, name).replace(/\.json$/, ".lock");
  try {
    return lockFile(file, 0);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "SQLITE_BUSY") throw new BusyError(`another export to ${name} is running; nothing was sent`);
    throw new Error(`the bookmark ${file} can't be written (${message})`);
  }
}

async function exportLines(env: Env, { marks, save }: Bookmark, send: Destination["send"]): Promise<ExportResult> {
  const reading = { skipped: 0 };
  let shippedCount = 0;
  const usedMarks = new Set<LogMarker>();
  const files = listLogFiles(env);
  for (const [at, path] of files.entries()) {
    const isCompleted = createLineLookup(files.slice(at, at + 2));
    let isSettled = true;
    let lastMark: LogMarker | undefined;
    let batch: { line: LogLine; mark: LogMarker }[] = [];
    const ship = async () => {
      const last = batch.at(-1)?.mark;
      if (!last) return;
      await send(batch.map(({ line }) => line));
      shippedCount += batch.length;
      batch = [];
      moveMark(last);
      save();
    };
    const moveMark = (mark: LogMarker) => {
      for (const previous of marks) if (previous.hash === lastMark?.hash) marks.delete(previous);
      if (lastMark) usedMarks.delete(lastMark);
      lastMark = mark;
      marks.add(mark);
      usedMarks.add(mark);
    };
    let bytes = 0;
    for (const placedLine of readNewLines(path, marks, reading, (mark) => ((lastMark = mark), moveMark(mark)))) {
      const { line } = placedLine;
      if (line.part === "head" && Date.parse(line.time) > Date.now() - WRITE_SETTLE_MS && !isCompleted(line.id)) {
        // The full line for this head might still be written. Stop here, and let the next export resume at the head.
        isSettled = false;
        break;
      }
      // Export a head only if its full line is missing. A skipped head needs no mark: the mark of the next line covers
      // it.
      if (line.part === "head" && isCompleted(line.id)) continue;
      batch.push(placedLine);
      bytes += placedLine.mark.length;
      if (batch.length < BATCH_LINES && bytes < BATCH_BYTES) continue;
      await ship();
      bytes = 0;
    }
    await ship();
    if (!isSettled) return { shipped: shippedCount, skipped: reading.skipped };
  }
  removeObsoleteMarkers(marks, usedMarks, save);
  return { shipped: shippedCount, skipped: reading.skipped, isSettled: true };
}

/**
 * Returns a function that checks whether the files contain the full line with a given ID. The function reads the files
 * when it is first called.
 */
function createLineLookup(files: readonly string[]): (id: string) => boolean {
  let ids: Set<string> | undefined;
  return (id) => (ids ??= collectWholeIds(files)).has(id);
}

/** Removes the marks of deleted log files. */
function removeObsoleteMarkers(marks: Set<LogMarker>, usedMarks: ReadonlySet<LogMarker>, save: () => void): void {
  const unusedMarks = [...marks].filter((mark) => !usedMarks.has(mark));
  for (const mark of unusedMarks) marks.delete(mark);
  if (unusedMarks.length > 0) save();
}
