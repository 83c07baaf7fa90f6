import { type AnswerTable, type AnswerTemplate, nestFields, writeDecision } from "../codec/answer.ts";
import type { KimiAnswerShape } from "./capabilities.ts";

const denialFields: AnswerTemplate = {
  hookSpecificOutput: nestFields({
    hookEventName: "event",
    permissionDecision: writeDecision({ deny: "deny" }),
    permissionDecisionReason: "denial",
  }),
};

/**
 * A denial uses exit code 2. With this code Kimi Code reads the reason from stderr and ignores stdout [seen 2.1.0,
 * 2026-11-27]. With exit code 0 the document also denies, unless stdout contains other text.
 */
export const answers: AnswerTable<KimiAnswerShape> = {
  noReason: "Denied by a hook.",
  shapes: {
    block: { exitCode: "always", fields: {}, deniedFields: denialFields },
    // Kimi Code shows all of stdout verbatim to the user and the model [seen 2.1.0, 2026-11-27].
    exit: { exitCode: "always", fields: {}, acceptedFields: denialFields },
    none: { fields: {} },
  },
};
