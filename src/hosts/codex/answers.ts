import { type AnswerShape, type AnswerTable, joinFields, nestFields, writeDecision } from "../codec/answer.ts";
import { formatNewResult } from "../codec/wire.ts";
import type { CodexAnswerShape } from "./capabilities.ts";

const block = writeDecision({ deny: "block" });
const specificOutput = nestFields({ hookEventName: "event", additionalContext: "context" });
const informationalShape: AnswerShape = { fields: { systemMessage: "message", hookSpecificOutput: specificOutput } };

/**
 * A denial uses exit code 2, with which Codex reads only stderr [seen 0.169.0, 2026-11-21]: a modified result, the
 * reason and the context go there, all for the model. The document repeats them, because it also denies with exit code
 * 0 [seen 0.169.0, 2026-11-21; at SubagentStop shipped 0.169.0]. With codexDeny "json" only the document denies, for
 * shells that would change the exit code. The exit code is still used for events without a schema in Codex, and when
 * Codex could not find the document.
 */
export const answers: AnswerTable<CodexAnswerShape> = {
  // If a document denies without a reason, Codex treats the hook as failed and runs the tool [seen 0.169.0,
  // 2026-11-21].
  noReason: "Denied by a hook.",
  wantsExitCode: ({ codexDeny }) => codexDeny !== "json",
  stderr: ["output", "denial", "context"],
  // With exit code 2 and an empty stderr, Codex runs the tool; with exit code 0, it reads the document [seen 0.169.0,
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
