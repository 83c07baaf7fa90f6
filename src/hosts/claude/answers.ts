import {
  type AnswerShape,
  type AnswerTable,
  type AnswerTemplate,
  joinFields,
  nestFields,
  writeDecision,
} from "../codec/answer.ts";
import type { ClaudeAnswerShape } from "./capabilities.ts";

/** Environment variable with the path of the session's environment file. */
export const ENV_FILE = "CLAUDE_ENV_FILE";

const block = writeDecision({ deny: "block" });
const reasons: AnswerTemplate = { reason: "reason", stopReason: "reason" };
const informationalShape: AnswerShape = {
  acceptedFields: reasons,
  exitCode: "always",
  fields: {
    systemMessage: "message",
    hookSpecificOutput: nestFields({ hookEventName: "event", additionalContext: "context" }),
  },
};

/**
 * With exit code 2, Claude Code still reads the JSON and prefers its reason to stderr [seen 2.1.330, 2026-11-21]. We
 * also print the reason on stderr, in case another release ignores the JSON. Claude Code ignores an answer whose
 * hookEventName is missing or wrong [seen 2.1.330, 2026-11-21].
 */
export const answers: AnswerTable<ClaudeAnswerShape> = {
  // With exit code 2, stderr must not be empty, although Claude Code doesn't show it.
  noStderr: "Denied by a hook.",
  appendEnv: (env) => ({
    variable: ENV_FILE,
    text: Object.entries(env)
      .map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'\n`)
      .join(""),
  }),
  acceptedFields: { systemMessage: "message", hookSpecificOutput: nestFields({ additionalContext: "context" }) },
  shapes: {
    permission: {
      exitCode: "always",
      fields: {
        systemMessage: "message",
        hookSpecificOutput: nestFields({
          hookEventName: "event",
          // "defer" leaves the decision to the user.
          permissionDecision: writeDecision({ allow: "allow", deny: "deny", ask: ["ask", "defer"] }),
          permissionDecisionReason: "reason",
          updatedInput: "input",
          additionalContext: "context",
        }),
      },
      // Deprecated field names for the decision.
      acceptedFields: { decision: writeDecision({ allow: "approve", deny: "block" }), ...reasons },
    },
    behavior: {
      exitCode: "always",
      fields: {
        systemMessage: "message",
        hookSpecificOutput: nestFields({
          hookEventName: "event",
          decision: nestFields({
            behavior: writeDecision({ allow: "allow", deny: "deny" }, "required"),
            message: "denial",
            updatedInput: "input",
          }),
        }),
      },
    },
    block: {
      exitCode: "always",
      fields: {
        decision: block,
        reason: "denial",
        systemMessage: "message",
        hookSpecificOutput: nestFields({
          hookEventName: "event",
          additionalContext: "context",
          updatedToolOutput: "output",
        }),
      },
      acceptedFields: { ...reasons, hookSpecificOutput: nestFields({ updatedMCPToolOutput: "output" }) },
    },
    // Show the context to the user instead: returning context on this event would make Claude Code continue [seen
    // 2.1.330, 2026-11-21].
    stop: {
      exitCode: "always",
      fields: { decision: block, reason: "denial", systemMessage: joinFields("message", "message", "context") },
      acceptedFields: reasons,
    },
    elicitation: {
      fields: {
        systemMessage: "message",
        hookSpecificOutput: nestFields({
          hookEventName: "event",
          action: writeDecision({ deny: ["decline", "cancel"] }),
        }),
      },
      acceptedFields: { hookSpecificOutput: nestFields({ action: writeDecision({ allow: "accept" }) }) },
    },
    context: informationalShape,
    message: informationalShape,
    // Claude Code reads the reason from stderr.
    exit: { ...informationalShape, acceptedFields: { ...reasons, decision: block } },
  },
};
