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

/** Name of a temporary file: `.bridge-hooks-`, the process id, and a random suffix. */
export const DRAFT_NAME = /^\.bridge-hooks-(\d+)-[a-z0-9]*$/;

/**
 * Error codes that Windows reports for a file that another program has open: a virus scanner, an indexer, or the system
 * that runs it.
 */
const HELD_CODES = ["EPERM", "EACCES", "EBUSY"];

/**
 * Returns whether another program has the file open and may release it. On systems other than Windows, EPERM and EACCES
 * mean missing permissions.
 */
export const isHeldError = (error: unknown, platform: NodeJS.Platform = process.platform): boolean => {
  const { code = "" } = error as NodeJS.ErrnoException;
  return platform === "win32" ? HELD_CODES.includes(code) : code === "EBUSY";
};

/**
 * How long to wait for a file that another program has open, in milliseconds: long enough for a virus scanner, but
 * shorter than a call.
 */
const HELD_MS = 600;
const FIRST_PAUSE_MS = 10;

interface RenameOptions {
  platform?: NodeJS.Platform;
  rename?: (from: string, to: string) => void;
}

/** Renames a file over another one, and retries for a while if another program has one of them open. */
export function renameOver(
  from: string,
  to: string,
  { platform = process.platform, rename = renameSync }: RenameOptions = {},
): void {
  const end = performance.now() + HELD_MS;
  for (let pause = FIRST_PAUSE_MS; ; pause *= 2) {
    try {
      return rename(from, to);
    } catch (error) {
      if (!isHeldError(error, platform) || performance.now() + pause > end) throw error;
    }
    Bun.sleepSync(pause);
  }
}

/** Removes a file or directory that is no longer needed. If that fails, it stays, and the command doesn't fail. */
export function removeLeftover(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
  } catch {
    // Another program has it open, or it is read-only.
  }
}

interface ReplaceOptions {
  /** The new file's mode, minus the umask. */
  mode?: number;
  /** The file to replace, whose mode and owner are kept. */
  before?: Stats | undefined;
  /** Flush to disk, so that the file survives a system crash. */
  durable?: boolean;
}

/** Replaces a file atomically: readers see the old or the new content, and links aren't followed. */
export function replaceFile(
  file: string,
  content: string | Uint8Array,
  { before, mode = before ? before.mode & 0o7777 : 0o666, durable = false }: ReplaceOptions = {},
): void {
  const draft = join(dirname(file), `.bridge-hooks-${process.pid}-${Math.random().toString(36).slice(2)}`);
  try {
    writeFileSync(draft, content, { flag: "wx", mode, flush: durable });
    if (before) {
      keepOwner(draft, before);
      // The umask cleared some bits, and a change of owner others.
      chmodSync(draft, mode);
    }
    renameOver(draft, file);
  } catch (error) {
    removeLeftover(draft);
    throw error;
  }
  if (durable) syncFolder(dirname(file));
}

/** Keeps the owner, and the group if the system permits it. */
function keepOwner(draft: string, { uid, gid }: Stats): void {
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
