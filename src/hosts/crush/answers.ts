import { type AnswerTable, nestFields, writeDecision } from "../codec/answer.ts";
import type { CrushAnswerShape } from "./capabilities.ts";

/**
 * Crush reads the JSON only with exit code 0. With exit code 2, the reason is on stderr [docs
 * https://github.com/charmbracelet/crush/tree/main/docs/hooks].
 */
export const answers: AnswerTable<CrushAnswerShape> = {
  noReason: "Denied by a hook.",
  stderr: ["reason", "context"],
  shapes: {
    gate: {
      exitCode: "always",
      fields: { decision: writeDecision({ allow: "allow" }), context: "context", updated_input: "input" },
      deniedFields: {},
      acceptedFields: {
        decision: writeDecision({ allow: "allow", deny: ["deny", "block"] }),
        reason: "reason",
        hookSpecificOutput: nestFields({
          permissionDecision: writeDecision({ allow: "allow", deny: ["deny", "block"] }),
          permissionDecisionReason: "reason",
          updatedInput: "input",
          additionalContext: "context",
        }),
      },
    },
  },
};
