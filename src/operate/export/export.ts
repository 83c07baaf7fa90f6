import type { Env } from "../../protocol/host/host.ts";
import type { LogLine } from "../../call/log/log-line.ts";
import { collectWholeIds, SETTLE_MS } from "../log/losses.ts";
import { listLogFiles } from "../log/read-log.ts";
import { type Bookmark, locateBookmark, type Mark, openBookmark } from "./bookmark.ts";
import { readNewLines } from "./read-new-lines.ts";

/** Where lines go. */
export interface Destination {
  /** By which its bookmark is kept; absent: from the beginning, each time. */
  name?: string;
  /**
   * Ships lines. Resolves once they have arrived, as far as the destination tells.
   * @throws Error if some may not have.
   */
  send: (lines: readonly LogLine[]) => Promise<void>;
}

/** How many lines are shipped at once. */
const BATCH_LINES = 500;
/** And how much, by the length of their texts in the log. */
const BATCH_BYTES = 1 << 20;

export interface ExportResult {
  shipped: number;
  skipped: number;
  /** Absent if a line may still follow its head: the next export goes on from there. */
  isSettled?: true;
}

/** Another process ships to the same destination. */
export class BusyError extends Error {}

/**
 * Ships the lines that have not arrived there yet, the oldest first. The bookmark moves once a batch has arrived: what is
 * interrupted in between is shipped again, and nothing is lost.
 * @throws Error if a batch does not arrive; what arrived before it is not shipped again.
 */
export async function exportLog(env: Env, { name, send }: Destination): Promise<ExportResult> {
  if (name === undefined) return shipLines(env, { marks: new Set(), save: () => {} }, send);
  const lock = await lockBookmark(env, name);
  try {
    return await shipLines(env, openBookmark(env, name), send);
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
    if (code === "SQLITE_BUSY") throw new BusyError(`another export to ${name} is running; nothing was shipped`);
    throw new Error(`${file} can't be written (${message}); the bookmark goes there`);
  }
}

async function shipLines(env: Env, { marks, save }: Bookmark, send: Destination["send"]): Promise<ExportResult> {
  const reading = { skipped: 0 };
  let shipped = 0;
  const used = new Set<Mark>();
  const files = listLogFiles(env);
  for (const [at, path] of files.entries()) {
    const isCompleted = createLineLookup(files.slice(at, at + 2));
    let isSettled = true;
    let reached: Mark | undefined;
    let batch: { line: LogLine; mark: Mark }[] = [];
    const ship = async () => {
      const last = batch.at(-1)?.mark;
      if (!last) return;
      await send(batch.map(({ line }) => line));
      shipped += batch.length;
      batch = [];
      moveMark(last);
      save();
    };
    const moveMark = (mark: Mark) => {
      for (const old of marks) if (old.hash === reached?.hash) marks.delete(old);
      if (reached) used.delete(reached);
      reached = mark;
      marks.add(mark);
      used.add(mark);
    };
    let bytes = 0;
    for (const placed of readNewLines(path, marks, reading, (mark) => ((reached = mark), moveMark(mark)))) {
      const { line } = placed;
      if (line.part === "head" && Date.parse(line.time) > Date.now() - SETTLE_MS && !isCompleted(line.id)) {
        // Its line may still follow: the next export goes on from here.
        isSettled = false;
        break;
      }
      // A head counts only where its line is missing. Its mark moves on with the next line.
      if (line.part === "head" && isCompleted(line.id)) continue;
      batch.push(placed);
      bytes += placed.mark.length;
      if (batch.length < BATCH_LINES && bytes < BATCH_BYTES) continue;
      await ship();
      bytes = 0;
    }
    await ship();
    if (!isSettled) return { shipped, skipped: reading.skipped };
  }
  forgetMarks(marks, used, save);
  return { shipped, skipped: reading.skipped, isSettled: true };
}

/** Returns whether a whole line with an id is in files, which are read when that is first asked. */
function createLineLookup(files: readonly string[]): (id: string) => boolean {
  let ids: Set<string> | undefined;
  return (id) => (ids ??= collectWholeIds(files)).has(id);
}

/** Drops the marks of files that are gone. */
function forgetMarks(marks: Set<Mark>, used: ReadonlySet<Mark>, save: () => void): void {
  const gone = [...marks].filter((mark) => !used.has(mark));
  for (const mark of gone) marks.delete(mark);
  if (gone.length > 0) save();
}
