import type { Pointer } from "bun:ffi";
import type * as Fs from "node:fs";
import { MISSING_PATH_ERRORS, ffi, openLibrary } from "./c-library.ts";
import { orAbsent } from "./errors.ts";
import {
  AT_FDCWD,
  AT_SYMLINK_NOFOLLOW,
  DIRECTORY,
  FILE_TYPE,
  REGULAR_FILE,
  STATX_OFFSETS,
  STAT_BYTES,
  STATX_BASIC_STATS,
  STATX_BIRTH_TIME,
  STATX_SYMBOL,
  SYMBOLIC_LINK,
  readUint64,
} from "./statx.ts";

// Replacements for the `node:fs` functions used in a call, since loading `node:fs` takes longer than all of a call's
// file operations. The C library handles the common cases. `node:fs` still handles all other options, all other
// operating systems, and every error except a missing file.

const loadFs = () => require("node:fs") as typeof Fs;

const LIBC_SYMBOLS = {
  statx: STATX_SYMBOL,
  readlink: { args: ["ptr", "ptr", "u64"], returns: "i64" },
  realpath: { args: ["ptr", "ptr"], returns: "ptr" },
  open: { args: ["ptr", "i32"], returns: "i32" },
  read: { args: ["i32", "ptr", "u64"], returns: "i32" },
  close: { args: ["i32"], returns: "i32" },
  __errno_location: { args: [], returns: "ptr" },
} as const;

const O_CLOEXEC = 0o2000000;
const MAX_PATH_BYTES = 4096;
/** Maximum size in bytes of a file to read through the C library. `node:fs` reads larger files. */
const MAX_FILE_BYTES = 1 << 13;

const library = process.platform === "linux" ? openLibrary(LIBC_SYMBOLS) : undefined;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
/** Allocates memory whose address never changes, so that it has to be determined only once. */
const createBuffer = (size: number) => new Uint8Array(new ArrayBuffer(size));
const pathBytes = createBuffer(MAX_PATH_BYTES);
const resultBytes = createBuffer(MAX_PATH_BYTES + 1);
const statBytes = createBuffer(STAT_BYTES);
const words = new Uint32Array(statBytes.buffer);
const [pathAt, foundAt, statAt] = [ffi.ptr(pathBytes), ffi.ptr(resultBytes), ffi.ptr(statBytes)];
const errorNumberPointer = library?.__errno_location() as Pointer;

/** Writes a path to the buffer that the C library reads from. Returns false if only `node:fs` can handle the path. */
function writePathToBuffer(path: unknown): path is string {
  if (!library || typeof path !== "string" || path === "" || path.includes("\0")) return false;
  const { read, written } = encoder.encodeInto(path, pathBytes);
  if (read !== path.length || written >= MAX_PATH_BYTES) return false;
  pathBytes[written] = 0;
  return true;
}

/** Decodes ASCII bytes. Returns undefined for any other text, which `node:fs` might decode differently. */
function decodeAscii(bytes: Uint8Array): string | undefined {
  const text = decoder.decode(bytes);
  return text.length === bytes.length ? text : undefined;
}

/** Runs `statx` on a path. Returns "unknown" if only `node:fs` can describe the error. */
function queryFile(path: unknown, flags: number): "found" | "absent" | "unknown" {
  if (!writePathToBuffer(path) || !library) return "unknown";
  if (library.statx(AT_FDCWD, pathAt, flags, STATX_BASIC_STATS, statAt) === 0) return "found";
  return MISSING_PATH_ERRORS.includes(ffi.read.i32(errorNumberPointer, 0)) ? "absent" : "unknown";
}

const readWord = (at: number): number => words[at / 4] as number;

/**
 * Reads a timestamp in milliseconds. In memory, it consists of the seconds as a signed 64-bit number, followed by the
 * nanoseconds.
 */
const readTime = (at: number): number =>
  ((readWord(at + 4) | 0) * 2 ** 32 + readWord(at)) * 1e3 + readWord(at + 8) / 1e6;

/** The `Stats` fields and methods that calls use. */
class FileStats {
  readonly mode = readWord(STATX_OFFSETS.mode) & 0xffff;
  readonly nlink = readWord(STATX_OFFSETS.links);
  readonly size = readUint64(readWord, STATX_OFFSETS.size);
  readonly mtimeMs = readTime(STATX_OFFSETS.modifiedSeconds);

  isFile(): boolean {
    return (this.mode & FILE_TYPE) === REGULAR_FILE;
  }
  isDirectory(): boolean {
    return (this.mode & FILE_TYPE) === DIRECTORY;
  }
  isSymbolicLink(): boolean {
    return (this.mode & FILE_TYPE) === SYMBOLIC_LINK;
  }
}

