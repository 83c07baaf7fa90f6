import type { EventName } from "../../protocol/event.ts";
import { mergeResponses } from "../../protocol/merge.ts";
import type { Decision, IHookResponse } from "../../protocol/response.ts";
import type { Mode } from "../../policy/modes.ts";
import type { HookOutcome } from "../ask/outcome.ts";
import type { ConcludedCall } from "./concluded-call.ts";

/** `none` means that the host was sent no decision. */
export type LoggedDecision = Decision | "none";

/** The fields of a log line that its head also contains. */
export interface CallSummary {
  host?: string;
  event?: EventName;
  decision: LoggedDecision;
  /** What the hooks decided, if the host was sent something else. */
  wanted?: Decision;
  mode: Mode;
  /** Set if only warnings were withheld, which no mode would enforce. */
  action?: "warn";
  /** The hook that decided, and its rule. */
  hook?: string;
  rule?: string;
}

/** The result of a call, and what the hooks intended. */
export interface Judgement {
  summary: CallSummary;
  /** The outcomes as they would be in mode `enforce` and without exceptions. */
  enforcedOutcomes: readonly HookOutcome[];
  /** The merged responses of these outcomes. */
  wanted: IHookResponse;
  decider: HookOutcome | undefined;
}

/** Summarizes a call in the fields that the head and the whole line share. */
export function summarizeCall(call: ConcludedCall): Judgement {
  const { decision, outcomes, host, event } = call;
  const enforcedOutcomes = outcomes.map(restoreAnswer);
  const withheld = outcomes.find((outcome) => outcome.withheld)?.withheld;
  const isLifted = withheld !== undefined || outcomes.some(({ allowed }) => allowed);
  const wanted = isLifted ? mergeResponses(enforcedOutcomes.map((outcome) => outcome.response)) : call.response;
  const decider = findDecider(enforcedOutcomes.toSorted(compareWeight), wanted.decision);
  const { rule } = decider?.response ?? {};
  const summary: CallSummary = {
    ...(host !== undefined && { host }),
    ...(event && { event: event.event }),
    decision: decision ?? "none",
    ...(wanted.decision !== decision && wanted.decision !== undefined && { wanted: wanted.decision }),
    mode: withheld?.mode ?? "enforce",
    ...(decision === undefined && decider?.withheld?.isWarning && { action: "warn" as const }),
    ...(decider && { hook: decider.entry.name }),
    ...(rule !== undefined && { rule }),
  };
  return { summary, enforcedOutcomes, wanted, decider };
}

/** Returns an outcome as it would be in mode `enforce` and without exceptions. */
function restoreAnswer(outcome: HookOutcome): HookOutcome {
  const { withheld, allowed, ...rest } = outcome;
  if (allowed) return { ...rest, response: allowed.response, ...(allowed.failure && { failure: allowed.failure }) };
  return withheld?.response ? { ...outcome, response: withheld.response } : outcome;
}

/** Orders responses: those that applied come first, then withheld ones, then warnings. */
const compareWeight = (a: HookOutcome, b: HookOutcome): number => getWeight(a) - getWeight(b);
const getWeight = ({ withheld }: HookOutcome): number => (withheld?.isWarning ? 2 : withheld ? 1 : 0);

/** Finds the first hook whose decision is the final one, or that failed if a failure caused the denial. */
const findDecider = (outcomes: readonly HookOutcome[], decision: Decision | undefined) =>
  outcomes.find(({ response }) => response.decision !== undefined && response.decision === decision) ??
  // A denial because of a failure.
  (decision === "deny" ? outcomes.find(({ failure }) => failure !== undefined) : undefined);
