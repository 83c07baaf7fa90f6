import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { Env, Payload } from "../../protocol/host/host.ts";
import { parseJsonObject } from "../../protocol/object.ts";
import { summarizeCall } from "./call-summary.ts";
import type { ConcludedCall } from "./concluded-call.ts";
import { READ_FLAGS } from "./log-files.ts";
import { PLAIN_NAME } from "./log-head.ts";
import { getLogFile, isLogFile } from "./log-path.ts";
import { loadLogSettings, requiresLine } from "./log-settings.ts";

/** Maximum time between two entries' answers to the same event, in milliseconds. */
const SAME_EVENT_MS = 2_000;
/** How long to wait for the other entry's line, in milliseconds. On a busy machine, that entry may start much later. */
const MAX_LINE_WAIT_MS = 2_500;
const POLL_MS = 5;
/** Number of bytes to search at the end of the log. Enough for a few hundred lines. */
const TAIL_BYTES = 128 * 1024;

/**
 * Returns whether another entry for the same call has logged it, or soon will. Both entries have answered by then. In
 * the worst case, a call gets two lines, or none if a forged line matches.
 */
export async function isLoggedByOther(
  call: ConcludedCall,
  env: Env,
  onWait: (ms: number) => Promise<void>,
): Promise<boolean> {
  const { settings } = await loadLogSettings(call);
  if (!requiresLine(call, settings)) return false;
  const earliest = Date.now() - call.ms - SAME_EVENT_MS;
  const { hook = "", rule = "", ...summary } = summarizeCall(call).summary;
  const expectedFields: Payload = {
    ...summary,
    ...(PLAIN_NAME.test(hook) && { hook }),
    ...(PLAIN_NAME.test(rule) && { rule }),
  };
  // If the host gives calls an ID, it is the same for both entries.
  const isNamed = call.event && "tool_use_id" in call.event && call.event.tool_use_id !== undefined;
  const isSame = (head: Payload): boolean =>
    head.shared === undefined &&
    Date.parse(String(head.time)) >= earliest &&
    (call.deniedCall && isNamed
      ? head.id === call.deniedCall.id
      : Object.keys(expectedFields).every((key) => isDeepStrictEqual(head[key], expectedFields[key])));
  await onWait(MAX_LINE_WAIT_MS);
  for (const deadline = performance.now() + MAX_LINE_WAIT_MS; performance.now() < deadline; await Bun.sleep(POLL_MS))
    if (readHeads(getLogFile(env)).some(isSame)) return true;
  return false;
}

/** Reads the heads at the end of the log. */
function readHeads(file: string): Payload[] {
  try {
    const fd = openSync(file, READ_FLAGS);
    try {
      const stats = fstatSync(fd);
      if (!isLogFile(stats)) return [];
      const bytes = Buffer.alloc(Math.min(stats.size, TAIL_BYTES));
      const length = readSync(fd, bytes, 0, bytes.length, stats.size - bytes.length);
      const lines = bytes.toString("utf8", 0, length).split("\n");
      return lines.flatMap((line) => {
        const head = line.includes('"part":"head"') ? parseJsonObject(line) : undefined;
        return head ? [head] : [];
      });
    } finally {
      closeSync(fd);
    }
  } catch {
    return [];
  }
}
