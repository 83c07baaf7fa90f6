import type { HostAnswer } from "../../protocol/host/host.ts";
import { ffi, openLibrary } from "../../system/c-library.ts";
import { descriptors } from "../../system/descriptors.ts";
import { MAX_INPUT_BYTES, type QuickInput } from "../../system/quick-system.ts";

const LIBC_SYMBOLS = {
  dup: { args: ["i32"], returns: "i32" },
  dup2: { args: ["i32", "i32"], returns: "i32" },
  poll: { args: ["ptr", "u64", "i32"], returns: "i32" },
} as const;

/** The three calls that Bun has no synchronous API for. */
const libc = openLibrary(LIBC_SYMBOLS);

const POLLIN = 1;
const POLLOUT = 4;
/** How long one wait for a reader lasts, in milliseconds. */
const WRITE_WAIT_MS = 1_000;
let stdinDescriptor = 0;
const stdinPoll = new Int32Array([stdinDescriptor, POLLIN]);
/** Most payloads fit, and every further page costs time. */
const CHUNK = 1 << 13;

/** A host that has written all of its payload may leave the pipe open: after this pause it is looked at, in milliseconds. */
const MAX_PAUSE_MS = 2_000;

/**
 * Reads all of stdin as text; if the time runs out on an open pipe, or it pauses after a whole document, what has arrived by
 * then. Synchronous, because an asynchronous read costs as much as starting the process; without Buffer, whose first use
 * costs more than the read.
 * @param begun what was read since the process started.
 */
export function readStdin(timeoutMs: number, begun?: QuickInput): string {
  if (begun?.text !== undefined) {
    if (begun.bytes.length > CHUNK) (begun.bytes.buffer as ArrayBuffer).transfer(0);
    return begun.text;
  }
  const started = begun ? 0 : performance.now();
  const deadline = started + timeoutMs;
  const pauseMs = Math.min(MAX_PAUSE_MS, timeoutMs / 2);
  let bytes = begun ? new Uint8Array(begun.bytes.buffer as ArrayBuffer) : new Uint8Array(CHUNK);
  let size = begun?.bytes.length ?? 0;
  let pauseEnd = size > 0 ? started + pauseMs : deadline;
  while (!begun?.isWhole) {
    if (size >= MAX_INPUT_BYTES)
      throw new Error(`stdin is larger than ${MAX_INPUT_BYTES >> 20} MB; a host sends one JSON object there`);
    if (!hasInput(Math.min(pauseEnd, deadline))) {
      if (size === 0)
        throw new Error(`stdin stayed open for ${timeoutMs} ms without any data; a host sends one JSON object there`);
      if (performance.now() >= deadline || isDocument(bytes.subarray(0, size))) break;
      // The rest may come late.
      pauseEnd = deadline;
      continue;
    }
    const count = readInto(bytes, size);
    if (count === 0) break;
    size += count;
    const now = performance.now();
    if (now >= deadline)
      throw new Error(`stdin did not end within ${timeoutMs} ms; a host sends one JSON object there`);
    pauseEnd = now + pauseMs;
    // Grow in large steps: unused room is free, but outgrown buffers stay in memory.
    if (size === bytes.length) bytes = new Uint8Array(bytes.buffer.transfer(Math.min(size * 8, MAX_INPUT_BYTES)));
  }
  const text = new TextDecoder().decode(bytes.subarray(0, size));
  // Free a large payload's memory now, before it is parsed, instead of waiting for the garbage collector.
  if (size > CHUNK) bytes.buffer.transfer(0);
  return text;
}

/** Whether bytes are a whole JSON document. */
function isDocument(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder().decode(bytes));
    return true;
  } catch {
    return false;
  }
}

/** Whether a read would not block; retried when a signal interrupts. */
function hasInput(deadline: number): boolean {
  for (;;) {
    const left = Math.max(0, Math.ceil(deadline - performance.now()));
    const ready = libc?.poll(ffi.ptr(stdinPoll), 1, left) ?? 1;
    if (ready >= 0) return ready > 0;
  }
}

