import type { AnyEvent } from "../protocol/event.ts";
import type { HostAnswer } from "../protocol/host/host.ts";
import { isProbe } from "../protocol/probe.ts";
import type { HookOutcome } from "./ask/outcome.ts";
import { formatWarnings } from "./context.ts";
import type { EncodedCall } from "./encode.ts";
import { type ConcludedCall, describeCall, NO_DECISION_RESULT } from "./log/concluded-call.ts";

/** A call whose answer is ready to be written and logged. */
export interface AnsweredCall {
  answer: HostAnswer;
  /** What the decision log line records; absent if the call isn't logged. */
  concluded?: ConcludedCall;
  /** The event as the hooks saw it, and the outcomes; absent if the call failed. */
  observedCall?: ObservedCall;
}

/** What the hooks saw and how they responded. */
export interface ObservedCall {
  event: AnyEvent;
  outcomes: readonly HookOutcome[];
}

/**
 * Writes what the host or the call's next event reads in addition to the answer. If another entry answers the same
 * call, leaves everything else to that entry.
 */
export async function settleCall(call: EncodedCall): Promise<AnsweredCall> {
  const { event, host, context, options, runtime, isDuplicate, replies, patch, answer } = call;
  const { outcomes, deniedCall, isRepeated } = replies;
  const hasLogged = !isRepeated && outcomes.some(({ log }) => log.length > 0);
  if (host.repeatedEvents?.includes(context.native_event) && (patch || hasLogged))
    (await import("./state/call-marks.ts")).writeMarker(event, patch, runtime.env);
  const observedCall = { event, outcomes };
  // Leave everything but restrictions to the other entry. It is better to report a restriction twice than not at all.
  const isAnsweredElsewhere = isDuplicate || (options.after !== undefined && answer.exit_code === 0);
  const isSilent = isAnsweredElsewhere && !answer.restricts;
  const { response, decision, losses } = isSilent ? NO_DECISION_RESULT : call;
  // If another entry answers the call, log it here only for messages from hooks.
  const isLogged = (!isSilent || hasLogged) && !isProbe(event);
  const isShared = isDuplicate && options.from !== undefined;
  const logContent = { outcomes, response, decision, losses, isRepeated, isShared, ...(deniedCall && { deniedCall }) };
  return {
    answer: isSilent ? { stdout: host.neutralOutput, stderr: "", exit_code: 0 } : await appendVariables(call),
    observedCall,
    ...(isLogged && { concluded: describeCall(call, logContent) }),
  };
}

/** Appends the answer's variables to the file that the host reads. If that fails, adds a warning to stderr. */
async function appendVariables({ answer, context, runtime }: EncodedCall): Promise<HostAnswer> {
  if (!answer.append || runtime.isTrial) return answer;
  const loss = (await import("./process/append.ts")).appendToHostFile(answer.append, runtime.env);
  if (loss === undefined) return answer;
  return { ...answer, stderr: [answer.stderr, formatWarnings(context, [loss])].filter(Boolean).join("\n") };
}
