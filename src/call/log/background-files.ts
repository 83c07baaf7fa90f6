import { close, fchmod, fstat, lstat, mkdir, open, read, readdir, rename, type Stats, unlink, write } from "node:fs";
import { promisify } from "node:util";
import { isAbsentError } from "../../system/errors.ts";
import { FILE_MODE, FOLDER_MODE, type LogFileSystem } from "./log-files.ts";

const openFile = promisify(open) as (path: string, flags: number, mode: number) => Promise<number>;
const statFile = promisify(fstat) as (fd: number) => Promise<Stats>;
const statLink = promisify(lstat) as (path: string) => Promise<Stats>;
type CountResult = number | { bytesRead?: number; bytesWritten?: number };
const readFrom = promisify(read) as (
  fd: number,
  bytes: Uint8Array,
  offset: number,
  length: number,
  at: number,
) => Promise<CountResult>;
const writeTo = promisify(write) as unknown as (fd: number, bytes: Uint8Array) => Promise<CountResult>;

/** Returns the number of bytes read or written, which the engine passes either directly or in an object. */
const toCount = (result: CountResult): number =>
  typeof result === "number" ? result : (result.bytesRead ?? result.bytesWritten ?? 0);

/** File operations that run on other threads, so that a stalled disk doesn't block other calls. */
export const BACKGROUND_FILES: LogFileSystem = {
  mkdir: (path) => promisify(mkdir)(path, { recursive: true, mode: FOLDER_MODE }),
  open: (path, flags) => openFile(path, flags, FILE_MODE),
  stat: (fd) => statFile(fd),
  lstat: (path) =>
    statLink(path).catch((error: NodeJS.ErrnoException) => {
      if (isAbsentError(error)) return undefined;
      throw error;
    }),
  restrict: (fd) => promisify(fchmod)(fd, FILE_MODE),
  read: async (fd, bytes, at) => toCount(await readFrom(fd, bytes, 0, bytes.length, at)),
  write: async (fd, bytes) => toCount(await writeTo(fd, bytes)),
  close: (fd) => promisify(close)(fd),
  rename: (from, to) => promisify(rename)(from, to),
  unlink: (path) => promisify(unlink)(path),
  list: (folder) => promisify(readdir)(folder),
};
