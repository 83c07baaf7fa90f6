import type { HostAnswer, LoweredResponse } from "../../../protocol/host/host.ts";
import { formatDocument } from "../../wire.ts";
import type { ClaudeAnswerShape } from "../capabilities.ts";

/** The variable that names the file of a session's variables. */
export const ENV_FILE = "CLAUDE_ENV_FILE";

/**
 * With exit code 2 Claude Code still reads the JSON, and prefers its reason to stderr [seen 2.1.330, 2026-11-21];
 * stderr carries the reason all the same, for a release that would not.
 */
export function encodeAnswer(response: LoweredResponse, shape: ClaudeAnswerShape, native_event: string): HostAnswer {
  const { decision, reason } = response;
  // A context at Stop makes Claude Code go on [seen 2.1.330, 2026-11-21]: the user gets it instead.
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
    // Where nobody reads a reason there is none, and exit code 2 still wants words.
    stderr: blocks ? (reason ?? "A hook denied it.") : "",
    exit_code: blocks ? 2 : 0,
    ...(response.session_env && { append: { variable: ENV_FILE, text: formatExports(response.session_env) } }),
  };
}

/** Lines that a shell reads, whatever stands in a value. */
const formatExports = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'\n`)
    .join("");

/** A missing or wrong hookEventName makes Claude Code ignore the answer [seen 2.1.330, 2026-11-21]. */
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
