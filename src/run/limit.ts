import { describeError } from "./errors.ts";

const late = (ms: number) => new Error(`it took longer than ${ms} ms`);

/** Other calls are at work in this process. */
let shared = false;
/** The system ends this process when a hook's time is up. */
let watched = false;

/** From here on nothing here stops a loop: the call's deadline does, and a process that takes over. */
export const watchedFromOutside = (): void => void (watched = true);

/**
 * Runs `work` for at most `ms` milliseconds (a whole number above 0). Where no deadline watches from outside, a loop is
 * stopped as far as the engine can.
 * @param onStray told of errors that nobody caught meanwhile.
 * @throws Error when the time is up, or what `work` throws.
 */
export async function limited<T>(work: () => T | Promise<T>, ms: number, onStray?: OnStray): Promise<T> {
  if (watched) return within((async () => work())(), ms, onStray);
  const deadline = performance.now() + ms;
  const { started } = await import("./interrupt.ts");
  return within(started(work, ms, shared), deadline - performance.now(), onStray, ms);
}

const tell = (error: unknown) => console.error(`bridge-hooks: no hook caught an error: ${describeError(error)}`);

/** Takes an error that nobody caught, and that nothing failed of. */
type OnStray = (error: unknown) => void;

/** From here on other calls are at work beside each: an error that nobody caught is nobody's, and goes to stderr. */
export function shareProcess(): void {
  shared = true;
  process.on("uncaughtException", tell).on("unhandledRejection", tell);
}

/** More turns than a module takes that lies in this executable, or a handler that waits for nothing outside. */
const TURNS = 40;

/**
 * What a promise gives within `ms` milliseconds. An error that nobody caught meanwhile explains a promise that never
 * settles; else it is a stray. Nothing is set up for a promise that settles by itself: a timer, a race and two listeners cost
 * more than what they would watch.
 */
export async function within<T>(promise: Promise<T>, ms: number, onStray?: OnStray, shown = ms): Promise<T> {
  let settled = false;
  const settle = () => void (settled = true);
  promise.then(settle, settle);
  for (let turn = 0; turn < TURNS && !settled; turn++) await null;
  if (settled) return promise;
  const strays: unknown[] = [];
  const keep = (error: unknown) => void strays.push(error);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(strays.length > 0 ? strays.pop() : late(shown)), Math.max(0, ms));
  });
  if (!shared) process.on("uncaughtException", keep).on("unhandledRejection", keep);
  try {
    return await Promise.race([promise, expired]);
  } finally {
    clearTimeout(timer);
    process.off("uncaughtException", keep).off("unhandledRejection", keep);
    for (const error of strays) onStray?.(error);
  }
}
