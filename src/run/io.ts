import type { dlopen, ptr } from "bun:ffi";
import { closeSync, fstatSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import type { HostAnswer } from "../protocol/host/host.ts";

const LIBC: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: ["libc.so.6", `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`],
  darwin: ["libSystem.B.dylib"],
};

const SYMBOLS = {
  dup: { args: ["i32"], returns: "i32" },
  dup2: { args: ["i32", "i32"], returns: "i32" },
  poll: { args: ["ptr", "u64", "i32"], returns: "i32" },
} as const;

/** What "bun:ffi" calls: to load that module takes longer than all that is done with it here. */
export const ffi = (Bun as unknown as { FFI: { dlopen: typeof dlopen; ptr: typeof ptr } }).FFI;

/** Calls of the C library; nothing on Windows. */
export function open<const S extends Parameters<typeof dlopen>[1]>(symbols: S) {
  for (const name of LIBC[process.platform] ?? []) {
    try {
      const opened: ReturnType<typeof dlopen<S>> | Error = ffi.dlopen(name, symbols);
      if (!(opened instanceof Error)) return opened.symbols;
    } catch {
      // The other C library, then.
    }
  }
  return undefined;
}

/** The three calls that Bun has no synchronous form of. */
const libc = open(SYMBOLS);

const POLLIN = 1;
let input = 0;
const stdin = new Int32Array([input, POLLIN]);
/** Most payloads fit into it, and every page of it costs. */
const CHUNK = 1 << 13;

/**
 * All of stdin, as text. Where the time runs out on an open pipe, what has come by then.
 * Synchronous, since an asynchronous read costs as much again as the whole start of the process; without Buffer, whose
 * first use costs more than the read.
 */
export function readStdin(timeoutMs: number): string {
  const deadline = performance.now() + timeoutMs;
  let bytes = new Uint8Array(CHUNK);
  let size = 0;
  for (;;) {
    if (!hasInput(deadline)) {
      if (size > 0) break;
      throw new Error(`stdin stayed open for ${timeoutMs} ms and nothing came; a host sends one JSON object there`);
    }
    const count = readInto(bytes, size);
    if (count === 0) break;
    size += count;
    // In large steps: room that is not used costs nothing, but what was outgrown stays in memory.
    if (size === bytes.length) bytes = new Uint8Array(bytes.buffer.transfer(size * 8));
  }
  const text = new TextDecoder().decode(bytes.subarray(0, size));
  // Frees a large payload's memory now, before it is parsed, and not when the collector gets to it.
  if (size > CHUNK) bytes.buffer.transfer(0);
  return text;
}

/** Whether a read would not wait; asked again when a signal interrupts. */
function hasInput(deadline: number): boolean {
  for (;;) {
    const left = Math.max(0, Math.ceil(deadline - performance.now()));
    const ready = libc?.poll(ffi.ptr(stdin), 1, left) ?? 1;
    if (ready >= 0) return ready > 0;
  }
}

/** From here on stdin is empty for hooks and the programs they start; what comes on it is read from the returned descriptor. */
export function guardStdin(): number {
  const moved = libc ? libc.dup(0) : -1;
  if (libc && moved >= 0) {
    libc.dup2(openSync("/dev/null", "r"), 0);
    stdin[0] = input = moved;
  }
  return input;
}

/** Has the system end this process unless it is asked again within so many seconds; nothing on Windows. */
export function deadMan(): (seconds: number) => void {
  const alarm = open({ alarm: { args: ["u32"], returns: "u32" } })?.alarm;
  return (seconds) => void alarm?.(seconds);
}

/** Whether a read would not wait, where the system tells. */
export const inputWaits = (): boolean => (libc?.poll(ffi.ptr(stdin), 1, 0) ?? 0) > 0;

/** One read, to `at`; 0 at the end, also where there is no stdin at all. */
export function readInto(bytes: Uint8Array, at: number): number {
  for (;;) {
    try {
      return readSync(input, bytes, at, bytes.length - at, null);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EAGAIN" || code === "EINTR") continue;
      if (code === "EOF" || code === "EBADF" || code === "EISDIR") return 0;
      throw error;
    }
  }
}

let out = 1;
let err = 2;
/** Holds what hooks and the programs they start print, until the end of the call. */
let printed: number | undefined;

/** The most of it that is passed on, in bytes: its end. */
const MOST_PRINTED = 1 << 14;

const openMemory = () =>
  open({
    memfd_create: { args: ["ptr", "u32"], returns: "i32" },
    fcntl: { args: ["i32", "i32", "i32"], returns: "i32" },
  });
const MFD_ALLOW_SEALING = 2;
const F_ADD_SEALS = 1033;
const F_SEAL_GROW = 4;
let memory: ReturnType<typeof openMemory>;
const MEMORY_NAME = new TextEncoder().encode("bridge-hooks\0");

/** A file without a name, with this text. Bun closes it in the programs that hooks start, and in what takes over from one that took over. */
export function memoryFile(text: string): number {
  memory ??= openMemory();
  const made = memory?.memfd_create(ffi.ptr(MEMORY_NAME), MFD_ALLOW_SEALING) ?? -1;
  const fd = made >= 0 ? made : unnamedFile();
  writeAll(fd, text);
  return fd;
}

