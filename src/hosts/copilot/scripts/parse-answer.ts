import { toObject, findCapabilityRow } from "../../doctor-helpers.ts";
import { isPascalCase } from "../../value-tests.ts";
import {
  diffInput,
  omitEmptyFields,
  extractModifiedOutput,
  toNonEmptyText,
  type SentPayload,
  createAnswerParser,
} from "../../parse-answer.ts";
import { capabilities, createUnknownEventRow } from "../capabilities.ts";
import { decodeToolCall } from "../call/decode.ts";
import { judgeAnswer } from "../doctor/verdict.ts";
import { parseInput, toSnakeCase } from "../call/wire.ts";

/** Returns the patch of a changed input; for a patch of files, only another patch is accepted [shipped 1.0.102]. */
function diffCopilotInput({ payload }: SentPayload, updated: unknown) {
  const { tool_name, tool_input } = toSnakeCase(payload);
  const told = parseInput(tool_input);
  return diffInput(toObject(told), updated, (input) => decodeToolCall(String(tool_name), input).input);
}

/** Converts a command's answer the way Copilot CLI reads it. */
export const parseAnswer = createAnswerParser({
  name: "Copilot",
  verdict: judgeAnswer,
  untranslatableFields: ["modifiedPrompt", "modifiedTransformedPrompt"],
  readDocument(document, told, { stderr, exit_code }, denied) {
    const { native_event } = told;
    const { event, shape } = findCapabilityRow(capabilities, createUnknownEventRow, native_event);
    // Copilot reads nested fields only under one of Claude Code's event names [seen 1.0.102, 2026-11-22].
    const nested = isPascalCase(native_event) && event === "PreToolUse" ? toObject(document.hookSpecificOutput) : {};
    const reason =
      toNonEmptyText(document.permissionDecisionReason) ??
      toNonEmptyText(nested.permissionDecisionReason) ??
      toNonEmptyText(document.message) ??
      toNonEmptyText(document.reason);
    const user_message = isPascalCase(native_event) ? toNonEmptyText(document.systemMessage) : undefined;
    // After a failed call, stderr is guidance for the model [seen 1.0.102, 2026-11-21].
    const guidance = event === "PostToolUseFailure" && exit_code === 2 ? toNonEmptyText(stderr) : undefined;
    const additional_context =
      toNonEmptyText(document.additionalContext) ?? toNonEmptyText(nested.additionalContext) ?? guidance;
    const { modifiedResult } = document;
    // Without a text of its own, the result still hides the original.
    const modified_output =
      event === "PostToolUse" && modifiedResult
        ? (extractModifiedOutput(toObject(modifiedResult).textResultForLlm) ?? "")
        : undefined;
    if (denied)
      return omitEmptyFields({
        decision: "deny",
        reason: reason ?? toNonEmptyText(stderr),
        user_message,
        additional_context,
      });
    const said = shape === "behavior" ? document.behavior : (document.permissionDecision ?? nested.permissionDecision);
    const gate = shape === "permission" || shape === "behavior";
    const decision = gate && (said === "allow" || said === "ask") ? said : undefined;
    const modified_input =
      shape === "permission" ? diffCopilotInput(told, document.modifiedArgs ?? nested.updatedInput) : undefined;
    return omitEmptyFields({
      decision,
      reason: decision && reason,
      user_message,
      additional_context,
      modified_input,
      modified_output,
    });
  },
});
