import { read, statSync } from "node:fs";
import type { HookDescriptor } from "../protocol/hook.ts";
import type { Env, HostAnswer } from "../protocol/host/host.ts";
import { isObject } from "../protocol/object.ts";
import { shareDiskReads } from "../shell/files/folder-steps.ts";
import { enableLineCache } from "../shell/line-cache.ts";
import { PROBE } from "../protocol/probe.ts";
import { describeError, orAbsent } from "../system/errors.ts";
import { getAnswerDescriptor, exitProcess, guardStdout, writeAtOnce } from "./process/io.ts";
import { createDeadManSwitch, createProcessorLimit } from "./process/process-limits.ts";
import { guardStdin, hasPendingInput, readInto } from "./process/stdin.ts";
import type { LoadBinding } from "./exceptions/apply.ts";
import { DEFAULT_PROCESSOR_MS } from "./ask/share-time.ts";
import { shareProcess } from "../system/limit.ts";
import { clearLookups, cacheLookup, shareLookups } from "../system/lookups.ts";
import type { ConcludedCall } from "./log/concluded-call.ts";
import { drainQueue, queueCall } from "./log/log-queue.ts";
import { readOptions } from "./options.ts";
import { readSharedConfig } from "../policy/read.ts";
import { openSharedScreen, type ScreenResult, type SharedScreen } from "./screen.ts";
import type { InspectedFile } from "../system/quick-types.ts";
import { passCall } from "./answer.ts";
import { type CallRuntime, DEADLINE_MS } from "./context.ts";

/** A call, sent as one line on stdin. */
interface ServeRequest {
  /** The client's ID for the call. */
  id: number | string | null;
  /** Flags for this call, appended to the process's own. */
  argv: readonly string[];
  /** What a host would write to the process's stdin, either parsed or as a string. */
  payload: unknown;
}

/** Maximum length of a line in bytes, which exceeds the payloads of all hosts. Longer lines are discarded. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const CHUNK_BYTES = 1 << 16;
/**
 * How long to poll for the next call before a blocking read, in milliseconds. A client that was waiting for an answer
 * sends its next call right away.
 */
const NEXT_CALL_MS = 1;
/**
 * How many event loop turns it takes to answer a call that doesn't wait for anything external, and to write the answer.
 */
const ANSWER_TURNS = 4;
/** Pause before reading again from a pipe that can't be polled, in milliseconds. */
const RETRY_MS = 5;
/**
 * How long the event loop may stay blocked beyond the time limit of the longest call, in milliseconds. After that, a
 * hook must be stuck waiting where it can't be interrupted, so the system ends the process. If a hook loops instead,
 * the system ends the process once a hook's processor time limit is used up.
 */
const STALLED_MS = 5_000;
/** Maximum number of concurrent calls. Any more wait in the pipe. */
const MAX_IN_FLIGHT = 64;
/** Time after which a client that doesn't read an answer is considered gone, in milliseconds. */
const STUCK_MS = 10_000;
/** Interval between checks for a replaced executable, in milliseconds. */
const CHECK_INTERVAL_MS = 1_000;

/**
 * Answers calls until stdin ends. Each line is a JSON document: `{ id, argv, payload }` for a call, and
 * `{ id, exit_code, stderr, answer }` for an answer. Answers are written as soon as they are ready. They are the same
 * as from a separate process, with that process's stdout in `answer`.
 */
export async function serveCalls(
  entries: readonly HookDescriptor[],
  argv: readonly string[],
  env: Env,
  loadBinding?: LoadBinding,
): Promise<never> {
  guardStdout();
  shareProcess();
  shareLookups();
  enableLineCache();
  shareDiskReads(cacheLookup);
  isolateCalls();
  const write = createAnswerWriter();
  const isReplaced = watchReplacement(process.execPath);
  // From here on, calls that were read together share inspection results.
  const inspected = new Map<string, InspectedFile>();
  const screen = await openSharedScreen(env, inspected, readSharedConfig);
  const answerAndLog = async (request: ServeRequest, screenResult: ScreenResult) => {
    const { text, concluded } = await answerRequest(entries, argv, env, request, screenResult, loadBinding);
    await write(text);
    if (concluded) queueCall(concluded, env);
  };
  const pendingCalls = new Set<Promise<void>>();
  const isIdle = () => pendingCalls.size === 0;
  for await (const line of splitLines(readChunks(guardStdin(), isIdle, () => inspected.clear()))) {
    if (line !== undefined && line.trim() === "") continue;
    const request = parseRequest(line);
    const screenFindings = screen ? screenRequest(screen, [...argv, ...request.argv], request, line ?? "") : {};
    const { neutralOutput } = screenFindings;
    const call =
      neutralOutput === undefined
        ? answerAndLog(request, screenFindings)
        : write(formatAnswer(request.id, { stdout: neutralOutput, stderr: "", exit_code: 0 }));
    // Answers written in the same batch share a promise.
    if (!pendingCalls.has(call)) {
      pendingCalls.add(call);
      void call.finally(() => pendingCalls.delete(call));
    }
    while (pendingCalls.size >= MAX_IN_FLIGHT) {
      await Promise.race(pendingCalls);
      inspected.clear();
    }
    // The executable was replaced, so stop. The client starts the new executable, which answers any further calls.
    if (isReplaced()) break;
  }
  await Promise.all(pendingCalls);
  await drainQueue();
  return exitProcess(0);
}

