import { type AnswerTable, joinFields, nestFields, writeDecision } from "../codec/answer.ts";
import { formatNewResult } from "../codec/wire.ts";
import type { QwenAnswerShape } from "./capabilities.ts";

const block = writeDecision({ deny: ["block", "deny"] });
const ends = writeDecision({ deny: false });
const specific = nestFields({ hookEventName: "event", additionalContext: "context" });

/**
 * A denial is exit code 2, with which Qwen Code reads stderr alone: a text is the reason, a document counts as at exit
 * code 0 [seen 0.24.4, 2026-11-29]. It is the document, since a reason that is itself an object in JSON would be taken
 * for an answer without a decision, and the call would run [seen 0.24.4, 2026-11-29]. Stdout repeats it for the case
 * that nobody reads stderr, and then the exit code is 0: with an empty stderr exit code 2 does not deny
 * [seen 0.24.4, 2026-11-27].
 */
export const answers: AnswerTable<QwenAnswerShape> = {
  // Without one, the model is told "No reason provided" [shipped 0.24.4].
  noReason: "A hook denied it.",
  documentOnStderr: true,
  unheard: 0,
  formatResult: formatNewResult,
  shapes: {
    // The last hook's permissionDecision counts, a project's "allow" before a user's denial by exit code alone; "continue"
    // denies whatever other hooks say [seen 0.24.4, 2026-11-29].
    gate: {
      exitCode: "always",
      fields: {
        continue: writeDecision({ deny: false, ask: false }),
        stopReason: "reason",
        hookSpecificOutput: nestFields({
          hookEventName: "event",
          permissionDecision: writeDecision({ deny: "deny", ask: "ask" }),
          permissionDecisionReason: "reason",
        }),
      },
      also: {
        decision: writeDecision({ allow: ["allow", "approve"], deny: ["deny", "block"], ask: "ask" }),
        reason: "reason",
        hookSpecificOutput: nestFields({ permissionDecision: writeDecision({ allow: "allow" }) }),
      },
    },
    approval: {
      fields: {
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
    // A denial's context is lost [seen 0.24.4, 2026-11-29].
    result: {
      exitCode: "always",
      replacesByDenial: true,
      fields: { hookSpecificOutput: specific },
      denied: { continue: ends, stopReason: joinFields("reason", "output", "denial", "context") },
      also: { reason: "reason" },
    },
    block: {
      exitCode: "always",
      fields: { decision: block, reason: "denial", hookSpecificOutput: specific },
      also: { continue: ends, stopReason: "reason" },
    },
    // "continue" makes it go on as well [shipped 0.24.4].
    stop: {
      exitCode: "always",
      fields: { decision: block, reason: "denial", systemMessage: "message" },
      also: { continue: ends, stopReason: "reason" },
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
