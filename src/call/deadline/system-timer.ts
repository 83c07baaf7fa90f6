import type { Pointer } from "bun:ffi";
import { ffi, openLibrary } from "../../system/c-library.ts";

/** A one-shot system timer on a thread outside the engine. */
export interface SystemTimer {
  start: (ms: number) => void;
  stop: () => void;
}

/**
 * Actions that the C library performs when it flushes its streams, and timers that flush the streams. The action
 * registered last runs first. None of this needs the engine.
 */
export interface FlushActions {
  /** Writes the bytes to a file descriptor. */
  writeText: (fd: number, bytes: Uint8Array) => PendingAction;
  /** Replaces this process with a new process of the same program. */
  replaceProcess: (argv: readonly string[]) => PendingAction;
  exitProcess: (code: number) => PendingAction;
  timer: SystemTimer;
  /** Counts this process's processor time, in milliseconds. */
  processorTimer: SystemTimer;
  flush: () => void;
}

/** An action that runs on the next flush or when the process ends, unless it is dropped first. */
export interface PendingAction {
  drop: () => void;
}

/** Keeps buffers that C code reads in memory until the process ends. */
const retainedBuffers: unknown[] = [];

/** Allocates memory that is never moved or freed. */
function allocateMemory(bytes: number | Uint8Array): Uint8Array {
  const size = typeof bytes === "number" ? bytes : bytes.length;
  const buffer = new Uint8Array(new ArrayBuffer(size));
  if (typeof bytes !== "number") buffer.set(bytes);
  retainedBuffers.push(buffer);
  return buffer;
}

const encoder = new TextEncoder();
const toCString = (text: string): Pointer => ffi.ptr(allocateMemory(encoder.encode(`${text}\0`)));

/** Allocates memory filled with 64-bit words, such as addresses. Each word must be below 2 ** 53. */
function allocateWords(words: readonly number[]): Uint8Array {
  const buffer = allocateMemory(words.length * 8);
  // All processors that Bun supports are little-endian.
  const halfWords = new Uint32Array(buffer.buffer);
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as number;
    halfWords[at * 2] = word % 2 ** 32;
    halfWords[at * 2 + 1] = Math.floor(word / 2 ** 32);
  }
  return buffer;
}

const FULLY_BUFFERED = 0;
/**
 * Extra buffer space, since musl reserves some bytes for itself and text that doesn't fit would be written immediately.
 */
const BUFFER_SLACK = 4096;

/** A C library function. `ptr` is its address, for passing the function as a callback. */
type CFunction<Args extends readonly unknown[], Result = void> = ((...args: Args) => Result) & { ptr: number };

interface LibC {
  fdopen: CFunction<[number, Pointer], Pointer | null>;
  setvbuf: CFunction<[Pointer, Pointer, number, number]>;
  fwrite: CFunction<[Pointer, number, number, Pointer]>;
  fflush: CFunction<[Pointer | null]>;
  __fpurge: CFunction<[Pointer]>;
  fopencookie: CFunction<(Pointer | number | null)[], Pointer | null>;
  execv: CFunction<[Pointer, Pointer]>;
  signal: CFunction<[number, Pointer | number | null]>;
  pause: CFunction<[]>;
  timer_create: CFunction<[number, Pointer, Pointer], number>;
  timer_settime: CFunction<[bigint, number, Pointer, null]>;
  _exit: CFunction<[number]>;
}

const IS_ARM64 = process.arch === "arm64";

const LINUX_SYMBOLS = {
  fdopen: { args: ["i32", "ptr"], returns: "ptr" },
  setvbuf: { args: ["ptr", "ptr", "i32", "u64"], returns: "i32" },
  fwrite: { args: ["ptr", "u64", "u64", "ptr"], returns: "u64" },
  fflush: { args: ["ptr"], returns: "i32" },
  __fpurge: { args: ["ptr"], returns: "void" },
  // `fopencookie` takes its function table by value. On x86-64, the table is on the stack, after the register
  // arguments. On ARM64, the table is passed as a pointer.
  fopencookie: {
    args: (IS_ARM64
      ? ["u64", "ptr", "ptr"]
      : ["u64", "ptr", "u64", "u64", "u64", "u64", "u64", "u64", "u64", "u64"]) as ("ptr" | "u64")[],
    returns: "ptr",
  },
  execv: { args: ["ptr", "ptr"], returns: "i32" },
  signal: { args: ["i32", "ptr"], returns: "ptr" },
  pause: { args: [], returns: "i32" },
  timer_create: { args: ["i32", "ptr", "ptr"], returns: "i32" },
  timer_settime: { args: ["u64", "i32", "ptr", "ptr"], returns: "i32" },
  _exit: { args: ["i32"], returns: "void" },
} as const;

