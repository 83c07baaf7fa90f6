import { type AnswerShape, type AnswerTable, joinFields, nestFields, writeDecision } from "../codec/answer.ts";
import { formatNewResult } from "../codec/wire.ts";
import type { CodexAnswerShape } from "./capabilities.ts";

const block = writeDecision({ deny: "block" });
const specificOutput = nestFields({ hookEventName: "event", additionalContext: "context" });
const informationalShape: AnswerShape = { fields: { systemMessage: "message", hookSpecificOutput: specificOutput } };

/**
 * A denial uses exit code 2. Codex then reads only stderr and passes it to the model [seen 0.169.0, 2026-11-21], so the
 * modified result, the reason and the context are printed there. The JSON on stdout repeats them, because it denies
 * even with exit code 0 [seen 0.169.0, 2026-11-21; at SubagentStop shipped 0.169.0]. With codexDeny "json", only the
 * JSON denies, because some shells would change the exit code. Even then, the exit code is used if Codex has no schema
 * for the event or couldn't find the JSON.
 */
export const answers: AnswerTable<CodexAnswerShape> = {
  // If the JSON denies without a reason, Codex treats the hook as failed and runs the tool [seen 0.169.0, 2026-11-21].
  noReason: "Denied by a hook.",
  wantsExitCode: ({ codexDeny }) => codexDeny !== "json",
  stderr: ["output", "denial", "context"],
  // With exit code 2 and empty stderr, Codex runs the tool; with exit code 0, it reads the JSON [seen 0.169.0,
  // 2026-11-21].
  exitCodeIfStderrClosed: 0,
  formatResult: formatNewResult,
  acceptedFields: {
    reason: "reason",
    systemMessage: "message",
    hookSpecificOutput: nestFields({
      permissionDecisionReason: "reason",
      decision: nestFields({ message: "reason" }),
      additionalContext: "context",
    }),
    stopReason: "reason",
  },
  shapes: {
    permission: {
      exitCode: "optional",
      fields: {
        systemMessage: "message",
        hookSpecificOutput: nestFields({
          hookEventName: "event",
          // On "ask", or on "allow" without updatedInput, Codex treats the hook as failed and runs the tool [seen
          // 0.169.0, 2026-11-21].
          permissionDecision: writeDecision({ deny: "deny", rewrite: "allow" }),
          permissionDecisionReason: "denial",
          updatedInput: "input",
          additionalContext: "context",
        }),
      },
      acceptedFields: { decision: block },
    },
    block: {
      exitCode: "optional",
      replacesByDenial: true,
      fields: {
        decision: block,
        reason: joinFields("reason", "output", "denial"),
        systemMessage: "message",
        hookSpecificOutput: specificOutput,
      },
    },
    end: {
      exitCode: "optional",
      fields: { decision: block, reason: "denial", systemMessage: joinFields("message", "message", "context") },
    },
    behavior: {
      exitCode: "optional",
      fields: {
        systemMessage: "message",
        hookSpecificOutput: nestFields({
          hookEventName: "event",
          decision: nestFields({
            behavior: writeDecision({ deny: "deny", allow: "allow" }, "required"),
            message: "denial",
          }),
        }),
      },
    },
    stop: { fields: { continue: writeDecision({ deny: false }), stopReason: "denial", ...informationalShape.fields } },
    context: informationalShape,
    message: informationalShape,
    exit: { exitCode: "always", fields: {} },
    none: { fields: {} },
  },
};
