import { truncateString } from "../../protocol/lower.ts";
import { type AnswerTable, buildField, writeDecision } from "../codec/answer.ts";
import type { CursorAnswerShape } from "./capabilities.ts";

/** With failClosed, Cursor treats empty stdout as a failure [seen @cursor/sdk 1.0.32, 2026-11-21]. */
export const NEUTRAL_OUTPUT = "{}";

/**
 * Maximum length of additional_context. Cursor drops longer text altogether or, with failClosed, blocks the call
 * [seen @cursor/sdk 1.0.32, 2026-11-21].
 */
export const TEXT_LIMIT = 10_000;

const permission = writeDecision({ allow: "allow", deny: "deny", ask: "ask" });
const shownReason = buildField(
  "message",
  ({ message, decision, reason }) => message ?? (decision === "deny" ? reason : undefined),
);

/**
 * A denial is JSON with exit code 0. Exit code 2 also denies, but the user and the model then see only stdout or, if
 * that is empty, stderr [seen @cursor/sdk 1.0.32, 2026-11-28]. Exit code 2 is used with cursorDeny "exit", and when the
 * JSON might be unreadable.
 */
export const answers: AnswerTable<CursorAnswerShape> = {
  neutral: NEUTRAL_OUTPUT,
  alwaysOnStderr: true,
  exitsWithoutDocument: ({ cursorDeny }) => cursorDeny === "exit",
  wantsExitCode: ({ cursorDeny }) => cursorDeny !== "json",
  acceptedFields: {
    followup_message: "reason",
    reason: "reason",
    agent_message: "reason",
    user_message: "message",
    additional_context: "context",
    additionalContext: "context",
  },
  shapes: {
    permission: {
      exitCode: "optional",
      fields: {
        permission,
        user_message: shownReason,
        agent_message: "reason",
        updated_input: "input",
        additional_context: "context",
      },
    },
    any: {
      exitCode: "always",
      fields: {
        permission,
        continue: writeDecision({ deny: false }),
        user_message: shownReason,
        agent_message: "reason",
      },
    },
    continue: {
      exitCode: "optional",
      fields: {
        continue: writeDecision({ deny: false, allow: true, ask: true }),
        user_message: shownReason,
        additional_context: "context",
        env: "env",
      },
    },
    followup: { fields: { followup_message: "denial", additional_context: "context" } },
    context: {
      fields: {
        additional_context: buildField("context", ({ decision, reason, context }) => {
          const texts = [decision === "deny" ? reason : undefined, context].filter(Boolean);
          return truncateString(texts.join("\n\n"), TEXT_LIMIT) || undefined;
        }),
        updated_mcp_tool_output: "output",
      },
    },
    message: { fields: { user_message: "message" } },
    none: { fields: {} },
  },
};
