import { pickCell } from "../protocol/capability.ts";
import type { FailurePolicy } from "../protocol/hook.ts";
import type { LoweredResponse } from "../protocol/host/host.ts";
import type { FieldLoss, LoweringTarget } from "../protocol/field-loss.ts";
import { lowerResponse } from "../protocol/lower.ts";
import { isRestriction, mergeResponses } from "../protocol/merge.ts";
import type { IHookResponse } from "../protocol/response.ts";
import { describeError } from "../system/errors.ts";
import type { AskedCall } from "./ask.ts";
import type { HookOutcome } from "./ask/outcome.ts";
import { type CallContext, canDeny, getHostSettings } from "./context.ts";
import type { DeniedCall } from "./exceptions/apply.ts";
import { hasCapabilityRow } from "./identify.ts";
import { formatMismatch, formatUnknownEvent } from "./identify/messages.ts";
import { resolveFailurePolicy } from "./select.ts";

/** The combined result of all hooks. `notes` are lines for stderr. */
export type Verdict =
  | { kind: "silence"; notes: readonly string[] }
  /** A hook failed and its failure policy allows the call. The host is told about the failure. */
  | { kind: "failure"; notes: readonly string[]; dropped: readonly string[] }
  | ResponseVerdict;

/** Response for the host. */
export interface ResponseVerdict {
  kind: "response";
  notes: readonly string[];
  /** The merged responses of all hooks. */
  response: IHookResponse;
  /** The response fields that the host honors. */
  lowered: LoweredResponse;
  losses: readonly FieldLoss[];
  /** Whether the response denies, asks or rewrites the call. */
  restricts: boolean;
  /** Whether the response contains a default reason because the hooks didn't give one. */
  isUnexplained: boolean;
}

/** A call with a verdict. */
export interface DecidedCall extends AskedCall {
  verdict: Verdict;
}

/** Merges the outcomes of all hooks, then reduces the result to what the host honors. */
export const concludeCall = async (call: AskedCall): Promise<DecidedCall> => ({
  ...call,
  verdict: await decideCall(call),
});

async function decideCall(call: AskedCall): Promise<Verdict> {
  const { context, row, event, replies, host } = call;
  const { outcomes, deniedCall } = replies;
  const notes = listNotes(call);
  if (isSilent(outcomes)) return { kind: "silence", notes };
  const failures = outcomes.filter(({ failure }) => failure !== undefined);
  notes.push(...formatFailures(failures));
  const failureDenials: IHookResponse[] = failures
    .filter((outcome) => getFailurePolicy(outcome, context) === "deny" && canDeny(row, event.host_version))
    .map(({ entry, failure }) => ({
      decision: "deny",
      reason: `The hook "${entry.name}" failed (${failure}), and its failure policy is to deny.`,
    }));
  const response = mergeResponses([...outcomes.map((outcome) => outcome.response), ...failureDenials]);
  const restricts = isRestriction(response);
  if (failures.some((outcome) => getFailurePolicy(outcome, context) === "allow") && !restricts) {
    const hasAnswers = !isSilent(outcomes.filter(({ failure }) => failure === undefined));
    return { kind: "failure", notes, dropped: hasAnswers ? ["the responses of the other hooks were dropped"] : [] };
  }
  const settings = getHostSettings(host, context);
  const responseWithAllowHint = deniedCall ? addAllowHint(response, deniedCall, call) : response;
  const { lowered, losses } = await lowerWithSuggestion(responseWithAllowHint, { host, row, event, settings });
  const isUnexplained =
    outcomes.every((outcome) => outcome.isUnexplained || outcome.response.reason === undefined) &&
    failureDenials.length === 0;
  const worthWarning = losses.filter((loss) => !isAlreadyAnnounced(loss, outcomes));
  return { kind: "response", notes, response, lowered, losses: worthWarning, restricts, isUnexplained };
}

/**
 * Reduces a response to the fields that the host honors. If a rewrite turns into a denial, the denial suggests the new
 * input, with secrets removed.
 */
async function lowerWithSuggestion(response: IHookResponse, target: LoweringTarget) {
  const result = lowerResponse(response, target);
  const isRewriteDenied = result.losses.some(
    ({ field, support }) => field === "modified_input" && support === "downgrade",
  );
  if (!isRewriteDenied) return result;
  const { loadRedactor } = await import("./log/redact.ts");
  return lowerResponse(response, { ...target, redact: await loadRedactor([response.modified_input]) });
}

/** Returns whether the host gets a field's contents in another way and only our own announcements set the field. */
const isAlreadyAnnounced = ({ field, support }: FieldLoss, outcomes: readonly HookOutcome[]): boolean =>
  support === "emulated" &&
  outcomes.some(({ entry }) => entry.announces?.includes(field)) &&
  outcomes.every(({ entry, response }) => entry.announces || response[field as keyof IHookResponse] === undefined);

/** Adds instructions for allowing a denied call, on hosts where users see a message that the model doesn't. */
function addAllowHint(
  response: IHookResponse,
  { formatCommand }: DeniedCall,
  { row, event }: AskedCall,
): IHookResponse {
  const { host_version } = event;
  const isDenied =
    response.decision === "deny" ||
    (response.decision === "ask" && pickCell(row.ask, host_version).support === "downgrade");
  if (!isDenied || !pickCell(row.user_message, host_version).isHiddenFromModel) return response;
  const hint = `to allow this call, run ${formatCommand()} in your own terminal`;
  return { ...response, user_message: [response.user_message, hint].filter(Boolean).join("\n") };
}

const getFailurePolicy = ({ entry, withheld, allowed }: HookOutcome, { policy }: CallContext): FailurePolicy =>
  withheld || allowed ? "allow" : resolveFailurePolicy(entry, policy);

/** Lists a call's warnings. Uses loops because most calls have no warnings, and compiling `flatMap` takes time. */
function listNotes(call: AskedCall): string[] {
  const { eventWarning, contradicted, isDuplicate, host, hooks, context, selectionWarnings, replies } = call;
  const notes: string[] = [];
  if (eventWarning !== undefined) notes.push(eventWarning);
  if (contradicted && !isDuplicate) notes.push(formatMismatch(contradicted, host));
  notes.push(...selectionWarnings);
  if (hooks.length === 0 && !hasCapabilityRow(host, context.native_event)) notes.push(formatUnknownEvent(host));
  notes.push(...replies.warnings);
  for (const { strays } of replies.outcomes)
    for (const error of strays) notes.push(`uncaught error: ${describeError(error)}`);
  // A broken config file affects every hook, so drop repeated warnings.
  for (const { warning } of replies.outcomes)
    if (warning !== undefined && !notes.includes(warning)) notes.push(warning);
  return notes;
}

/** Formats the hooks' failures. Failures with the same cause, such as a broken config file, share one line. */
function formatFailures(failures: readonly HookOutcome[]): string[] {
  const hooks = new Map<string, string[]>();
  for (const { entry, failure = "" } of failures)
    hooks.set(failure, [...(hooks.get(failure) ?? []), `"${entry.name}"`]);
  return [...hooks].map(
    ([failure, names]) => `hook${names.length > 1 ? "s" : ""} ${names.join(", ")} failed: ${failure}`,
  );
}

/** Returns whether no hook responded or failed. */
function isSilent(outcomes: readonly HookOutcome[]): boolean {
  for (const { response, failure } of outcomes) {
    if (failure !== undefined) return false;
    for (const _ in response) return false;
  }
  return true;
}
