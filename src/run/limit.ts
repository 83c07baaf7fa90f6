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

/** What a promise gives within `ms` milliseconds. No timer is started for one that is already settled. */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  if (Bun.peek.status(promise) !== "pending") return promise;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late(ms)), Math.max(0, ms));
  });
  try {
    return await Promise.race([promise, expired]);
  } finally {
    clearTimeout(timer);
  }
}
