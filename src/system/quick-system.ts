import { MISSING_PATH_ERRORS, ffi, openLibrary } from "./c-library.ts";
import type * as ModuleSystem from "./module-system.ts";
import {
  POLLIN,
  POLLOUT,
  MAX_INPUT_BYTES,
  STUCK_MS,
  MAX_FILE_BYTES,
  type InspectedFile,
  type QuickInput,
  type QuickSystem,
} from "./quick-types.ts";
import {
  AT_FDCWD,
  AT_SYMLINK_NOFOLLOW,
  DIRECTORY,
  FILE_TYPE,
  REGULAR_FILE,
  STATX_OFFSETS,
  STAT_BYTES,
  STATX_BASIC_STATS,
  STATX_SYMBOL,
  readUint64,
} from "./statx.ts";

const SYMBOLS = {
  poll: { args: ["ptr", "u64", "i32"], returns: "i32" },
  read: { args: ["i32", "ptr", "u64"], returns: "i32" },
  write: { args: ["i32", "ptr", "u64"], returns: "i32" },
  open: { args: ["ptr", "i32"], returns: "i32" },
  close: { args: ["i32"], returns: "i32" },
  statx: STATX_SYMBOL,
  __errno_location: { args: [], returns: "ptr" },
} as const;

/**
 * Maximum length of a path, including the terminating NUL (`PATH_BYTES`), and size of `struct pollfd` (`POLL_BYTES`).
 */
const PATH_BYTES = 4096;
const POLL_BYTES = 8;
/** Flag in `stx_attributes`, available since Linux 5.8. Older kernels leave it out of `stx_attributes_mask`. */
const STATX_ATTR_MOUNT_ROOT = 0x2000;
const ENAMETOOLONG = 36;
/** `O_RDONLY`, `O_NONBLOCK`, `O_CLOEXEC` and `O_NOFOLLOW`. Only the value of `O_NOFOLLOW` depends on the processor. */
const OPEN_FLAGS = 0o4000 | 0o2000000 | (process.arch === "arm64" ? 0o100000 : 0o400000);
/** Initial size of the stdin buffer, which fits most payloads. Every additional memory page would take time. */
const CHUNK = 1 << 13;

/** Size of the buffer for large payloads. Memory pages cost nothing until they are used. */
const LARGE_BUFFER_BYTES = 1 << 25;
const HUGE_PAGE = 1 << 21;
/** Amount of memory to request as huge pages: enough for a large payload, its text, and its parsed form. */
const HUGE_PAGE_BYTES = 1 << 28;
const MADV_HUGEPAGE = 14;

/**
 * Requests 2 MB pages for a large buffer and the memory after it, where the allocator places everything that follows.
 * With normal pages, page faults took half of the time for a 10 MB payload. The system is free to ignore the request.
 * Relative processor time without huge pages, 100 pairs [Linux x64, 2026-11-28]: 1.46 for a 5 MB result such as a
 * picture, 1.07 for a 1 MB result, 1.03 for 1 MB written, and 0.99 for 100 kB. `BRIDGE_HOOKS_SYSTEM=module` turns off
 * both huge pages and the C library, which saves 27 to 30% of the time for plain shell commands and reads.
 */
function adviseHugePages(bytes: Uint8Array): void {
  const madvise = openLibrary({ madvise: { args: ["ptr", "u64", "i32"], returns: "i32" } })?.madvise;
  const start = Math.floor(Number(ffi.ptr(bytes)) / HUGE_PAGE) * HUGE_PAGE;
  madvise?.(start as never, HUGE_PAGE_BYTES, MADV_HUGEPAGE);
}

/** Environment variable for tests and measurements. Set to "module", it makes Linux use `node:fs`. */
export const SYSTEM_VARIABLE = "BRIDGE_HOOKS_SYSTEM";

/**
 * Opens the system functions, through the C library on Linux and through `node:fs` on macOS and Windows. On Linux and
 * macOS, returns undefined if the engine isn't allowed to generate code.
 */
export function openQuickSystem(): QuickSystem | undefined {
  if (process.platform !== "linux" || process.env[SYSTEM_VARIABLE] === "module")
    return (require("./module-system.ts") as typeof ModuleSystem).openModuleSystem();
  return openLinuxSystem();
}

type Library = NonNullable<ReturnType<typeof openLibrary<typeof SYMBOLS>>>;

/** Memory for the arguments of C library functions. */
interface CallMemory {
  encoder: TextEncoder;
  path: ReturnType<typeof ffi.ptr>;
  stat: CallMemory["path"];
  pollRequest: CallMemory["path"];
  /** Writes a path to this memory. Returns false if it is too long or can't be encoded. */
  setPath: (name: string) => boolean;
  setPoll: (file: number, events: number) => void;
}

/**
 * Allocates a path, a `struct statx` and a `struct pollfd` in a single buffer. Just creating a second buffer or a
 * numeric view would take longer than everything done with this one.
 */
