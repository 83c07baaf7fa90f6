import type { AnyEvent } from "../../protocol/event.ts";
import type { HookDescriptor } from "../../protocol/hook.ts";
import type { HostAnswer, Env, Host } from "../../protocol/host/host.ts";
import { openCounter } from "../../call/state/continuations.ts";
import { passCall } from "../../call/answer.ts";
import type { ObservedCall } from "../../call/write.ts";

/** A simulated call, with the answer that a separate process would give. */
interface SimulatedCall {
  answer: HostAnswer;
  /** The hooks' input and responses; absent if the call failed before the hooks ran. */
  observedCall?: ObservedCall;
  /** Duration in milliseconds, excluding process startup. */
  ms: number;
}

/**
 * Runs one hook call in this process and returns the answer that a separate process would give. Leaves the log and this
 * process's working directory unchanged.
 * @param payload The JSON text that a host would send.
 */
export function runHookCall(
  entries: readonly HookDescriptor[],
  argv: readonly string[],
  payload: string,
  env: Env,
): Promise<SimulatedCall> {
  return runInProcess(async () => {
    const startedAt = performance.now();
    const runtime = { env, read: () => payload, isTrial: true };
    const { answer, observedCall } = await passCall({ entries, explicit: {}, argv }, runtime);
    return { answer, ...(observedCall && { observedCall }), ms: performance.now() - startedAt };
  });
}

/** Runs hooks as in a separate process: `process.exit` throws, and the working directory is restored. */
export async function runInProcess<T>(run: () => Promise<T>): Promise<T> {
  const [folder, exit] = [process.cwd(), process.exit];
  process.exit = ((code?: number) => {
    throw new Error(`it called process.exit(${code ?? ""}); return a response instead`);
  }) as typeof exit;
  try {
    return await run();
  } finally {
    process.exit = exit;
    if (process.cwd() !== folder) process.chdir(folder);
  }
}

/** Stores an event's continuation count, for hosts that don't count continuations. */
export function storeContinuations(host: Host, native_event: string, event: AnyEvent): void {
  if (!("continuations" in event)) return;
  openCounter({}, [host.id, native_event, event.session_id || event.cwd, event.agent_id ?? "", ""]).write(
    event.continuations,
  );
}

/** Extracts the warnings that accompany an answer, one per line, including warnings that weren't written to stderr. */
export const extractWarnings = ({ stderr, advice = "" }: Pick<HostAnswer, "stderr" | "advice">): string[] =>
  `${stderr}\n${advice}`.split("\n").filter((line) => line.startsWith("bridge-hooks: "));
