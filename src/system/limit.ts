import { describeError } from "./errors.ts";
import type * as Interrupt from "./interrupt.ts";

const createTimeoutError = (ms: number) => new Error(`it took longer than ${ms} ms`);

/** Other calls run in this process at the same time. */
let isShared = false;
/** A deadline outside the engine ends this process when a hook's time is up. */
let isWatchedFromOutside = false;
let interrupt: typeof Interrupt | undefined;

/** From here on loops are not stopped here: the call's deadline stops them, and a new process takes over. */
export const markWatchedFromOutside = (): void => void (isWatchedFromOutside = true);

interface LimitTerms {
  /** Called with uncaught errors that occurred meanwhile. */
  onStray?: OnStray | undefined;
  /** Milliseconds for which a loop may keep the engine, where it is stopped here. Default: all. */
  busyMs?: number | undefined;
  /** Time that was spent on the work before, in milliseconds: the error's text includes it. */
  spentMs?: number | undefined;
}

/**
 * Runs `work` for at most `ms` milliseconds (a whole number above 0). Without a deadline outside the engine, a loop is
 * stopped as far as the engine can.
 * @throws Error when the time is up, or what `work` throws.
 */
export async function runLimited<T>(
  work: () => T | Promise<T>,
  ms: number,
  { onStray, busyMs = ms, spentMs = 0 }: LimitTerms = {},
): Promise<T> {
  const shown = ms + spentMs;
  if (isWatchedFromOutside) return awaitWithin((async () => work())(), ms, onStray, shown);
  const deadline = performance.now() + ms;
  // A resident process asks for it with each hook, and an import takes time again.
  interrupt ??= await import("./interrupt.ts");
  const result = interrupt.startLimited(work, Math.min(ms, busyMs), { isShared, spentMs });
  return awaitWithin(result, deadline - performance.now(), onStray, shown);
}

const reportStray = (error: unknown) => console.error(`bridge-hooks: no hook caught an error: ${describeError(error)}`);

/** Called with an uncaught error that did not make anything fail. */
type OnStray = (error: unknown) => void;

/**
 * From here on several calls share the process: an uncaught error can't be attributed to one of them, and goes to
 * stderr.
 */
export function shareProcess(): void {
  isShared = true;
  process.on("uncaughtException", reportStray).on("unhandledRejection", reportStray);
}

/**
 * More microtask turns than it takes to load a bundled module or to run a handler that doesn't wait for anything
 * outside.
 */
const MAX_TURNS = 40;

/**
 * The result of a promise within `ms` milliseconds. If the promise never settles, an uncaught error of that time is the
 * likely cause and is thrown; otherwise it is a stray. A promise that settles within a few turns skips the timer, the
 * race and the listeners: they would cost more than the work.
 */
export async function awaitWithin<T>(promise: Promise<T>, ms: number, onStray?: OnStray, shown = ms): Promise<T> {
  let settled = false;
  const settle = () => void (settled = true);
  promise.then(settle, settle);
  for (let turn = 0; turn < MAX_TURNS && !settled; turn++) await null;
  if (settled) return promise;
  const strays: unknown[] = [];
  const keep = (error: unknown) => void strays.push(error);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(strays.length > 0 ? strays.pop() : createTimeoutError(shown)), Math.max(0, ms));
  });
  if (!isShared) process.on("uncaughtException", keep).on("unhandledRejection", keep);
  try {
    return await Promise.race([promise, expired]);
  } finally {
    clearTimeout(timer);
    process.off("uncaughtException", keep).off("unhandledRejection", keep);
    for (const error of strays) onStray?.(error);
  }
}
