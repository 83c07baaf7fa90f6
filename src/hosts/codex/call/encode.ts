import type { HostAnswer, HostOptionValues, LoweredResponse } from "../../../protocol/host/host.ts";
import { formatDocument, formatNewResult, isStdoutPolluted } from "../../wire.ts";
import type { CodexAnswerShape } from "../capabilities.ts";

const joinParagraphs = (...texts: (string | undefined)[]) => texts.filter(Boolean).join("\n\n") || undefined;

/** A document that denies without a reason is a failed hook, and the tool runs [seen 0.169.0, 2026-11-21]. */
const NO_REASON = "A hook denied it.";

/**
 * A denial is exit code 2, with which Codex only reads stderr [seen 0.169.0, 2026-11-21]: reason, message and context
 * all go there. The document repeats them: it denies as well with exit code 0 [seen 0.169.0, 2026-11-21; at SubagentStop
 * shipped 0.169.0], and alone with codexDeny "json", where a shell would change the exit code. At an event that Codex has
 * no schema for, and where Codex could not find the document, the exit code stays.
 */
export function encodeAnswer(
  response: LoweredResponse,
  shape: CodexAnswerShape,
  hookEventName: string,
  settings: HostOptionValues,
): HostAnswer {
  const { user_message, additional_context } = response;
  const output = formatNewResult(response.output);
  const decision = output === undefined ? response.decision : "deny";
  const denies = decision === "deny" && shape !== "stop" && shape !== "none";
  const blocks = denies && (settings.codexDeny !== "json" || shape === "exit" || isStdoutPolluted());
  const given = joinParagraphs(output, response.reason);
  const reason = denies && !blocks && !given?.trim() ? NO_REASON : given;
  return {
    stdout: formatDocument(buildDocument({ ...response, decision, reason }, shape, hookEventName)),
    stderr: blocks ? (joinParagraphs(reason, user_message, additional_context) ?? "") : "",
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
