import { objectOf, rowIn } from "../../check.ts";
import { isPascal } from "../../marks.ts";
import { patchOf, response, resultOf, text, type Told, understood } from "../../understand.ts";
import { capabilities, unknown } from "../capabilities.ts";
import { toolCall } from "../call/decode.ts";
import { verdict } from "../doctor/verdict.ts";
import { inputOf, snaked } from "../call/wire.ts";

/** The patch that a changed input is; a patch of files takes no other [shipped 1.0.102]. */
function patch({ payload }: Told, updated: unknown) {
  const { tool_name, tool_input } = snaked(payload);
  const told = inputOf(tool_input);
  return patchOf(objectOf(told), updated, (input) => toolCall(String(tool_name), input).input);
}

/** What Copilot CLI makes of a command's answer. */
export const understand = understood({
  name: "Copilot",
  verdict,
  unsaid: ["modifiedPrompt", "modifiedTransformedPrompt"],
  read(document, told, { stderr, exit_code }, denied) {
    const { native_event } = told;
    const { event, shape } = rowIn(capabilities, unknown, native_event);
    // Inside of it it reads under one of Claude Code's names alone [seen 1.0.102, 2026-11-22].
    const nested = isPascal(native_event) && event === "PreToolUse" ? objectOf(document.hookSpecificOutput) : {};
    const reason =
      text(document.permissionDecisionReason) ??
      text(nested.permissionDecisionReason) ??
      text(document.message) ??
      text(document.reason);
    const user_message = isPascal(native_event) ? text(document.systemMessage) : undefined;
    // What was said of a call that failed is guidance [seen 1.0.102, 2026-11-21].
    const guidance = event === "PostToolUseFailure" && exit_code === 2 ? text(stderr) : undefined;
    const additional_context = text(document.additionalContext) ?? text(nested.additionalContext) ?? guidance;
    const { modifiedResult } = document;
    // Without its text the original is hidden all the same.
    const modified_output =
      event === "PostToolUse" && modifiedResult
        ? (resultOf(objectOf(modifiedResult).textResultForLlm) ?? "")
        : undefined;
    if (denied) return response({ decision: "deny", reason: reason ?? text(stderr), user_message, additional_context });
    const said = shape === "behavior" ? document.behavior : (document.permissionDecision ?? nested.permissionDecision);
    const gate = shape === "permission" || shape === "behavior";
    const decision = gate && (said === "allow" || said === "ask") ? said : undefined;
    const modified_input =
      shape === "permission" ? patch(told, document.modifiedArgs ?? nested.updatedInput) : undefined;
    return response({
      decision,
      reason: decision && reason,
      user_message,
      additional_context,
      modified_input,
      modified_output,
    });
  },
});