function unnamedFile(): number {
  const path = `${process.env.TMPDIR || "/tmp"}/bridge-hooks-${process.pid}-${crypto.randomUUID()}`;
  const fd = openSync(path, "wx+", 0o600);
  unlinkSync(path);
  return fd;
}

/** Has a descriptor lead where another one does, which is closed. */
export function replaceDescriptor(fd: number, by: number): void {
  libc?.dup2(by, fd);
  closeSync(by);
}

/** All of a file that is open, from its beginning. */
export function textOf(fd: number, most = Number.POSITIVE_INFINITY): string {
  const { size } = fstatSync(fd);
  const bytes = new Uint8Array(Math.min(size, most));
  readSync(fd, bytes, 0, bytes.length, size - bytes.length);
  return new TextDecoder().decode(bytes);
}

/**
 * From here on, what hooks and the programs they start print goes to a file first: a program that is still running when the answer is
 * given would keep the host's pipe open, and the host waiting. Returns its descriptor; nothing where the system has no such calls.
 */
export function captureErrors(): number | undefined {
  if (printed !== undefined || !libc || out === 1) return printed;
  err = libc.dup(2);
  printed = memoryFile("");
  libc.dup2(printed, 2);
  libc.dup2(printed, 1);
  return printed;
}

const SIG_SETMASK = 2;

/** Takes over the descriptors of the process whose place this one has taken; its timer's thread had all signals blocked. */
export function adopt(inherited: { stdout: number; stderr: number; printed: number }): void {
  // The engine has those that it was started with closed when the next one starts; their copies stay.
  const kept = (fd: number) => libc?.dup(fd) ?? fd;
  [out, err, printed] = [kept(inherited.stdout), kept(inherited.stderr), kept(inherited.printed)];
  for (const fd of Object.values(inherited)) closeSync(fd);
  const mask = open({ sigprocmask: { args: ["i32", "ptr", "ptr"], returns: "i32" } })?.sigprocmask;
  mask?.(SIG_SETMASK, ffi.ptr(new Uint8Array(128)), null);
}

/**
 * From here on, whatever a hook (or a program it starts) prints to stdout goes to stderr, and a hook can't end the
 * process: only the answer may do either. Where stdout can't be moved, console and process.stdout are.
 */
export function guardStdout(): void {
  const moved = libc && out === 1 ? libc.dup(1) : out;
  if (libc && moved >= 0 && (out !== 1 || libc.dup2(2, 1) >= 0)) out = moved;
  else {
    console.log = console.info = console.debug = console.error;
    // A getter: making the stream costs more than the rest of the call, and most hooks never ask for it.
    Object.defineProperty(process, "stdout", { get: () => process.stderr });
  }
  for (const name of ["exit", "reallyExit", "abort"] as const)
    process[name] = (code?: number): never => {
      throw new Error(`it called process.${name}(${code ?? ""}); return a response instead`);
    };
}

const { reallyExit } = process;

/** Ends the process at once; hooks can't, and what they wanted to do at its end is not waited for. */
export const exit = (code: number): never => reallyExit.call(process, code);

/** Where answers go, once stdout is guarded. */
export const answers = (): number => out;

/** Where the host reads messages. */
export const errors = (): number => err;

/** /dev/null on Linux [run here] and on macOS [unverified]. */
const NULL_DEVICES: readonly number[] = [0x103, 0x3000002];

/** Whether it is /dev/null, which the engine opens in the place of what is closed from the start. */
const leadsNowhere = (fd: number): boolean => NULL_DEVICES.includes(fstatSync(fd).rdev);

/** POLLERR, POLLHUP and POLLNVAL, in the upper half: what poll tells. */
const BROKEN = 0x38 << 16;

/** Whether what is written there gets lost: it leads nowhere, or nobody reads at its other end, where the system tells. */
function isLost(fd: number): boolean {
  const asked = new Int32Array([fd, 0]);
  return leadsNowhere(fd) || ((libc?.poll(ffi.ptr(asked), 1, 0) ?? 0) > 0 && ((asked[1] as number) & BROKEN) !== 0);
}

const heardCode = ({ exit_code, unheard }: HostAnswer): number =>
  unheard !== undefined && leadsNowhere(err) ? unheard : exit_code;

/** The exit code of an answer that another thread is to write, as the host will read it. */
export const exitCodeOf = (answer: HostAnswer): number => (answer.restricts && isLost(out) ? 2 : heardCode(answer));

/** Writes the answer, stdout last, and ends the process. */
export function finish(answer: HostAnswer): never {
  const { stdout, stderr, unheard, restricts } = answer;
  if (printed !== undefined) {
    // What is still running can't fill the memory.
    memory?.fcntl(printed, F_ADD_SEALS, F_SEAL_GROW);
    writeAll(err, textOf(printed, MOST_PRINTED));
  }
  const heard = !stderr || writeAll(err, `${stderr}\n`);
  if (stdout && (!writeAll(out, `${stdout}\n`) || (restricts && leadsNowhere(out))) && restricts) {
    writeAll(err, "bridge-hooks: the host closed stdout before the answer; blocking with exit code 2\n");
    return exit(2);
  }
  return exit(heard ? heardCode(answer) : (unheard ?? answer.exit_code));
}

/** Whether all of it was taken: a host may have closed its end. */
export function writeAll(fd: number, text: string): boolean {
  let rest: Uint8Array = new TextEncoder().encode(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return false;
    }
  }
  return true;
}
