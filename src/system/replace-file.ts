import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** Name of a temporary file: `.bridge-hooks-`, the process id, `-`, and a random suffix. */
export const DRAFT_NAME = /^\.bridge-hooks-(\d+)-[a-z0-9]*$/;

/**
 * Windows error codes for a file in use by another program, such as a virus scanner, an indexer, or Windows itself
 * while it runs the file.
 */
const FILE_IN_USE_CODES = ["EPERM", "EACCES", "EBUSY"];

/**
 * Returns whether an error means that another program has the file open and might soon close it. Outside Windows, EPERM
 * and EACCES mean missing permissions.
 */
export const isInUseError = (error: unknown, platform: NodeJS.Platform = process.platform): boolean => {
  const { code = "" } = error as NodeJS.ErrnoException;
  return platform === "win32" ? FILE_IN_USE_CODES.includes(code) : code === "EBUSY";
};

/**
 * Maximum time in milliseconds to wait for a file that another program has open: long enough for a virus scanner, but
 * shorter than a call.
 */
const MAX_WAIT_MS = 600;
const FIRST_PAUSE_MS = 10;

interface RenameOptions {
  platform?: NodeJS.Platform;
  rename?: (from: string, to: string) => void;
}

/**
 * Renames a file, replacing any file that already has the new name. Retries for a short time if another program has
 * either file open.
 */
export function renameOver(
  from: string,
  to: string,
  { platform = process.platform, rename = renameSync }: RenameOptions = {},
): void {
  const end = performance.now() + MAX_WAIT_MS;
  for (let pause = FIRST_PAUSE_MS; ; pause *= 2) {
    try {
      return rename(from, to);
    } catch (error) {
      if (!isInUseError(error, platform) || performance.now() + pause > end) throw error;
    }
    Bun.sleepSync(pause);
  }
}

/**
 * Removes a file or directory that is no longer needed. If that fails, leaves it in place without throwing an error.
 */
export function removeLeftoverFile(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
  } catch {
    // Another program has the file open, or the file is read-only.
  }
}

interface ReplaceOptions {
  /** Mode of the new file, before the umask is applied. */
  mode?: number;
  /** State of the file to replace. Its mode and owner are kept. */
  before?: Stats | undefined;
  /** Whether to flush the file to disk, so that it survives a system crash. */
  durable?: boolean;
}

/** Replaces a file atomically: readers see either the old contents or the new. Links aren't followed. */
export function replaceFile(
  file: string,
  content: string | Uint8Array,
  { before, mode = before ? before.mode & 0o7777 : 0o666, durable = false }: ReplaceOptions = {},
): void {
  const draft = join(dirname(file), `.bridge-hooks-${process.pid}-${Math.random().toString(36).slice(2)}`);
  try {
    writeFileSync(draft, content, { flag: "wx", mode, flush: durable });
    if (before) {
      preserveOwner(draft, before);
      // The umask or the change of owner might have cleared bits of the mode.
      chmodSync(draft, mode);
    }
    renameOver(draft, file);
  } catch (error) {
    removeLeftoverFile(draft);
    throw error;
  }
  if (durable) syncFolder(dirname(file));
}

/** Gives the draft the previous file's owner, and its group if the system permits that. */
function preserveOwner(draft: string, { uid, gid }: Stats): void {
  if (process.platform === "win32" || (uid === process.getuid?.() && gid === process.getgid?.())) return;
  try {
    chownSync(draft, uid, gid);
  } catch (error) {
    if (uid !== process.getuid?.()) throw error;
  }
}

/** Flushes a directory to disk. Windows neither supports nor needs this. */
function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const file = openSync(folder, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