/** Returns the device and inode numbers, which together identify a file. */
function readIdentity(): { dev: bigint; ino: bigint } {
  const [major, minor] = [readWord(STATX_OFFSETS.deviceMajor), readWord(STATX_OFFSETS.deviceMinor)];
  // The bit layout in which the C library combines the major and minor device numbers.
  const high = BigInt((major & 0xfffff000) >>> 0) << 32n;
  const low = BigInt(((major & 0xfff) << 8) | (minor & 0xff)) | (BigInt((minor & 0xffffff00) >>> 0) << 12n);
  return {
    dev: high | low,
    ino: (BigInt(readWord(STATX_OFFSETS.inode + 4)) << 32n) | BigInt(readWord(STATX_OFFSETS.inode)),
  };
}

type StatOptions = { throwIfNoEntry?: boolean; bigint?: boolean };
type StatFunction = (path: string, options?: StatOptions) => unknown;

/**
 * Creates a replacement for one of `node:fs`'s `stat` functions. The result contains only the fields that calls use.
 */
function createStat(flags: number, load: () => StatFunction): StatFunction {
  return (path, options) => {
    const presence = queryFile(path, flags);
    const isOptional = options?.throwIfNoEntry === false;
    if (presence === "absent" && isOptional) return undefined;
    // In all other cases, `node:fs` throws the right Error.
    if (presence !== "found") return isOptional ? orAbsent(() => load()(path, options)) : load()(path, options);
    return options?.bigint === true ? readIdentity() : new FileStats();
  };
}

export const statSync = createStat(0, () => loadFs().statSync as StatFunction) as typeof Fs.statSync;
export const lstatSync = createStat(
  AT_SYMLINK_NOFOLLOW,
  () => loadFs().lstatSync as StatFunction,
) as typeof Fs.lstatSync;

/**
 * Returns a file's creation time in milliseconds. Returns undefined if the system doesn't record it; `node:fs` would
 * return some other timestamp.
 */
export function readBirthTime(path: string): number | undefined {
  if (process.platform !== "linux") return orAbsent(() => loadFs().statSync(path))?.birthtimeMs;
  if (!writePathToBuffer(path) || !library) return undefined;
  const isRead = library.statx(AT_FDCWD, pathAt, 0, STATX_BIRTH_TIME, statAt) === 0;
  return isRead && (readWord(STATX_OFFSETS.mask) & STATX_BIRTH_TIME) !== 0
    ? readTime(STATX_OFFSETS.birthSeconds)
    : undefined;
}

export function existsSync(path: string): boolean {
  const presence = queryFile(path, 0);
  return presence === "unknown" ? loadFs().existsSync(path) : presence === "found";
}

export function readlinkSync(path: string): string {
  const size = writePathToBuffer(path) && library ? Number(library.readlink(pathAt, foundAt, MAX_PATH_BYTES)) : -1;
  const text = size > 0 && size < MAX_PATH_BYTES ? decodeAscii(resultBytes.subarray(0, size)) : undefined;
  return text ?? loadFs().readlinkSync(path);
}

function resolveLinks(path: string, load: () => (path: string) => string): string {
  const isFound = writePathToBuffer(path) && library && library.realpath(pathAt, foundAt) !== null;
  return (isFound ? decodeAscii(resultBytes.subarray(0, resultBytes.indexOf(0))) : undefined) ?? load()(path);
}

export const realpathSync = Object.assign((path: string) => resolveLinks(path, () => loadFs().realpathSync), {
  native: (path: string) => resolveLinks(path, () => loadFs().realpathSync.native),
});

/** Reads small ASCII files through the C library, and all others through `node:fs`. */
export const readFileSync = ((path: string, options?: unknown) =>
  (options === "utf8" ? readSmallText(path) : undefined) ??
  loadFs().readFileSync(path, options as "utf8")) as typeof Fs.readFileSync;

let fileBytes: Uint8Array | undefined;

function readSmallText(path: string): string | undefined {
  const file = writePathToBuffer(path) && library ? library.open(pathAt, O_CLOEXEC) : -1;
  if (!library || file < 0) return undefined;
  const bytes = (fileBytes ??= createBuffer(MAX_FILE_BYTES));
  let size = 0;
  for (;;) {
    const count = library.read(file, ffi.ptr(bytes, size), MAX_FILE_BYTES - size);
    if (count > 0) size += count;
    if (count > 0 && size < MAX_FILE_BYTES) continue;
    library.close(file);
    return count === 0 ? decodeAscii(bytes.subarray(0, size)) : undefined;
  }
}

export const closeSync = ((...args) => loadFs().closeSync(...args)) as typeof Fs.closeSync;
export const fstatSync = ((...args: [number]) => loadFs().fstatSync(...args)) as typeof Fs.fstatSync;
export const openSync = ((...args) => loadFs().openSync(...args)) as typeof Fs.openSync;
export const readSync = ((...args: [number, Uint8Array]) => loadFs().readSync(...args)) as typeof Fs.readSync;
export const readdirSync = ((...args: [string]) => loadFs().readdirSync(...args)) as typeof Fs.readdirSync;
export const mkdirSync = ((...args: [string]) => loadFs().mkdirSync(...args)) as typeof Fs.mkdirSync;
export const rmSync = ((...args) => loadFs().rmSync(...args)) as typeof Fs.rmSync;
