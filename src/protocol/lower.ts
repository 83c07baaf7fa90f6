import { type CapabilityCell, describeCell, getCells, type CapabilityField, pickCell } from "./capability.ts";
import { type CallEvent, isToolCallEvent } from "./event.ts";
import type { Host, LoweredResponse, Payload, RewriteResult } from "./host/host.ts";
import type { ReportLoss, FieldLoss, LoweringTarget } from "./field-loss.ts";
import { lowerOutput } from "./lower-output.ts";
import type { Decision, IHookResponse } from "./response.ts";

/** A response in the process of being reduced to what a host honors. */
interface Lowering {
  target: LoweringTarget;
  lowered: LoweredResponse;
  /** Returns the host's support for a field on the current event. */
  getCell: (field: CapabilityField) => CapabilityCell;
  reportLoss: ReportLoss;
}

type Verdict = Pick<IHookResponse, "decision" | "reason">;

/** Reduces a merged response to what the host honors on this event, and lists what is lost. */
export function lowerResponse(
  response: IHookResponse,
  target: LoweringTarget,
): { lowered: LoweredResponse; losses: FieldLoss[] } {
  const { row, event, host } = target;
  const losses: FieldLoss[] = [];
  const lowered: LoweredResponse = {};
  const getCell = (field: CapabilityField) => pickCell(getCells(row, field), event.host_version);
  const reportLoss: ReportLoss = (field, description, lostCell = getCell(field)) =>
    void losses.push({ field, support: lostCell.support, message: `${description}; ${describeCell(lostCell)}` });
  const lowering: Lowering = { target, lowered, getCell, reportLoss };
  lowerText("user_message", response.user_message, lowering);
  lowerText("additional_context", response.additional_context, lowering);
  lowerVariables(response.session_env, lowering);
  lowerResult(response, lowering);
  const { decision, reason } = lowerQuestion(lowerChange(response, lowering), lowering);
  const enforcedDecision = decision && lowerDecision({ decision, reason }, lowering);
  if (enforcedDecision) {
    if (enforcedDecision === "deny") delete lowered.input;
    lowerReason(enforcedDecision, reason, lowering);
  } else if (reason && !response.decision && response.modified_output === undefined) {
    reportLoss("reason", "the reason was dropped", {
      support: getCell("reason").support,
      how: "a reason requires a decision",
      remedy: "return a decision, or use user_message or additional_context",
    });
  }
  truncateStrings(lowered, host.textLimit, losses);
  return { lowered, losses };
}

function lowerText(
  field: "reason" | "user_message" | "additional_context",
  text: string | undefined,
  { lowered, getCell, reportLoss }: Lowering,
): void {
  if (!text) return;
  const { support } = getCell(field);
  if (support === "drop") return reportLoss(field, `${field} was dropped`);
  if (support === "emulated") reportLoss(field, `${field} was sent in a different form`);
  lowered[field] = text;
}

function lowerVariables(variables: IHookResponse["session_env"], { lowered, getCell, reportLoss }: Lowering): void {
  if (!variables) return;
  const { support } = getCell("session_env");
  if (support === "drop") return reportLoss("session_env", "session_env was dropped");
  lowered.session_env = variables;
  if (support === "emulated") reportLoss("session_env", "session_env was sent in a different form");
}

/**
 * Lowers the new result. If the model will read the original result instead, notifies the user, through the model if
 * the host doesn't show messages.
 */
function lowerResult({ modified_output, reason }: IHookResponse, lowering: Lowering): void {
  const { target, lowered, getCell, reportLoss } = lowering;
  if (modified_output === undefined) return;
  const problem = lowerOutput(modified_output, target, lowered, reportLoss);
  if (problem === undefined) return;
  const cause = reason?.trim() || "a hook replaced the result of this call";
  if (getCell("user_message").support !== "drop")
    addUserMessage(`${cause}, but the model reads the original: ${problem}`, lowering);
  else if (getCell("additional_context").support !== "drop") {
    const notice = `bridge-hooks: ${cause}, but you got the original result. Tell the user, and don't repeat the result.`;
    lowered.additional_context = joinLines(lowered.additional_context, notice);
  }
}

const addUserMessage = (text: string, { lowered }: Lowering) =>
  void (lowered.user_message = joinLines(lowered.user_message, `bridge-hooks: ${text}`.trim()));

/** Lowers the new input. If the host can't apply a required change, denies the call. */
function lowerChange(response: IHookResponse, { target, lowered, reportLoss }: Lowering): Verdict {
  const { decision, reason } = response;
  const cause =
    response.modified_input && decision !== "deny" ? lowerInput(response, target, lowered, reportLoss) : undefined;
  return cause ? { decision: "deny", reason: joinLines(reason, cause) } : { decision, reason };
}

/** Turns a question into a denial on hosts that can't ask, unless an option leaves the question to the host. */
function lowerQuestion(verdict: Verdict, { target, getCell, reportLoss }: Lowering): Verdict {
  if (verdict.decision !== "ask") return verdict;
  const cell = getCell("ask");
  if (cell.support !== "downgrade") return verdict;
  const { host, settings } = target;
  const { unless } = cell;
  if (unless && settings[unless.option] === unless.value) {
    reportLoss("ask", `decision "ask" was left to ${host.name}`, { ...unless, support: "downgrade" });
    return verdict;
  }
  reportLoss("ask", `decision "ask" became a denial`);
  const note = `This needs the user's approval, which ${host.name} can't ask for here.`;
  return { decision: "deny", reason: joinLines(verdict.reason, note) };
}

