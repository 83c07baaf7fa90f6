import { drainMicrotasks } from "bun:jsc";
import { Script } from "node:vm";

const late = (ms: number) => new Error(`it took longer than ${ms} ms`);

let current: (() => void) | undefined;
Object.defineProperty(globalThis, Symbol.for("bridge-hooks.limited"), { value: () => current?.() });
let script: Script | undefined;

/**
 * Runs `work` for at most `ms` milliseconds, an endless loop included: what it does before it waits for something
 * outside runs under the engine's watchdog, the rest under a timer.
 * @throws Error when the time is up, or what `work` throws.
 */
export async function limited<T>(work: () => T | Promise<T>, ms: number): Promise<T> {
  if (ms <= 0) throw late(ms);
  let result: Promise<T> | undefined;
  current = () => {
    result = (async () => work())();
    result.catch(() => {});
    drainMicrotasks();
  };
  script ??= new Script(`globalThis[Symbol.for("bridge-hooks.limited")]()`);
  try {
    script.runInThisContext({ timeout: ms });
  } catch (error) {
    throw (error as { code?: string }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT" ? late(ms) : error;
  }
  return within(result as Promise<T>, ms);
}

/**
 * What a promise gives within `ms` milliseconds; an error that nobody caught meanwhile counts as its own. Nothing is set
 * up for a promise that is already settled.
 */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  if (Bun.peek.status(promise) !== "pending") return promise;
  let fail: (error: unknown) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const timer = setTimeout(() => fail(late(ms)), Math.max(0, ms));
  process.on("uncaughtException", fail);
  process.on("unhandledRejection", fail);
  try {
    return await Promise.race([promise, failed]);
  } finally {
    clearTimeout(timer);
    process.off("uncaughtException", fail);
    process.off("unhandledRejection", fail);
  }
}
