import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { MAX_CONFIG_LENGTH } from "../../hosts/setup/entries.ts";
import { isAbsentError } from "../../system/errors.ts";
import { DRAFT_NAME, removeLeftoverFile, replaceFile } from "../../system/replace-file.ts";

/** Contents and state of a file when it was read. */
export interface FileSnapshot {
  /** Path of the file after links are resolved. */
  target: string;
  /** Contents of the file; absent if the file doesn't exist. */
  text?: string;
  /** Whether the file starts with a byte order mark, which `text` doesn't include. */
  bom?: boolean;
  /** Whether the file or its directory is a link. */
  linked: boolean;
}

const BOM = "\ufeff";

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** Returns whether something might exist at a path. Dangling links and inaccessible paths count as existing. */
export function mayPathExist(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    return !isAbsentError(error);
  }
}

/**
 * Reads a config file.
 * @throws Error if it isn't a regular file, can't be read, or isn't UTF-8.
 */
export function readConfigFile(path: string): FileSnapshot {
  const linked = isLink(path) || isLink(dirname(path));
  if (!existsSync(path)) {
    if (isLink(path)) throw new Error(`${path} is a dangling link; remove it or create its target`);
    if (mayPathExist(path)) throw new Error(`${path} can't be accessed; allow access to its parent directories`);
    const folder = findExistingFolder(dirname(path));
    return { target: join(realpathSync(folder), path.slice(folder.length)), linked };
  }
  const target = realpathSync(path);
  const stats = statSync(target);
  if (!stats.isFile()) throw new Error(`${path} is not a regular file; move it away`);
  if (stats.size > MAX_CONFIG_LENGTH)
    throw new Error(`${path} is too large for a config file (${stats.size} bytes); move it away`);
  const bytes = readFileSync(target);
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  if (!Buffer.from(text).equals(bytes)) throw new Error(`${path} is not valid UTF-8 text; save it as UTF-8`);
  return text.startsWith(BOM) ? { target, text: text.slice(1), bom: true, linked } : { target, text, linked };
}

/**
 * Explains why a file can't be replaced. A read-only file counts as deliberately protected, even from root.
 * @param alternativeFix what the user can do instead of making the file writable.
 */
export function explainUnwritable(
  { target, text }: FileSnapshot,
  alternativeFix = "install elsewhere (--scope)",
): string | undefined {
  if (text !== undefined && (statSync(target).mode & 0o222) === 0) {
    return `the file is read-only; make it writable (chmod u+w), or ${alternativeFix}`;
  }
  const folder = findExistingFolder(dirname(target));
  if (!statSync(folder).isDirectory()) return `${folder} is not a directory; move it away`;
  const unwritablePath = [folder, ...(text === undefined ? [] : [target])].find((path) => !mayWrite(path));
  return (
    unwritablePath && `no permission to write to ${unwritablePath}; run this command as its owner, or ${alternativeFix}`
  );
}

/** Returns a directory, or its nearest existing parent if the directory doesn't exist. */
const findExistingFolder = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : findExistingFolder(dirname(folder));

const mayWrite = (path: string) => mayAccess(path, constants.W_OK);

export function mayAccess(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/** Lists the missing parent directories of a path, outermost first. */
export function listMissingFolders(path: string): string[] {
  const folder = dirname(path);
  return existsSync(folder) || folder === path ? [] : [...listMissingFolders(folder), folder];
}

/**
 * Replaces a file atomically: readers see either the old or the new contents, even after a crash. The mode and owner
 * are preserved, and links are followed.
 * @throws Error if the file has changed since it was read.
 */
export function replaceConfigFile(path: string, snapshot: FileSnapshot, text: string): void {
  checkUnchanged(path, snapshot);
  const { target } = snapshot;
  mkdirSync(dirname(target), { recursive: true });
  removeStaleDrafts(dirname(target));
  const oldStats = snapshot.text === undefined ? undefined : statSync(target);
  replaceFile(target, (snapshot.bom ? BOM : "") + text, { before: oldStats, durable: true });
}

/** Removes temporary files left behind by killed processes. */
function removeStaleDrafts(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = DRAFT_NAME.exec(name)?.[1];
    if (!pid || isProcessAlive(Number(pid)) || !lstatSync(join(folder, name)).isFile()) continue;
    removeLeftoverFile(join(folder, name));
  }
}

function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Removes a file.
 * @throws Error if the file has changed since it was read.
 */
export function removeFile(path: string, snapshot: FileSnapshot): void {
  checkUnchanged(path, snapshot);
  rmSync(snapshot.target);
}

function checkUnchanged(path: string, snapshot: FileSnapshot): void {
  const now = readConfigFile(path);
  if (now.text === snapshot.text && now.target === snapshot.target) return;
  throw new Error(`${path} was changed by another program; no changes made; run the command again`);
}

/**
 * Copies a file to an unused name in the same directory. If an identical copy already exists, returns that one instead.
 */
export function backUpFile({ target }: FileSnapshot): string {
  for (let count = 0; ; count++) {
    const copy = `${target}.bridge-hooks-backup${count || ""}`;
    if (!mayPathExist(copy)) {
      copyFileSync(target, copy, constants.COPYFILE_EXCL);
      return copy;
    }
    if (lstatSync(copy).isFile() && readFileSync(copy).equals(readFileSync(target))) return copy;
  }
}

/** Removes the directories that bridge-hooks created, if they are empty. */
export function removeEmptyFolders(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder);
    } catch {
      return;
    }
  }
}