function createCallHistory(): CallMemory {
  const encoder = new TextEncoder();
  const room = new Uint8Array(PATH_BYTES + STAT_BYTES + POLL_BYTES);
  const path = ffi.ptr(room);
  return {
    encoder,
    path,
    stat: (path + PATH_BYTES) as typeof path,
    pollRequest: (path + PATH_BYTES + STAT_BYTES) as typeof path,
    setPath(name) {
      const { read, written } = encoder.encodeInto(name, room);
      if (read !== name.length || written >= PATH_BYTES) return false;
      room[written] = 0;
      return true;
    },
    setPoll(file, events) {
      room[PATH_BYTES + STAT_BYTES] = file;
      room[PATH_BYTES + STAT_BYTES + 4] = events;
    },
  };
}

/** Opens the C library's functions. Returns undefined if the engine isn't allowed to generate code. */
function openLinuxSystem(): QuickSystem | undefined {
  const library = openLibrary(SYMBOLS);
  if (!library) return undefined;
  const memory = createCallHistory();
  return {
    isTerminal: () => openLibrary({ isatty: { args: ["i32"], returns: "i32" } })?.isatty(0) === 1,
    readStdin: (timeoutMs) => readStdin(library, memory, timeoutMs),
    writeStdout(text) {
      const bytes = memory.encoder.encode(text);
      memory.setPoll(1, POLLOUT);
      for (let written = 0; written < bytes.length;) {
        const count = library.write(1, ffi.ptr(bytes, written), bytes.length - written);
        if (count > 0) written += count;
        else if (written === 0) return false;
        else if (library.poll(memory.pollRequest, 1, STUCK_MS) <= 0) break;
      }
      return true;
    },
    readFile(name, expectedSize) {
      if (expectedSize > MAX_FILE_BYTES || !memory.setPath(name)) return undefined;
      const file = library.open(memory.path, OPEN_FLAGS);
      if (file < 0) return undefined;
      const bytes = new Uint8Array(expectedSize + 1);
      // If the file has grown since its size was determined, discard the text: it is incomplete and can't be parsed.
      const size = library.read(file, ffi.ptr(bytes), bytes.length);
      library.close(file);
      return size >= 0 && size < bytes.length
        ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, size))
        : undefined;
    },
    inspect: (name) => inspectPath(library, memory, name),
    measure(name) {
      const isFound =
        memory.setPath(name) && library.statx(AT_FDCWD, memory.path, 0, STATX_BASIC_STATS, memory.stat) === 0;
      return isFound ? readUint64((at) => ffi.read.u32(memory.stat, at), STATX_OFFSETS.size) : 0;
    },
  };
}

function readStdin(library: Library, { pollRequest, setPoll }: CallMemory, timeoutMs: number): QuickInput {
  const end = performance.now() + timeoutMs;
  setPoll(0, POLLIN);
  let bytes = new Uint8Array(CHUNK);
  let size = 0;
  for (;;) {
    const remainingMs = Math.max(0, Math.ceil(end - performance.now()));
    const ready = library.poll(pollRequest, 1, remainingMs);
    // A count of -1 means that a signal interrupted the call, the time is up, or the input is too large. The slower way
    // of reading stdin then takes over.
    const count =
      ready > 0 && (remainingMs > 0 || size === 0) && size < MAX_INPUT_BYTES
        ? library.read(0, ffi.ptr(bytes, size), bytes.length - size)
        : -1;
    if (count < 0) return { bytes: bytes.subarray(0, size), isWhole: false };
    if (count === 0) return { bytes: bytes.subarray(0, size), isWhole: true };
    size += count;
    // Grow the buffer in large steps: unused memory is free, but the memory of a replaced buffer isn't released.
    if (size < bytes.length) continue;
    bytes = new Uint8Array(
      bytes.buffer.transfer(Math.min(Math.max(size * 8, size > CHUNK ? LARGE_BUFFER_BYTES : 0), MAX_INPUT_BYTES)),
    );
    if (size === 8 * CHUNK) adviseHugePages(bytes);
  }
}

function inspectPath(library: Library, { path, stat, setPath }: CallMemory, name: string): InspectedFile {
  if (!setPath(name)) return { kind: "other", device: "", size: 0 };
  const result = library.statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, stat);
  if (result !== 0) {
    const error = ffi.read.i32(library.__errno_location() as never, 0);
    const isAbsent = error === ENAMETOOLONG || MISSING_PATH_ERRORS.includes(error);
    return { kind: isAbsent ? "absent" : "other", device: "", size: 0 };
  }
  const readWord = (at: number) => ffi.read.u32(stat, at);
  const device = `${readWord(STATX_OFFSETS.deviceMajor)} ${readWord(STATX_OFFSETS.deviceMinor)}`;
  const size = readUint64(readWord, STATX_OFFSETS.size);
  const type = readWord(STATX_OFFSETS.mode) & FILE_TYPE;
  if (type === REGULAR_FILE) return { kind: readWord(STATX_OFFSETS.links) === 1 ? "file" : "other", device, size };
  const isMountKnown = (readWord(STATX_OFFSETS.knownAttributes) & STATX_ATTR_MOUNT_ROOT) !== 0;
  if (type !== DIRECTORY || !isMountKnown) return { kind: "other", device, size };
  return {
    kind: (readWord(STATX_OFFSETS.attributes) & STATX_ATTR_MOUNT_ROOT) === 0 ? "folder" : "mount",
    device,
    size,
  };
}
