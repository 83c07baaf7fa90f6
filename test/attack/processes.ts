import type { CommandResult } from "../../src/protocol/host/install.ts";

/** One run of an executable, from launch to the end of its output. */
export interface ProcessRun {
  argv: readonly string[];
  stdin: string | Uint8Array;
  cwd: string;
  env: Record<string, string>;
  /** Time limit in milliseconds, adjusted to this machine's current speed. The process is killed when time runs out. */
  limit_ms: number;
}

export interface ProcessOutcome extends CommandResult {
  /** Milliseconds until the process's streams closed, which is what hosts wait for. */
  ms: number;
}

/** Runs a program and kills it at its time limit; the exit code of a killed program is `null`. */
export async function runProcess({ argv, stdin, cwd, env, limit_ms }: ProcessRun): Promise<ProcessOutcome> {
  const started = performance.now();
  const child = Bun.spawn([...argv], { cwd, env, stdin: Buffer.from(stdin as string), stdout: "pipe", stderr: "pipe" });
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill("SIGKILL");
  }, limit_ms);
  const text = (stream: ReadableStream) =>
    Promise.race([new Response(stream).text(), Bun.sleep(limit_ms + 500).then(() => "(still open)")]);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await child.exited;
  clearTimeout(timer);
  return {
    stdout,
    stderr,
    exit_code: late || child.signalCode ? null : child.exitCode,
    ms: performance.now() - started,
  };
}

/** Runs a function for each item, several at a time. */
export async function forEachAtOnce<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
  at_once = 3,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < items.length) await work(items[next++] as T);
  };
  await Promise.all(Array.from({ length: at_once }, worker));
}

/** Runs a program through a `sh` command that ends in `exec "$0" "$@"`. */
export const wrapInShell = (line: string, argv: readonly string[]): string[] => ["sh", "-c", line, ...argv];
