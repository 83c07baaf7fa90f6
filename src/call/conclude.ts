import { type CapabilityRow, pickCell } from "../protocol/capability.ts";
import type { AnyEvent } from "../protocol/event.ts";
import type { FailurePolicy } from "../protocol/hook.ts";
import type { HostAnswer, Host, Payload } from "../protocol/host/host.ts";
import { lowerResponse } from "../protocol/lower.ts";
import { isRestriction, mergeResponses } from "../protocol/merge.ts";
import type { Decision, IHookResponse } from "../protocol/response.ts";
import { type CallContext, canDeny, formatWarnings, getHostSettings } from "./context.ts";
import type { HookOutcome } from "./ask/dispatch.ts";
import type { DeniedCall } from "./exceptions/apply.ts";
import { describeError } from "../system/errors.ts";
import { resolveFailurePolicy } from "./select.ts";

/** The outcomes of a call's hooks, and the host to answer. */
interface AskedCall {
  outcomes: readonly HookOutcome[];
  event: AnyEvent;
  row: CapabilityRow;
  host: Host;
  /** Warnings from before the hooks ran. */
  warnings: readonly string[];
  denied?: DeniedCall | undefined;
}

/** The host's answer, and the fields of the call that it changes. */
interface Conclusion {
  answer: HostAnswer;
  /** What the hooks said, and what the host was told of it. */
  response: IHookResponse;
  decision: Decision | undefined;
  losses: readonly string[];
  patch?: Payload | undefined;
}

const NOTHING_SAID = { response: {}, decision: undefined, losses: [] } as const;

/** Turns the outcomes of all hooks into the host's answer. */
export function concludeCall(
  { outcomes, event, row, host, warnings, denied }: AskedCall,
  context: CallContext,
): Conclusion {
  const notes = listNotes(warnings, outcomes);
  if (isSilent(outcomes))
    return {
      answer: { stdout: host.neutralOutput, stderr: formatWarnings(context, notes), exit_code: 0 },
      ...NOTHING_SAID,
    };
  const failures = outcomes.filter(({ failure }) => failure !== undefined);
  const failureLines = failures.map(({ entry, failure }) => `hook "${entry.name}" failed: ${failure}`);
  const refusals: IHookResponse[] = failures
    .filter((outcome) => getFailurePolicy(outcome, context) === "deny" && canDeny(row, event.host_version))
    .map(({ entry, failure }) => ({
      decision: "deny",
      reason: `The hook "${entry.name}" failed (${failure}), and its failure policy is to deny.`,
    }));
  const response = mergeResponses([...outcomes.map((outcome) => outcome.response), ...refusals]);
  const restricts = isRestriction(response);
  if (failures.some((outcome) => getFailurePolicy(outcome, context) === "allow") && !restricts) {
    const dropped = isSilent(outcomes.filter(({ failure }) => failure === undefined))
      ? []
      : ["the answers of the other hooks were dropped"];
    const stderr = formatWarnings(context, [...notes, ...failureLines, ...dropped]);
    return {
      answer: { stdout: host.neutralOutput, stderr, exit_code: host.failureExitCode ?? 1 },
      ...NOTHING_SAID,
      losses: dropped,
    };
  }
  const settings = getHostSettings(host, context);
  const told = denied ? nameForPerson(response, denied, row, event) : response;
  const { lowered, losses } = lowerResponse(told, { host, row, event, settings });
  const encoded = host.encodeAnswer(lowered, row.shape, context.native_event, settings);
  // Losing a reason that we made up is not worth a warning.
  const isUnexplained =
    outcomes.every((outcome) => outcome.isUnexplained || outcome.response.reason === undefined) &&
    refusals.length === 0;
  // Where stderr is the answer, the model reads all of it: fields that arrive some other way need no warning there.
  const isAnswer = encoded.unheard !== undefined;
  const reportedLosses = losses.filter(
    ({ field, support }) => !(isUnexplained && field === "reason") && !(isAnswer && support === "emulated"),
  );
  const lines = formatWarnings(context, [...notes, ...failureLines, ...reportedLosses.map((loss) => loss.message)]);
  const stderr = [encoded.stderr, lines].filter(Boolean).join("\n");
  return {
    answer: { ...encoded, stderr, restricts },
    response,
    decision: lowered.decision,
    losses: reportedLosses.map(({ message }) => message),
    ...(lowered.input && { patch: response.modified_input }),
  };
}

/**
 * Tells the person, and not the model, how to let a denied call pass on purpose: where the host shows them a message that
 * the model does not read.
 */
function nameForPerson(
  response: IHookResponse,
  { id }: DeniedCall,
  row: CapabilityRow,
  event: AnyEvent,
): IHookResponse {
  const { host_version } = event;
  const isDenied =
    response.decision === "deny" ||
    (response.decision === "ask" && pickCell(row.ask, host_version).support === "downgrade");
  if (!isDenied || !pickCell(row.user_message, host_version).personal) return response;
  const way = `to let it pass on purpose: bridge-hooks allow ${id}, in a terminal of your own`;
  return { ...response, user_message: [response.user_message, way].filter(Boolean).join("\n") };
}

const getFailurePolicy = ({ entry, withheld, allowed }: HookOutcome, { policy }: CallContext): FailurePolicy =>
  withheld || allowed ? "allow" : resolveFailurePolicy(entry, policy);

/** In loops: most calls have none, and the engine would compile `flatMap` for them. */
function listNotes(warnings: readonly string[], outcomes: readonly HookOutcome[]): string[] {
  const notes = [...warnings];
  for (const { strays } of outcomes)
    for (const error of strays) notes.push(`no hook caught an error: ${describeError(error)}`);
  for (const { warning } of outcomes) if (warning !== undefined) notes.push(warning);
  return notes;
}

/** Whether no hook responded or failed. */
function isSilent(outcomes: readonly HookOutcome[]): boolean {
  for (const { response, failure } of outcomes) {
    if (failure !== undefined) return false;
    for (const _ in response) return false;
  }
  return true;
}
