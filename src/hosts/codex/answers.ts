import { type AnswerShape, type AnswerTable, joinFields, nestFields, writeDecision } from "../codec/answer.ts";
import { formatNewResult } from "../codec/wire.ts";
import type { CodexAnswerShape } from "./capabilities.ts";

const block = writeDecision({ deny: "block" });
const specific = nestFields({ hookEventName: "event", additionalContext: "context" });
const informing: AnswerShape = { fields: { systemMessage: "message", hookSpecificOutput: specific } };

/**
 * A denial is exit code 2, with which Codex only reads stderr [seen 0.169.0, 2026-11-21]: a new
 * result, the reason and the context go there, all for the model. The document repeats them: it denies as well with exit code 0 [seen 0.169.0, 2026-11-21; at SubagentStop
 * shipped 0.169.0], and alone with codexDeny "json", where a shell would change the exit code. At an event that Codex has
 * no schema for, and where Codex could not find the document, the exit code stays.
 */
export const answers: AnswerTable<CodexAnswerShape> = {
  // A document that denies without a reason is a failed hook, and the tool runs [seen 0.169.0, 2026-11-21].
  noReason: "A hook denied it.",
  wantsExitCode: ({ codexDeny }) => codexDeny !== "json",
  stderr: ["output", "denial", "context"],
  // Exit code 2 with an empty stderr runs the tool; with 0 the document is read [seen 0.169.0, 2026-11-21].
  unheard: 0,
  formatResult: formatNewResult,
  also: {
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
          // A bare "allow" and "ask" count as failed hooks, after which the tool runs [seen 0.169.0, 2026-11-21].
          permissionDecision: writeDecision({ deny: "deny", rewrite: "allow" }),
          permissionDecisionReason: "denial",
          updatedInput: "input",
          additionalContext: "context",
        }),
      },
      also: { decision: block },
    },
    block: {
      exitCode: "optional",
      replacesByDenial: true,
      fields: {
        decision: block,
        reason: joinFields("reason", "output", "denial"),
        systemMessage: "message",
        hookSpecificOutput: specific,
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
    stop: { fields: { continue: writeDecision({ deny: false }), stopReason: "denial", ...informing.fields } },
    context: informing,
    message: informing,
    exit: { exitCode: "always", fields: {} },
    none: { fields: {} },
  },
};
