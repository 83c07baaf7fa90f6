import type { HookDescriptor } from "../protocol/hook.ts";
import { type Deadline, createDeadline } from "./deadline/deadline.ts";
import type { LoadBinding } from "./exceptions/apply.ts";
import { exitProcess, guardStdout, writeAnswer } from "./process/io.ts";
import { readStdin } from "./process/stdin.ts";
import { type ConcludedCall, isDecided, isUnconfigured } from "./log/concluded-call.ts";
import { findLogSources } from "./log/log-sources.ts";
import type { AnyOptions } from "./options.ts";
import type { QuickInput } from "../system/quick-types.ts";
import { passCall } from "./answer.ts";

export interface CallSetup {
  /** The payload. Default: read from stdin. */
  stdin?: string | undefined;
  /** What was read of stdin already. */
  begun?: QuickInput | undefined;
  /** The command that starts this program again; the handover's descriptor is appended. */
  takeover?: readonly string[] | undefined;
  /** The latest time at which the call has to end, in milliseconds since the epoch. */
  until?: number;
  /** The time that is left of the call's limit, in milliseconds. */
  remainingMs?: number | undefined;
  /** Ends the process in time. Default: system timers, or else a watcher thread. */
  deadline?: Deadline;
  /** Why no hooks can run. */
  problem?: string | undefined;
  /** Loads what exceptions are bound by. */
  loadBinding?: LoadBinding | undefined;
}

/** Runs one hook call in this process, from stdin to exit. */
export async function runCall(
  entries: readonly HookDescriptor[],
  options: AnyOptions,
  argv: readonly string[],
  {
    stdin,
    begun,
    takeover,
    until,
    remainingMs,
    deadline = createDeadline(argv, takeover, until),
    problem,
    loadBinding,
  }: CallSetup = {},
): Promise<never> {
  const world = {
    // A getter: most calls never read a variable, and building the object is slow.
    get env() {
      return process.env;
    },
    read: stdin === undefined ? (ms: number) => readStdin(ms, begun) : () => stdin,
    ...(begun && { started: 0, payload: begun.payload, loadHookFilter: begun.loadHookFilter }),
    deadline,
    problem,
    remainingMs,
    ...(loadBinding && { loadBinding }),
  };
  guardStdout();
  const { answer, concluded } = await passCall({ entries, explicit: options, argv }, world);
  deadline.claimAnswer();
  const exit_code = writeAnswer(answer);
  if (concluded) await logConcluded(concluded, deadline, exit_code);
  return exitProcess(exit_code);
}

/**
 * How long the process lives on for a log that stalls, in milliseconds. The answer is written already, and a busy machine
 * may let a process wait for some hundreds of them several times.
 */
const LOG_MS = 2_000;

/** Writes the line about the call. Most calls that are looked at have none, and load nothing for it. */
async function logConcluded(call: ConcludedCall, deadline: Deadline, exit_code: number): Promise<void> {
  if (!isDecided(call) && (call.lacksLogConfig || isUnconfigured(call))) return;
  const limit = (ms: number) => deadline.limitExit(ms, exit_code);
  try {
    await limit(LOG_MS);
    if (!isDecided(call) && findLogSources().length === 0) return;
    const { logCall } = await import("./log/log-call.ts");
    await limit(LOG_MS);
    await logCall(call, { env: process.env, onWait: (ms) => void limit(ms + LOG_MS) });
  } catch {
    // Nobody reads errors here, and the answer is more important than the log.
  }
}
