import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import type { Env } from "../../protocol/host/host.ts";
import { listFullFiles, lockLog, type LogTarget, rotateFile } from "../../call/log/log-file.ts";
import { BLOCKING_FILE_SYSTEM } from "../../call/log/log-files.ts";
import { getLostLinesFile, readLostLines } from "../../call/log/lost-lines.ts";
import { getLogFile, isLogFile, type LogName } from "../../call/log/log-path.ts";
import { removeLeftoverFile } from "../../system/replace-file.ts";
import { openLogFile, type LineBytes, readLines } from "./read-log.ts";
import { dirname } from "node:path";
import { orAbsent } from "../../system/errors.ts";

/**
 * Time in milliseconds to wait after renaming a file. Until then, a process that opened the file earlier might still
 * write to it.
 */
const WRITE_SETTLE_MS = 1_500;

/** Maximum length of a line with a recorded payload, in bytes. Decision lines have a lower limit. */
const MAX_PAYLOAD_BYTES = 1 << 26;
const COPY_BYTES = 1 << 18;

/** Deletes all log lines and recorded payloads older than a given time. Returns the number of deleted lines. */
export async function deleteLines(env: Env, cutoff: number, settleMs = WRITE_SETTLE_MS): Promise<number> {
  let count = 0;
  if (readLostLines(env).lastFailure < cutoff) rmSync(getLostLinesFile(env), { force: true });
  for (const name of ["decisions", "payloads"] satisfies LogName[]) {
    const target = { file: getLogFile(env, name), files: BLOCKING_FILE_SYSTEM, retainDays: Number.POSITIVE_INFINITY };
    if (!existsSync(dirname(target.file))) continue;
    count += await deleteFrom(target, cutoff, settleMs);
  }
  return count;
}

async function deleteFrom(target: LogTarget, cutoff: number, settleMs: number): Promise<number> {
  const unlock = await lockLog(target);
  if (!unlock) throw new Error("another process is writing to the log; try again");
  try {
    const stats = orAbsent(() => lstatSync(target.file));
    if (stats && isLogFile(stats) && stats.size > 0) {
      await rotateFile(target);
      await Bun.sleep(settleMs);
    }
    let count = 0;
    for (const path of listFullFiles(target.file, readdirSync(dirname(target.file)))) count += filterFile(path, cutoff);
    return count;
  } finally {
    await unlock();
  }
}

/** Rewrites a file without the lines older than a given time. Unrecognized lines are kept. */
function filterFile(path: string, cutoff: number): number {
  const source = openLogFile(path);
  if (!source) return 0;
  const draft = `${path}.${process.pid}`;
  const fd = openSync(draft, "wx", 0o600);
  let [keptCount, deletedCount] = [0, 0];
  try {
    for (const line of readLines(source.fd, { to: source.size, maxBytes: MAX_PAYLOAD_BYTES })) {
      if (line.bytes?.length === 0) continue;
      if (isLineBefore(line, cutoff)) deletedCount++;
      else {
        copyLine(source.fd, fd, line);
        keptCount++;
      }
    }
  } catch (error) {
    removeLeftoverFile(draft);
    throw error;
  } finally {
    closeSync(fd);
    closeSync(source.fd);
  }
  if (deletedCount === 0 || keptCount === 0) rmSync(draft);
  if (keptCount === 0) rmSync(path);
  else if (deletedCount > 0) renameSync(draft, path);
  return deletedCount;
}

function copyLine(from: number, to: number, { start, end, isCut }: LineBytes): void {
  const block = Buffer.alloc(Math.min(COPY_BYTES, end - start));
  for (let at = start; at < end;) {
    const count = readSync(from, block, 0, Math.min(block.length, end - at), at);
    if (count === 0) break;
    writeSync(to, block, 0, count);
    at += count;
  }
  if (isCut) writeSync(to, "\n");
}

function isLineBefore({ bytes }: LineBytes, cutoff: number): boolean {
  if (!bytes) return false;
  try {
    const { time } = JSON.parse(bytes.toString("utf8")) as { time?: unknown };
    return typeof time === "string" && Date.parse(time) < cutoff;
  } catch {
    return false;
  }
}
