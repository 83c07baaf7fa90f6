import type { HostAnswer, LoweredResponse, HostOptionValues } from "../../../protocol/host/host.ts";
import { isStdoutPolluted, formatDocument, formatNewResult } from "../../wire.ts";
import type { GeminiAnswerShape } from "../capabilities.ts";

/** Without a text, Gemini CLI gives "No reason provided" as the reason [shipped 0.61.0]. */
const NO_REASON = "A hook denied it.";

/**
 * The document decides, whatever the exit code. If something was printed before it, Gemini CLI reads no document, and
 * exit code 2 with any text still denies, at the price of a message that the hook "failed" [seen 0.61.0, 2026-11-22].
 * With geminiDeny "json" the exit code is 0: for entries that keep the shell quiet.
 */
export function encodeAnswer(
  response: LoweredResponse,
  shape: GeminiAnswerShape,
  hookEventName: string,
  settings: HostOptionValues,
): HostAnswer {
  const denied = response.decision === "deny" && shape !== "context" && shape !== "message" && shape !== "none";
  const reason = response.reason || NO_REASON;
  const blocks = denied && shape === "gate" && (settings.geminiDeny !== "json" || isStdoutPolluted());
  return {
    stdout: formatDocument(buildDocument({ ...response, ...(denied && { reason }) }, shape, hookEventName)),
    // Read if stdout is empty [shipped 0.61.0].
    stderr: blocks ? reason : "",
    exit_code: blocks ? 2 : 0,
  };
}

function buildDocument(
  { decision, reason, user_message, additional_context, input, output }: LoweredResponse,
  shape: GeminiAnswerShape,
  hookEventName: string,
) {
  const specific = (fields: { additionalContext?: string; tool_input?: LoweredResponse["input"] }) =>
    Object.values(fields).some((value) => value !== undefined) ? { hookEventName, ...fields } : undefined;
  const newResult = formatNewResult(output);
  const denial = decision === "deny" ? { decision, reason } : {};
  const hookSpecificOutput = specific({ additionalContext: additional_context, tool_input: input });
  switch (shape) {
    case "gate":
      // The user who is asked sees systemMessage [shipped 0.61.0].
      if (decision === "ask") return { decision, reason, systemMessage: user_message ?? reason, hookSpecificOutput };
      return { ...denial, systemMessage: user_message, hookSpecificOutput };
    case "block":
      // Gemini CLI drops context beside a denial [shipped 0.61.0].
      if (decision === "deny" || output !== undefined)
        return {
          decision: "deny",
          reason: [newResult, reason, additional_context].filter(Boolean).join("\n\n"),
          systemMessage: user_message,
        };
      return { systemMessage: user_message, hookSpecificOutput };
    case "stop":
      return { ...denial, systemMessage: [user_message, additional_context].filter(Boolean).join("\n\n") || undefined };
    case "halt":
      return { ...(decision === "deny" && { continue: false, stopReason: reason }), systemMessage: user_message };
    case "context":
      return { systemMessage: user_message, hookSpecificOutput };
    case "message":
      return { systemMessage: user_message };
    case "none":
      return {};
  }
}
