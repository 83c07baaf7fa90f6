import { truncateString } from "../../protocol/lower.ts";
import { type AnswerTable, buildField, joinFields, writeDecision } from "../codec/answer.ts";
import { formatOutput } from "../codec/wire.ts";
import { openclaw } from "../entries.ts";
import type { OpenClawAnswerShape } from "./capabilities.ts";

const ID = openclaw.plugin;

/**
 * Maximum length of a description. OpenClaw rejects a longer one, and the call along with it [seen 2026.9.6,
 * 2026-11-22].
 */
const DESCRIPTION_LIMIT = 512;

const block = writeDecision({ deny: true });

/**
 * Documents that the plugin reads. plugin.js defines what each one does in OpenClaw. A denial also exits with code 2.
 */
export const answers: AnswerTable<OpenClawAnswerShape> = {
  // OpenClaw does not show an empty reason.
  noReason: "Denied by a hook.",
  formatResult: formatOutput,
  acceptedFields: {
    blockReason: "reason",
    message: "reason",
    reason: "reason",
    log: "message",
    context: "context",
    prependContext: "context",
  },
  shapes: {
    gate: {
      exitCode: "always",
      fields: { params: "input", context: "context", log: "message" },
      deniedFields: { block, blockReason: joinFields("reason", "denial", "context"), log: "message" },
      askedFields: {
        requireApproval: buildField("reason", ({ reason, message }) => ({
          // OpenClaw requires a policy's approval request to contain the plugin's ID [seen 2026.9.6, 2026-11-22].
          pluginId: ID,
          title: ID,
          description: truncateString(
            [reason, message].filter(Boolean).join("\n\n") || "A hook requests a user's decision.",
            DESCRIPTION_LIMIT,
          ),
          severity: "warning",
          // The request doesn't offer permanent approval, because OpenClaw couldn't store it.
          allowedDecisions: ["allow-once", "deny"],
        })),
        params: "input",
        context: "context",
      },
    },
    prompt: {
      exitCode: "always",
      fields: { prependContext: "context", log: "message" },
      deniedFields: { outcome: writeDecision({ deny: "block" }), message: joinFields("reason", "message", "denial") },
    },
    start: { fields: { prependContext: "context", log: "message" } },
    result: {
      fields: { output: "output", append: "context", log: "message" },
      deniedFields: {
        output: "output",
        append: joinFields("reason", "denial", "context"),
        denied: block,
        log: "message",
      },
    },
    finalize: {
      needsReason: true,
      fields: { log: "message" },
      deniedFields: { action: writeDecision({ deny: "revise" }), reason: "denial", log: "message" },
    },
    any: { exitCode: "always", fields: { block, blockReason: "denial", log: "message" } },
    none: { fields: { log: "message" } },
  },
};
