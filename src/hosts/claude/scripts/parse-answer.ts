import type { Payload } from "../../../protocol/host/host.ts";
import type { IHookResponse } from "../../../protocol/response.ts";
import { toObject, findCapabilityRow } from "../../doctor-helpers.ts";
import {
  diffInput,
  omitEmptyFields,
  extractModifiedOutput,
  toNonEmptyText,
  type SentPayload,
  createAnswerParser,
} from "../../parse-answer.ts";
import { capabilities, createUnknownEventRow } from "../capabilities.ts";
import { decodeOutput, decodeToolCall } from "../call/decode.ts";
import { judgeAnswer } from "../doctor/verdict.ts";

type Decision = IHookResponse["decision"];
type DecisionFields = Pick<IHookResponse, "decision" | "reason" | "modified_input">;

/** Events at which plain text on stdout becomes context [seen 2.1.330, 2026-11-21]. */
const PLAIN = ["SessionStart", "UserPromptSubmit", "UserPromptExpansion"];
/** A person decides on a deferred call. */
const DECISIONS: Readonly<Record<string, Decision>> = { allow: "allow", deny: "deny", ask: "ask", defer: "ask" };
/** The older decision names. */
const OLDER: Readonly<Record<string, Decision>> = { approve: "allow", block: "deny" };

/** Returns the decision of a document in the event's format, with its other fields. */
function readDecision({ native_event, payload }: SentPayload, document: Payload, specific: Payload): DecisionFields {
  const reason = toNonEmptyText(document.reason) ?? toNonEmptyText(document.stopReason);
  const patch = (updated: unknown) => {
    const { tool_name, tool_input, mcp_server } = payload;
    return diffInput(
      toObject(tool_input),
      updated,
      (input) => decodeToolCall(String(tool_name), input, toNonEmptyText(toObject(mcp_server).name)).input,
    );
  };
  switch (findCapabilityRow(capabilities, createUnknownEventRow, native_event).shape) {
    case "permission": {
      const { permissionDecision, permissionDecisionReason, updatedInput } = specific;
      const decision = DECISIONS[String(permissionDecision)] ?? OLDER[String(document.decision)];
      return {
        decision,
        reason: toNonEmptyText(permissionDecisionReason) ?? reason,
        modified_input: patch(updatedInput),
      };
    }
    case "behavior": {
      const { behavior, message, updatedInput } = toObject(specific.decision);
      return {
        decision: DECISIONS[String(behavior)],
        reason: toNonEmptyText(message),
        modified_input: patch(updatedInput),
      };
    }
    case "elicitation":
      return { decision: specific.action === "accept" ? "allow" : undefined };
    case "block":
    case "context":
    case "message":
    case "exit":
      return { reason };
  }
}

/** Returns a new result's text, if Claude Code shows it. */
function readNewResult(
  { payload }: SentPayload,
  { updatedToolOutput, updatedMCPToolOutput }: Payload,
): IHookResponse["modified_output"] {
  const raw = updatedToolOutput ?? updatedMCPToolOutput;
  if (raw === undefined) return undefined;
  const { tool } = decodeToolCall(String(payload.tool_name), toObject(payload.tool_input));
  return tool === "Bash" || tool === "Read" ? decodeOutput(tool, raw).text : extractModifiedOutput(raw);
}

/** Converts a command's answer the way Claude Code reads it. */
export const parseAnswer = createAnswerParser({
  name: "Claude Code",
  verdict: judgeAnswer,
  readDocument(document, told, { stdout, stderr, exit_code }, denied) {
    const { native_event } = told;
    const atStop = native_event === "Stop" || native_event === "SubagentStop";
    // Ignored without the event's name [seen 2.1.330, 2026-11-21].
    const named = toObject(document.hookSpecificOutput);
    const specific = named.hookEventName === native_event ? named : {};
    const { decision, reason, modified_input } = readDecision(told, document, specific);
    const isPlain = exit_code === 0 && PLAIN.includes(native_event) && !stdout.trimStart().startsWith("{");
    const additional_context =
      toNonEmptyText(specific.additionalContext) ?? (isPlain ? toNonEmptyText(stdout) : undefined);
    const user_message = toNonEmptyText(document.systemMessage);
    const modified_output = native_event === "PostToolUse" ? readNewResult(told, specific) : undefined;
    const ends = document.continue === false;
    // It ends the turn, which has no unified equivalent: a denial is the nearest, and at Stop the turn ends anyway.
    if (ends && atStop) return omitEmptyFields({ user_message: user_message ?? toNonEmptyText(document.stopReason) });
    if (denied || ends || decision === "deny")
      return omitEmptyFields({
        decision: "deny",
        reason: reason ?? toNonEmptyText(stderr),
        user_message,
        additional_context,
        modified_output,
      });
    // Context at Stop makes Claude Code continue [seen 2.1.330, 2026-11-21].
    if (atStop && additional_context)
      return omitEmptyFields({ decision: "deny", reason: additional_context, user_message });
    // Where nothing can be stopped, the user sees the denial's text [docs https://code.claude.com/docs/en/hooks].
    const shown = exit_code === 2 ? toNonEmptyText(stderr) : undefined;
    return omitEmptyFields({
      decision,
      reason: decision && reason,
      modified_input,
      user_message: user_message ?? shown,
      additional_context,
      modified_output,
    });
  },
});
