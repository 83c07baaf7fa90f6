import type { AnyEvent } from "../../protocol/event.ts";
import type { HookDescriptor } from "../../protocol/hook.ts";
import type { HostAnswer, Env, Host } from "../../protocol/host/host.ts";
import { counter } from "../../run/continuations.ts";
import { respond, type Seen } from "../../run/run.ts";

/** A call that a process of its own would have answered. */
interface SimulatedCall {
  answer: HostAnswer;
  /** What the hooks saw and answered; absent where it did not get to them. */
  seen?: Seen;
  /** Milliseconds, without the start of a process. */
  ms: number;
}

/**
 * One hook call in this process, as one of its own would answer it. Neither the log nor the folder of this process is touched.
 * @param payload the text that a host would send.
 */
export function runHookCall(
  entries: readonly HookDescriptor[],
  argv: readonly string[],
  payload: string,
  env: Env,
): Promise<SimulatedCall> {
  return runInProcess(async () => {
    const started = performance.now();
    let seen: Seen | undefined;
    const answer = await respond(entries, {}, argv, { env, read: () => payload, watch: (what) => void (seen = what) });
    return { answer, seen, ms: performance.now() - started };
  });
}

/** Runs hooks as in a process of their own: they can't end this one, and it stays in its folder. */
export async function runInProcess<T>(work: () => Promise<T>): Promise<T> {
  const [folder, exit] = [process.cwd(), process.exit];
  process.exit = ((code?: number) => {
    throw new Error(`it called process.exit(${code ?? ""}); return a response instead`);
  }) as typeof exit;
  try {
    return await work();
  } finally {
    process.exit = exit;
    if (process.cwd() !== folder) process.chdir(folder);
  }
}

/** Has a host's count of continuations be as the event says, where the host itself does not count. */
export function storeContinuations(host: Host, native_event: string, event: AnyEvent): void {
  if (!("continuations" in event)) return;
  counter({}, [host.id, native_event, event.session_id || event.cwd, event.agent_id ?? "", ""]).write(
    event.continuations,
  );
}

/** What is told beside an answer, a line each. */
export const extractWarnings = (stderr: string): string[] =>
  stderr.split("\n").filter((line) => line.startsWith("bridge-hooks: "));
