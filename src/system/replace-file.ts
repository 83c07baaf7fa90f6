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

/** Name of a temporary file: `.bridge-hooks-`, followed by the process id, `-`, and a random suffix. */
export const DRAFT_NAME = /^\.bridge-hooks-(\d+)-[a-z0-9]*$/;

/**
 * Windows error codes for a file that another program is using. The program may be a virus scanner, an indexer, or
 * Windows itself while it runs the file.
 */
const IN_USE_CODES = ["EPERM", "EACCES", "EBUSY"];

/**
 * Returns whether an error means that another program has the file open and might close it soon. On systems other than
 * Windows, EPERM and EACCES mean missing permissions instead.
 */
export const isInUseError = (error: unknown, platform: NodeJS.Platform = process.platform): boolean => {
  const { code = "" } = error as NodeJS.ErrnoException;
  return platform === "win32" ? IN_USE_CODES.includes(code) : code === "EBUSY";
};

/**
 * Maximum time in milliseconds to wait for a file that another program has open. This is long enough for a virus
 * scanner, but shorter than a call.
 */
const MAX_WAIT_MS = 600;
const FIRST_PAUSE_MS = 10;

interface RenameOptions {
  platform?: NodeJS.Platform;
  rename?: (from: string, to: string) => void;
}

/**
 * Renames a file and replaces any file that already has the new name. Retries for a short time if another program has
 * one of the two files open.
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
 * Removes a file or directory that is no longer needed. If that fails, the file stays in place and no error is thrown.
 */
export function removeLeftover(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
  } catch {
    // Another program has the file open, or the file is read-only.
  }
}

interface ReplaceOptions {
  /** Mode of the new file. The umask is applied to this mode. */
  mode?: number;
  /** State of the file to replace. The mode and owner are preserved. */
  before?: Stats | undefined;
  /** Whether to flush the file to disk. A flushed file survives a system crash. */
  durable?: boolean;
}

/** Replaces a file atomically: readers see either the old or the new content. Links aren't followed. */
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
      // The umask and the change of owner may have cleared bits of the mode.
      chmodSync(draft, mode);
    }
    renameOver(draft, file);
  } catch (error) {
    removeLeftover(draft);
    throw error;
  }
  if (durable) syncFolder(dirname(file));
}

/** Preserves the owner of a file, and the group if the system permits it. */
function preserveOwner(draft: string, { uid, gid }: Stats): void {
  if (process.platform === "win32" || (uid === process.getuid?.() && gid === process.getgid?.())) return;
  try {
    chownSync(draft, uid, gid);
  } catch (error) {
    if (uid !== process.getuid?.()) throw error;
  }
}

/** Flushes a directory to disk. Windows doesn't support this and doesn't need it. */
function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const file = openSync(folder, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
