import type { Pointer } from "bun:ffi";
import { ffi, open } from "./io.ts";

/** A one-shot system timer, on a thread outside the engine. */
export interface Timer {
  start: (ms: number) => void;
  stop: () => void;
}

/**
 * Actions that the C library performs when its streams are flushed, last registered first, and a timer that flushes
 * them. Neither needs the engine.
 */
export interface Alarms {
  /** Writes the bytes to a file descriptor. */
  text: (fd: number, bytes: Uint8Array) => Pending;
  /** Replaces this process with a new one that runs the same program. */
  program: (argv: readonly string[]) => Pending;
  /** Ends this process. */
  exit: (code: number) => Pending;
  timer: Timer;
  flush: () => void;
}

/** An action that runs at the next flush unless it is dropped. The end of the process flushes, too. */
export interface Pending {
  drop: () => void;
}

/** Keeps buffers that C code reads alive for the life of the process. */
const kept: unknown[] = [];

/** Allocates memory that is never moved or freed. */
function memory(bytes: number | Uint8Array): Uint8Array {
  const room = typeof bytes === "number" ? bytes : bytes.length;
  const made = new Uint8Array(new ArrayBuffer(room));
  if (typeof bytes !== "number") made.set(bytes);
  kept.push(made);
  return made;
}

const encoder = new TextEncoder();
const cString = (text: string): Pointer => ffi.ptr(memory(encoder.encode(`${text}\0`)));

/** Memory filled with 64-bit words, e.g. addresses; each is below 2 ** 53. */
function addresses(words: readonly number[]): Uint8Array {
  const made = memory(words.length * 8);
  const view = new DataView(made.buffer);
  words.forEach((word, at) => {
    view.setUint32(at * 8, word, true);
    view.setUint32(at * 8 + 4, Math.floor(word / 2 ** 32), true);
  });
  return made;
}

const FULLY_BUFFERED = 0;
/**
 * Spare room beyond the text: what does not fit would be written at once, and musl reserves some bytes of the buffer.
 */
const SLACK = 4096;

/** A C library function; `ptr` is its address, to be passed as a callback. */
type C<Args extends readonly unknown[], Result = void> = ((...args: Args) => Result) & { ptr: number };

interface LibC {
  fdopen: C<[number, Pointer], Pointer | null>;
  setvbuf: C<[Pointer, Pointer, number, number]>;
  fwrite: C<[Pointer, number, number, Pointer]>;
  fflush: C<[Pointer | null]>;
  __fpurge: C<[Pointer]>;
  fopencookie: C<(Pointer | number | null)[], Pointer | null>;
  execv: C<[Pointer, Pointer]>;
  timer_create: C<[number, Pointer, Pointer], number>;
  timer_settime: C<[bigint, number, Pointer, null]>;
  _exit: C<[number]>;
}

const ARM = process.arch === "arm64";

const LINUX = {
  fdopen: { args: ["i32", "ptr"], returns: "ptr" },
  setvbuf: { args: ["ptr", "ptr", "i32", "u64"], returns: "i32" },
  fwrite: { args: ["ptr", "u64", "u64", "ptr"], returns: "u64" },
  fflush: { args: ["ptr"], returns: "i32" },
  __fpurge: { args: ["ptr"], returns: "void" },
  // `fopencookie` takes its function table by value: on x86-64 on the stack, after the register arguments; on ARM64 as
  // a pointer.
  fopencookie: {
    args: (ARM ? ["u64", "ptr", "ptr"] : ["u64", "ptr", "u64", "u64", "u64", "u64", "u64", "u64", "u64", "u64"]) as (
      "ptr" | "u64"
    )[],
    returns: "ptr",
  },
  execv: { args: ["ptr", "ptr"], returns: "i32" },
  timer_create: { args: ["i32", "ptr", "ptr"], returns: "i32" },
  timer_settime: { args: ["u64", "i32", "ptr", "ptr"], returns: "i32" },
  _exit: { args: ["i32"], returns: "void" },
} as const;

const CLOCK_MONOTONIC = 1;
const SIGEV_THREAD = 2;

/** A timer that calls a one-argument function on a thread of its own; undefined if the system can't create one. */
function timerOf(c: LibC, call: number): Timer | undefined {
  // struct sigevent: callback argument, signal and notification type, callback, thread attributes.
  const event = addresses([0, 0, call, 0, 0, 0, 0, 0]);
  new DataView(event.buffer).setInt32(12, SIGEV_THREAD, true);
  const id = memory(8);
  if (c.timer_create(CLOCK_MONOTONIC, ffi.ptr(event), ffi.ptr(id)) !== 0) return undefined;
  const [timer] = new BigUint64Array(id.buffer) as unknown as [bigint];
  const set = (ms: number) => {
    // struct itimerspec: no interval, then seconds and nanoseconds.
    const seconds = Math.floor(ms / 1000);
    c.timer_settime(timer, 0, ffi.ptr(addresses([0, 0, seconds, Math.ceil((ms - seconds * 1000) * 1e6)])), null);
  };
  return { start: set, stop: () => set(0) };
}

/**
 * A timer can only call a native function with one argument. `fflush` is one: it makes each stream call its write
 * function, which takes three. A plain stream's write function writes text; the one of a stream opened with
 * `fopencookie` can be `execv` or `_exit`, called with the cookie and the buffered bytes.
 * [run with glibc 2.36 and musl 1.2, on x64; on ARM64 under emulation]
 */
function linux(): Alarms | undefined {
  const c = open(LINUX) as unknown as LibC | undefined;
  const timer = c && timerOf(c, c.fflush.ptr);
  if (!timer) return undefined;
  const pending = (file: Pointer | null, bytes: Uint8Array): Pending => {
    if (file === null) return { drop() {} };
    const buffer = memory(bytes.length + SLACK);
    c.setvbuf(file, ffi.ptr(buffer), FULLY_BUFFERED, buffer.length);
    c.fwrite(ffi.ptr(memory(bytes)), 1, bytes.length, file);
    return { drop: () => c.__fpurge(file) };
  };
  const calling = (write: number, opened: Pointer | number, bytes: Uint8Array) => {
    const table = ARM ? [ffi.ptr(addresses([0, write, 0, 0]))] : [0, 0, 0, 0, 0, write, 0, 0];
    return pending(c.fopencookie(opened, cString("w"), ...table), bytes);
  };
  return {
    text: (fd, bytes) => pending(bytes.length > 0 ? c.fdopen(fd, cString("w")) : null, bytes),
    program: (argv) => calling(c.execv.ptr, cString("/proc/self/exe"), addresses([...argv.map(cString), 0])),
    exit: (code) => calling(c._exit.ptr, code, encoder.encode("x")),
    timer,
    flush: () => void c.fflush(null),
  };
}

/** The alarms of this system; undefined where they are not available, and a watcher thread is used instead. */
export function alarms(): Alarms | undefined {
  try {
    if (process.platform === "linux") return linux();
  } catch {
    // The C library lacks one of the functions.
  }
  return undefined;
}
