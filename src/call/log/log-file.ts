import type { Stats } from "node:fs";
import { dirname, join } from "node:path";
import { APPEND_FLAGS, LOCK_FLAGS, type LogFileSystem } from "./log-files.ts";
import { isLogFile, MAX_UNROTATED_BYTES } from "./log-path.ts";

/** A log and its settings. */
export interface LogTarget {
  file: string;
  files: LogFileSystem;
  retainDays: number;
}

/** Size in bytes at which a file is rotated. Files are also rotated after a day. */
export const MAX_FILE_BYTES = 4 * 1024 * 1024;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Maximum number of rotated files to keep. */
export const MAX_FULL_FILES = 16;
/** Age after which a lock is considered abandoned, in milliseconds. */
const STALE_LOCK_MS = 10_000;

const GROUP_AND_OTHERS = 0o077;

/**
 * Appends a line in a single write. Does nothing unless the file is a regular file.
 * @param hasLock whether this process holds the log's lock
 * @returns whether the line was written
 */
export async function appendLine(target: LogTarget, line: string, hasLock = false): Promise<boolean> {
  const { file, files } = target;
  let fd = await openLog(target);
  try {
    let stats = await files.stat(fd);
    if (!isLogFile(stats)) return false;
    if (isFileFull(stats)) {
      await files.close(fd);
      fd = -1;
      // Write the line even if rotating the file fails.
      await (hasLock ? rotateLocked(target) : rotateLog(target)).catch(() => {});
      fd = await files.open(file, APPEND_FLAGS);
      stats = await files.stat(fd);
      if (!isLogFile(stats) || stats.size > MAX_UNROTATED_BYTES) return false;
    }
    if (process.platform !== "win32" && (stats.mode & GROUP_AND_OTHERS) !== 0) await files.restrict(fd);
    const bytes = new TextEncoder().encode(`${line}\n`);
    return (await files.write(fd, bytes)) === bytes.length;
  } finally {
    if (fd >= 0) await files.close(fd);
  }
}

const isFileFull = ({ size, birthtimeMs }: Stats): boolean =>
  size >= MAX_FILE_BYTES || (size > 0 && birthtimeMs > 0 && Date.now() - birthtimeMs >= DAY_MS);

async function openLog({ file, files }: LogTarget): Promise<number> {
  try {
    return await files.open(file, APPEND_FLAGS);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    await files.mkdir(dirname(file));
    return files.open(file, APPEND_FLAGS);
  }
}

/** Lists rotated files, oldest first. Sorts by number because the clock may have changed. */
export function listFullFiles(file: string, names: readonly string[]): string[] {
  const base = file.slice(dirname(file).length + 1, -".jsonl".length);
  return names
    .filter((name) => name.startsWith(`${base}-`) && /^-\d{6,}\.jsonl$/.test(name.slice(base.length)))
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
    .map((name) => join(dirname(file), name));
}

const getFileNumber = (path: string) => Number(/-(\d+)\.jsonl$/.exec(path)?.[1] ?? 0);

/**
 * Rotates a full file and deletes files that are too old or too many. Does nothing if another process is already
 * rotating.
 */
async function rotateLog(target: LogTarget): Promise<void> {
  const unlock = await lockLog(target);
  if (!unlock) return;
  try {
    await rotateLocked(target);
  } finally {
    await unlock();
  }
}

async function rotateLocked(target: LogTarget): Promise<void> {
  const stats = await target.files.lstat(target.file);
  // Another process may have rotated the file already.
  if (stats && isLogFile(stats) && isFileFull(stats)) await rotateFile(target);
}

/** Renames the current file to the next number and returns its new path. The caller must hold the lock. */
export async function rotateFile(target: LogTarget): Promise<string> {
  const { file, files } = target;
  const fullFiles = listFullFiles(file, await files.list(dirname(file)));
  const nextNumber = String(getFileNumber(fullFiles.at(-1) ?? "") + 1).padStart(6, "0");
  const path = file.replace(/\.jsonl$/, `-${nextNumber}.jsonl`);
  await files.rename(file, path);
  await deleteOldFiles(target, fullFiles);
  return path;
}

async function deleteOldFiles({ files, retainDays }: LogTarget, fullFiles: readonly string[]): Promise<void> {
  for (const [at, path] of fullFiles.entries()) {
    const stats = await files.lstat(path);
    const isExpired = stats !== undefined && Date.now() - stats.mtimeMs > retainDays * DAY_MS;
    if (isExpired || fullFiles.length - at >= MAX_FULL_FILES) await files.unlink(path);
  }
}

/** Takes a log's lock, removing it first if it was abandoned. Returns undefined if another process holds it. */
export async function lockLog({ file, files }: LogTarget): Promise<(() => unknown) | undefined> {
  const path = file.replace(/\.jsonl$/, ".lock");
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      await files.close(await files.open(path, LOCK_FLAGS));
      return () => files.unlink(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      const stats = await files.lstat(path);
      // If the clock was set back, the timestamp may be in the future.
      if (stats && Math.abs(Date.now() - stats.mtimeMs) < STALE_LOCK_MS) return undefined;
      if (stats) await files.unlink(path);
    }
  }
  return undefined;
}
