import type { AnyEvent } from "../../protocol/event.ts";
import type { HookDescriptor } from "../../protocol/hook.ts";
import type { HostAnswer, Env, Host } from "../../protocol/host/host.ts";
import { openCounter } from "../../call/state/continuations.ts";
import { passCall } from "../../call/answer.ts";
import type { ObservedCall } from "../../call/write.ts";

/** A call, answered as a separate process would answer it. */
interface SimulatedCall {
  answer: HostAnswer;
  /** What the hooks saw and answered; absent if the call failed before. */
  seen?: ObservedCall;
  /** Milliseconds, without process startup. */
  ms: number;
}

/**
 * Runs one hook call in this process, with the answer that a separate process would give. Neither the log nor this
 * process's directory is touched.
 * @param payload the text that a host would send.
 */
export function runHookCall(
  entries: readonly HookDescriptor[],
  argv: readonly string[],
  payload: string,
  env: Env,
): Promise<SimulatedCall> {
  return runInProcess(async () => {
    const startedAt = performance.now();
    const world = { env, read: () => payload, isTrial: true };
    const { answer, seen } = await passCall({ entries, explicit: {}, argv }, world);
    return { answer, ...(seen && { seen }), ms: performance.now() - startedAt };
  });
}

/** Runs hooks as in a separate process: they can't end this one, and its directory is restored. */
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

/** Stores the event's count of continuations, for hosts that do not count themselves. */
export function storeContinuations(host: Host, native_event: string, event: AnyEvent): void {
  if (!("continuations" in event)) return;
  openCounter({}, [host.id, native_event, event.session_id || event.cwd, event.agent_id ?? "", ""]).write(
    event.continuations,
  );
}

/** The warnings next to an answer, written or not, one per line. */
export const extractWarnings = ({ stderr, advice = "" }: Pick<HostAnswer, "stderr" | "advice">): string[] =>
  `${stderr}\n${advice}`.split("\n").filter((line) => line.startsWith("bridge-hooks: "));
