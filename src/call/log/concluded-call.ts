import type { AnyEvent } from "../../protocol/event.ts";
import type { Payload } from "../../protocol/host/host.ts";
import type { Decision, IHookResponse } from "../../protocol/response.ts";
import type { HookOutcome } from "../ask/outcome.ts";
import type { OpenedCall } from "../context.ts";
import type { DecodedCall } from "../decode.ts";
import type { DeniedCall } from "../exceptions/apply.ts";

/** A call after its answer was made: all that the decision log says about it. */
export interface ConcludedCall {
  /** Id of the host; absent if it is unknown. */
  host?: string | undefined;
  /** Empty if it is unknown. */
  native_event: string;
  /** As decoded; absent if the call failed before. */
  event?: AnyEvent;
  /** What the host sent; absent if that could not be read. */
  payload?: Payload | undefined;
  outcomes: readonly HookOutcome[];
  /** The responses of all hooks, merged. */
  response: IHookResponse;
  /** What the host was told. */
  decision: Decision | undefined;
  /** What did not reach the host as the hooks wrote it. */
  losses: readonly string[];
  /** Why the call itself failed. */
  problem?: string;
  /** An earlier event of the same call was already judged: what hooks logged is logged. */
  isRepeated?: boolean;
  /** Another entry of the same call gives the same answer: one line is enough. */
  isShared?: boolean;
  /** What a person can let pass on purpose. */
  denied?: DeniedCall | undefined;
  /** When the call began, there was no config file of the administrators or the user: nothing sets the log. */
  lacksLogConfig?: boolean;
  /** Milliseconds from the start of the call to its answer. */
  ms: number;
}

/** A call that nothing was decided about. */
export const NOTHING_DECIDED = { response: {}, decision: undefined, losses: [] } as const;

/** What became of a call. */
type CallResult = Omit<ConcludedCall, "host" | "native_event" | "event" | "payload" | "lacksLogConfig" | "ms">;

/** Describes a call, as far as it came, and what became of it. */
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

/** Whether something was decided about a call, or went wrong, or a hook logged something. */
export function isDecided({ response, problem, outcomes, isRepeated, decision }: ConcludedCall): boolean {
  if (problem !== undefined || decision !== undefined || response.decision !== undefined) return true;
  if (response.modified_input !== undefined || response.modified_output !== undefined) return true;
  for (const { failure, log, withheld, allowed } of outcomes)
    if (failure !== undefined || withheld || allowed || (log.length > 0 && !isRepeated)) return true;
  return false;
}

/** Whether the dispatcher found no config file: nothing can ask for a line about each call then. */
export function isUnconfigured({ outcomes }: ConcludedCall): boolean {
  for (const { isConfigured } of outcomes) if (isConfigured !== undefined) return !isConfigured;
  return false;
}
