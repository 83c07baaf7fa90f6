import { type AnswerTable, joinFields, nestFields, writeDecision } from "../codec/answer.ts";
import { formatNewResult } from "../codec/wire.ts";
import type { QwenAnswerShape } from "./capabilities.ts";

const block = writeDecision({ deny: ["block", "deny"] });
const ends = writeDecision({ deny: false });
const specificOutput = nestFields({ hookEventName: "event", additionalContext: "context" });

/**
 * A denial exits with code 2, which makes Qwen Code read only stderr. A document on stderr is parsed as with exit code
 * 0, and plain text becomes the reason [seen 0.24.4, 2026-11-29]. We print the document on stderr: if a plain-text
 * reason happened to be a JSON object, Qwen Code would read it as an answer without a decision and run the call [seen
 * 0.24.4, 2026-11-29]. Stdout repeats the document in case stderr is closed. The exit code is then 0, because exit code
 * 2 with an empty stderr does not deny [seen 0.24.4, 2026-11-27].
 */
export const answers: AnswerTable<QwenAnswerShape> = {
  // Without a reason, the model reads "No reason provided" [shipped 0.24.4].
  noReason: "Denied by a hook.",
  documentOnStderr: true,
  exitCodeIfStderrClosed: 0,
  formatResult: formatNewResult,
  shapes: {
    // If multiple hooks answer, the last permissionDecision wins, so an "allow" from a project's hook overrides a user
    // hook's denial by exit code. `"continue": false` denies the call, regardless of what other hooks answer [seen
    // 0.24.4, 2026-11-29].
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
      acceptedFields: {
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
    // Qwen Code drops the context of a denial [seen 0.24.4, 2026-11-29].
    result: {
      exitCode: "always",
      replacesByDenial: true,
      fields: { hookSpecificOutput: specificOutput },
      deniedFields: { continue: ends, stopReason: joinFields("reason", "output", "denial", "context") },
      acceptedFields: { reason: "reason" },
    },
    block: {
      exitCode: "always",
      fields: { decision: block, reason: "denial", hookSpecificOutput: specificOutput },
      acceptedFields: { continue: ends, stopReason: "reason" },
    },
    // On this event, "continue" makes the agent continue, as a block does [shipped 0.24.4].
    stop: {
      exitCode: "always",
      fields: { decision: block, reason: "denial", systemMessage: "message" },
      acceptedFields: { continue: ends, stopReason: "reason" },
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
