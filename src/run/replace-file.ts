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

/** What drafts are called: `.bridge-hooks-`, the process that writes it, and what tells it apart. */
export const DRAFT = /^\.bridge-hooks-(\d+)-[a-z0-9]*$/;

interface Replacement {
  /** The new file's mode, less the umask. */
  mode?: number;
  /** The file in whose place it is put: mode and owner stay. */
  before?: Stats | undefined;
  /** It has to be there even after a crash of the system. */
  durable?: boolean;
}

/**
 * Puts a file in the place of whatever is there, in one step: whoever reads sees the old content or the new one, and no link is
 * followed.
 */
export function replaceFile(
  file: string,
  content: string | Uint8Array,
  { before, mode = before ? before.mode & 0o7777 : 0o666, durable = false }: Replacement = {},
): void {
  const draft = join(dirname(file), `.bridge-hooks-${process.pid}-${Math.random().toString(36).slice(2)}`);
  try {
    writeFileSync(draft, content, { flag: "wx", mode, flush: durable });
    if (before) {
      keepOwner(draft, before);
      // The umask took some of it, and a new owner the rest.
      chmodSync(draft, mode);
    }
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  if (durable) syncFolder(dirname(file));
}

/** The owner stays; so does the group, where the system lets us give it away. */
function keepOwner(draft: string, { uid, gid }: Stats): void {
  if (process.platform === "win32" || (uid === process.getuid?.() && gid === process.getgid?.())) return;
  try {
    chownSync(draft, uid, gid);
  } catch (error) {
    if (uid !== process.getuid?.()) throw error;
  }
}

/** Windows can't, and needs not. */
function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const file = openSync(folder, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
