import { type AnswerTable, decide, joinFields, nest } from "../codec/answer.ts";
import type { GrokAnswerShape } from "./capabilities.ts";

const block = decide({ deny: "block" });
const specific = nest({ hookEventName: "event", additionalContext: "context" });

/** Exit code 2 denies, with the document's reason [docs https://docs.x.ai/build/features/hooks]; stderr repeats it. */
export const answers: AnswerTable<GrokAnswerShape> = {
  noReason: "A hook denied it.",
  stderr: ["denial", "context"],
  also: {
    hookSpecificOutput: nest({ permissionDecisionReason: "reason", additionalContext: "context" }),
    reason: "reason",
  },
  shapes: {
    // Context is dropped beside a denial, and with an exit code other than 0 [shipped 1.0.41, read and not run].
    gate: {
      exitCode: "always",
      fields: { hookSpecificOutput: specific },
      denied: { decision: decide({ deny: ["deny", "block"] }), reason: joinFields("reason", "denial", "context") },
      also: {
        decision: decide({ ask: "ask" }),
        hookSpecificOutput: nest({ permissionDecisionReason: "reason", updatedInput: "input" }),
      },
    },
    prompt: { exitCode: "always", fields: { decision: block, reason: "denial" } },
    // The decision takes precedence over the exit code. Context makes it continue.
    stop: { exitCode: "always", fields: { decision: block, reason: "denial" } },
    feedback: {
      fields: { decision: block, reason: "denial", hookSpecificOutput: specific },
      also: { hookSpecificOutput: nest({ updatedToolOutput: "output", updatedMCPToolOutput: "output" }) },
    },
    context: {
      fields: {
        hookSpecificOutput: nest({
          hookEventName: "event",
          additionalContext: joinFields("context", "denial", "context"),
        }),
      },
    },
    none: { fields: {} },
  },
};
