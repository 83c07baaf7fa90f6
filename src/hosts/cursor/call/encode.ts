import type { HostAnswer, LoweredResponse, HostOptionValues } from "../../../protocol/host/host.ts";
import { truncateText } from "../../../protocol/lower.ts";
import { isStdoutPolluted, formatDocument } from "../../wire.ts";
import type { CursorAnswerShape } from "../capabilities.ts";

/** With failClosed, an empty stdout counts as a failure [seen @cursor/sdk 1.0.32, 2026-11-21]. */
export const NEUTRAL_OUTPUT = "{}";

/** Cursor drops a longer text as a whole (and blocks, with failClosed) [seen @cursor/sdk 1.0.32, 2026-11-21]. */
export const TEXT_LIMIT = 10_000;

/**
 * A denial is the document with exit code 0. Exit code 2 denies too, but Cursor then shows the raw document to the user
 * and the model [seen @cursor/sdk 1.0.32, 2026-11-21]: it is used with cursorDeny "exit", and where a document may not
 * be read.
 */
export function encodeAnswer(
  response: LoweredResponse,
  shape: CursorAnswerShape,
  _native_event: string,
  settings: HostOptionValues,
): HostAnswer {
  const blocks = response.decision === "deny" && (shape === "permission" || shape === "continue" || shape === "any");
  return {
    stdout: formatDocument(buildDocument(response, shape)) || NEUTRAL_OUTPUT,
    stderr: blocks ? (response.reason ?? "") : "",
    // For an unknown event, or if the document can't be found, the exit code is safer.
    exit_code: blocks && (settings.cursorDeny === "exit" || shape === "any" || isStdoutPolluted()) ? 2 : 0,
  };
}

function buildDocument(
  {
    decision,
    reason,
    user_message,
    additional_context,
    input: updated_input,
    output,
    session_env: env,
  }: LoweredResponse,
  shape: CursorAnswerShape,
) {
  const denied = decision === "deny";
  const shown = user_message ?? (denied ? reason : undefined);
  switch (shape) {
    case "permission":
      return { permission: decision, user_message: shown, agent_message: reason, updated_input, additional_context };
    case "any":
      return { permission: decision, continue: denied ? false : undefined, user_message: shown, agent_message: reason };
    case "continue":
      return { continue: decision ? !denied : undefined, user_message: shown, additional_context, env };
    case "followup":
      return { followup_message: denied ? reason : undefined, additional_context };
    case "context":
      return {
        additional_context:
          truncateText([denied ? reason : undefined, additional_context].filter(Boolean).join("\n\n"), TEXT_LIMIT) ||
          undefined,
        updated_mcp_tool_output: output,
      };
    case "message":
      return { user_message };
    case "none":
      return {};
  }
}
