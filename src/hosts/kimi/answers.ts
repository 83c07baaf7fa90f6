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
 * A denial exits with code 2, which makes Kimi Code read the reason from stderr and ignore stdout [seen 2.1.0,
 * 2026-11-27]. With exit code 0, a document on stdout also denies, but only if stdout contains nothing else.
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
