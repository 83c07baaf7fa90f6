import type * as Fs from "node:fs";
import { ffi, openLibrary } from "./c-library.ts";
import { AT_EMPTY_PATH, STATX_OFFSETS, STAT_BYTES, STATX_BASIC_STATS, STATX_SYMBOL, readUint64 } from "./statx.ts";

/** Operations on open files. If one fails, it throws an Error with the system's error `code`. */
export interface Descriptors {
  /** Reads once into the buffer, starting at the buffer's offset `at`. */
  read: (fd: number, bytes: Uint8Array, at: number) => number;
  /** Reads once, starting at the given position in the file. */
  readFrom: (fd: number, bytes: Uint8Array, position: number) => number;
  write: (fd: number, bytes: Uint8Array) => number;
  close: (fd: number) => void;
  /**
   * Returns the file's size in bytes, type and permissions, number of hard links and, for a device file, device number.
   */
  inspect: (fd: number) => { size: number; rdev: number; mode: number; nlink: number };
  /** Opens /dev/null for reading. */
  openNull: () => number;
  /**
   * Opens a file for appending. A new file is accessible only to its owner. Links aren't followed, and opening a pipe
   * doesn't wait for a process to read from it.
   */
  openAppend: (path: string) => number;
}

const LIBC_SYMBOLS = {
  read: { args: ["i32", "ptr", "u64"], returns: "i32" },
  pread: { args: ["i32", "ptr", "u64", "i64"], returns: "i32" },
  write: { args: ["i32", "ptr", "u64"], returns: "i32" },
  close: { args: ["i32"], returns: "i32" },
  statx: STATX_SYMBOL,
  open: { args: ["ptr", "i32", "i32"], returns: "i32" },
  __errno_location: { args: [], returns: "ptr" },
} as const;

const ERROR_CODES: Readonly<Record<number, string>> = {
  2: "ENOENT",
  4: "EINTR",
  9: "EBADF",
  11: "EAGAIN",
  21: "EISDIR",
  32: "EPIPE",
};
const O_CLOEXEC = 0o2000000;
/**
 * `O_WRONLY`, `O_CREAT`, `O_APPEND`, `O_NONBLOCK`, `O_CLOEXEC` and `O_NOFOLLOW`. Only the value of `O_NOFOLLOW` depends
 * on the processor.
 */
const APPEND_FLAGS = 1 | 0o100 | 0o2000 | 0o4000 | O_CLOEXEC | (process.arch === "arm64" ? 0o100000 : 0o400000);
const OWNER_ONLY = 0o600;

/**
 * Implements `Descriptors` with the C library: in most calls, loading `node:fs` would take longer than everything else.
 * Returns undefined if the library can't be opened.
 */
export function openLinuxDescriptors(): Descriptors | undefined {
  const library = process.platform === "linux" ? openLibrary(LIBC_SYMBOLS) : undefined;
  if (!library) return undefined;
  const check = (result: number, operation: string): number => {
    if (result >= 0) return result;
    const number = ffi.read.i32(library.__errno_location() as never, 0);
    const code = ERROR_CODES[number] ?? `errno ${number}`;
    throw Object.assign(new Error(`${operation} failed: ${code}`), { code });
  };
  const toText = (text: string) => ffi.ptr(new TextEncoder().encode(`${text}\0`));
  return {
    read: (fd, bytes, at) => check(library.read(fd, ffi.ptr(bytes, at), bytes.length - at), "read"),
    readFrom: (fd, bytes, position) =>
      bytes.length === 0 ? 0 : check(library.pread(fd, ffi.ptr(bytes), bytes.length, position), "read"),
    write: (fd, bytes) => (bytes.length === 0 ? 0 : check(library.write(fd, ffi.ptr(bytes), bytes.length), "write")),
    close: (fd) => void check(library.close(fd), "close"),
    inspect(fd) {
      const words = new Uint32Array(STAT_BYTES / 4);
      check(library.statx(fd, toText(""), AT_EMPTY_PATH, STATX_BASIC_STATS, ffi.ptr(words)), "fstat");
      const readWord = (at: number) => words[at / 4] as number;
      return {
        size: readUint64(readWord, STATX_OFFSETS.size),
        rdev: readWord(STATX_OFFSETS.ownMajor) * 256 + readWord(STATX_OFFSETS.ownMinor),
        mode: readWord(STATX_OFFSETS.mode) & 0xffff,
        nlink: readWord(STATX_OFFSETS.links),
      };
    },
    openNull: () => check(library.open(toText("/dev/null"), O_CLOEXEC, 0), "open"),
    openAppend: (path) => check(library.open(toText(path), APPEND_FLAGS, OWNER_ONLY), "open"),
  };
}

export function openModuleDescriptors(): Descriptors {
  // Get the functions now, since a hook might replace the module's exports later.
  const { closeSync, constants, fstatSync, openSync, readSync, writeSync } = require("node:fs") as typeof Fs;
  return {
    read: (fd, bytes, at) => readSync(fd, bytes, at, bytes.length - at, null),
    readFrom: (fd, bytes, position) => readSync(fd, bytes, 0, bytes.length, position),
    write: (fd, bytes) => writeSync(fd, bytes),
    close: closeSync,
    inspect: (fd) => fstatSync(fd),
    openNull: () => openSync("/dev/null", "r"),
    openAppend(path) {
      const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
      return openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, OWNER_ONLY);
    },
  };
}

export const descriptors: Descriptors = openLinuxDescriptors() ?? openModuleDescriptors();
