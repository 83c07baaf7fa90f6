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

/** The patch that a changed input is; a patch of files takes no other [shipped 1.0.102]. */
function diffCopilotInput({ payload }: SentPayload, updated: unknown) {
  const { tool_name, tool_input } = toSnakeCase(payload);
  const told = parseInput(tool_input);
  return diffInput(toObject(told), updated, (input) => decodeToolCall(String(tool_name), input).input);
}

/** What Copilot CLI makes of a command's answer. */
export const parseAnswer = createAnswerParser({
  name: "Copilot",
  verdict: judgeAnswer,
  untranslatableFields: ["modifiedPrompt", "modifiedTransformedPrompt"],
  readDocument(document, told, { stderr, exit_code }, denied) {
    const { native_event } = told;
    const { event, shape } = findCapabilityRow(capabilities, createUnknownEventRow, native_event);
    // Inside of it it reads under one of Claude Code's names alone [seen 1.0.102, 2026-11-22].
    const nested = isPascalCase(native_event) && event === "PreToolUse" ? toObject(document.hookSpecificOutput) : {};
    const reason =
      toNonEmptyText(document.permissionDecisionReason) ??
      toNonEmptyText(nested.permissionDecisionReason) ??
      toNonEmptyText(document.message) ??
      toNonEmptyText(document.reason);
    const user_message = isPascalCase(native_event) ? toNonEmptyText(document.systemMessage) : undefined;
    // What was said of a call that failed is guidance [seen 1.0.102, 2026-11-21].
    const guidance = event === "PostToolUseFailure" && exit_code === 2 ? toNonEmptyText(stderr) : undefined;
    const additional_context =
      toNonEmptyText(document.additionalContext) ?? toNonEmptyText(nested.additionalContext) ?? guidance;
    const { modifiedResult } = document;
    // Without its text the original is hidden all the same.
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
