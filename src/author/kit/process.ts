import type { Result } from "../../protocol/host/install.ts";
import { findProgram, systemProgram } from "../../hosts/find-program.ts";

/** What is run, and where. */
export interface Job {
  argv: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  stdin: string;
  /** Ends it, and all that it started. */
  signal: AbortSignal;
}

/** The most that is taken of what a program prints, in bytes. */
const MOST_OUTPUT = 1024 * 1024;
/** How long a pipe that something in the background keeps open is still read after the program's end. */
const REST_MS = 100;

/**
 * Runs a program to its end; what it leaves in the background goes on.
 * @throws Error when it can't be started, or prints more than 1 MB.
 */
export async function run({ argv, cwd, env, stdin, signal }: Job): Promise<Result> {
  signal.throwIfAborted();
  const pipes = { stdin: new TextEncoder().encode(stdin), stdout: "pipe", stderr: "pipe" } as const;
  // In a group of its own, so that what it started can be ended with it; on Windows that would open a window.
  const [program = "", ...args] = argv;
  const file = findProgram(program, { path: env.PATH });
  if (file === undefined) throw Object.assign(new Error(`there is no program ${program} on PATH`), { code: "ENOENT" });
  const child = Bun.spawn([file, ...args], {
    cwd,
    env,
    ...pipes,
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  const end = () => endGroup(child.pid);
  signal.addEventListener("abort", end, { once: true });
  const [stdout, stderr] = [collected(child.stdout), collected(child.stderr)];
  try {
    await Promise.race([child.exited, stdout.overflow, stderr.overflow]);
    await Promise.race([Promise.all([stdout.end, stderr.end]), stdout.overflow, stderr.overflow, Bun.sleep(REST_MS)]);
    if (stdout.size() > MOST_OUTPUT || stderr.size() > MOST_OUTPUT) {
      end();
      throw new Error(`it printed more than ${MOST_OUTPUT} bytes; a hook answers with one short JSON document`);
    }
    return {
      stdout: stdout.text(),
      stderr: stderr.text(),
      exit_code: child.signalCode === null ? child.exitCode : null,
    };
  } finally {
    signal.removeEventListener("abort", end);
    stdout.stop();
    stderr.stop();
  }
}

function endGroup(pid: number): void {
  try {
    if (process.platform === "win32") Bun.spawnSync([systemProgram("taskkill"), "/T", "/F", "/PID", String(pid)]);
    else process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

/** What comes out of a pipe, until there is too much of it. */
function collected(stream: ReadableStream<Uint8Array>) {
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
      if (size > MOST_OUTPUT) return resolve();
    }
  })();
  // A pipe that breaks has ended.
  const over = end.catch(() => {});
  const stop = () => void reader.cancel().catch(() => {});
  return { end: over, overflow, stop, size: () => size, text: () => new TextDecoder().decode(Buffer.concat(chunks)) };
}
