import type { Env } from "../../protocol/host/host.ts";
import { type ConcludedCall, hasResult } from "./concluded-call.ts";
import { type PendingLine, formatHead } from "./log-head.ts";
import { loadLogSettings, requiresLine } from "./log-settings.ts";
import { findLogSources } from "./log-sources.ts";

/** Limits for queued heads and lines, so that a stalled log doesn't use up memory. */
const MAX_QUEUED_HEADS = 20_000;
const MAX_QUEUED_LINES = 1_000;
/** How long a process that is ending waits for queued lines, in milliseconds. */
const DRAIN_MS = 250;
/** Interval between checks for a config file, in milliseconds. */
const CHECK_INTERVAL_MS = 1_000;

let queuedHeads: string[] = [];
/** Number of heads dropped since the last write. */
let droppedHeads = 0;
let headQueue: Promise<void> | undefined;
let lineQueue: Promise<void> = Promise.resolve();
let waitingLines = 0;
/** Number of calls whose log settings are still loading. */
let loadingCallCount = 0;
let isConfigured = false;
let lastCheckMs = Number.NEGATIVE_INFINITY;

/** Returns whether a config file might require a line for every call. Checks at most once per interval. */
function mayRequireAllLines(): boolean {
  if (performance.now() - lastCheckMs >= CHECK_INTERVAL_MS) {
    lastCheckMs = performance.now();
    isConfigured = findLogSources().length > 0;
  }
  return isConfigured;
}

/**
 * Queues a call's line in a process that handles many calls, so that calls never wait for a write. The line's head is
 * written first.
 */
export function queueCall(call: ConcludedCall, env: Env): void {
  if (!(hasResult(call) || mayRequireAllLines())) return;
  // Ignore errors. The answer has already been written.
  loadingCallCount++;
  void beginQueuedLine(call, env)
    .catch(() => {})
    .finally(() => loadingCallCount--);
}

async function beginQueuedLine(call: ConcludedCall, env: Env): Promise<void> {
  const log = await loadLogSettings(call);
  const needsLine = requiresLine(call, log.settings);
  if (!needsLine && !call.deniedCall) return;
  const begunLine = { log, ...(needsLine && { identity: queueLineHead(call, log, env) }) };
  if (waitingLines >= MAX_QUEUED_LINES) return;
  waitingLines++;
  lineQueue = lineQueue.then(() => completeQueuedLine(call, begunLine, env));
}

function queueLineHead(call: ConcludedCall, { settings }: PendingLine["log"], env: Env) {
  const { identity, text } = formatHead(call, settings.content);
  if (queuedHeads.length < MAX_QUEUED_HEADS) queuedHeads.push(text);
  else droppedHeads++;
  headQueue ??= writeHeads(env, settings.retainDays).finally(() => (headQueue = undefined));
  return identity;
}

/** Writes all queued heads in one batch. */
async function writeHeads(env: Env, retainDays: number): Promise<void> {
  const { appendLine } = await import("./log-file.ts");
  const { BACKGROUND_FILES } = await import("./background-files.ts");
  const { getLogFile } = await import("./log-path.ts");
  const target = { file: getLogFile(env), files: BACKGROUND_FILES, retainDays };
  while (queuedHeads.length > 0) {
    const batch = queuedHeads;
    queuedHeads = [];
    if (!(await appendLine(target, batch.join("\n")).catch(() => false))) droppedHeads += batch.length;
    if (droppedHeads > 0) (await import("./lost-lines.ts")).countLostLines(env, droppedHeads);
    droppedHeads = 0;
  }
}

async function completeQueuedLine(call: ConcludedCall, begunLine: PendingLine, env: Env): Promise<void> {
  try {
    // Write each line after its head.
    await headQueue;
    const { completeLine } = await import("./log-call.ts");
    const { BACKGROUND_FILES } = await import("./background-files.ts");
    await completeLine(call, begunLine, { env, files: BACKGROUND_FILES });
  } catch {
    // The head has been written, so readers know that only the details are lost.
  }
  waitingLines--;
}

/** Waits briefly for queued lines to be written. */
export async function drainQueue(): Promise<void> {
  const end = performance.now() + DRAIN_MS;
  while ((loadingCallCount > 0 || headQueue || waitingLines > 0) && performance.now() < end) await Bun.sleep(1);
}
