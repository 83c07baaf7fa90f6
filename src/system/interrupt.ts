import { drainMicrotasks } from "bun:jsc";
import { Script } from "node:vm";

let currentInterrupt: (() => void) | undefined;
Object.defineProperty(globalThis, Symbol.for("bridge-hooks.limited"), { value: () => currentInterrupt?.() });
let script: Script | undefined;

/**
 * Starts `work` under the engine's watchdog, which can stop it until it first waits for something external. In a
 * process shared by several calls, the watchdog only stops code before the first `await`: stopping later code would
 * discard other calls' pending work. A regular expression can't be stopped while it runs.
 * @throws Error if the time limit is exceeded
 */
export function runWithInterrupt<T>(
  work: () => T | Promise<T>,
  ms: number,
  { isShared, spentMs }: { isShared: boolean; spentMs: number },
): Promise<T> {
  let result: Promise<T> | undefined;
  currentInterrupt = () => {
    result = (async () => work())();
    result.catch(() => {});
    if (!isShared) drainMicrotasks();
  };
  script ??= new Script(`globalThis[Symbol.for("bridge-hooks.limited")]()`);
  try {
    script.runInThisContext({ timeout: ms });
  } catch (error) {
    const isExpired = (error as { code?: string } | undefined)?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
    throw isExpired ? new Error(`it took longer than ${ms + spentMs} ms`) : error;
  }
  return result as Promise<T>;
}