/** Gives hooks and the programs they start an empty stdin. The real one is read from the returned descriptor. */
export function guardStdin(): number {
  const moved = libc ? libc.dup(0) : -1;
  if (libc && moved >= 0) {
    libc.dup2(descriptors.openNull(), 0);
    stdinPoll[0] = stdinDescriptor = moved;
  }
  return stdinDescriptor;
}

/**
 * Returns a function that asks the system to end this process unless it is called again within that many seconds; it
 * does nothing on Windows.
 */
export function createDeadManSwitch(): (seconds: number) => void {
  const alarm = openLibrary({ alarm: { args: ["u32"], returns: "u32" } })?.alarm;
  return (seconds) => void alarm?.(seconds);
}

const ITIMER_PROF = 2;

/**
 * Returns a function that asks the system to end this process if it keeps a processor busy for that many seconds before it
 * is called again; it does nothing on Windows.
 */
export function createProcessorLimit(): (seconds: number) => void {
  const setTimer = openLibrary({ setitimer: { args: ["i32", "ptr", "ptr"], returns: "i32" } })?.setitimer;
  // struct itimerval: no interval, then seconds and microseconds.
  const time = new BigInt64Array(4);
  return (seconds) => {
    time[2] = BigInt(seconds);
    setTimer?.(ITIMER_PROF, ffi.ptr(time), null);
  };
}

/** Whether a read would not block, after so many milliseconds at most; false if the system can't say. */
export const hasWaitingInput = (ms = 0): boolean => (libc?.poll(ffi.ptr(stdinPoll), 1, ms) ?? 0) > 0;

/** Reads once, to `at`; 0 at the end of the input, or without stdin. */
export function readInto(bytes: Uint8Array, at: number): number {
  for (;;) {
    try {
      return descriptors.read(stdinDescriptor, bytes, at);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EAGAIN" || code === "EINTR") continue;
      if (code === "EOF" || code === "EBADF" || code === "EISDIR") return 0;
      throw error;
    }
  }
}

let stdoutDescriptor = 1;
let stderrDescriptor = 2;
/** The file that collects what hooks and the programs they start print until the end of the call. */
let printedDescriptor: number | undefined;

/** Maximum bytes of that output to pass on, from its end. */
const MAX_PRINTED_BYTES = 1 << 14;

const openMemory = () =>
  openLibrary({
    memfd_create: { args: ["ptr", "u32"], returns: "i32" },
    fcntl: { args: ["i32", "i32", "i32"], returns: "i32" },
  });
const MFD_ALLOW_SEALING = 2;
const F_ADD_SEALS = 1033;
const F_SEAL_GROW = 4;
let memoryLibrary: ReturnType<typeof openMemory>;
const MEMORY_NAME = new TextEncoder().encode("bridge-hooks\0");

/**
 * Creates an unnamed file with this text. Bun closes its descriptor in programs that hooks start, and in the second
 * process to take over.
 */
export function createMemoryFile(text: string): number {
  memoryLibrary ??= openMemory();
  const made = memoryLibrary?.memfd_create(ffi.ptr(MEMORY_NAME), MFD_ALLOW_SEALING) ?? -1;
  const fd = made >= 0 ? made : createUnnamedFile();
  writeAll(fd, text);
  return fd;
}

function createUnnamedFile(): number {
  const path = `${process.env.TMPDIR || "/tmp"}/bridge-hooks-${process.pid}-${crypto.randomUUID()}`;
  const { openSync, unlinkSync } = process.getBuiltinModule("node:fs");
  const fd = openSync(path, "wx+", 0o600);
  unlinkSync(path);
  return fd;
}

/** Makes `fd` refer to the same file as `by`, and closes `by`. */
export function replaceDescriptor(fd: number, by: number): void {
  libc?.dup2(by, fd);
  descriptors.close(by);
}

