import { objectOf } from "../../check.ts";
import { patchOf, response, text, understood } from "../../understand.ts";
import { toolCall } from "../call/decode.ts";
import { verdict } from "../doctor/verdict.ts";

/** Where plain text on stdout is a context [seen 0.169.0, 2026-11-21; SubagentStart shipped 0.169.0]. */
const PLAIN = ["SessionStart", "UserPromptSubmit", "SubagentStart"];

/** What Codex makes of a command's answer. */
export const understand = understood({
  name: "Codex",
  verdict,
  // With exit code 2 it reads stderr alone [seen 0.169.0, 2026-11-21].
  find: ({ stdout, exit_code }, parse) => (exit_code === 2 ? undefined : parse(stdout)),
  read(document, { native_event, payload }, { stdout, stderr, exit_code }, denied) {
    const { permissionDecisionReason, updatedInput, additionalContext, decision } = objectOf(
      document.hookSpecificOutput,
    );
    const { behavior, message } = objectOf(decision);
    const isPlain = exit_code === 0 && PLAIN.includes(native_event) && !/^\s*[{[]/.test(stdout);
    const additional_context = text(additionalContext) ?? (isPlain ? text(stdout) : undefined);
    const user_message = text(document.systemMessage);
    const why = text(document.reason) ?? text(permissionDecisionReason) ?? text(message) ?? text(document.stopReason);
    if (denied)
      return response({
        decision: "deny",
        reason: exit_code === 2 ? text(stderr) : why,
        user_message,
        additional_context,
      });
    // At Stop it ends the turn, which ends anyway.
    if (document.continue === false) return response({ user_message: user_message ?? text(document.stopReason) });
    const read = (input: object) => toolCall(String(payload.tool_name), { ...input }).input;
    return response({
      // Beside a rewrite "allow" is the form, and no approval.
      decision: behavior === "allow" ? "allow" : undefined,
      modified_input: patchOf(objectOf(payload.tool_input), updatedInput, read),
      user_message,
      additional_context,
    });
  },
});
