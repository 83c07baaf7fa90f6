import { drainMicrotasks } from "bun:jsc";
import { Script } from "node:vm";

const late = (ms: number) => new Error(`it took longer than ${ms} ms`);

let current: (() => void) | undefined;
Object.defineProperty(globalThis, Symbol.for("bridge-hooks.limited"), { value: () => current?.() });
let script: Script | undefined;
/** The engine has one watchdog: work that comes up under it (another call's) waits until it is off again. */
let watched = false;

/**
 * Runs `work` for at most `ms` milliseconds (a whole number above 0), an endless loop included: what it does before it
 * waits for something outside runs under the engine's watchdog, the rest under a timer.
 * @throws Error when the time is up, or what `work` throws.
 */
export async function limited<T>(work: () => T | Promise<T>, ms: number): Promise<T> {
  while (watched) await new Promise(setImmediate);
  const deadline = performance.now() + ms;
  let result: Promise<T> | undefined;
  current = () => {
    result = (async () => work())();
    result.catch(() => {});
    drainMicrotasks();
  };
  script ??= new Script(`globalThis[Symbol.for("bridge-hooks.limited")]()`);
  watched = true;
  try {
    script.runInThisContext({ timeout: ms });
  } catch (error) {
    throw (error as { code?: string }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT" ? late(ms) : error;
  } finally {
    watched = false;
  }
  return within(result as Promise<T>, deadline - performance.now(), ms);
}

/** Errors that nobody caught while hooks ran, and that no hook failed of. */
export const strays: unknown[] = [];

const keep = (error: unknown) => void strays.push(error);
let watchers = 0;

/** Keeps errors that nobody caught, until it is taken back: one pair of listeners for however many calls. */
export function watchStrays(): () => void {
  if (watchers++ === 0) process.on("uncaughtException", keep).on("unhandledRejection", keep);
  return () => {
    if (--watchers === 0) process.off("uncaughtException", keep).off("unhandledRejection", keep);
  };
}

/**
 * What a promise gives within `ms` milliseconds. An error that nobody caught meanwhile explains a promise that never
 * settles; else it is a stray. Nothing is set up for a promise that is already settled.
 */
export async function within<T>(promise: Promise<T>, ms: number, shown = ms): Promise<T> {
  if (Bun.peek.status(promise) !== "pending") return promise;
  const before = strays.length;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(strays.length > before ? strays.pop() : late(shown)), Math.max(0, ms));
  });
  const unwatch = watchStrays();
  try {
    return await Promise.race([promise, expired]);
  } finally {
    clearTimeout(timer);
    unwatch();
  }
}
