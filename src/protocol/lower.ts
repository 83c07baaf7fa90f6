import { describeCell, getCells, type CapabilityField, pickCell } from "./capability.ts";
import { type CallEvent, isToolCallEvent } from "./event.ts";
import type { Host, LoweredResponse, Payload, RewriteResult } from "./host/host.ts";
import type { FieldLoss, LostCell, LoweringTarget, ReportLoss } from "./loss.ts";
import { lowerOutput } from "./lower-output.ts";
import type { Decision, IHookResponse } from "./response.ts";

/** Reduces a merged response to what the host honours at this event, and lists what was lost. */
export function lowerResponse(
  response: IHookResponse,
  target: LoweringTarget,
): { lowered: LoweredResponse; losses: FieldLoss[] } {
  const { row, event, host, settings } = target;
  const losses: FieldLoss[] = [];
  const lowered: LoweredResponse = {};
  const cell = (field: CapabilityField) => pickCell(getCells(row, field), event.host_version);
  const reportLoss = (field: CapabilityField, what: string, lost: LostCell = cell(field)) =>
    void losses.push({ field, support: lost.support, message: `${what}; ${describeCell(lost)}` });

  const lowerText = (field: "reason" | "user_message" | "additional_context", text: string | undefined) => {
    if (!text) return;
    const { support } = cell(field);
    if (support === "drop") return reportLoss(field, `${field} was dropped`);
    if (support === "emulated") reportLoss(field, `${field} was sent another way`);
    lowered[field] = text;
  };
  lowerText("user_message", response.user_message);
  lowerText("additional_context", response.additional_context);
  if (response.session_env) {
    const { support } = cell("session_env");
    if (support === "drop") reportLoss("session_env", "session_env was dropped");
    else lowered.session_env = response.session_env;
    if (support === "emulated") reportLoss("session_env", "session_env was sent another way");
  }
  const original =
    response.modified_output === undefined
      ? undefined
      : lowerOutput(response.modified_output, target, lowered, reportLoss);
  const addUserMessage = (text: string) =>
    void (lowered.user_message = joinLines(lowered.user_message, `bridge-hooks: ${text}`.trim()));
  if (original !== undefined && cell("user_message").support !== "drop")
    addUserMessage(`a hook replaced the result of this call, but the model reads the original: ${original}`);

  let { decision, reason } = response;
  if (response.modified_input && decision !== "deny") {
    const refusal = lowerInput(response, target, lowered, reportLoss);
    if (refusal) {
      decision = "deny";
      reason = joinLines(reason, refusal);
    }
  }
  if (decision === "ask" && cell("ask").support === "downgrade") {
    const { unless } = cell("ask");
    if (unless && settings[unless.option] === unless.value) {
      reportLoss("ask", `decision "ask" was left to ${host.name}`, { support: "downgrade", how: unless.how });
    } else {
      reportLoss("ask", `decision "ask" became a denial`);
      decision = "deny";
      reason = joinLines(reason, `This needs the user's approval, which ${host.name} can't ask for here.`);
    }
  }
  if (decision) {
    const fate = cell(decision);
    if (fate.support === "unenforceable") {
      reportLoss(decision, `decision "${decision}" can't be enforced`);
      if (cell("user_message").support !== "drop") {
        addUserMessage(
          `a hook answered "${decision}", but ${host.name} can't do that at ${event.native_event}. ${reason ?? ""}`,
        );
      } else if (reason) {
        reportLoss("reason", `the reason (${reason.replaceAll("\n", " ")}) was dropped`, {
          support: cell("reason").support,
          how: fate.remedy ?? fate.how,
        });
      }
      decision = undefined;
    } else if (fate.support === "emulated") {
      reportLoss(decision, `decision "${decision}" was sent another way`);
    } else if (fate.support === "drop") {
      reportLoss(decision, `decision "${decision}" was dropped`);
      decision = undefined;
    }
  }
  if (decision) {
    lowered.decision = decision;
    if (decision === "deny") delete lowered.input;
    const { silent, ...sent } = cell(decision);
    if (reason && silent)
      reportLoss("reason", `the reason for "${decision}" was dropped`, {
        support: sent.support,
        how: describeCell(sent),
        remedy: "leave it out",
      });
    else lowerText("reason", reason);
  } else if (reason && !response.decision) {
    reportLoss("reason", "the reason was dropped", {
      support: cell("reason").support,
      how: "a reason belongs to a decision",
      remedy: "return one, or use user_message or additional_context",
    });
  }
  truncateTexts(lowered, host.textLimit, losses);
  return { lowered, losses };
}

/** Sets the rewritten input in `lowered`, or returns why the call must be denied instead. */
function lowerInput(
  { modified_input: patch = {}, decision }: IHookResponse,
  { row, event, host }: LoweringTarget,
  lowered: LoweredResponse,
  lose: ReportLoss,
): string | undefined {
  if (!isToolCallEvent(event) || event.event === "PostToolUse" || event.event === "PostToolUseFailure") {
    lose("modified_input", "modified_input was dropped");
    return undefined;
  }
  const changed = Object.fromEntries(
    Object.entries(patch).filter(([key, value]) => !Bun.deepEquals(value, event.input[key as never])),
  );
  if (Object.keys(changed).length === 0) return undefined;
  const fate = pickCell(row.modified_input, event.host_version);
  const kept = fate.support === "native" || fate.support === "emulated";
  const result = kept ? tryRewriteInput(host, event, changed, decision) : { unsupported: describeCell(fate) };
  if ("input" in result) {
    lowered.input = result.input;
    return undefined;
  }
  if (fate.support === "unenforceable") {
    lose("modified_input", "modified_input can't be enforced");
    return undefined;
  }
  const why = fate.support === "downgrade" ? describeCell(fate) : result.unsupported;
  lose("modified_input", "modified_input became a denial", { support: "downgrade", how: why });
  return `A hook wanted to change ${Object.keys(changed).join(", ")} of this ${event.tool} call, which ${host.name} can't do here: ${why}.`;
}

/** If the host's code throws on a patch, the patch is unsupported. */
function tryRewriteInput(host: Host, event: CallEvent, patch: Payload, decision: Decision | undefined): RewriteResult {
  try {
    return host.rewriteInput(event, patch, decision);
  } catch (error) {
    return {
      unsupported: `the patch does not fit this call (${(error as Error).message}); see the fields of its input`,
    };
  }
}

const joinLines = (...lines: (string | undefined)[]) => lines.filter(Boolean).join("\n");

/** Cuts a text to a limit in UTF-16 units, which hosts count; the note that says so fits within the limit. */
export function truncateText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const note = `\n[cut by bridge-hooks: ${text.length} characters, ${limit} allowed]`;
  const end = limit - note.length;
  const splitsPair = /[\ud800-\udbff]/.test(text[end - 1] ?? "");
  return text.slice(0, splitsPair ? end - 1 : end) + note;
}

function truncateTexts(lowered: LoweredResponse, limit: number | undefined, losses: FieldLoss[]): void {
  for (const field of ["reason", "user_message", "additional_context"] as const) {
    const text = lowered[field];
    if (!limit || !text || text.length <= limit) continue;
    lowered[field] = truncateText(text, limit);
    losses.push({
      field,
      support: "downgrade",
      message: `${field} was cut from ${text.length} to ${limit} characters, the host's limit; shorten it`,
    });
  }
}
