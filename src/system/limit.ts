import { describeError } from "./errors.ts";
import type * as Interrupt from "./interrupt.ts";

const createTimeoutError = (ms: number) => new Error(`it took longer than ${ms} ms`);

/** Whether other calls run in this process at the same time. */
let isProcessShared = false;
/** Whether a deadline outside the engine ends this process if a hook exceeds its time limit. */
let isWatchedFromOutside = false;
let interruptModule: typeof Interrupt | undefined;

/**
 * Turns off the engine's watchdog. From now on, endless loops are stopped by the call's own deadline, after which a new
 * process takes over.
 */
export const markWatchedFromOutside = (): void => void (isWatchedFromOutside = true);

interface LimitTerms {
  /** Called with each uncaught error raised while `work` was running. */
  onStray?: ReportStrayError | undefined;
  /**
   * Time in milliseconds after which the watchdog stops a loop that blocks the engine. Defaults to the full time limit.
   */
  busyMs?: number | undefined;
  /**
   * Time in milliseconds that an earlier process has already spent on the work. It is included in the error message.
   */
  spentMs?: number | undefined;
}

/**
 * Runs `work` for at most `ms` milliseconds (a positive integer). Unless a deadline outside the engine is set, the
 * engine interrupts an endless loop where it can.
 * @throws Error if the time limit is exceeded, or any error that `work` throws
 */
export async function runLimited<T>(
  work: () => T | Promise<T>,
  ms: number,
  { onStray, busyMs = ms, spentMs = 0 }: LimitTerms = {},
): Promise<T> {
  const totalMs = ms + spentMs;
  if (isWatchedFromOutside) return awaitWithTimeout((async () => work())(), ms, onStray, totalMs);
  const deadline = performance.now() + ms;
  // Import the module only once: a resident process needs it for every hook, and even repeated imports take time.
  interruptModule ??= await import("./interrupt.ts");
  const result = interruptModule.runWithInterrupt(work, Math.min(ms, busyMs), { isShared: isProcessShared, spentMs });
  return awaitWithTimeout(result, deadline - performance.now(), onStray, totalMs);
}

const printStrayError = (error: unknown) => console.error(`bridge-hooks: uncaught error: ${describeError(error)}`);

/** Called with an uncaught error that didn't make the call fail. */
type ReportStrayError = (error: unknown) => void;

/**
 * Marks the process as shared by several calls. From then on, uncaught errors go to stderr, since there is no telling
 * which call caused them.
 */
export function shareProcess(): void {
  isProcessShared = true;
  process.on("uncaughtException", printStrayError).on("unhandledRejection", printStrayError);
}

/**
 * More microtask turns than are needed to load a bundled module, or to run a handler that doesn't wait for anything
 * external.
 */
const MAX_TURNS = 40;

/**
 * Returns a promise's result if it settles within `ms` milliseconds. Otherwise, throws the most recent uncaught error
 * as the likely cause, or a timeout error if there is none. Any other uncaught errors are passed to `onStray`. If the
 * promise settles within a few turns, the timer, race and listeners are skipped, since they would take longer than the
 * work itself.
 */
export async function awaitWithTimeout<T>(
  promise: Promise<T>,
  ms: number,
  onStray?: ReportStrayError,
  totalMs = ms,
): Promise<T> {
  let isSettled = false;
  const settle = () => void (isSettled = true);
  promise.then(settle, settle);
  for (let turn = 0; turn < MAX_TURNS && !isSettled; turn++) await null;
  if (isSettled) return promise;
  const strayErrors: unknown[] = [];
  const recordStray = (error: unknown) => void strayErrors.push(error);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(strayErrors.length > 0 ? strayErrors.pop() : createTimeoutError(totalMs)),
      Math.max(0, ms),
    );
  });
  if (!isProcessShared) process.on("uncaughtException", recordStray).on("unhandledRejection", recordStray);
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
    process.off("uncaughtException", recordStray).off("unhandledRejection", recordStray);
    for (const error of strayErrors) onStray?.(error);
  }
}
