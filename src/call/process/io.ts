import type { HostAnswer } from "../../protocol/host/host.ts";
import { ffi, openLibrary } from "../../system/c-library.ts";
import { descriptors } from "../../system/descriptors.ts";
import { libc, POLLOUT } from "./libc.ts";

/** How long to wait for a reader at a time, in milliseconds. */
const WRITE_WAIT_MS = 1_000;
let stdoutDescriptor = 1;
let stderrDescriptor = 2;
/** The file that collects the output of hooks and the programs they start until the call ends. */
let printedDescriptor: number | undefined;
/** The log, if an earlier process handling this call opened it. */
let recordDescriptor: number | undefined;

/** Maximum number of bytes of collected output to pass on, taken from its end. */
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
 * Creates an unnamed file with this text. Bun closes its descriptor in programs that hooks start, and also in the
 * second process to take over the call.
 */
export function createMemoryFile(text: string): number {
  memoryLibrary ??= openMemory();
  const descriptor = memoryLibrary?.memfd_create(ffi.ptr(MEMORY_NAME), MFD_ALLOW_SEALING) ?? -1;
  const fd = descriptor >= 0 ? descriptor : createUnnamedFile();
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

/** Reads the end of an open file, or the whole file if no limit is given. */
export function readDescriptor(fd: number, limit = Number.POSITIVE_INFINITY): string {
  const { size } = descriptors.inspect(fd);
  const bytes = new Uint8Array(Math.min(size, limit));
  descriptors.readFrom(fd, bytes, size - bytes.length);
  return new TextDecoder().decode(bytes);
}

/**
 * Redirects the output of hooks and the programs they start to a file. Otherwise, a program that outlives the answer
 * would keep the host's pipe open and the host waiting. Returns the file's descriptor, or undefined if the system lacks
 * the functions.
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

/** Descriptors that a process passes to its replacement. */
export interface InheritedDescriptors {
  stdout: number;
  stderr: number;
  /** Descriptor for the hooks' output. */
  printed: number;
  /** Descriptor for the log, if it is open. */
  record?: number;
}

/**
 * Returns a descriptor for the log line written at the deadline. If an earlier process opened the log, this is the log
 * itself.
 */
export const reserveRecordDescriptor = (): number => (recordDescriptor ??= createMemoryFile(""));

/**
 * Takes over the descriptors of the process that this one replaces, and unblocks the signals that its timer thread
 * blocked.
 */
export function adoptDescriptors({ record, ...inherited }: InheritedDescriptors): void {
  // The engine closes inherited descriptors when it starts another process. Duplicates stay open.
  const keep = (fd: number): number => {
    const duplicate = libc?.dup(fd) ?? -1;
    // No descriptor is free, so the inherited one is the only way to answer.
    if (duplicate < 0) return fd;
    descriptors.close(fd);
    return duplicate;
  };
  [stdoutDescriptor, stderrDescriptor, printedDescriptor] = [
    keep(inherited.stdout),
    keep(inherited.stderr),
    keep(inherited.printed),
  ];
  if (record !== undefined) recordDescriptor = keep(record);
  const mask = openLibrary({ sigprocmask: { args: ["i32", "ptr", "ptr"], returns: "i32" } })?.sigprocmask;
  mask?.(SIG_SETMASK, ffi.ptr(new Uint8Array(128)), null);
}

/**
 * Redirects to stderr whatever hooks and the programs they start write to stdout, and keeps hooks from ending the
 * process. If the descriptor can't be moved, JavaScript's output functions are redirected instead.
 */
export function guardStdout(): void {
  const duplicate = libc && stdoutDescriptor === 1 ? libc.dup(1) : stdoutDescriptor;
  if (libc && duplicate >= 0 && (stdoutDescriptor !== 1 || libc.dup2(2, 1) >= 0)) stdoutDescriptor = duplicate;
  else redirectPrinting();
  for (const name of ["exit", "reallyExit", "abort"] as const)
    process[name] = (code?: number): never => {
      throw new Error(`it called process.${name}(${code ?? ""}); return a response instead`);
    };
}

/**
 * Redirects each output function to stderr on Windows. The C library could move the descriptor there, but the engine
 * keeps using the underlying handle [run under Wine 10]. Not redirected: `node:fs` functions imported by name,
 * `Bun.file(1)`, and programs that inherit stdout.
 */
function redirectPrinting(): void {
  console.log = console.info = console.debug = console.error;
  // A getter, because creating the stream takes longer than the rest of the call, and most hooks never use it.
  Object.defineProperty(process, "stdout", { get: () => process.stderr });
  Object.assign(Bun, { stdout: Bun.stderr });
  const fs = process.getBuiltinModule("node:fs") as unknown as Record<string, (...args: unknown[]) => unknown>;
  for (const name of ["write", "writeSync", "writev", "writevSync", "writeFile", "writeFileSync"]) {
    const write = fs[name] as (...args: unknown[]) => unknown;
    fs[name] = (fd, ...writeArguments) => write(fd === 1 ? 2 : fd, ...writeArguments);
  }
}

const { reallyExit } = process;

/** Ends the process immediately, without running exit handlers. Not accessible to hooks. */
export const exitProcess = (code: number): never => reallyExit.call(process, code);

/** Returns the descriptor for answers while stdout is guarded. */
export const getAnswerDescriptor = (): number => stdoutDescriptor;

/** Returns the descriptor for messages to the host. */
export const getMessageDescriptor = (): number => stderrDescriptor;

/** Device numbers of /dev/null on Linux [run here] and macOS [unverified]. */
const NULL_DEVICES: readonly number[] = [0x103, 0x3000002];

/**
 * Returns whether a descriptor is /dev/null, which the engine opens in place of a descriptor that was closed when the
 * process started.
 */
function isNullDevice(fd: number): boolean {
  try {
    return NULL_DEVICES.includes(descriptors.inspect(fd).rdev);
  } catch {
    // Fails with EINVAL on Windows if stdout is a file [Wine 10.0, 2026-11-23].
    return false;
  }
}

/** POLLERR, POLLHUP and POLLNVAL in the upper half of a pollfd, where `poll` reports them. */
const POLL_ERROR_BITS = 0x38 << 16;

/** Returns whether the descriptor's output is lost because it is /dev/null or nobody is left to read it. */
function isOutputLost(fd: number): boolean {
  const pollRequest = new Int32Array([fd, 0]);
  return (
    isNullDevice(fd) ||
    ((libc?.poll(ffi.ptr(pollRequest), 1, 0) ?? 0) > 0 && ((pollRequest[1] as number) & POLL_ERROR_BITS) !== 0)
  );
}

const getReadableExitCode = ({ exit_code, exitCodeIfStderrClosed }: HostAnswer): number =>
  exitCodeIfStderrClosed !== undefined && isNullDevice(stderrDescriptor) ? exitCodeIfStderrClosed : exit_code;

/** Returns the exit code for an answer written from outside the engine. */
export const getExitCode = (answer: HostAnswer): number =>
  answer.restricts && isOutputLost(stdoutDescriptor) ? 2 : getReadableExitCode(answer);

export const writeAnswerAndExit = (answer: HostAnswer): never => exitProcess(writeAnswer(answer));

/** Passes on the hooks' output. Failing to read it must not affect the answer. */
function forwardPrintedText(fd: number): void {
  // Seal the file so that a program that is still running can't fill up memory.
  memoryLibrary?.fcntl(fd, F_ADD_SEALS, F_SEAL_GROW);
  try {
    writeAll(stderrDescriptor, readDescriptor(fd, MAX_PRINTED_BYTES));
  } catch {
    // Container sandboxes may block `statx`.
  }
}

/** Writes the answer, with stdout last. Returns the process's exit code. */
export function writeAnswer(answer: HostAnswer): number {
  const { stdout, stderr, exitCodeIfStderrClosed, restricts } = answer;
  if (printedDescriptor !== undefined) forwardPrintedText(printedDescriptor);
  const isStderrOpen = !stderr || writeAll(stderrDescriptor, `${stderr}\n`);
  if (
    stdout &&
    (!writeAll(stdoutDescriptor, `${stdout}\n`) || (restricts && isNullDevice(stdoutDescriptor))) &&
    restricts
  ) {
    writeAll(stderrDescriptor, "bridge-hooks: the host closed stdout before the answer; blocking with exit code 2\n");
    return 2;
  }
  return isStderrOpen ? getReadableExitCode(answer) : (exitCodeIfStderrClosed ?? answer.exit_code);
}

/**
 * Writes all of the text as fast as the reader accepts it. Returns false on failure, such as when the host has closed
 * its end of the pipe.
 */
export function writeAll(fd: number, text: string): boolean {
  let remaining: Uint8Array = new TextEncoder().encode(text);
  while (remaining.length > 0) {
    try {
      remaining = remaining.subarray(descriptors.write(fd, remaining));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "EAGAIN" && code !== "EINTR") return false;
      // The pipe is full and non-blocking.
      libc?.poll(ffi.ptr(new Int32Array([fd, POLLOUT])), 1, WRITE_WAIT_MS);
    }
  }
  return true;
}

/** Number of bytes that a pipe accepts at once if it has any free space. */
const PIPE_WRITE_BYTES = process.platform === "linux" ? 4096 : 512;

/**
 * Writes as much of an answer as stdout accepts without blocking. Returns the number of bytes written, or 0 if writing
 * might block.
 * @throws Error if the host has closed its end of the pipe
 */
export function writeAtOnce(bytes: Uint8Array): number {
  if (!libc || bytes.length > PIPE_WRITE_BYTES) return 0;
  if (libc.poll(ffi.ptr(new Int32Array([stdoutDescriptor, POLLOUT])), 1, 0) <= 0) return 0;
  try {
    return descriptors.write(stdoutDescriptor, bytes);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EAGAIN" || code === "EINTR") return 0;
    throw error;
  }
}
