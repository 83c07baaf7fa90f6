import {
  type AnswerShape,
  type AnswerTable,
  type AnswerTemplate,
  joinFields,
  nestFields,
  writeDecision,
} from "../codec/answer.ts";
import type { ClaudeAnswerShape } from "./capabilities.ts";

/** The environment variable that holds the path of the session's environment file. */
export const ENV_FILE = "CLAUDE_ENV_FILE";

const block = writeDecision({ deny: "block" });
const reasons: AnswerTemplate = { reason: "reason", stopReason: "reason" };
const informing: AnswerShape = {
  also: reasons,
  exitCode: "always",
  fields: {
    systemMessage: "message",
    hookSpecificOutput: nestFields({ hookEventName: "event", additionalContext: "context" }),
  },
};

/**
 * With exit code 2, Claude Code still reads the JSON and prefers its reason to stderr [seen 2.1.330, 2026-11-21]. We
 * also print the reason on stderr, in case another release ignores the JSON. An answer with a missing or wrong
 * hookEventName is ignored [seen 2.1.330, 2026-11-21].
 */
export const answers: AnswerTable<ClaudeAnswerShape> = {
  // Claude Code doesn't show this text, but exit code 2 requires one.
  noStderr: "A hook denied it.",
  appendEnv: (env) => ({
    variable: ENV_FILE,
    text: Object.entries(env)
      .map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'\n`)
      .join(""),
  }),
  also: { systemMessage: "message", hookSpecificOutput: nestFields({ additionalContext: "context" }) },
  shapes: {
    permission: {
      exitCode: "always",
      fields: {
        systemMessage: "message",
        hookSpecificOutput: nestFields({
          hookEventName: "event",
          // A deferred call is decided by a person.
          permissionDecision: writeDecision({ allow: "allow", deny: "deny", ask: ["ask", "defer"] }),
          permissionDecisionReason: "reason",
          updatedInput: "input",
          additionalContext: "context",
        }),
      },
      // Deprecated field names.
      also: { decision: writeDecision({ allow: "approve", deny: "block" }), ...reasons },
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
      also: { ...reasons, hookSpecificOutput: nestFields({ updatedMCPToolOutput: "output" }) },
    },
    // With context, Claude Code would continue [seen 2.1.330, 2026-11-21], so we show the context to the user instead.
    stop: {
      exitCode: "always",
      fields: { decision: block, reason: "denial", systemMessage: joinFields("message", "message", "context") },
      also: reasons,
    },
    elicitation: {
      fields: {
        systemMessage: "message",
        hookSpecificOutput: nestFields({
          hookEventName: "event",
          action: writeDecision({ deny: ["decline", "cancel"] }),
        }),
      },
      also: { hookSpecificOutput: nestFields({ action: writeDecision({ allow: "accept" }) }) },
    },
    context: informing,
    message: informing,
    // The reason goes to stderr.
    exit: { ...informing, also: { ...reasons, decision: block } },
  },
};
