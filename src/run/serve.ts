import { read, statSync } from "node:fs";
import type { HookDescriptor } from "../protocol/hook.ts";
import type { Env } from "../protocol/host/host.ts";
import { describeError } from "./errors.ts";
import { answers, deadMan, exit, guardStdin, guardStdout, inputWaits, readInto } from "./io.ts";
import { shareProcess } from "./limit.ts";
import { readOptions } from "./options.ts";
import { DEADLINE_MS, respond } from "./run.ts";

/** A call, as one line of stdin. */
interface Request {
  /** The client's id of the call. */
  id: number | string | null;
  /** Flags of this call, after those of the process. */
  argv: readonly string[];
  /** What a host would write to the stdin of a process, parsed or as text. */
  payload: unknown;
}

/** Longer than anything a host sends; longer lines are discarded. */
const LONGEST_LINE = 64 * 1024 * 1024;
const CHUNK = 1 << 16;
/** Pause before a pipe that can't be polled is read again. */
const EMPTY_MS = 5;
/**
 * If the event loop is blocked for this long beyond the longest call, the process is ended: a hook loops where nothing
 * can stop it.
 */
const STALLED_MS = 5_000;
/** Concurrent calls; further ones wait in the pipe. */
const MOST_IN_FLIGHT = 64;
/** A client that does not read an answer for this long is gone. */
const STUCK_MS = 10_000;
/** Interval of the checks for a replaced executable. */
const LOOK_MS = 1_000;

/**
 * Answers calls until stdin ends: one JSON document per line, `{ id, argv, payload }` in, `{ id, exit_code, stderr,
 * answer }` out, as soon as each is ready. A call is answered as a separate process would answer it; `answer` is what
 * that process prints on stdout.
 */
export async function serve(entries: readonly HookDescriptor[], argv: readonly string[], env: Env): Promise<never> {
  guardStdout();
  shareProcess();
  keepTogether();
  const write = answerWriter();
  const replaced = replacementOf(process.execPath);
  const flying = new Set<Promise<void>>();
  for await (const line of linesOf(chunks(guardStdin()))) {
    if (line !== undefined && line.trim() === "") continue;
    const call = answer(entries, argv, env, line).then(write);
    flying.add(call);
    void call.finally(() => flying.delete(call));
    while (flying.size >= MOST_IN_FLIGHT) await Promise.race(flying);
    // The executable was replaced and the new one should answer from now on: the client starts it.
    if (replaced()) break;
  }
  await Promise.all(flying);
  return exit(0);
}

let longest = DEADLINE_MS;

/** Isolates concurrent calls: none may change the directory, and a call that blocks the process ends it. */
function keepTogether(): void {
  process.chdir = () => {
    throw new Error("it called process.chdir; other calls are at work here, so name folders in full");
  };
  const alive = deadMan();
  const again = () => alive(Math.ceil((longest + STALLED_MS) / 1000));
  again();
  setInterval(again, LOOK_MS).unref();
}

async function answer(
  entries: readonly HookDescriptor[],
  argv: readonly string[],
  env: Env,
  line: string | undefined,
): Promise<string> {
  const request = requestOf(line);
  const flags = [...argv, ...request.argv];
  if (flags.includes("--timeout-ms")) longest = Math.max(longest, readOptions(flags, {}, []).options.timeoutMs ?? 0);
  const { stdout, stderr, exit_code } = await respond(entries, {}, flags, { env, read: () => request.payload });
  const { id } = request;
  return `{"id":${JSON.stringify(id)},"exit_code":${exit_code},"stderr":${JSON.stringify(stderr)},"answer":${stdout || "null"}}\n`;
}

/** Parses a line as a call. An invalid line becomes an unreadable payload, so that it is answered like any failure. */
function requestOf(line: string | undefined): Request {
  if (line === undefined) return { id: null, argv: [], payload: `a line of more than ${LONGEST_LINE} bytes` };
  try {
    const { id, argv = [], payload } = JSON.parse(line) as Record<string, unknown>;
    const known = typeof id === "number" || typeof id === "string";
    const words = Array.isArray(argv) && argv.every((word) => typeof word === "string");
    return { id: known ? id : null, argv: words ? argv : ["argv"], payload: payload ?? "" };
  } catch (error) {
    return { id: null, argv: [], payload: `no request: ${describeError(error)}` };
  }
}

/**
 * Reads stdin on demand, into a buffer that the next chunk overwrites. Bun's own stream keeps reading even if nobody
 * consumes it.
 */
async function* chunks(fd: number): AsyncGenerator<Uint8Array> {
  const chunk = new Uint8Array(CHUNK);
  for (;;) {
    // Let other ready work run first.
    await new Promise(setImmediate);
    // A read that blocks goes through another thread, which costs as much as a call.
    const size = inputWaits() ? readInto(chunk, 0) : await waited(fd, chunk);
    if (size === 0) return;
    yield chunk.subarray(0, size);
  }
}

/** A read that may block; 0 at the end of the input. */
async function waited(fd: number, chunk: Uint8Array): Promise<number> {
  for (;;) {
    const [error, count] = await new Promise<[NodeJS.ErrnoException | null, number]>((resolve) =>
      read(fd, chunk, 0, CHUNK, null, (...result) => resolve([result[0], result[1]])),
    );
    if (!error) return count;
    if (error.code !== "EAGAIN" && error.code !== "EINTR") return 0;
    await Bun.sleep(EMPTY_MS);
  }
}

/** The lines of a stream; undefined in place of a line that is too long. */
export async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string | undefined> {
  const decoder = new TextDecoder();
  let parts: Uint8Array[] = [];
  let size = 0;
  const take = (part: Uint8Array) => {
    size += part.length;
    if (size <= LONGEST_LINE) parts.push(part);
    else parts = [];
  };
  const line = () => {
    const text = size > LONGEST_LINE ? undefined : decoder.decode(parts.length === 1 ? parts[0] : Buffer.concat(parts));
    [parts, size] = [[], 0];
    return text;
  };
  for await (const chunk of stream) {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      take(chunk.subarray(from, at));
      from = at + 1;
      yield line();
    }
    if (from < chunk.length) take(chunk.slice(from));
  }
  if (size > 0) yield line();
}

/**
 * Returns a function that writes lines, batched per turn. If the client has gone, or stops reading for too long, it
 * ends the process.
 */
function answerWriter(): (line: string) => Promise<void> {
  const sink = Bun.file(answers()).writer();
  const lines: string[] = [];
  let turn: Promise<void> | undefined;
  const flush = async () => {
    await new Promise(setImmediate);
    turn = undefined;
    try {
      // Write and flush in one go: the sink does not report errors of its own writes.
      sink.write(lines.splice(0).join(""));
      const written = sink.flush();
      if (!(written instanceof Promise)) return;
      const timer = setTimeout(() => exit(1), STUCK_MS);
      await written;
      clearTimeout(timer);
    } catch {
      exit(1);
    }
  };
  return (line) => {
    lines.push(line);
    turn ??= flush();
    return turn;
  };
}

/** Returns a function that says whether the file at a path was replaced; it checks at most once per `LOOK_MS`. */
function replacementOf(path: string): () => boolean {
  const identity = () => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found && `${found.dev} ${found.ino} ${found.mtimeMs}`;
  };
  const before = identity();
  let looked = performance.now();
  return () => {
    if (performance.now() - looked < LOOK_MS) return false;
    looked = performance.now();
    return identity() !== before;
  };
}
