import { type AnswerTable, nestFields, writeDecision } from "../codec/answer.ts";
import type { AuggieAnswerShape } from "./capabilities.ts";

/** With exit code 2, the model reads stderr and the document is ignored [shipped 0.36.0]. */
export const answers: AnswerTable<AuggieAnswerShape> = {
  noReason: "A hook denied it.",
  shapes: {
    gate: {
      exitCode: "always",
      fields: {
        systemMessage: "message",
        hookSpecificOutput: nestFields({ hookEventName: "event", updatedInput: "input" }),
      },
      // A later release may read the document first.
      denied: {
        systemMessage: "message",
        hookSpecificOutput: nestFields({
          hookEventName: "event",
          permissionDecision: writeDecision({ deny: "deny" }),
          permissionDecisionReason: "reason",
        }),
      },
    },
    feedback: {
      fields: {
        systemMessage: "message",
        hookSpecificOutput: nestFields({
          hookEventName: "event",
          decision: writeDecision({ deny: "block" }),
          reason: "denial",
          additionalContext: "context",
        }),
      },
      also: { additionalContext: "context" },
    },
    none: { fields: { systemMessage: "message" } },
  },
};