/** Reads an open file from its beginning. */
export function readDescriptor(fd: number, most = Number.POSITIVE_INFINITY): string {
  const { size } = descriptors.inspect(fd);
  const bytes = new Uint8Array(Math.min(size, most));
  descriptors.readFrom(fd, bytes, size - bytes.length);
  return new TextDecoder().decode(bytes);
}

/**
 * Redirects what hooks and the programs they start print to a file: a program that outlives the answer would keep the
 * host's pipe open, and the host waiting. Returns its descriptor; undefined if the system lacks the calls.
 */
export function captureOutput(): number | undefined {
  if (printedDescriptor !== undefined || !libc || stdoutDescriptor === 1) return printedDescriptor;
  stderrDescriptor = libc.dup(2);
  printedDescriptor = createMemoryFile("");
  libc.dup2(printedDescriptor, 2);
  libc.dup2(printedDescriptor, 1);
  return printedDescriptor;
}

const SIG_SETMASK = 2;

/**
 * Takes over the descriptors of the process that this one replaced, and unblocks the signals that its timer thread had
 * blocked.
 */
export function adoptDescriptors(inherited: { stdout: number; stderr: number; printed: number }): void {
  // The engine closes inherited descriptors when it starts another process; duplicates stay open.
  const duplicate = (fd: number) => libc?.dup(fd) ?? fd;
  [stdoutDescriptor, stderrDescriptor, printedDescriptor] = [
    duplicate(inherited.stdout),
    duplicate(inherited.stderr),
    duplicate(inherited.printed),
  ];
  for (const fd of Object.values(inherited)) descriptors.close(fd);
  const mask = openLibrary({ sigprocmask: { args: ["i32", "ptr", "ptr"], returns: "i32" } })?.sigprocmask;
  mask?.(SIG_SETMASK, ffi.ptr(new Uint8Array(128)), null);
}

/**
 * From here on, whatever a hook or a program it starts prints to stdout goes to stderr, and a hook can't end the
 * process: only the answer may do either. Where stdout can't be moved, what JavaScript prints with is redirected instead.
 */
export function guardStdout(): void {
  const moved = libc && stdoutDescriptor === 1 ? libc.dup(1) : stdoutDescriptor;
  if (libc && moved >= 0 && (stdoutDescriptor !== 1 || libc.dup2(2, 1) >= 0)) stdoutDescriptor = moved;
  else redirectPrinting();
  for (const name of ["exit", "reallyExit", "abort"] as const)
    process[name] = (code?: number): never => {
      throw new Error(`it called process.${name}(${code ?? ""}); return a response instead`);
    };
}

/**
 * Redirects the ways to print to stderr, one by one, on Windows: its C library could move the descriptor, but the engine
 * keeps the handle behind it [run under Wine 10]. What stays open: functions of `node:fs` that were imported by their
 * names, `Bun.file(1)`, and programs that inherit stdout.
 */
function redirectPrinting(): void {
  console.log = console.info = console.debug = console.error;
  // A getter: creating the stream costs more than the rest of the call, and most hooks never use it.
  Object.defineProperty(process, "stdout", { get: () => process.stderr });
  Object.assign(Bun, { stdout: Bun.stderr });
  const fs = process.getBuiltinModule("node:fs") as unknown as Record<string, (...args: unknown[]) => unknown>;
  for (const name of ["write", "writeSync", "writev", "writevSync", "writeFile", "writeFileSync"]) {
    const write = fs[name] as (...args: unknown[]) => unknown;
    fs[name] = (fd, ...rest) => write(fd === 1 ? 2 : fd, ...rest);
  }
}

const { reallyExit } = process;

/** Ends the process at once, without running exit handlers; hooks can't call it. */
export const exitProcess = (code: number): never => reallyExit.call(process, code);

/** The descriptor for answers, once stdout is guarded. */
export const getAnswerDescriptor = (): number => stdoutDescriptor;

/** The descriptor for messages to the host. */
export const getMessageDescriptor = (): number => stderrDescriptor;

