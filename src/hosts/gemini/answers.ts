import {
  type AnswerShape,
  type AnswerTable,
  buildField,
  joinFields,
  nestFields,
  writeDecision,
} from "../codec/answer.ts";
import { formatNewResult } from "../codec/wire.ts";
import type { GeminiAnswerShape } from "./capabilities.ts";

const specificOutput = nestFields({ hookEventName: "event", additionalContext: "context", tool_input: "input" });
const decision = writeDecision({ deny: ["deny", "block"], ask: "ask" });
const informationalShape: AnswerShape = { fields: { systemMessage: "message", hookSpecificOutput: specificOutput } };

/**
 * The document determines the decision, regardless of the exit code. Gemini CLI ignores the document if any other text
 * precedes it. Exit code 2 with any text on stderr still denies, but Gemini CLI then tells the user that the hook
 * "failed" [seen 0.61.0, 2026-11-22]. With geminiDeny "json", the exit code is 0, so the entry must keep the shell from
 * printing anything.
 */
export const answers: AnswerTable<GeminiAnswerShape> = {
  // Without a reason, Gemini CLI shows "No reason provided" [shipped 0.61.0].
  noReason: "Denied by a hook.",
  wantsExitCode: ({ geminiDeny }) => geminiDeny !== "json",
  formatResult: formatNewResult,
  acceptedFields: {
    ...informationalShape.fields,
    decision,
    reason: "reason",
    continue: writeDecision({ deny: false }),
    stopReason: "reason",
  },
  shapes: {
    gate: {
      exitCode: "optional",
      fields: {
        decision,
        reason: "reason",
        // Gemini CLI shows this message when it asks the user [shipped 0.61.0].
        systemMessage: buildField("message", ({ message, decision, reason }) =>
          decision === "ask" ? (message ?? reason) : message,
        ),
        hookSpecificOutput: specificOutput,
      },
    },
    block: {
      replacesByDenial: true,
      ...informationalShape,
      // Gemini CLI drops the context of a denial [shipped 0.61.0].
      deniedFields: {
        decision,
        reason: joinFields("reason", "output", "denial", "context"),
        systemMessage: "message",
      },
    },
    stop: { fields: { decision, reason: "denial", systemMessage: joinFields("message", "message", "context") } },
    halt: { fields: { continue: writeDecision({ deny: false }), stopReason: "denial", systemMessage: "message" } },
    context: informationalShape,
    message: informationalShape,
    none: { fields: {} },
  },
};
