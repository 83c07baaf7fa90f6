import type { EventName } from "../../protocol/event.ts";
import { mergeResponses } from "../../protocol/merge.ts";
import type { Decision, IHookResponse } from "../../protocol/response.ts";
import type { Mode } from "../../policy/modes.ts";
import type { HookOutcome } from "../ask/outcome.ts";
import type { ConcludedCall } from "./concluded-call.ts";

/** `none` means that the host wasn't sent a decision. */
export type LoggedDecision = Decision | "none";

/** The log line fields that the head contains as well. */
export interface CallSummary {
  host?: string;
  event?: EventName;
  decision: LoggedDecision;
  /** The hooks' decision, if the host was sent a different one. */
  wanted?: Decision;
  mode: Mode;
  /** Set if nothing but warnings was withheld. Warnings are never enforced, whatever the mode. */
  action?: "warn";
  /** The deciding hook and its rule. */
  hook?: string;
  rule?: string;
}

/** A call's result, and what the hooks intended it to be. */
export interface Judgement {
  summary: CallSummary;
  /** What the outcomes would have been in mode `enforce` without exceptions. */
  enforcedOutcomes: readonly HookOutcome[];
  /** The merged responses of the enforced outcomes. */
  intendedResponse: IHookResponse;
  decider: HookOutcome | undefined;
}

/** Summarizes a call as the fields shared by the head and the full line. */
export function summarizeCall(call: ConcludedCall): Judgement {
  const { decision, outcomes, host, event } = call;
  const enforcedOutcomes = outcomes.map(restoreAnswer);
  const withheldAnswer = outcomes.find((outcome) => outcome.withheld)?.withheld;
  const isOverridden = withheldAnswer !== undefined || outcomes.some(({ allowed }) => allowed);
  const intendedResponse = isOverridden
    ? mergeResponses(enforcedOutcomes.map((outcome) => outcome.response))
    : call.response;
  const decider = findDecider(enforcedOutcomes.toSorted(compareWeight), intendedResponse.decision);
  const { rule } = decider?.response ?? {};
  const summary: CallSummary = {
    ...(host !== undefined && { host }),
    ...(event && { event: event.event }),
    decision: decision ?? "none",
    ...(intendedResponse.decision !== decision &&
      intendedResponse.decision !== undefined && { wanted: intendedResponse.decision }),
    mode: withheldAnswer?.mode ?? "enforce",
    ...(decision === undefined && decider?.withheld?.isWarning && { action: "warn" as const }),
    ...(decider && { hook: decider.entry.name }),
    ...(rule !== undefined && { rule }),
  };
  return { summary, enforcedOutcomes, intendedResponse, decider };
}

/** Returns what an outcome would be in mode `enforce` without exceptions. */
function restoreAnswer(outcome: HookOutcome): HookOutcome {
  const { withheld, allowed, ...rest } = outcome;
  if (allowed) return { ...rest, response: allowed.response, ...(allowed.failure && { failure: allowed.failure }) };
  return withheld?.response ? { ...outcome, response: withheld.response } : outcome;
}

/** Sorts applied responses first, then withheld ones, then warnings. */
const compareWeight = (a: HookOutcome, b: HookOutcome): number => getWeight(a) - getWeight(b);
const getWeight = ({ withheld }: HookOutcome): number => (withheld?.isWarning ? 2 : withheld ? 1 : 0);

/**
 * Finds the deciding hook: the first to make the final decision or, if a failure caused the denial, the first that
 * failed.
 */
const findDecider = (outcomes: readonly HookOutcome[], decision: Decision | undefined) =>
  outcomes.find(({ response }) => response.decision !== undefined && response.decision === decision) ??
  // The denial was caused by a failure.
  (decision === "deny" ? outcomes.find(({ failure }) => failure !== undefined) : undefined);
