import { type AnswerTable, joinFields, nestFields, writeDecision } from "../codec/answer.ts";
import type { GrokAnswerShape } from "./capabilities.ts";

const block = writeDecision({ deny: "block" });
const specific = nestFields({ hookEventName: "event", additionalContext: "context" });

/** Exit code 2 denies, with the document's reason [docs https://docs.x.ai/build/features/hooks]; stderr repeats it. */
export const answers: AnswerTable<GrokAnswerShape> = {
  noReason: "A hook denied it.",
  stderr: ["denial", "context"],
  also: {
    hookSpecificOutput: nestFields({ permissionDecisionReason: "reason", additionalContext: "context" }),
    reason: "reason",
  },
  shapes: {
    // Context is dropped beside a denial, and with an exit code other than 0 [shipped 1.0.41, read and not run].
    gate: {
      exitCode: "always",
      fields: { hookSpecificOutput: specific },
      denied: {
        decision: writeDecision({ deny: ["deny", "block"] }),
        reason: joinFields("reason", "denial", "context"),
      },
      also: {
        decision: writeDecision({ ask: "ask" }),
        hookSpecificOutput: nestFields({ permissionDecisionReason: "reason", updatedInput: "input" }),
      },
    },
    prompt: { exitCode: "always", fields: { decision: block, reason: "denial" } },
    // The decision takes precedence over the exit code. Context makes it continue.
    stop: { exitCode: "always", fields: { decision: block, reason: "denial" } },
    feedback: {
      fields: { decision: block, reason: "denial", hookSpecificOutput: specific },
      also: { hookSpecificOutput: nestFields({ updatedToolOutput: "output", updatedMCPToolOutput: "output" }) },
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
