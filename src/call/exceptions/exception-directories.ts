import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  type Stats,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isAbsentError, orAbsent } from "../../system/errors.ts";
import { getManagedConfig, getUserConfigSteps } from "../../policy/config-paths.ts";
import { findOwnHome } from "./account-home.ts";

/** A directory for exceptions. Environment variables can't change its path. */
export interface ExceptionDirectory {
  scope: "managed" | "user";
  folder: string;
  /** ID of the account that must own the directory. */
  owner: number;
}

const EXCEPTIONS_FOLDER = "exceptions";

/** Lists the directories, highest precedence first. The list is empty if file ownership can't be checked. */
export function listExceptionDirectories(): ExceptionDirectory[] {
  const owner = process.geteuid?.();
  const home = findOwnHome(owner);
  if (owner === undefined || !home) return [];
  return [
    { scope: "managed", folder: join(dirname(getManagedConfig()), EXCEPTIONS_FOLDER), owner: 0 },
    { scope: "user", folder: join(home, ...getUserConfigSteps().slice(0, -1), EXCEPTIONS_FOLDER), owner },
  ];
}

const GROUP_OR_WORLD_WRITABLE = 0o022;
/**
 * The parent directories must not be world-writable. Group write access is allowed, because many systems grant it to
 * the account's own group.
 */
const WORLD_WRITABLE = 0o002;
/**
 * Maximum size of an exception file in bytes. A typical file has a few hundred bytes plus the names of the bound files.
 */
const MAX_FILE_BYTES = 1 << 17;
const MAX_FILES = 256;

/** Returns why a file or directory is rejected, or undefined if it is accepted. */
function findFileProblem(stats: Stats, owner: number): string | undefined {
  if (stats.isSymbolicLink()) return "it is a link";
  if (stats.uid !== owner) return `it belongs to another account (${stats.uid})`;
  if ((stats.mode & GROUP_OR_WORLD_WRITABLE) !== 0) return "other accounts can write to it";
  return undefined;
}

/** Returns why an exceptions directory is rejected, or undefined if it is accepted or missing. */
export function findDirectoryProblem({ folder, owner }: ExceptionDirectory): string | undefined {
  try {
    const stats = orAbsent(() => lstatSync(folder));
    if (!stats) return undefined;
    const flaw = findFileProblem(stats, owner) ?? (stats.isDirectory() ? undefined : "it is not a directory");
    return flaw ?? findParentProblem(folder);
  } catch (error) {
    return `it can't be read (${(error as NodeJS.ErrnoException).code}); run the command as the account that owns it, outside containers and sandboxes`;
  }
}

/**
 * Checks the parent directories, since anyone who can write to one can replace the exceptions directory. Links higher
 * up in the path are the account's own responsibility.
 */
function findParentProblem(folder: string): string | undefined {
  const parents = [dirname(folder), dirname(dirname(folder))];
  const openParent = parents.find((path) => (statSync(path).mode & WORLD_WRITABLE) !== 0);
  return openParent === undefined ? undefined : `any account can write to ${openParent}`;
}

/** The text of a file in an exceptions directory, or why the file is rejected. */
export type ExceptionFile = { path: string; text: string } | { path: string; flaw: string };

/** Reads a file that only its owner can write. */
export function readExceptionFile(path: string, owner: number): ExceptionFile {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { path, flaw: code === "ELOOP" ? "it is a link" : `it can't be read (${code})` };
  }
  try {
    const stats = fstatSync(fd);
    const flaw =
      findFileProblem(stats, owner) ??
      (stats.isFile() && stats.nlink === 1 ? undefined : "it is not a regular file with a single hard link") ??
      (stats.size > MAX_FILE_BYTES ? "it is too large" : undefined);
    return flaw === undefined ? { path, text: readFileSync(fd, "utf8") } : { path, flaw };
  } finally {
    closeSync(fd);
  }
}

/** Reads all files in an exceptions directory. If the directory itself is rejected, returns only that. */
export function readExceptionDirectory(directory: ExceptionDirectory): ExceptionFile[] {
  try {
    const flaw = findDirectoryProblem(directory);
    if (flaw !== undefined) return [{ path: directory.folder, flaw }];
    const names = readdirSync(directory.folder).filter((name) => /^[a-z0-9]+\.json$/.test(name));
    return names.slice(0, MAX_FILES).map((name) => readExceptionFile(join(directory.folder, name), directory.owner));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return isAbsentError(error) ? [] : [{ path: directory.folder, flaw: `it can't be read (${code})` }];
  }
}
