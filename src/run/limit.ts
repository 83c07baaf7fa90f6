import { drainMicrotasks } from "bun:jsc";
import { Script } from "node:vm";
import { strays } from "./wanted.ts";

const late = (ms: number) => new Error(`it took longer than ${ms} ms`);

let current: (() => void) | undefined;
Object.defineProperty(globalThis, Symbol.for("bridge-hooks.limited"), { value: () => current?.() });
let script: Script | undefined;
/** Other calls are at work in this process. */
let shared = false;

/**
 * Runs `work` for at most `ms` milliseconds (a whole number above 0), an endless loop included: what it does before it
 * waits for something outside runs under the engine's watchdog, the rest under a timer. In a shared process the watchdog
 * sees what it does before it waits at all: a loop that is stopped later takes with it whatever else was about to run.
 * @throws Error when the time is up, or what `work` throws.
 */
export async function limited<T>(work: () => T | Promise<T>, ms: number): Promise<T> {
  const deadline = performance.now() + ms;
  let result: Promise<T> | undefined;
  current = () => {
    result = (async () => work())();
    result.catch(() => {});
    if (!shared) drainMicrotasks();
  };
  script ??= new Script(`globalThis[Symbol.for("bridge-hooks.limited")]()`);
  try {
    script.runInThisContext({ timeout: ms });
  } catch (error) {
    throw (error as { code?: string }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT" ? late(ms) : error;
  }
  return within(result as Promise<T>, deadline - performance.now(), ms);
}

const keep = (error: unknown) => void strays.push(error);
const tell = (error: unknown) => console.error(`bridge-hooks: no hook caught an error: ${error instanceof Error ? error.stack : error}`);

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
export async function within<T>(promise: Promise<T>, ms: number, shown = ms): Promise<T> {
  let settled = false;
  const settle = () => void (settled = true);
  promise.then(settle, settle);
  for (let turn = 0; turn < TURNS && !settled; turn++) await null;
  if (settled) return promise;
  const before = strays.length;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(strays.length > before ? strays.pop() : late(shown)), Math.max(0, ms));
  });
  if (!shared) process.on("uncaughtException", keep).on("unhandledRejection", keep);
  try {
    return await Promise.race([promise, expired]);
  } finally {
    clearTimeout(timer);
    process.off("uncaughtException", keep).off("unhandledRejection", keep);
  }
}