/** /dev/null on Linux [run here] and on macOS [unverified]. */
const NULL_DEVICES: readonly number[] = [0x103, 0x3000002];

/** Whether it is /dev/null, which the engine opens in place of a descriptor that was closed at the start. */
function isNullDevice(fd: number): boolean {
  try {
    return NULL_DEVICES.includes(descriptors.inspect(fd).rdev);
  } catch {
    // EINVAL for stdout that is a file, on Windows [Wine 10.0, 2026-11-23].
    return false;
  }
}

/** POLLERR, POLLHUP and POLLNVAL in the upper half of a pollfd, where poll reports them. */
const POLL_ERROR_BITS = 0x38 << 16;

/** Whether output to the descriptor is lost: it is /dev/null, or, if the system can say, the reading end is closed. */
function isLost(fd: number): boolean {
  const asked = new Int32Array([fd, 0]);
  return (
    isNullDevice(fd) || ((libc?.poll(ffi.ptr(asked), 1, 0) ?? 0) > 0 && ((asked[1] as number) & POLL_ERROR_BITS) !== 0)
  );
}

const getReadableExitCode = ({ exit_code, unheard }: HostAnswer): number =>
  unheard !== undefined && isNullDevice(stderrDescriptor) ? unheard : exit_code;

/** The exit code for an answer that is written outside the engine. */
export const getExitCode = (answer: HostAnswer): number =>
  answer.restricts && isLost(stdoutDescriptor) ? 2 : getReadableExitCode(answer);

/** Writes the answer, and ends the process. */
export const writeAnswerAndExit = (answer: HostAnswer): never => exitProcess(writeAnswer(answer));

/** Writes the answer, stdout last. Returns the code to end the process with. */
export function writeAnswer(answer: HostAnswer): number {
  const { stdout, stderr, unheard, restricts } = answer;
  if (printedDescriptor !== undefined) {
    // A program that is still running can't fill the memory.
    memoryLibrary?.fcntl(printedDescriptor, F_ADD_SEALS, F_SEAL_GROW);
    writeAll(stderrDescriptor, readDescriptor(printedDescriptor, MAX_PRINTED_BYTES));
  }
  const heard = !stderr || writeAll(stderrDescriptor, `${stderr}\n`);
  if (
    stdout &&
    (!writeAll(stdoutDescriptor, `${stdout}\n`) || (restricts && isNullDevice(stdoutDescriptor))) &&
    restricts
  ) {
    writeAll(stderrDescriptor, "bridge-hooks: the host closed stdout before the answer; blocking with exit code 2\n");
    return 2;
  }
  return heard ? getReadableExitCode(answer) : (unheard ?? answer.exit_code);
}

/** Writes all of the text, as fast as it is read. False if it fails: a host may have closed its end. */
export function writeAll(fd: number, text: string): boolean {
  let rest: Uint8Array = new TextEncoder().encode(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(descriptors.write(fd, rest));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "EAGAIN" && code !== "EINTR") return false;
      // The pipe is full, and doesn't block.
      libc?.poll(ffi.ptr(new Int32Array([fd, POLLOUT])), 1, WRITE_WAIT_MS);
    }
  }
  return true;
}

/** What a pipe that has any room takes at once. */
const PIPE_ROOM = process.platform === "linux" ? 4096 : 512;

/**
 * Writes a part of an answer that stdout takes without keeping the process waiting. Returns the number of bytes: none where
 * that is not certain.
 * @throws Error if the host has closed its end.
 */
export function writeAtOnce(bytes: Uint8Array): number {
  if (!libc || bytes.length > PIPE_ROOM) return 0;
  if (libc.poll(ffi.ptr(new Int32Array([stdoutDescriptor, POLLOUT])), 1, 0) <= 0) return 0;
  try {
    return descriptors.write(stdoutDescriptor, bytes);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EAGAIN" || code === "EINTR") return 0;
    throw error;
  }
}
