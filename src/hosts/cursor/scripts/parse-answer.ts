import type { Payload } from "../../../protocol/host/host.ts";
import { toObject, findCapabilityRow } from "../../doctor-helpers.ts";
import {
  diffInput,
  omitEmptyFields,
  extractModifiedOutput,
  toNonEmptyText,
  type SentPayload,
  createAnswerParser,
  extractSessionEnv,
} from "../../parse-answer.ts";
import { capabilities, createUnknownEventRow } from "../capabilities.ts";
import { decodeToolCall } from "../call/decode.ts";
import { findLastDocument, judgeAnswer } from "../doctor/verdict.ts";

/** Returns the patch of a changed input; only preToolUse accepts one [seen @cursor/sdk 1.0.32, 2026-11-21]. */
function diffCursorInput({ native_event, payload }: SentPayload, updated: unknown): Payload | undefined {
  if (native_event !== "preToolUse") return undefined;
  return diffInput(
    toObject(payload.tool_input),
    updated,
    (input) => decodeToolCall(String(payload.tool_name), input).input,
  );
}

/** Reads a decision other than a denial. */
function readDecision({ permission, continue: goes }: Payload, native_event: string): "allow" | "ask" | undefined {
  const { shape } = findCapabilityRow(capabilities, createUnknownEventRow, native_event);
  if (shape === "permission") return permission === "allow" || permission === "ask" ? permission : undefined;
  return shape === "continue" && goes === true ? "allow" : undefined;
}

/** Converts a command's answer the way Cursor reads it. */
export const parseAnswer = createAnswerParser({
  name: "Cursor",
  verdict: judgeAnswer,
  // Also after other text [seen @cursor/sdk 1.0.32, 2026-11-21].
  findDocument: ({ stdout }) => toObject(findLastDocument(stdout)),
  readDocument(document, told, { stdout, stderr, exit_code }, denied) {
    const [shown, toAgent] = [toNonEmptyText(document.user_message), toNonEmptyText(document.agent_message)];
    const additional_context =
      toNonEmptyText(document.additional_context) ?? toNonEmptyText(document.additionalContext);
    // With exit code 2, any text is the reason.
    const said =
      exit_code === 2 && Object.keys(document).length === 0
        ? (toNonEmptyText(stdout) ?? toNonEmptyText(stderr))
        : undefined;
    const reason =
      said ?? toNonEmptyText(document.followup_message) ?? toNonEmptyText(document.reason) ?? toAgent ?? shown;
    const user_message = shown === reason ? undefined : shown;
    const isMcp =
      told.native_event === "postToolUse" &&
      decodeToolCall(String(told.payload.tool_name), toObject(told.payload.tool_input)).tool === "MCP";
    const modified_output = isMcp ? extractModifiedOutput(document.updated_mcp_tool_output) : undefined;
    const session_env = told.native_event === "sessionStart" ? extractSessionEnv(document.env) : undefined;
    const more = { additional_context, modified_output, session_env };
    if (denied) return omitEmptyFields({ decision: "deny", reason, user_message, ...more });
    const decision = readDecision(document, told.native_event);
    const modified_input = diffCursorInput(told, document.updated_input);
    if (decision === "ask") return omitEmptyFields({ decision, reason, user_message, modified_input, ...more });
    return omitEmptyFields({ decision, user_message: shown, modified_input, ...more });
  },
});
