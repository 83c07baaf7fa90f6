import { type AnswerTable, type AnswerTemplate, joinFields } from "../codec/answer.ts";
import { formatOutput } from "../codec/wire.ts";
import type { OpenCodeAnswerShape } from "./capabilities.ts";

const informationalFields: AnswerTemplate = { context: "context", message: "message" };

/**
 * Documents for plugin.js, which converts each one to a format that OpenCode accepts. A denial also exits with code 2.
 */
export const answers: AnswerTable<OpenCodeAnswerShape> = {
  noReason: "Denied by a hook.",
  formatResult: formatOutput,
  acceptedFields: { deny: "reason", go_on: "reason", ...informationalFields, output: "output", env: "env" },
  shapes: {
    gate: { exitCode: "always", fields: { deny: "denial", args: "input", ...informationalFields } },
    prompt: { exitCode: "always", fields: { deny: "denial", ...informationalFields, env: "env" } },
    any: { exitCode: "always", fields: { deny: "denial", ...informationalFields } },
    result: {
      fields: { output: "output", context: joinFields("context", "denial", "context"), message: "message" },
    },
    stop: { fields: { go_on: "denial", message: "message" } },
    context: { fields: informationalFields },
    message: { fields: { message: "message" } },
    none: { fields: {} },
  },
};
