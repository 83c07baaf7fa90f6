import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeSync,
} from "node:fs";
import { orAbsent } from "../../system/errors.ts";

/** What writing the log needs of the file system. A process that answers many calls may not wait for any of it. */
export interface LogFileSystem {
  mkdir: (path: string) => unknown;
  open: (path: string, flags: number) => number | Promise<number>;
  stat: (fd: number) => Stats | Promise<Stats>;
  /** Links are not followed; undefined if there is nothing. */
  lstat: (path: string) => Stats | undefined | Promise<Stats | undefined>;
  restrict: (fd: number) => unknown;
  read: (fd: number, bytes: Uint8Array, at: number) => number | Promise<number>;
  write: (fd: number, bytes: Uint8Array) => number | Promise<number>;
  close: (fd: number) => unknown;
  rename: (from: string, to: string) => unknown;
  unlink: (path: string) => unknown;
  list: (folder: string) => string[] | Promise<string[]>;
}

const { O_WRONLY, O_RDONLY, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

/** Neither follows a link nor waits for the reader of a pipe, where the system has such flags. */
export const APPEND_FLAGS = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;
export const READ_FLAGS = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;
export const LOCK_FLAGS = O_WRONLY | O_CREAT | O_EXCL;

/** For its owner alone. */
export const FILE_MODE = 0o600;
export const FOLDER_MODE = 0o700;

/** For a call that has its process to itself, and whose end is guarded. */
export const WAITING_FILES: LogFileSystem = {
  mkdir: (path) => mkdirSync(path, { recursive: true, mode: FOLDER_MODE }),
  open: (path, flags) => openSync(path, flags, FILE_MODE),
  stat: fstatSync,
  lstat: (path) => orAbsent(() => lstatSync(path)),
  restrict: (fd) => fchmodSync(fd, FILE_MODE),
  read: (fd, bytes, at) => readSync(fd, bytes, 0, bytes.length, at),
  write: (fd, bytes) => writeSync(fd, bytes),
  close: closeSync,
  rename: renameSync,
  unlink: unlinkSync,
  list: (folder) => readdirSync(folder),
};
