import type { HookDescriptor } from "../protocol/hook.ts";
import { type Deadline, createDeadline } from "./deadline/deadline.ts";
import type { LoadBinding } from "./exceptions/apply.ts";
import { exitProcess, guardStdout, writeAnswer } from "./process/io.ts";
import { readStdin } from "./process/stdin.ts";
import { type ConcludedCall, hasResult, lacksConfigFiles } from "./log/concluded-call.ts";
import { type PendingLine, beginLine } from "./log/log-head.ts";
import type { AnyOptions } from "./options.ts";
import type { QuickInput } from "../system/quick-types.ts";
import { passCall } from "./answer.ts";

export interface CallSetup {
  /** The payload. Defaults to stdin. */
  stdin?: string | undefined;
  /** Input already read from stdin. */
  earlyInput?: QuickInput | undefined;
  /** Command that restarts this program. The handover's file descriptor is appended to it. */
  takeover?: readonly string[] | undefined;
  /** Time by which the call must end, as Unix time in milliseconds. */
  until?: number;
  /** Remaining time of the call, in milliseconds. */
  remainingMs?: number | undefined;
  /** Ends the process on time. Defaults to system timers, or to a watcher thread on systems without usable timers. */
  deadline?: Deadline;
  /** The reason hooks can't run, if any. */
  problem?: string | undefined;
  /** Loads the function that computes the hashes binding an exception to a call. */
  loadBinding?: LoadBinding | undefined;
}

/** Runs one hook call in this process, from stdin to exit. */
export async function runCall(
  entries: readonly HookDescriptor[],
  options: AnyOptions,
  argv: readonly string[],
  {
    stdin,
    earlyInput,
    takeover,
    until,
    remainingMs,
    deadline = createDeadline(argv, takeover, until),
    problem,
    loadBinding,
  }: CallSetup = {},
): Promise<never> {
  const runtime = {
    // A getter, because building the environment object is slow and most calls never read a variable.
    get env() {
      return process.env;
    },
    read: stdin === undefined ? (ms: number) => readStdin(ms, earlyInput) : () => stdin,
    ...(earlyInput && { started: 0, payload: earlyInput.payload, loadHookFilter: earlyInput.loadHookFilter }),
    deadline,
    problem,
    remainingMs,
    ...(loadBinding && { loadBinding }),
  };
  guardStdout();
  const { answer, concluded } = await passCall({ entries, explicit: options, argv }, runtime);
  const call = concluded && mayBeLogged(concluded) ? concluded : undefined;
  // The host may kill this process once it has the answer, so write the start of the log line first. If the disk hangs,
  // the deadline starts another process to send the answer. A call that failed early has no deadline.
  const mustWriteHead = call?.event && stdin === undefined && !call.isShared;
  const head = mustWriteHead ? await beginLine(call, process.env).catch(() => {}) : undefined;
  deadline.claimAnswer();
  const exit_code = writeAnswer(answer);
  if (call) await logConcluded(call, head, (ms) => deadline.limitExit(ms, exit_code));
  return exitProcess(exit_code);
}

/**
 * Maximum time to wait for a stalled log after the answer is written, in milliseconds. On a busy machine, a process may
 * be kept waiting several times, for a few hundred milliseconds each.
 */
const MAX_LOG_WAIT_MS = 2_000;

/** Decides without loading the log code, since most calls that get here aren't logged. */
const mayBeLogged = (call: ConcludedCall): boolean =>
  hasResult(call) || !(call.lacksLogConfig || lacksConfigFiles(call));

/** Writes the call's log line, or just the rest of it if the start has already been written. */
async function logConcluded(
  call: ConcludedCall,
  head: PendingLine | void,
  limitExit: (ms: number) => Promise<void>,
): Promise<void> {
  if (head && !head.identity && !call.deniedCall) return;
  try {
    await limitExit(MAX_LOG_WAIT_MS);
    if (call.isShared) {
      const { isLoggedByOther } = await import("./log/shared-line.ts");
      if (await isLoggedByOther(call, process.env, (ms) => limitExit(ms + MAX_LOG_WAIT_MS))) return;
    }
    const begunLine = head ?? (await beginLine(call, process.env));
    if (!begunLine.identity && !call.deniedCall) return;
    const { completeLine } = await import("./log/log-call.ts");
    await limitExit(MAX_LOG_WAIT_MS);
    await completeLine(call, begunLine, { env: process.env, onWait: (ms) => void limitExit(ms + MAX_LOG_WAIT_MS) });
  } catch {
    // Nobody would read the error, and the answer matters more than the log.
  }
}
