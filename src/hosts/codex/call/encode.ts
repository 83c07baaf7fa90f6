import type { HostAnswer, LoweredResponse } from "../../../protocol/host/host.ts";
import { formatDocument, formatNewResult } from "../../wire.ts";
import type { CodexAnswerShape } from "../capabilities.ts";

const joinParagraphs = (...texts: (string | undefined)[]) => texts.filter(Boolean).join("\n\n") || undefined;

/**
 * A denial is exit code 2, with which Codex only reads stderr [seen 0.169.0, 2026-11-21]: reason, message and context
 * all go there. The document repeats them, for releases that might read it.
 */
export function encodeAnswer(response: LoweredResponse, shape: CodexAnswerShape, hookEventName: string): HostAnswer {
  const { reason, user_message, additional_context } = response;
  const output = formatNewResult(response.output);
  const decision = output === undefined ? response.decision : "deny";
  const blocks = decision === "deny" && shape !== "stop" && shape !== "none";
  return {
    stdout: formatDocument(
      buildDocument({ ...response, decision, reason: joinParagraphs(output, reason) }, shape, hookEventName),
    ),
    stderr: blocks ? (joinParagraphs(output, reason, user_message, additional_context) ?? "") : "",
    exit_code: blocks ? 2 : 0,
    // Exit code 2 with an empty stderr runs the tool; with 0 the document is read [seen 0.169.0, 2026-11-21].
    ...(blocks && { unheard: 0 }),
  };
}

function buildDocument(
  { decision, reason, user_message, additional_context, input }: LoweredResponse,
  shape: CodexAnswerShape,
  hookEventName: string,
) {
  const denied = decision === "deny";
  const systemMessage = user_message;
  const withContext = (additionalContext?: string) => additionalContext && { hookEventName, additionalContext };
  switch (shape) {
    case "permission": {
      // A bare "allow" and "ask" count as failed hooks, after which the tool runs [seen 0.169.0, 2026-11-21].
      const permission = denied
        ? { permissionDecision: "deny", permissionDecisionReason: reason }
        : input && { permissionDecision: "allow", updatedInput: input };
      return {
        systemMessage,
        hookSpecificOutput: permission
          ? { hookEventName, ...permission, ...(additional_context && { additionalContext: additional_context }) }
          : withContext(additional_context),
      };
    }
    case "block": {
      const atStop = hookEventName === "Stop";
      return {
        ...(denied && { decision: "block", reason }),
        systemMessage: atStop
          ? [user_message, additional_context].filter(Boolean).join("\n\n") || undefined
          : systemMessage,
        hookSpecificOutput: atStop ? undefined : withContext(additional_context),
      };
    }
    case "behavior": {
      const behavior = denied
        ? { behavior: "deny", message: reason }
        : decision === "allow"
          ? { behavior: "allow" }
          : undefined;
      return { systemMessage, hookSpecificOutput: behavior && { hookEventName, decision: behavior } };
    }
    case "stop":
      return {
        ...(denied && { continue: false, stopReason: reason }),
        systemMessage,
        hookSpecificOutput: withContext(additional_context),
      };
    case "context":
      return { systemMessage, hookSpecificOutput: withContext(additional_context) };
    case "message":
      return { systemMessage };
    case "exit":
    case "none":
      return {};
  }
}