let longestTimeoutMs = DEADLINE_MS;
/** Restarts the timers. If one expires, the system ends this process. */
let signalAlive = () => {};

/**
 * Isolates concurrent calls from each other. Calls can't change the working directory, and a call that blocks the
 * process causes it to end.
 */
function isolateCalls(): void {
  process.chdir = () => {
    throw new Error("it called process.chdir, but other calls share this process; use absolute paths");
  };
  const resetDeadManSwitch = createDeadManSwitch();
  const limitProcessor = createProcessorLimit();
  signalAlive = () => {
    resetDeadManSwitch(Math.ceil((longestTimeoutMs + STALLED_MS) / 1000));
    limitProcessor(Math.ceil((DEFAULT_PROCESSOR_MS + CHECK_INTERVAL_MS) / 1000));
  };
  signalAlive();
  setInterval(() => signalAlive(), CHECK_INTERVAL_MS).unref();
}

/** Maximum length of a call to screen. Longer ones would delay other calls. */
const MAX_QUICK_LENGTH = 1 << 20;

/** Screens a call. For a call from `doctor`, returns no findings. */
function screenRequest(
  screen: SharedScreen,
  argv: readonly string[],
  { payload }: ServeRequest,
  line: string,
): ScreenResult {
  if (!isObject(payload) || line.length > MAX_QUICK_LENGTH || line.includes(PROBE)) return {};
  return screen(argv, payload);
}

/**
 * Embeds a JSON document as it is. Any other output becomes a string, for example if a host requires a prefix before
 * the document.
 */
