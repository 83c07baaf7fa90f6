import { readFileSync } from "node:fs";
import type { Hook, HookDescriptor } from "../../protocol/hook.ts";
import type { IHookResponse } from "../../protocol/response.ts";
import { runCall } from "../call.ts";
import type { RunningHook, HandoverState, KnownResult } from "./deadline.ts";
import { adoptDescriptors, getMessageDescriptor, exitProcess, readDescriptor, writeAll } from "../process/io.ts";

/** Time reserved for the work after the hooks, in milliseconds. */
const CONCLUSION_RESERVE_MS = 100;
/** Minimum time left for running another hook, in milliseconds. */
const MIN_HOOK_MS = 20;

/**
 * Resumes a call whose original process was still busy in a hook at the deadline. Hooks that finished or failed don't
 * run again.
 */
export async function resumeCall(entries: readonly HookDescriptor[], descriptor: string): Promise<never> {
  const { argv, payload, inherited, cwd, until, known, settled, problem, runningHook } = readHandover(descriptor);
  if (inherited) adoptDescriptors(inherited);
  restoreFolder(cwd);
  const remainingTime = Math.floor(until - CONCLUSION_RESERVE_MS - Date.now());
  const resultsByName = new Map(known);
  const spentMs = runningHook && Date.now() - runningHook.at + (runningHook.earlierMs ?? 0);
  if (runningHook?.isBlamed) resultsByName.set(runningHook.name, { failure: describeHang(runningHook) });
  const settledEntries = entries.map((entry) => {
    const result =
      resultsByName.get(entry.name) ??
      (remainingTime < MIN_HOOK_MS ? { failure: "no time was left to run it" } : undefined);
    if (result) return createSettledEntry(entry, result, resultsByName.has(entry.name));
    return runningHook?.name === entry.name ? { ...entry, spentMs } : entry;
  });
  const takeover =
    settled || problem !== undefined || remainingTime < MIN_HOOK_MS ? undefined : [process.execPath, "--resume"];
  const stdin = typeof payload === "string" ? payload : readDescriptor(payload);
  const remainingMs = Math.max(remainingTime, MIN_HOOK_MS);
  return runCall(settledEntries, {}, argv, { stdin, takeover, until, problem, remainingMs });
}

/** Returns why the hook didn't respond in an earlier process. */
function describeHang({ ms, busyMs, at, earlierMs: before = 0 }: RunningHook): string {
  const elapsed = Date.now() - at;
  if (elapsed < ms && elapsed < busyMs) return "it blocked its process";
  return `it took longer than ${before + (elapsed >= ms ? ms : busyMs)} ms`;
}

/** Restores the working directory in case a hook changed it. The directory may have been deleted. */
function restoreFolder(cwd: string | undefined): void {
  try {
    if (cwd !== undefined) process.chdir(cwd);
  } catch {
    // Hooks still find the session's directory in the event.
  }
}

/**
 * Reads the state of the call.
 * @param descriptor stdin, or an in-memory file
 */
function readHandover(descriptor: string): HandoverState {
  try {
    const handover = JSON.parse(
      descriptor === "0" ? readFileSync(0, "utf8") : readDescriptor(Number(descriptor)),
    ) as HandoverState;
    if (
      Array.isArray(handover.argv) &&
      Array.isArray(handover.known) &&
      ["string", "number"].includes(typeof handover.payload)
    )
      return handover;
  } catch {
    // Reported below.
  }
  writeAll(getMessageDescriptor(), "bridge-hooks: there is no call to resume; --resume is only for internal use\n");
  return exitProcess(2);
}

/**
 * Creates a hook that replays a known result. A known denial applies even if this process runs out of time.
 * @param hasRun whether the hook already ran. If so, its matcher has already matched, and matching again could take
 * just as long.
 */
export function createSettledEntry(
  { matcher, ...entry }: HookDescriptor,
  result: KnownResult,
  hasRun: boolean,
): HookDescriptor {
  const hook: Hook = {
    event: entry.events,
    handler(_event, { log }) {
      if ("failure" in result) throw new Error(result.failure);
      result.log.forEach(log);
      return result.response as IHookResponse;
    },
  };
  const isDenial = "response" in result && (result.response as IHookResponse).decision === "deny";
  return {
    ...entry,
    ...(isDenial && { onError: "deny" as const }),
    ...(!hasRun && matcher !== undefined && { matcher }),
    settled: true,
    load: async () => hook,
  };
}
