import type { HookDescriptor } from "../protocol/hook.ts";
import { type Deadline, createDeadline } from "./deadline.ts";
import { writeAnswerAndExit, guardStdout, readStdin } from "./io.ts";
import type { AnyOptions } from "./options.ts";
import type { QuickInput } from "./quick/system.ts";
import { answerCall } from "./run.ts";

export interface CallSetup {
  /** The payload. Default: read from stdin. */
  stdin?: string | undefined;
  /** What was read of stdin already. */
  begun?: QuickInput | undefined;
  /** The command that starts this program again; the handover's descriptor is appended. */
  takeover?: readonly string[] | undefined;
  /** The latest time at which the call has to end, in milliseconds since the epoch. */
  until?: number;
  /** Ends the process in time. Default: system timers, or else a watcher thread. */
  deadline?: Deadline;
  /** Why no hooks can run. */
  problem?: string | undefined;
}

/** Runs one hook call in this process, from stdin to exit. */
export async function runCall(
  entries: readonly HookDescriptor[],
  options: AnyOptions,
  argv: readonly string[],
  { stdin, begun, takeover, until, deadline = createDeadline(argv, takeover, until), problem }: CallSetup = {},
): Promise<never> {
  const world = {
    // A getter: most calls never read a variable, and building the object is slow.
    get env() {
      return process.env;
    },
    read: stdin === undefined ? (ms: number) => readStdin(ms, begun) : () => stdin,
    ...(begun && { started: 0 }),
    deadline,
    ...(problem !== undefined && { problem }),
  };
  guardStdout();
  const answer = await answerCall(entries, options, argv, world);
  deadline.claimAnswer();
  return writeAnswerAndExit(answer);
}
