import { toObject } from "../../doctor-helpers.ts";
import { diffInput, omitEmptyFields, toNonEmptyText, createAnswerParser } from "../../parse-answer.ts";
import { decodeToolCall } from "../call/decode.ts";
import { judgeAnswer } from "../doctor/verdict.ts";

/** Events at which plain text on stdout becomes context [seen 0.169.0, 2026-11-21; SubagentStart shipped 0.169.0]. */
const PLAIN = ["SessionStart", "UserPromptSubmit", "SubagentStart"];

/** Converts a command's answer the way Codex reads it. */
export const parseAnswer = createAnswerParser({
  name: "Codex",
  verdict: judgeAnswer,
  // With exit code 2, Codex only reads stderr [seen 0.169.0, 2026-11-21].
  findDocument: ({ stdout, exit_code }, parse) => (exit_code === 2 ? undefined : parse(stdout)),
  readDocument(document, { native_event, payload }, { stdout, stderr, exit_code }, denied) {
    const { permissionDecisionReason, updatedInput, additionalContext, decision } = toObject(
      document.hookSpecificOutput,
    );
    const { behavior, message } = toObject(decision);
    const isPlain = exit_code === 0 && PLAIN.includes(native_event) && !/^\s*[{[]/.test(stdout);
    const additional_context = toNonEmptyText(additionalContext) ?? (isPlain ? toNonEmptyText(stdout) : undefined);
    const user_message = toNonEmptyText(document.systemMessage);
    const why =
      toNonEmptyText(document.reason) ??
      toNonEmptyText(permissionDecisionReason) ??
      toNonEmptyText(message) ??
      toNonEmptyText(document.stopReason);
    if (denied)
      return omitEmptyFields({
        decision: "deny",
        reason: exit_code === 2 ? toNonEmptyText(stderr) : why,
        user_message,
        additional_context,
      });
    // At Stop it ends the turn, which ends anyway.
    if (document.continue === false)
      return omitEmptyFields({ user_message: user_message ?? toNonEmptyText(document.stopReason) });
    const read = (input: object) => decodeToolCall(String(payload.tool_name), { ...input }).input;
    return omitEmptyFields({
      // A rewrite requires "allow", which is not an approval then.
      decision: behavior === "allow" ? "allow" : undefined,
      modified_input: diffInput(toObject(payload.tool_input), updatedInput, read),
      user_message,
      additional_context,
    });
  },
});
