import { type AnswerTable, type AnswerTemplate, nestFields, writeDecision } from "../codec/answer.ts";
import type { KimiAnswerShape } from "./capabilities.ts";

const denied: AnswerTemplate = {
  hookSpecificOutput: nestFields({
    hookEventName: "event",
    permissionDecision: writeDecision({ deny: "deny" }),
    permissionDecisionReason: "denial",
  }),
};

/**
 * A denial is exit code 2: Kimi Code takes the reason from stderr, and does not look at stdout
 * [seen 2.1.0, 2026-11-27]. With exit code 0 the document denies as well, unless other text is around it.
 */
export const answers: AnswerTable<KimiAnswerShape> = {
  noReason: "A hook denied it.",
  shapes: {
    block: { exitCode: "always", fields: {}, denied },
    // Whatever is on stdout is shown to the user and to the model as it stands [seen 2.1.0, 2026-11-27].
    exit: { exitCode: "always", fields: {}, also: denied },
    none: { fields: {} },
  },
};
