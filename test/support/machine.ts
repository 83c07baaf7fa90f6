import { availableParallelism, loadavg } from "node:os";

/**
 * Time limits in tests are meant for a quiet machine with two cores, and are scaled by how much slower this machine
 * currently is. Tests wait for events; a limit only ends a test whose event never occurs.
 */

/**
 * Wall time of an empty Bun process on a quiet machine, in milliseconds [measured with Bun 1.4.5 on two cores,
 * 2026-11-27].
 */
const QUIET_CALL_MS = 12;
const CALLS = 7;
/** Maximum factor. With a higher one, a hanging test would go unnoticed for too long. */
const MAX_SLOWNESS = 40;
/** What the test runner measured before the tests started. No test uses a lower value. */
export const SLOWNESS_VARIABLE = "BRIDGE_TEST_SLOWNESS";

/**
 * Measures how much longer an empty process takes now than on a quiet machine; at least 1. Because even a busy machine
 * has quiet moments, this uses the slowest of the middle runs, or the last minute's load average if that is worse.
 */
export function measureSlowness(): number {
  const times = Array.from({ length: CALLS }, () => {
    const started = performance.now();
    Bun.spawnSync([process.execPath, "-e", "0"]);
    return performance.now() - started;
  }).sort((a, b) => a - b);
  const call = (times[CALLS - 2] as number) / QUIET_CALL_MS;
  const load = (loadavg()[0] ?? 0) / availableParallelism();
  return Math.min(MAX_SLOWNESS, Math.max(1, call, load));
}

/** How slow the machine was when the run or this test file started, whichever is worse. */
export const slowness: number = Math.max(Number(process.env[SLOWNESS_VARIABLE]) || 1, measureSlowness());

/** Scales a number of milliseconds on a quiet machine to this one. */
export const scaleMs = (ms: number): number => Math.ceil(ms * slowness);

/** Time limit for waiting for a condition. */
const HANG_MS = scaleMs(20_000);

type Falsy = false | 0 | "" | null | undefined;

/**
 * Waits until a function returns a truthy value, and returns that value.
 *
 * @param what the event, as the error names it.
 * @throws Error if the event doesn't occur.
 */
export async function waitFor<T>(
  check: () => T | Promise<T>,
  what: string,
  limit_ms = HANG_MS,
): Promise<Exclude<T, Falsy>> {
  const end = performance.now() + limit_ms;
  for (;;) {
    const result = await check();
    if (result) return result as Exclude<T, Falsy>;
    if (performance.now() > end) throw new Error(`waited ${limit_ms} ms for ${what}, which did not happen`);
    await Bun.sleep(5);
  }
}

/** CPU time of `runSample` on a quiet machine, in milliseconds [measured with Bun 1.4.5, 2026-11-28]. */
const QUIET_SAMPLE_MS = 8;
const SAMPLES = 5;
/** Maximum age of a sample in milliseconds. Samples expire because the machine's load changes. */
const SAMPLE_AGE_MS = 1_000;

/** Performs a fixed amount of work that resembles parsing text. */
function runSample(): void {
  const words = Array.from({ length: 20_000 }, (_, at) => ({ word: `word ${at * 7_919}` }));
  JSON.parse(JSON.stringify(words));
  words.map(({ word }) => word).sort();
}

let lastSample = { at: Number.NEGATIVE_INFINITY, slowness: 1 };

/**
 * Measures how much more CPU time the same work takes now than on a quiet machine; at least 1. Processes that share a
 * core and its caches slow one another down, and the engine's compiler and garbage collector threads compete for a
 * core.
 */
function measureCpuSlowness(): number {
  if (performance.now() - lastSample.at > SAMPLE_AGE_MS) {
    const times = Array.from({ length: SAMPLES }, () => {
      const before = process.cpuUsage();
      runSample();
      return toMs(process.cpuUsage(before));
    }).sort((a, b) => a - b);
    const slowness = (times[SAMPLES >> 1] as number) / QUIET_SAMPLE_MS;
    lastSample = { at: performance.now(), slowness: Math.min(MAX_SLOWNESS, Math.max(1, slowness)) };
  }
  return lastSample.slowness;
}

const toMs = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1_000;

/** Converts CPU time measured just now to milliseconds on a quiet machine. */
export const toQuietCpuTime = (ms: number): number => ms / measureCpuSlowness();

/** Starts a clock that returns this process's CPU time across all threads, in milliseconds on a quiet machine. */
export function startCpuClock(): () => number {
  const before = process.cpuUsage();
  return () => toQuietCpuTime(toMs(process.cpuUsage(before)));
}

/** Measures a function's CPU time, in milliseconds on a quiet machine. */
export const measureCpuTime = async (work: () => unknown): Promise<number> =>
  toQuietCpuTime(await measureRawCpuTime(work));

/**
 * Measures a function's CPU time across all threads, in unscaled milliseconds. Use this for comparing times and
 * detecting slowness: scaling by a sample that happened to be slow would hide it.
 */
export async function measureRawCpuTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return toMs(process.cpuUsage(before));
}
