import type { HostAnswer, LoweredResponse, HostOptionValues } from "../../../protocol/host/host.ts";
import { isStdoutPolluted, formatDocument, formatNewResult } from "../../wire.ts";
import type { GeminiAnswerShape } from "../capabilities.ts";

/** A denial without words would be one for "No reason provided" [shipped 0.61.0]. */
const NO_REASON = "A hook denied it.";

/**
 * The document decides, whatever the exit code. Where something printed before it, Gemini CLI reads none, and exit code 2
 * with any text still denies; the price is a line that says that the hook "failed" [seen 0.61.0, 2026-11-22]. With geminiDeny
 * "json" the exit code is 0: for entries that keep the shell quiet.
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
    // Read where nothing is on stdout [shipped 0.61.0].
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
      // The person who is asked reads systemMessage [shipped 0.61.0].
      if (decision === "ask") return { decision, reason, systemMessage: user_message ?? reason, hookSpecificOutput };
      return { ...denial, systemMessage: user_message, hookSpecificOutput };
    case "block":
      // A context beside a denial would be dropped [shipped 0.61.0].
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
