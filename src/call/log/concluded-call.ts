import type { AnyEvent } from "../../protocol/event.ts";
import type { Payload } from "../../protocol/host/host.ts";
import type { Decision, IHookResponse } from "../../protocol/response.ts";
import type { HookOutcome } from "../ask/outcome.ts";
import type { OpenedCall } from "../context.ts";
import type { DecodedCall } from "../decode.ts";
import type { DeniedCall } from "../exceptions/apply.ts";

/** An answered call with everything the decision log records. */
export interface ConcludedCall {
  /** Host ID; absent if the host is unknown. */
  host?: string | undefined;
  /** Event name; empty if the event is unknown. */
  native_event: string;
  /** The decoded event; absent if the call failed before decoding. */
  event?: AnyEvent;
  /** The host's payload; absent if stdin couldn't be read. */
  payload?: Payload | undefined;
  outcomes: readonly HookOutcome[];
  /** The merged responses of all hooks. */
  response: IHookResponse;
  /** The decision sent to the host. */
  decision: Decision | undefined;
  /** Parts of the response that were changed or dropped before they reached the host. */
  losses: readonly string[];
  /** The reason the call itself failed. */
  problem?: string;
  /** Whether the hooks have already judged an earlier event for the same call and their messages were logged then. */
  isRepeated?: boolean;
  /** Whether another entry gives the same answer to the same call, so that one log line is enough. */
  isShared?: boolean;
  /** The denied call, if a user can allow it with an exception. */
  deniedCall?: DeniedCall | undefined;
  /**
   * Whether neither administrators nor the user had a config file when the call began. If so, the log uses its default
   * settings.
   */
  lacksLogConfig?: boolean;
  /** Time from the start of the call to its answer, in milliseconds. */
  ms: number;
}

/** Result of a call without a decision. */
export const NO_DECISION_RESULT = { response: {}, decision: undefined, losses: [] } as const;

type CallResult = Omit<ConcludedCall, "host" | "native_event" | "event" | "payload" | "lacksLogConfig" | "ms">;

/** Describes a call by its completed stages and its result. */
export function describeCall(call: OpenedCall & Partial<DecodedCall>, result: CallResult): ConcludedCall {
  const { context, event, raw, started } = call;
  return {
    host: context.host?.id,
    native_event: context.native_event,
    ...(event && { event }),
    payload: raw,
    ms: performance.now() - started,
    lacksLogConfig: context.modes === undefined,
    ...result,
  };
}

/** Returns whether a call led to a decision, a failure, or a message from a hook. */
export function hasResult({ response, problem, outcomes, isRepeated, decision }: ConcludedCall): boolean {
  if (problem !== undefined || decision !== undefined || response.decision !== undefined) return true;
  if (response.modified_input !== undefined || response.modified_output !== undefined) return true;
  for (const { failure, log, withheld, allowed } of outcomes)
    if (failure !== undefined || withheld || allowed || (log.length > 0 && !isRepeated)) return true;
  return false;
}

/** Returns whether the hooks found no config file. Only a config file can require a line for every call. */
export function lacksConfigFiles({ outcomes }: ConcludedCall): boolean {
  for (const { isConfigured } of outcomes) if (isConfigured !== undefined) return !isConfigured;
  return false;
}
