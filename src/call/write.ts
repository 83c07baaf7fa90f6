import type { AnyEvent } from "../protocol/event.ts";
import type { HostAnswer } from "../protocol/host/host.ts";
import { isProbe } from "../protocol/probe.ts";
import type { HookOutcome } from "./ask/outcome.ts";
import { formatWarnings } from "./context.ts";
import type { EncodedCall } from "./encode.ts";
import { type ConcludedCall, describeCall, NOTHING_DECIDED } from "./log/concluded-call.ts";

/** A call whose answer is ready to be written and logged. */
export interface AnsweredCall {
  answer: HostAnswer;
  /** The decision log line's content; absent if the call isn't logged. */
  concluded?: ConcludedCall;
  /** The event as the hooks saw it, and the hooks' outcomes; absent if the call failed. */
  observedCall?: ObservedCall;
}

/** The hooks' input and responses. */
export interface ObservedCall {
  event: AnyEvent;
  outcomes: readonly HookOutcome[];
}

/**
 * Writes the data that the host or the call's next event reads besides the answer. If another entry answers the same
 * call, all other writes are left to that entry.
 */
export async function settleCall(call: EncodedCall): Promise<AnsweredCall> {
  const { event, host, context, options, runtime, isDuplicate, replies, patch, answer } = call;
  const { outcomes, deniedCall, isRepeated } = replies;
  const hasLogged = !isRepeated && outcomes.some(({ log }) => log.length > 0);
  if (host.repeatedEvents?.includes(context.native_event) && (patch || hasLogged))
    (await import("./state/call-marks.ts")).writeMark(event, patch, runtime.env);
  const observedCall = { event, outcomes };
  // Leave everything except restrictions to the other entry. Reporting a restriction twice is better than not reporting
  // it.
  const isAnsweredElsewhere = isDuplicate || (options.after !== undefined && answer.exit_code === 0);
  const isSilent = isAnsweredElsewhere && !answer.restricts;
  const { response, decision, losses } = isSilent ? NOTHING_DECIDED : call;
  // If another entry answers the call, only messages from hooks are logged here.
  const isLogged = (!isSilent || hasLogged) && !isProbe(event);
  const isShared = isDuplicate && options.from !== undefined;
  const logContent = { outcomes, response, decision, losses, isRepeated, isShared, ...(deniedCall && { deniedCall }) };
  return {
    answer: isSilent ? { stdout: host.neutralOutput, stderr: "", exit_code: 0 } : await appendVariables(call),
    observedCall,
    ...(isLogged && { concluded: describeCall(call, logContent) }),
  };
}

/** Appends the answer's variables to the file that the host reads. Adds a warning to stderr on failure. */
async function appendVariables({ answer, context, runtime }: EncodedCall): Promise<HostAnswer> {
  if (!answer.append || runtime.isTrial) return answer;
  const loss = (await import("./process/append.ts")).appendToHostFile(answer.append, runtime.env);
  if (loss === undefined) return answer;
  return { ...answer, stderr: [answer.stderr, formatWarnings(context, [loss])].filter(Boolean).join("\n") };
}
