import type { HookDescriptor } from "../protocol/hook.ts";
import { type Deadline, deadlineOf } from "./deadline.ts";
import { finish, guardStdout, readStdin } from "./io.ts";
import type { AnyOptions } from "./options.ts";
import { respond } from "./run.ts";

export interface Calling {
  /** The payload. Default: what stdin gives. */
  stdin?: string | undefined;
  /** The words that start this very program again, up to a handover's descriptor. */
  takeover?: readonly string[] | undefined;
  /** When the call has to end at the latest, in milliseconds since the epoch. */
  until?: number;
  /** What ends the process in time. Default: the system's timers, or else a thread. */
  deadline?: Deadline;
  /** Why no hook is to be asked. */
  problem?: string | undefined;
}

/** One hook call of this process, from its stdin to its end. */
export async function call(
  entries: readonly HookDescriptor[],
  options: AnyOptions,
  argv: readonly string[],
  { stdin, takeover, until, deadline = deadlineOf(argv, takeover, until), problem }: Calling = {},
): Promise<never> {
  const world = {
    // Made when somebody asks: most calls need no variable.
    get env() {
      return process.env;
    },
    read: stdin === undefined ? readStdin : () => stdin,
    deadline,
    ...(problem !== undefined && { problem }),
  };
  guardStdout();
  const answer = await respond(entries, options, argv, world);
  deadline.claim();
  return finish(answer);
}
