import type { Pointer } from "bun:ffi";
import { ffi, open } from "./io.ts";

/** A one-shot timer of the system, on a thread that is not the engine's. */
export interface Timer {
  start: (ms: number) => void;
  stop: () => void;
}

/**
 * What the C library does when its streams are flushed, the last that was made first, and a timer that flushes them: no engine takes part
 * in either.
 */
export interface Alarms {
  /** Writes the bytes to a descriptor. */
  text: (fd: number, bytes: Uint8Array) => Pending;
  /** Replaces this process by a new one of its own program. */
  program: (argv: readonly string[]) => Pending;
  /** Ends this process. */
  exit: (code: number) => Pending;
  timer: Timer;
  flush: () => void;
}

/** Something that happens at the next flush, unless it is dropped; the end of a process flushes, too. */
export interface Pending {
  drop: () => void;
}

/** What C reads for as long as the process lives. */
const kept: unknown[] = [];

/** Memory that stays where it is. */
function memory(bytes: number | Uint8Array): Uint8Array {
  const room = typeof bytes === "number" ? bytes : bytes.length;
  const made = new Uint8Array(new ArrayBuffer(room));
  if (typeof bytes !== "number") made.set(bytes);
  kept.push(made);
  return made;
}

const encoder = new TextEncoder();
const cString = (text: string): Pointer => ffi.ptr(memory(encoder.encode(`${text}\0`)));

/** Memory with words of 64 bits, e.g. addresses; those are below 2 ** 53. */
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
/** More room than the text needs: what does not fit is written at once, and musl keeps some bytes of a buffer for itself. */
const SLACK = 4096;

/** A function of the C library; its address is what another one can be told to call. */
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
  // Its table of functions is passed by value: on x86-64 on the stack, behind what fills the registers; on ARM64 as a pointer.
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

/** A timer that calls a function with one argument, on a thread of its own; nothing where the system has no room for one. */
function timerOf(c: LibC, call: number): Timer | undefined {
  // A sigevent: the function's argument, the signal and the way to tell, the function, and its thread's attributes.
  const event = addresses([0, 0, call, 0, 0, 0, 0, 0]);
  new DataView(event.buffer).setInt32(12, SIGEV_THREAD, true);
  const id = memory(8);
  if (c.timer_create(CLOCK_MONOTONIC, ffi.ptr(event), ffi.ptr(id)) !== 0) return undefined;
  const [timer] = new BigUint64Array(id.buffer) as unknown as [bigint];
  const set = (ms: number) => {
    // An itimerspec: no interval, then seconds and nanoseconds.
    const seconds = Math.floor(ms / 1000);
    c.timer_settime(timer, 0, ffi.ptr(addresses([0, 0, seconds, Math.ceil((ms - seconds * 1000) * 1e6)])), null);
  };
  return { start: set, stop: () => set(0) };
}

/**
 * A timer may call a function of one argument only, and none of ours. `fflush` is one: it has each stream call its function to write, which
 * has three. That of a plain stream writes text; that of a stream opened with `fopencookie` may be `execv` or `_exit`, which get what
 * the stream was opened for, and what it holds. [run with glibc 2.36 and musl 1.2, on x64; on ARM64 under emulation]
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

/** The alarms of this system; nothing where they can't be reached: a thread watches then. */
export function alarms(): Alarms | undefined {
  try {
    if (process.platform === "linux") return linux();
  } catch {
    // A C library that lacks one of the functions.
  }
  return undefined;
}
