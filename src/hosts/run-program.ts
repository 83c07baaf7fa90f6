import type { CommandResult } from "../protocol/host/install.ts";
import { findProgram, systemProgram } from "./find-program.ts";

interface ProgramSpec {
  argv: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  stdin?: string;
  /** Maximum duration in milliseconds. */
  timeout?: number;
  /** Kills the program and every process it started. */
  signal?: AbortSignal;
}

/**
 * A program's result. `stopped` is set if the program was killed because it timed out or printed more than
 * MAX_OUTPUT_BYTES.
 */
export type ProgramResult = CommandResult & { ms: number; stopped?: "timeout" | "overflow" };

/** Maximum size of a program's output in bytes. Real answers are never this large. */
export const MAX_OUTPUT_BYTES = 1024 * 1024;
/** How long to keep reading a pipe after the program exits, in milliseconds. A background process can keep it open. */
const PIPE_GRACE_MS = 100;

/**
 * Runs a program and waits until it exits, but doesn't wait for its background processes.
 * @throws Error when the program can't be started.
 */
export async function runProgram({ argv, cwd, env, stdin = "", timeout, signal }: ProgramSpec): Promise<ProgramResult> {
  signal?.throwIfAborted();
  const startTime = performance.now();
  const [program = "", ...args] = argv;
  const file = findProgram(program, { path: env.PATH ?? env.Path });
  if (file === undefined) throw Object.assign(new Error(`no program named ${program} on PATH`), { code: "ENOENT" });
  const child = Bun.spawn([file, ...args], {
    cwd,
    env,
    stdin: new TextEncoder().encode(stdin),
    stdout: "pipe",
    stderr: "pipe",
    // A separate process group lets us kill the program together with its child processes. On Windows, this option
    // would open a console window.
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  let stopped: ProgramResult["stopped"];
  const end = (stopReason?: ProgramResult["stopped"]) => {
    stopped ??= stopReason;
    endGroup(child.pid);
  };
  const timer = timeout === undefined ? undefined : setTimeout(() => end("timeout"), timeout);
  const abort = () => end();
  signal?.addEventListener("abort", abort, { once: true });
  const [stdout, stderr] = [collectOutput(child.stdout), collectOutput(child.stderr)];
  try {
    await Promise.race([child.exited, stdout.overflow, stderr.overflow]);
    await Promise.race([
      Promise.all([stdout.end, stderr.end]),
      stdout.overflow,
      stderr.overflow,
      Bun.sleep(PIPE_GRACE_MS),
    ]);
    if (stdout.size() > MAX_OUTPUT_BYTES || stderr.size() > MAX_OUTPUT_BYTES) end("overflow");
    return {
      stdout: stdout.text(),
      stderr: stderr.text(),
      exit_code: child.signalCode === null ? child.exitCode : null,
      ms: performance.now() - startTime,
      ...(stopped && { stopped }),
    };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
    stdout.stop();
    stderr.stop();
  }
}

interface SyncProgramSpec extends Pick<ProgramSpec, "timeout"> {
  argv: readonly string[];
  /** Working directory. Defaults to the current one. */
  cwd?: string;
  env: ProgramSpec["env"];
}

/** A program's stdout. The exit code is null if the program was killed or did not start. */
interface SyncProgramResult extends Pick<CommandResult, "stdout" | "exit_code"> {
  isTruncated: boolean;
}

/** Runs a program synchronously and returns its stdout. */
export function readOutput({ argv, cwd, env, timeout }: SyncProgramSpec): SyncProgramResult {
  try {
    const { stdout, exitCode, exitedDueToMaxBuffer } = Bun.spawnSync([...argv], {
      cwd,
      env,
      stdin: "ignore",
      stderr: "ignore",
      timeout,
      killSignal: "SIGKILL",
      maxBuffer: MAX_OUTPUT_BYTES,
      windowsHide: true,
    });
    return { stdout: stdout.toString(), exit_code: exitCode, isTruncated: exitedDueToMaxBuffer === true };
  } catch {
    return { stdout: "", exit_code: null, isTruncated: false };
  }
}

function endGroup(pid: number): void {
  try {
    if (process.platform === "win32") Bun.spawnSync([systemProgram("taskkill"), "/T", "/F", "/PID", String(pid)]);
    else process.kill(-pid, "SIGKILL");
  } catch {
    // The process group has already exited.
  }
}

/** Collects a stream's output up to MAX_OUTPUT_BYTES. */
function collectOutput(stream: ReadableStream<Uint8Array>) {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const { promise: overflow, resolve } = Promise.withResolvers<void>();
  const end = (async () => {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      chunks.push(value);
      size += value.length;
      if (size > MAX_OUTPUT_BYTES) return resolve();
    }
  })();
  // A broken pipe is treated as the end of the stream.
  const streamEnd = end.catch(() => {});
  const stop = () => void reader.cancel().catch(() => {});
  return {
    end: streamEnd,
    overflow,
    stop,
    size: () => size,
    text: () => new TextDecoder().decode(Buffer.concat(chunks)),
  };
}
