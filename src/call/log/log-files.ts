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

/** File operations for the log. In a process that answers many calls, they must not block. */
export interface LogFileSystem {
  mkdir: (path: string) => unknown;
  open: (path: string, flags: number) => number | Promise<number>;
  stat: (fd: number) => Stats | Promise<Stats>;
  /** Doesn't follow links. Returns undefined if the file is missing. */
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

/** Flags for opening files without following links or waiting for a pipe's reader, where the system has them. */
export const APPEND_FLAGS = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;
export const READ_FLAGS = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;
export const LOCK_FLAGS = O_WRONLY | O_CREAT | O_EXCL;

/** Readable and writable only by the owner. */
export const FILE_MODE = 0o600;
export const FOLDER_MODE = 0o700;

/** Blocking operations, for a process that handles one call and has a limited lifetime. */
export const BLOCKING_FILE_SYSTEM: LogFileSystem = {
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