/** Returns the decision that the host enforces, if any. */
function lowerDecision(verdict: Verdict & { decision: Decision }, lowering: Lowering): Decision | undefined {
  const { decision } = verdict;
  const { lowered, getCell, reportLoss } = lowering;
  const { support } = getCell(decision);
  if (support === "unenforceable") {
    reportLoss(decision, `decision "${decision}" can't be enforced`);
    reportUnenforced(verdict, lowering);
    return undefined;
  }
  if (support === "drop") {
    reportLoss(decision, `decision "${decision}" was dropped`);
    return undefined;
  }
  if (support === "emulated") reportLoss(decision, `decision "${decision}" was sent in a different form`);
  lowered.decision = decision;
  return decision;
}

/** Shows the user a decision that the host can't enforce. If the host doesn't show messages, the reason is lost. */
function reportUnenforced({ decision, reason }: Verdict & { decision: Decision }, lowering: Lowering): void {
  const { target, getCell, reportLoss } = lowering;
  const { host, event } = target;
  if (getCell("user_message").support !== "drop") {
    addUserMessage(
      `a hook returned "${decision}", but ${host.name} can't do that on ${event.native_event}. ${reason ?? ""}`,
      lowering,
    );
  } else if (reason) {
    const { how, remedy = how } = getCell(decision);
    reportLoss("reason", `the reason (${reason.replaceAll("\n", " ")}) was dropped`, {
      support: getCell("reason").support,
      how: remedy,
    });
  }
}

function lowerReason(decision: Decision, reason: string | undefined, lowering: Lowering): void {
  const cell = lowering.getCell(decision);
  if (!reason || !cell.lacksReason) return lowerText("reason", reason, lowering);
  lowering.reportLoss("reason", `the reason for "${decision}" was dropped`, {
    support: cell.support,
    how: describeCell(cell),
    remedy: "omit it",
  });
}

/** Sets the rewritten input in `lowered`. If the call must be denied instead, returns the reason. */
function lowerInput(
  { modified_input: patch = {}, decision }: IHookResponse,
  { row, event, host, redact }: LoweringTarget,
  lowered: LoweredResponse,
  reportLoss: ReportLoss,
): string | undefined {
  if (!isToolCallEvent(event) || event.event === "PostToolUse" || event.event === "PostToolUseFailure") {
    reportLoss("modified_input", "modified_input was dropped");
    return undefined;
  }
  const changedFields = Object.fromEntries(
    Object.entries(patch).filter(([key, value]) => !Bun.deepEquals(value, event.input[key as never])),
  );
  if (Object.keys(changedFields).length === 0) return undefined;
  const cell = pickCell(row.modified_input, event.host_version);
  const isSupported = cell.support === "native" || cell.support === "emulated";
  const result = isSupported
    ? tryRewriteInput(host, event, changedFields, decision)
    : { unsupported: describeCell(cell) };
  if ("input" in result) {
    lowered.input = result.input;
    return undefined;
  }
  if (cell.support === "unenforceable") {
    reportLoss("modified_input", "modified_input can't be enforced");
    return undefined;
  }
  const cause = cell.support === "downgrade" ? describeCell(cell) : result.unsupported;
  reportLoss("modified_input", "modified_input became a denial", { support: "downgrade", how: cause });
  // Leave out the cause and the remedy, which are for the hook's author and not for the model.
  const call = `in this ${event.tool} call, but ${host.name} can't do that here`;
  const suggestion = redact && findSuggestion(changedFields, event);
  if (suggestion === undefined) return `A hook wanted to change ${Object.keys(changedFields).join(", ")} ${call}.`;
  const { field, text } = suggestion;
  return `A hook wanted to replace the ${field} ${call}; ${field === "command" ? "run" : "use"} this instead: ${redact?.(text, field)}`;
}

/** Maximum length of a suggested value in a denial, in UTF-16 code units. */
const MAX_SUGGESTION_LENGTH = 500;

/**
 * Returns the changed field if it's the only one, both of its values are strings, and the new value is short enough to
 * suggest.
 */
function findSuggestion(changedFields: Payload, { input }: CallEvent): { field: string; text: string } | undefined {
  const [[field, text] = ["", undefined], ...others] = Object.entries(changedFields);
  if (others.length > 0 || typeof text !== "string" || typeof input[field as never] !== "string") return undefined;
  return text !== "" && text.length <= MAX_SUGGESTION_LENGTH ? { field, text } : undefined;
}

/** Calls the host's code to apply the patch. If that code throws, the patch is unsupported. */
function tryRewriteInput(host: Host, event: CallEvent, patch: Payload, decision: Decision | undefined): RewriteResult {
  try {
    return host.rewriteInput(event, patch, decision);
  } catch (error) {
    return {
      unsupported: `the patch doesn't match this call's input (${(error as Error).message}); check its field names`,
    };
  }
}

const joinLines = (...lines: (string | undefined)[]) => lines.filter(Boolean).join("\n");

/**
 * Truncates a string to a limit in UTF-16 code units, which hosts count as characters. The limit includes the
 * truncation note.
 */
export function truncateString(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const note = `\n[truncated by bridge-hooks: ${text.length} characters, ${limit} allowed]`;
  const end = limit - note.length;
  const splitsPair = /[\ud800-\udbff]/.test(text[end - 1] ?? "");
  return text.slice(0, splitsPair ? end - 1 : end) + note;
}

function truncateStrings(lowered: LoweredResponse, limit: number | undefined, losses: FieldLoss[]): void {
  for (const field of ["reason", "user_message", "additional_context"] as const) {
    const text = lowered[field];
    if (!limit || !text || text.length <= limit) continue;
    lowered[field] = truncateString(text, limit);
    losses.push({
      field,
      support: "downgrade",
      message: `${field} was truncated from ${text.length} to ${limit} characters, the host's limit; shorten it`,
    });
  }
}
