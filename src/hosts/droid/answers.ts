import { type AnswerTable, nestFields, writeDecision } from "../codec/answer.ts";
import type { DroidAnswerShape } from "./capabilities.ts";

const document = { hookSpecificOutput: nestFields({ hookEventName: "event", additionalContext: "context" }) };

/**
 * Exit code 2 denies. The reason is in the JSON before a call, and on stderr for other events [seen 0.215.0,
 * 2026-11-27]. The denial takes effect despite another hook's "allow" and despite noise before the JSON [seen 0.215.0,
 * 2026-11-29]. Exit code 3 would end the run.
 */
export const answers: AnswerTable<DroidAnswerShape> = {
  noReason: "Denied by a hook.",
  // Droid parses this file line by line, without a shell, and removes one pair of quotes from each value [shipped
  // 0.215.0].
  appendEnv: (env) => ({
    variable: "CLAUDE_ENV_FILE",
    text: Object.entries(env)
      .filter(([, value]) => !/[\r\n]/.test(value))
      .map(([name, value]) => `export ${name}="${value}"\n`)
      .join(""),
  }),
  acceptedFields: { hookSpecificOutput: nestFields({ additionalContext: "context" }) },
  shapes: {
    gate: {
      exitCode: "always",
      fields: {
        hookSpecificOutput: nestFields({
          hookEventName: "event",
          permissionDecision: writeDecision({ deny: "deny" }),
          permissionDecisionReason: "denial",
          updatedInput: "input",
        }),
      },
      acceptedFields: {
        hookSpecificOutput: nestFields({
          permissionDecision: writeDecision({ allow: "allow", ask: "ask" }),
          permissionDecisionReason: "reason",
        }),
      },
    },
    feedback: { exitCode: "always", fields: document },
    prompt: { exitCode: "always", fields: document },
    context: { fields: document },
    // On this event, Droid ignores a denial without a reason, regardless of the exit code [shipped 0.215.0].
    stop: {
      exitCode: "always",
      needsReason: true,
      fields: { decision: writeDecision({ deny: "block" }), reason: "denial" },
    },
    exit: { exitCode: "always", fields: {} },
    none: { fields: {} },
  },
};
