import { type AnswerTable, joinFields, nestFields, writeDecision } from "../codec/answer.ts";
import type { GrokAnswerShape } from "./capabilities.ts";

const block = writeDecision({ deny: "block" });

/** Exit code 2 denies, and the document gives the reason [seen 1.0.41, 2026-11-27]. Stderr repeats it. */
export const answers: AnswerTable<GrokAnswerShape> = {
  noReason: "Denied by a hook.",
  stderr: ["denial", "context"],
  acceptedFields: {
    hookSpecificOutput: nestFields({ permissionDecisionReason: "reason", additionalContext: "context" }),
    reason: "reason",
  },
  shapes: {
    // Grok Build drops the context of a denial [seen 1.0.41, 2026-11-27].
    gate: {
      exitCode: "always",
      fields: {
        hookSpecificOutput: nestFields({
          hookEventName: "event",
          updatedInput: "input",
          additionalContext: "context",
        }),
      },
      deniedFields: {
        decision: writeDecision({ deny: ["deny", "block"] }),
        reason: joinFields("reason", "denial", "context"),
      },
      acceptedFields: {
        decision: writeDecision({ ask: "ask" }),
        hookSpecificOutput: nestFields({ permissionDecisionReason: "reason" }),
      },
    },
    prompt: { exitCode: "always", fields: { decision: block, reason: "denial" } },
    // The decision takes precedence over the exit code. Don't return context on this event: it would make Grok Build
    // continue.
    stop: { exitCode: "always", fields: { decision: block, reason: "denial" } },
    // With exit code 2, Grok Build drops the context [seen 1.0.41, 2026-11-27].
    feedback: {
      fields: {
        decision: block,
        reason: "denial",
        hookSpecificOutput: nestFields({
          hookEventName: "event",
          additionalContext: "context",
          updatedToolOutput: "output",
        }),
      },
      acceptedFields: { hookSpecificOutput: nestFields({ updatedMCPToolOutput: "output" }) },
    },
    context: {
      fields: {
        hookSpecificOutput: nestFields({
          hookEventName: "event",
          additionalContext: joinFields("context", "denial", "context"),
        }),
      },
    },
    none: { fields: {} },
  },
};
