import { ffi } from "../../system/c-library.ts";
import { descriptors } from "../../system/descriptors.ts";
import { MAX_INPUT_BYTES, type QuickInput } from "../../system/quick-types.ts";
import { libc, POLLIN } from "./libc.ts";

let stdinDescriptor = 0;
const stdinPoll = new Int32Array([stdinDescriptor, POLLIN]);
/** Initial buffer size in bytes. Most payloads fit, and each additional page would take time. */
const INITIAL_BUFFER_BYTES = 1 << 13;

/**
 * Length of a pause in the input, in milliseconds, after which the input is checked for completeness. A host may leave
 * the pipe open after writing the whole payload.
 */
const MAX_PAUSE_MS = 2_000;

/**
 * Reads all of stdin as text. Returns the input so far if the time runs out while the pipe is open, or if the input
 * pauses after a whole document. Synchronous, since an asynchronous read takes as long as starting the process. Avoids
 * Buffer, whose first use takes longer than the read.
 * @param earlyInput input already read since the process started
 */
export function readStdin(timeoutMs: number, earlyInput?: QuickInput): string {
  if (earlyInput?.text !== undefined) {
    if (earlyInput.bytes.length > INITIAL_BUFFER_BYTES) (earlyInput.bytes.buffer as ArrayBuffer).transfer(0);
    return earlyInput.text;
  }
  const startedAt = earlyInput ? 0 : performance.now();
  const deadline = startedAt + timeoutMs;
  const pauseMs = Math.min(MAX_PAUSE_MS, timeoutMs / 2);
  let bytes = earlyInput
    ? new Uint8Array(earlyInput.bytes.buffer as ArrayBuffer)
    : new Uint8Array(INITIAL_BUFFER_BYTES);
  let size = earlyInput?.bytes.length ?? 0;
  let pauseEnd = size > 0 ? startedAt + pauseMs : deadline;
  while (!earlyInput?.isWhole) {
    if (size >= MAX_INPUT_BYTES)
      throw new Error(`stdin is larger than ${MAX_INPUT_BYTES >> 20} MB; a host must send one JSON object`);
    if (!hasInput(Math.min(pauseEnd, deadline))) {
      if (size === 0)
        throw new Error(`stdin stayed open for ${timeoutMs} ms without any data; a host must send one JSON object`);
      if (performance.now() >= deadline || isDocument(bytes.subarray(0, size))) break;
      // The document is incomplete, so keep waiting until the deadline.
      pauseEnd = deadline;
      continue;
    }
    const count = readInto(bytes, size);
    if (count === 0) break;
    size += count;
    const now = performance.now();
    if (now >= deadline)
      throw new Error(`stdin was not closed within ${timeoutMs} ms; a host must send one JSON object`);
    pauseEnd = now + pauseMs;
    // Grow in large steps. Unused space costs nothing, but outgrown buffers stay in memory.
    if (size === bytes.length) bytes = new Uint8Array(bytes.buffer.transfer(Math.min(size * 8, MAX_INPUT_BYTES)));
  }
  const text = new TextDecoder().decode(bytes.subarray(0, size));
  // Free a large payload's buffer before parsing, rather than waiting for the garbage collector.
  if (size > INITIAL_BUFFER_BYTES) bytes.buffer.transfer(0);
  return text;
}

/** Returns whether the bytes form a complete JSON document. */
function isDocument(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder().decode(bytes));
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns whether a read would not block. Retries if `poll` is interrupted by a signal or fails in another way, until
 * the time is up.
 */
function hasInput(deadline: number): boolean {
  for (;;) {
    const remainingMs = Math.max(0, Math.ceil(deadline - performance.now()));
    const ready = libc?.poll(ffi.ptr(stdinPoll), 1, remainingMs) ?? 1;
    if (ready >= 0) return ready > 0;
    if (remainingMs === 0) return false;
  }
}

/** Gives hooks and the programs they start an empty stdin, and returns the descriptor of the real one. */
export function guardStdin(): number {
  const duplicate = libc ? libc.dup(0) : -1;
  if (libc && duplicate >= 0) {
    libc.dup2(descriptors.openNull(), 0);
    stdinPoll[0] = stdinDescriptor = duplicate;
  }
  return stdinDescriptor;
}

/**
 * Waits up to `ms` milliseconds for input. Returns whether a read would not block, or false if the system can't tell.
 */
export const hasPendingInput = (ms = 0): boolean => (libc?.poll(ffi.ptr(stdinPoll), 1, ms) ?? 0) > 0;

/** Reads once into the buffer at offset `at`. Returns 0 at the end of the input or if there is no stdin. */
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
