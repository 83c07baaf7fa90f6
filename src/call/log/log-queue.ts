import type { Env } from "../../protocol/host/host.ts";
import { type ConcludedCall, isDecided } from "./concluded-call.ts";
import { findLogSources } from "./log-sources.ts";

/** Lines that may wait at once; those of further calls are dropped: a log that stalls must not fill the memory. */
const MAX_WAITING = 1_000;
/** How long the end of the process waits for them, in milliseconds. */
const DRAIN_MS = 250;
/** Interval of the looks for a config file. */
const CHECK_INTERVAL_MS = 1_000;

let queue: Promise<void> = Promise.resolve();
let waiting = 0;
let isConfigured = false;
let checked = Number.NEGATIVE_INFINITY;

/** Whether a config file may ask for a line about each call; looked up at most once per interval. */
function mayLogAll(): boolean {
  if (performance.now() - checked >= CHECK_INTERVAL_MS) {
    checked = performance.now();
    isConfigured = findLogSources().length > 0;
  }
  return isConfigured;
}

/** In a process of many calls: writes the line about a call, one after the other, and keeps no call waiting. */
export function queueCall(call: ConcludedCall, env: Env): void {
  if (waiting >= MAX_WAITING || !(isDecided(call) || mayLogAll())) return;
  waiting++;
  queue = queue.then(async () => {
    try {
      const { logCall } = await import("./log-call.ts");
      const { BACKGROUND_FILES } = await import("./background-files.ts");
      await logCall(call, { env, files: BACKGROUND_FILES });
    } catch {
      // As in a process of its own: the answer is written.
    }
    waiting--;
  });
}

/** Waits a moment for the lines that are not written yet. */
export const drainQueue = async (): Promise<void> => {
  if (waiting > 0) await Promise.race([queue, Bun.sleep(DRAIN_MS)]);
};