const formatStdout = (stdout: string): string =>
  stdout === "" ? "null" : /^\s*\{/.test(stdout) ? stdout : JSON.stringify(stdout);

const formatAnswer = (id: ServeRequest["id"], { stdout, stderr, exit_code }: HostAnswer): string =>
  `{"id":${JSON.stringify(id)},"exit_code":${exit_code},"stderr":${JSON.stringify(stderr)},"answer":${formatStdout(stdout)}}\n`;

/** Limits for the answer cache below, so that a client that sends many different events doesn't use up memory. */
const MAX_LAST_ANSWERS = 64;
const MAX_KEY_LENGTH = 512;
const knownLastAnswers = new Map<string, HostAnswer>();
const lastAnswers: NonNullable<CallRuntime["lastAnswers"]> = {
  get: (key) => knownLastAnswers.get(key),
  set(key, answer) {
    if (knownLastAnswers.size >= MAX_LAST_ANSWERS) knownLastAnswers.clear();
    return key.length > MAX_KEY_LENGTH ? knownLastAnswers : knownLastAnswers.set(key, answer);
  },
};

/** Extends the process's time limit to that of its longest call. */
function extendTimeLimit(timeoutMs: number): void {
  if (timeoutMs <= longestTimeoutMs) return;
  longestTimeoutMs = timeoutMs;
  signalAlive();
}

async function answerRequest(
  entries: readonly HookDescriptor[],
  argv: readonly string[],
  env: Env,
  request: ServeRequest,
  { loadHookFilter }: ScreenResult,
  loadBinding: LoadBinding | undefined,
): Promise<{ text: string; concluded: ConcludedCall | undefined }> {
  const flags = [...argv, ...request.argv];
  if (flags.includes("--timeout-ms")) extendTimeLimit(readOptions(flags, {}, []).options.timeoutMs ?? 0);
  const runtime = {
    env,
    read: () => request.payload,
    lastAnswers,
    loadHookFilter,
    ...(loadBinding && { loadBinding }),
  };
  const { answer, concluded } = await passCall({ entries, explicit: {}, argv: flags }, runtime);
  return { text: formatAnswer(request.id, answer), concluded };
}

/**
 * Parses a line as a call. An invalid line is treated as a call with an unreadable payload and answered like any other
 * failure.
 */
function parseRequest(line: string | undefined): ServeRequest {
  if (line === undefined) return { id: null, argv: [], payload: `a line longer than ${MAX_LINE_BYTES} bytes` };
  try {
    const { id, argv = [], payload } = JSON.parse(line) as Record<string, unknown>;
    const hasId = typeof id === "number" || typeof id === "string";
    const words = Array.isArray(argv) && argv.every((word) => typeof word === "string");
    return { id: hasId ? id : null, argv: words ? argv : ["argv"], payload: payload ?? "" };
  } catch (error) {
    return { id: null, argv: [], payload: `not a request: ${describeError(error)}` };
  }
}

/**
 * Reads stdin only when needed, into a buffer that the next chunk overwrites. Bun's own stream keeps reading even if
 * nothing consumes the data.
 */
async function* readChunks(fd: number, isIdle: () => boolean, onRead: () => void): AsyncGenerator<Uint8Array> {
  const chunk = new Uint8Array(CHUNK_BYTES);
  for (;;) {
    // Let pending work run first. It answers most calls.
    let turns = 0;
    do await new Promise(setImmediate);
    while (++turns < ANSWER_TURNS && !isIdle() && !hasPendingInput());
    // A blocking read uses another thread, which takes as long as a call.
    const isReady = hasPendingInput(isIdle() ? NEXT_CALL_MS : 0);
    const size = isReady ? readInto(chunk, 0) : await readWhenReady(fd, chunk);
    if (size === 0) return;
    // New calls must not use lookups from before they arrived.
    clearLookups();
    onRead();
    yield chunk.subarray(0, size);
  }
}

/** Reads once, waiting if necessary. Returns 0 at the end of the input. */
async function readWhenReady(fd: number, chunk: Uint8Array): Promise<number> {
  for (;;) {
    const [error, count] = await new Promise<[NodeJS.ErrnoException | null, number]>((resolve) =>
      read(fd, chunk, 0, CHUNK_BYTES, null, (...result) => resolve([result[0], result[1]])),
    );
    if (!error) return count;
    if (error.code !== "EAGAIN" && error.code !== "EINTR") return 0;
    await Bun.sleep(RETRY_MS);
  }
}

/** Splits a stream into lines. Yields undefined in place of a line that is too long. */
export async function* splitLines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string | undefined> {
  const decoder = new TextDecoder();
  let parts: Uint8Array[] = [];
  let size = 0;
  const addPart = (part: Uint8Array) => {
    size += part.length;
    if (size <= MAX_LINE_BYTES) parts.push(part);
    else parts = [];
  };
  const line = () => {
    const text =
      size > MAX_LINE_BYTES ? undefined : decoder.decode(parts.length === 1 ? parts[0] : Buffer.concat(parts));
    [parts, size] = [[], 0];
    return text;
  };
  for await (const chunk of stream) {
    let lineStart = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, lineStart)) {
      addPart(chunk.subarray(lineStart, at));
      lineStart = at + 1;
      yield line();
    }
    if (lineStart < chunk.length) addPart(chunk.slice(lineStart));
  }
  if (size > 0) yield line();
}

/**
 * Returns a function that writes lines, in one batch per event loop turn. Ends the process if the client is gone or
 * stops reading for too long.
 */
function createAnswerWriter(): (line: string) => Promise<void> {
  const sink = Bun.file(getAnswerDescriptor()).writer();
  const encoder = new TextEncoder();
  const lines: string[] = [];
  let currentBatch: Promise<void> | undefined;
  /** Number of batches that the client hasn't read yet. */
  let waitingBatches = 0;
  const flush = async () => {
    await new Promise(setImmediate);
    currentBatch = undefined;
    try {
      const bytes = encoder.encode(lines.splice(0).join(""));
      const remaining = waitingBatches > 0 ? bytes : bytes.subarray(writeAtOnce(bytes));
      if (remaining.length === 0) return;
      // Flush right after writing, since the sink doesn't report errors from writes it makes on its own.
      sink.write(remaining);
      const flushed = sink.flush();
      if (!(flushed instanceof Promise)) return;
      waitingBatches++;
      const timer = setTimeout(() => exitProcess(1), STUCK_MS);
      await flushed;
      clearTimeout(timer);
      waitingBatches--;
    } catch {
      exitProcess(1);
    }
  };
  return (line) => {
    lines.push(line);
    currentBatch ??= flush();
    return currentBatch;
  };
}

/**
 * Returns a function that tells whether the file at a path was replaced. It checks at most once per
 * `CHECK_INTERVAL_MS`.
 */
function watchReplacement(path: string): () => boolean {
  const identity = () => {
    // File IDs on NTFS and ReFS don't fit in a number without losing digits.
    const stats = orAbsent(() => statSync(path, { bigint: true }));
    return stats && `${stats.dev} ${stats.ino} ${stats.mtimeNs}`;
  };
  const originalId = identity();
  let checkedAt = performance.now();
  return () => {
    if (performance.now() - checkedAt < CHECK_INTERVAL_MS) return false;
    checkedAt = performance.now();
    return identity() !== originalId;
  };
}
