import type { HostAnswer, LoweredResponse } from "../../../protocol/host/host.ts";
import { formatDocument } from "../../wire.ts";
import type { ClaudeAnswerShape } from "../capabilities.ts";

/** The variable with the path of the session's environment file. */
export const ENV_FILE = "CLAUDE_ENV_FILE";

/**
 * With exit code 2, Claude Code still reads the JSON and prefers its reason to stderr [seen 2.1.330, 2026-11-21];
 * stderr carries the reason too, for releases that might not.
 */
export function encodeAnswer(response: LoweredResponse, shape: ClaudeAnswerShape, native_event: string): HostAnswer {
  const { decision, reason } = response;
  // Context at Stop makes Claude Code continue [seen 2.1.330, 2026-11-21], so the user receives it instead.
  const atStop = native_event === "Stop" || native_event === "SubagentStop";
  const systemMessage =
    [response.user_message, atStop ? response.additional_context : undefined].filter(Boolean).join("\n\n") || undefined;
  const denied = decision === "deny";
  const blocks = denied && shape !== "elicitation";
  return {
    stdout: formatDocument({
      ...(shape === "block" && denied && { decision: "block", reason }),
      systemMessage,
      hookSpecificOutput: atStop ? undefined : buildSpecificOutput(response, shape, native_event),
    }),
    // The reason is empty where nobody reads it, but exit code 2 needs a text.
    stderr: blocks ? (reason ?? "A hook denied it.") : "",
    exit_code: blocks ? 2 : 0,
    ...(response.session_env && { append: { variable: ENV_FILE, text: formatExports(response.session_env) } }),
  };
}

/** Formats shell exports, with any value quoted. */
const formatExports = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'\n`)
    .join("");

/** Claude Code ignores an answer whose hookEventName is missing or wrong [seen 2.1.330, 2026-11-21]. */
function buildSpecificOutput(
  { decision, reason, additional_context: additionalContext, input, output }: LoweredResponse,
  shape: ClaudeAnswerShape,
  hookEventName: string,
) {
  const fields = (() => {
    switch (shape) {
      case "permission":
        return {
          permissionDecision: decision,
          permissionDecisionReason: reason,
          updatedInput: input,
          additionalContext,
        };
      case "behavior":
        return { decision: buildBehavior(decision, reason, input) };
      case "elicitation":
        return { action: decision === "deny" ? "decline" : undefined };
      case "block":
        return { additionalContext, updatedToolOutput: output };
      case "context":
        return { additionalContext };
      case "message":
      case "exit":
        return {};
    }
  })();
  return Object.values(fields).some((value) => value !== undefined) ? { hookEventName, ...fields } : undefined;
}

function buildBehavior(
  decision: LoweredResponse["decision"],
  message: string | undefined,
  updatedInput: LoweredResponse["input"],
) {
  if (decision === "deny") return { behavior: "deny", message };
  if (decision === "allow") return { behavior: "allow", updatedInput };
  return undefined;
}
