import { readFileSync } from "node:fs";

/** A program with its arguments and environment. */
export interface Command {
  words: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
}

/** Additional arguments and stdin for one call. */
export interface RoundCall {
  args: readonly string[];
  stdin: Buffer;
}

/** The result of a call. */
interface FinishedCall {
  ms: number;
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** Warm-up rounds before the measured ones. */
const WARM_UP_ROUNDS = 5;
const MIN_ROUNDS = 15;
/** Time budget per row: rows with large payloads get fewer rounds. */
const MAX_ROW_MS = 15_000;
const MEMORY_SAMPLES = 9;

/**
 * Runs a command to completion. Stdin is an in-memory file, so that the measurement doesn't include the time a pipe's
 * writer takes.
 */
export function runCommand({ words, env, cwd }: Command, stdin: Buffer): FinishedCall {
  const started = performance.now();
  const child = Bun.spawnSync([...words], { stdin, stdout: "pipe", stderr: "pipe", env: { ...env }, cwd });
  const ms = performance.now() - started;
  return { ms, exitCode: child.exitCode, stdout: `${child.stdout}`, stderr: `${child.stderr}` };
}

/**
 * Measures the wall times of several programs with the same stdin, in milliseconds. Each round takes one sample of each
 * program and starts with a different program, so that no program always inherits the same predecessor's caches.
 *
 * @param listCalls lists a round's calls, whose mean time is recorded
 */
export function measureInTurn<K extends string>(
  commands: ReadonlyMap<K, Command>,
  listCalls: (round: number) => readonly RoundCall[],
  rounds: number,
): Map<K, number[]> {
  const names = [...commands.keys()];
  const times = new Map<K, number[]>(names.map((name) => [name, []]));
  let left = rounds;
  for (let round = -WARM_UP_ROUNDS; round < left; round++) {
    const begun = performance.now();
    for (let step = 0; step < names.length; step++) {
      const name = names[(round + WARM_UP_ROUNDS + step) % names.length] as K;
      const command = commands.get(name) as Command;
      let sum = 0;
      const calls = listCalls(round + WARM_UP_ROUNDS);
      for (const { args, stdin } of calls) {
        const { ms, exitCode, stderr } = runCommand({ ...command, words: [...command.words, ...args] }, stdin);
        if (exitCode !== 0 && exitCode !== 2) throw new Error(`${name} exited with code ${exitCode}: ${stderr}`);
        sum += ms;
      }
      if (round >= 0) times.get(name)?.push(sum / calls.length);
    }
    if (round === -1) left = Math.min(rounds, Math.max(MIN_ROUNDS, MAX_ROW_MS / (performance.now() - begun)));
  }
  return times;
}

/**
 * Returns a command's peak resident memory in bytes, as the maximum of several runs; NaN without /proc. The value is
 * read while the command runs: `ru_maxrss` of a finished process would include the moment before exec, when it still
 * had this process's memory.
 */
export async function measurePeakMemory({ words, env, cwd }: Command, stdinFile: string): Promise<number> {
  const samples: number[] = [];
  for (let sample = 0; sample < MEMORY_SAMPLES; sample++) {
    const child = Bun.spawn([...words], {
      stdin: Bun.file(stdinFile),
      stdout: "ignore",
      stderr: "ignore",
      env: { ...env },
      cwd,
    });
    samples.push(watchPeakMemory(child.pid));
    await child.exited;
  }
  const known = samples.filter((bytes) => !Number.isNaN(bytes));
  return known.length === 0 ? Number.NaN : Math.max(...known);
}

/** Waits for a process to end and returns its peak resident memory in bytes. */
function watchPeakMemory(pid: number): number {
  let bytes = Number.NaN;
  for (;;) {
    const found = readPeakMemory(pid);
    if (found === undefined) return bytes;
    bytes = found;
  }
}

/** Returns a process's peak resident memory so far, in bytes; undefined if the process has ended, or without /proc. */
export function readPeakMemory(pid: number): number | undefined {
  try {
    const found = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "latin1"));
    return found ? Number(found[1]) * 1024 : undefined;
  } catch {
    return undefined;
  }
}
