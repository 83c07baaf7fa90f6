import { type AnswerTable, nestFields, writeDecision } from "../codec/answer.ts";
import type { AuggieAnswerShape } from "./capabilities.ts";

/**
 * Auggie treats exit code 2 as a denial: it passes stderr to the model and ignores the JSON on stdout [shipped 0.36.0].
 */
export const answers: AnswerTable<AuggieAnswerShape> = {
  noReason: "Denied by a hook.",
  shapes: {
    gate: {
      exitCode: "always",
      fields: {
        systemMessage: "message",
        hookSpecificOutput: nestFields({ hookEventName: "event", updatedInput: "input" }),
      },
      // Repeat the denial in the JSON in case a later release prefers it to the exit code.
      deniedFields: {
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
      acceptedFields: { additionalContext: "context" },
    },
    none: { fields: { systemMessage: "message" } },
  },
};
