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

/** The name of a temporary file: `.bridge-hooks-`, the process id, and a random suffix. */
export const DRAFT_NAME = /^\.bridge-hooks-(\d+)-[a-z0-9]*$/;

interface ReplaceOptions {
  /** The new file's mode, minus the umask. */
  mode?: number;
  /** The file that is replaced: its mode and owner are kept. */
  before?: Stats | undefined;
  /** Flush to disk, so that the file survives a system crash. */
  durable?: boolean;
}

/** Replaces a file atomically: readers see the old or the new content, and links are not followed. */
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
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  if (durable) syncFolder(dirname(file));
}

/** Keeps the owner, and the group where the system lets us set it. */
function keepOwner(draft: string, { uid, gid }: Stats): void {
  if (process.platform === "win32" || (uid === process.getuid?.() && gid === process.getgid?.())) return;
  try {
    chownSync(draft, uid, gid);
  } catch (error) {
    if (uid !== process.getuid?.()) throw error;
  }
}

/** Windows neither supports nor needs this. */
function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const file = openSync(folder, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
