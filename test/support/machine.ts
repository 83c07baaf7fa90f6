import { availableParallelism, loadavg } from "node:os";

/**
 * Time in tests. Limits are written for a quiet machine with two cores, and scaled by how much slower this one is now;
 * what a test waits for is an event, and a limit only ends it when the event never comes.
 */

/** An empty call of Bun on a quiet machine, in milliseconds of wall time [measured with Bun 1.4.5 on two cores, 2026-11-27]. */
const QUIET_CALL_MS = 12;
const CALLS = 7;
/** A limit that was scaled further would hide a hang from whoever waits for the run. */
const MOST = 40;
/** The runner measures once before the tests start, so that all of them know at least that. */
export const SLOWNESS_VARIABLE = "BRIDGE_TEST_SLOWNESS";

/**
 * How much longer an empty call takes now than on a quiet machine: 1 or more. The worst of the middle calls counts, or
 * the load of the last minute where that is worse: a busy machine has quiet moments.
 */
export function measureSlowness(): number {
  const times = Array.from({ length: CALLS }, () => {
    const started = performance.now();
    Bun.spawnSync([process.execPath, "-e", "0"]);
    return performance.now() - started;
  }).sort((a, b) => a - b);
  const call = (times[CALLS - 2] as number) / QUIET_CALL_MS;
  const load = (loadavg()[0] ?? 0) / availableParallelism();
  return Math.min(MOST, Math.max(1, call, load));
}

/** How slow the machine was when the run started, or when this file of tests did, whichever is worse. */
export const slowness: number = Math.max(Number(process.env[SLOWNESS_VARIABLE]) || 1, measureSlowness());

/** A time for a quiet machine, in milliseconds, as long as it may take here. */
export const scaleMs = (ms: number): number => Math.ceil(ms * slowness);

/** A condition that never comes true ends a test after this many milliseconds. */
const HANG_MS = scaleMs(20_000);

type Falsy = false | 0 | "" | null | undefined;

/**
 * Waits until something is there, and returns it.
 *
 * @param what The event, as the error names it.
 * @throws Error if it did not come.
 */
export async function waitFor<T>(
  look: () => T | Promise<T>,
  what: string,
  limit_ms = HANG_MS,
): Promise<Exclude<T, Falsy>> {
  const end = performance.now() + limit_ms;
  for (;;) {
    const found = await look();
    if (found) return found as Exclude<T, Falsy>;
    if (performance.now() > end) throw new Error(`waited ${limit_ms} ms in vain for ${what}`);
    await Bun.sleep(5);
  }
}

/** What `runSample` takes of a quiet machine's processor, in milliseconds [measured with Bun 1.4.5, 2026-11-28]. */
const QUIET_SAMPLE_MS = 8;
const SAMPLES = 5;
/** A sample is good for this many milliseconds: what else runs on the machine changes. */
const SAMPLE_AGE_MS = 1_000;

/** A fixed piece of work, of the kinds that reading a text consists of. */
function runSample(): void {
  const words = Array.from({ length: 20_000 }, (_, at) => ({ word: `word ${at * 7_919}` }));
  JSON.parse(JSON.stringify(words));
  words.map(({ word }) => word).sort();
}

let sampled = { at: Number.NEGATIVE_INFINITY, slowness: 1 };

/**
 * How much more CPU time the same work takes now than on a quiet machine: 1 or more. Processes that share a core and its
 * caches slow each other down, and the engine compiles and collects garbage in threads that wait for a core.
 */
function measureCpuSlowness(): number {
  if (performance.now() - sampled.at > SAMPLE_AGE_MS) {
    const times = Array.from({ length: SAMPLES }, () => {
      const before = process.cpuUsage();
      runSample();
      return toMs(process.cpuUsage(before));
    }).sort((a, b) => a - b);
    const slowness = (times[SAMPLES >> 1] as number) / QUIET_SAMPLE_MS;
    sampled = { at: performance.now(), slowness: Math.min(MOST, Math.max(1, slowness)) };
  }
  return sampled.slowness;
}

const toMs = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1_000;

/** The milliseconds that a CPU time measured now would be on a quiet machine. */
export const toQuietCpuTime = (ms: number): number => ms / measureCpuSlowness();

/** Starts a clock of this process's CPU time, all threads: it returns milliseconds of a quiet machine. */
export function startCpuClock(): () => number {
  const before = process.cpuUsage();
  return () => toQuietCpuTime(toMs(process.cpuUsage(before)));
}

/** The CPU milliseconds that some work takes on a quiet machine. */
export const measureCpuTime = async (work: () => unknown): Promise<number> =>
  toQuietCpuTime(await measureRawCpuTime(work));

/**
 * The CPU milliseconds that some work takes now, all threads. For times that are compared with each other, and for what
 * has to be found slow: a sample that was slow by chance must not hide it.
 */
export async function measureRawCpuTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return toMs(process.cpuUsage(before));
}
