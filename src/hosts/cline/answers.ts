import { type AnswerShape, type AnswerTable, buildField, joinFields, writeDecision } from "../codec/answer.ts";
import { DENIAL_PREFIX, type DenialShape, HARMLESS_INPUTS_BY_SHAPE } from "./denials.ts";
import type { ClineAnswerShape } from "./capabilities.ts";

/**
 * Denies a call by replacing its input with a harmless one. Cline still runs the call, and the model reads the reason.
 */
const createGateShape = (shape: DenialShape): AnswerShape => ({
  fields: { overrideInput: "input", contextModification: "context" },
  deniedFields: {
    overrideInput: buildField("input", ({ reason = "" }) => HARMLESS_INPUTS_BY_SHAPE[shape](reason)),
    contextModification: buildField("reason", ({ reason, context }) =>
      [`${DENIAL_PREFIX}${reason}`, context].filter(Boolean).join("\n\n"),
    ),
  },
});

const gates = Object.fromEntries(
  (Object.keys(HARMLESS_INPUTS_BY_SHAPE) as DenialShape[]).map((shape) => [shape, createGateShape(shape)]),
) as Record<DenialShape, AnswerShape>;

/** Cline ignores exit codes [seen 3.0.65, 2026-11-29]. */
export const answers: AnswerTable<ClineAnswerShape> = {
  noReason: "Denied by a hook.",
  // Cline takes the last line with this prefix as the answer and ignores all other output [seen 3.0.65, 2026-11-29].
  prefix: "HOOK_CONTROL\t",
  shapes: {
    ...gates,
    cancel: {
      fields: { overrideInput: "input", contextModification: "context" },
      deniedFields: { cancel: writeDecision({ deny: true }), errorMessage: joinFields("reason", "denial", "context") },
    },
    feedback: { fields: { contextModification: joinFields("context", "denial", "context") } },
    none: { fields: {} },
  },
};
