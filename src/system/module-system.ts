import type * as Fs from "node:fs";
import type * as Tty from "node:tty";
import { ffi, openLibrary } from "./c-library.ts";
import { isAbsentError } from "./errors.ts";
import {
  type InspectedFile,
  MAX_FILE_BYTES,
  MAX_INPUT_BYTES,
  POLLIN,
  POLLOUT,
  type QuickInput,
  type QuickSystem,
  STUCK_MS,
} from "./quick-types.ts";
import type * as WindowsFiles from "./windows-files.ts";

const UNKNOWN: InspectedFile = { kind: "other", device: "", size: 0 };
const ABSENT_FILE: InspectedFile = { kind: "absent", device: "", size: 0 };
const CHUNK_BYTES = 1 << 16;

/**
 * Implements `QuickSystem` with `node:fs` for macOS and Windows, whose C libraries differ. Only `poll` comes from the C
 * library, since it is the same on all Unix systems. It reports whether a read would block. Windows has no equivalent,
 * so reads can block there, as they do outside the quick path.
 */
export function openModuleSystem(): QuickSystem | undefined {
  const fs = require("node:fs") as typeof Fs;
  const poll = openLibrary({ poll: { args: ["ptr", "u64", "i32"], returns: "i32" } })?.poll;
  const isWindows = process.platform === "win32";
  // Without `poll`, a blocking read could outlast the host's timeout.
  if (!poll && !isWindows) return undefined;
  const pollRequest = new Int32Array(2);
  const isReady = (file: number, events: number, ms: number): boolean => {
    if (!poll) return events === POLLIN;
    pollRequest[0] = file;
    pollRequest[1] = events;
    return poll(ffi.ptr(pollRequest), 1, ms) > 0;
  };
  let mounts: ReadonlySet<string> | undefined;
  // On Windows, a mounted directory is detected elsewhere, by its different real path.
  const isMountRoot = (path: string, device: number): boolean =>
    !isWindows &&
    (process.platform === "linux"
      ? (mounts ??= readMounts(fs)).has(path)
      : path !== "/" && fs.lstatSync(path.slice(0, path.lastIndexOf("/")) || "/").dev !== device);
  const system: QuickSystem = {
    isTerminal: () => (require("node:tty") as typeof Tty).isatty(0),
    readStdin: (timeoutMs) => readStdin(fs, (ms) => isReady(0, POLLIN, ms), timeoutMs),
    writeStdout(text) {
      const bytes = new TextEncoder().encode(text);
      for (let writtenBytes = 0; writtenBytes < bytes.length;) {
        const count = tryCall(() => fs.writeSync(1, bytes, writtenBytes));
        if (count !== undefined) writtenBytes += count;
        else if (writtenBytes === 0) return false;
        else if (!isReady(1, POLLOUT, STUCK_MS)) break;
      }
      return true;
    },
    readFile(name, expectedSize) {
      if (expectedSize > MAX_FILE_BYTES) return undefined;
      const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = fs.constants;
      const file = tryCall(() => fs.openSync(name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW));
      if (file === undefined) return undefined;
      const bytes = new Uint8Array(expectedSize + 1);
      // If the file has grown since its size was determined, discard the text: it is incomplete and can't be parsed.
      const size = tryCall(() => fs.readSync(file, bytes, 0, bytes.length, null));
      fs.closeSync(file);
      return size !== undefined && size < bytes.length
        ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, size))
        : undefined;
    },
    inspect: (path) => inspectPath(fs, path, isMountRoot),
    measure: (path) => tryCall(() => fs.statSync(path).size) ?? 0,
  };
  if (!isWindows) return system;
  const { adaptToWindows } = require("./windows-files.ts") as typeof WindowsFiles;
  return { ...system, ...adaptToWindows({ ...system, findRealPath: fs.realpathSync.native }) };
}

function readStdin(fs: typeof Fs, isReady: (ms: number) => boolean, timeoutMs: number): QuickInput {
  const end = performance.now() + timeoutMs;
  let bytes = new Uint8Array(CHUNK_BYTES);
  let size = 0;
  for (;;) {
    const remainingMs = Math.max(0, Math.ceil(end - performance.now()));
    const mayRead = (remainingMs > 0 || size === 0) && size < MAX_INPUT_BYTES;
    const count = isReady(remainingMs) && mayRead ? tryCall(() => readOnce(fs, bytes, size)) : undefined;
    if (!count) return { bytes: bytes.subarray(0, size), isWhole: count === 0 };
    size += count;
    if (size === bytes.length) bytes = new Uint8Array(bytes.buffer.transfer(Math.min(size * 8, MAX_INPUT_BYTES)));
  }
}

/** Reads once from stdin. Returns 0 at the end of the input, for which Windows reports an error if stdin is a pipe. */
function readOnce({ readSync }: typeof Fs, bytes: Uint8Array, at: number): number {
  try {
    return readSync(0, bytes, at, bytes.length - at, null);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EOF") return 0;
    throw error;
  }
}

function inspectPath(
  fs: typeof Fs,
  path: string,
  isMountRoot: (path: string, device: number) => boolean,
): InspectedFile {
  try {
    const { dev, size, nlink, isFile, isDirectory } = readStat(fs, path);
    const device = String(dev);
    if (isFile) return { kind: nlink === 1 ? "file" : "other", device, size };
    if (!isDirectory) return { kind: "other", device, size };
    return { kind: isMountRoot(path, dev) ? "mount" : "folder", device, size };
  } catch (error) {
    const isTooLong = (error as NodeJS.ErrnoException).code === "ENAMETOOLONG" && path.length < MAX_PATH_LENGTH;
    return isTooLong || isAbsentError(error) ? ABSENT_FILE : UNKNOWN;
  }
}

/** Maximum length of a path that the system can inspect. */
const MAX_PATH_LENGTH = 4096;

function readStat({ lstatSync }: typeof Fs, path: string) {
  const stat = lstatSync(path);
  return {
    dev: stat.dev,
    size: stat.size,
    nlink: stat.nlink,
    isFile: stat.isFile(),
    isDirectory: stat.isDirectory(),
  };
}

/** Returns the mount points. Mounts on the same device can be told apart only by the kernel's list. */
function readMounts({ readFileSync }: typeof Fs): ReadonlySet<string> {
  const lines = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
  const decode = (path: string) =>
    path.replace(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
  return new Set(lines.flatMap((line) => line.split(" ", 5)[4] ?? []).map(decode));
}

/** Returns the result of a system function, or undefined if it throws. */
function tryCall(work: () => number): number | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