const SIGABRT = 6;
const CLOCK_MONOTONIC = 1;
const CLOCK_PROCESS_CPUTIME_ID = 2;
const SIGEV_THREAD = 2;

/** Creates a timer that flushes all streams on its own thread. Returns undefined if the system can't create one. */
function createTimer(c: LibC, clock: number): SystemTimer | undefined {
  const call = c.fflush.ptr;
  // struct sigevent: callback argument, signal and notification type, callback, thread attributes.
  const event = allocateWords([0, 0, call, 0, 0, 0, 0, 0]);
  new Int32Array(event.buffer)[3] = SIGEV_THREAD;
  const id = allocateMemory(8);
  if (c.timer_create(clock, ffi.ptr(event), ffi.ptr(id)) !== 0) return undefined;
  const timer = new BigUint64Array(id.buffer)[0] as bigint;
  const setTimer = (ms: number) => {
    // struct itimerspec: no interval, then seconds and nanoseconds.
    const seconds = Math.floor(ms / 1000);
    c.timer_settime(timer, 0, ffi.ptr(allocateWords([0, 0, seconds, Math.ceil((ms - seconds * 1000) * 1e6)])), null);
  };
  return { start: setTimer, stop: () => setTimer(0) };
}

/**
 * Builds the actions from C library functions on Linux. A timer can only call a native function with one argument.
 * `fflush` is such a function, and it makes each stream call its own write function, which takes three arguments. A
 * plain stream writes text. A stream opened with `fopencookie` can use `execv` or `_exit` as its write function, called
 * with the cookie and the buffered bytes. [run with glibc 2.36 and musl 1.2, on x64; on ARM64 under emulation]
 */
function openLinuxActions(): FlushActions | undefined {
  const c = openLibrary(LINUX_SYMBOLS) as unknown as LibC | undefined;
  const timer = c && createTimer(c, CLOCK_MONOTONIC);
  const processorTimer = c && createTimer(c, CLOCK_PROCESS_CPUTIME_ID);
  if (!timer || !processorTimer) return undefined;
  const createWriteAction = (file: Pointer | null, bytes: Uint8Array): PendingAction => {
    if (file === null) return { drop() {} };
    const buffer = allocateMemory(bytes.length + BUFFER_SLACK);
    c.setvbuf(file, ffi.ptr(buffer), FULLY_BUFFERED, buffer.length);
    c.fwrite(ffi.ptr(allocateMemory(bytes)), 1, bytes.length, file);
    return { drop: () => c.__fpurge(file) };
  };
  const createCallAction = (write: number, stream: Pointer | number, bytes: Uint8Array) => {
    const table = IS_ARM64 ? [ffi.ptr(allocateWords([0, write, 0, 0]))] : [0, 0, 0, 0, 0, write, 0, 0];
    return createWriteAction(c.fopencookie(stream, toCString("w"), ...table), bytes);
  };
  return {
    writeText: (fd, bytes) => createWriteAction(bytes.length > 0 ? c.fdopen(fd, toCString("w")) : null, bytes),
    replaceProcess: (argv) => {
      const program = toCString("/proc/self/exe");
      const action = createCallAction(c.execv.ptr, program, allocateWords([...argv.map(toCString), 0]));
      // Linux can't start a thread while another thread is in `execve`, and the engine then aborts. On a busy machine,
      // 4 of 1,500 replaced processes ended that way before the new one had started. With this handler, an engine that
      // aborts for this or any other reason waits for the new process to start. [seen Linux 6, Bun 1.4.5, 2026-11-27]
      c.signal(SIGABRT, c.pause.ptr);
      return {
        drop() {
          c.signal(SIGABRT, null);
          action.drop();
        },
      };
    },
    exitProcess: (code) => createCallAction(c._exit.ptr, code, encoder.encode("x")),
    timer,
    processorTimer,
    flush: () => void c.fflush(null),
  };
}

/**
 * Creates the actions for this system. Returns undefined if they aren't available; the caller then uses a watcher
 * thread.
 */
export function openFlushActions(): FlushActions | undefined {
  try {
    if (process.platform === "linux") return openLinuxActions();
  } catch {
    // The C library lacks one of the functions.
  }
  return undefined;
}
