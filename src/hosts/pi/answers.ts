import { type AnswerTable, type AnswerTemplate, buildField, joinFields } from "../codec/answer.ts";
import { formatOutput } from "../codec/wire.ts";
import type { PiAnswerShape } from "./capabilities.ts";

const informationalFields: AnswerTemplate = { context: "context", message: "message" };

/** Documents for plugin.js, which converts each one to a format that pi accepts. A denial also exits with code 2. */
export const answers: AnswerTable<PiAnswerShape> = {
  noReason: "Denied by a hook.",
  formatResult: formatOutput,
  acceptedFields: {
    deny: "reason",
    go_on: "reason",
    ask: "reason",
    ...informationalFields,
    output: "output",
    env: "env",
  },
  shapes: {
    gate: {
      exitCode: "always",
      fields: { input: "input", ...informationalFields },
      deniedFields: { deny: joinFields("reason", "denial", "context"), message: "message" },
      askedFields: {
        ask: buildField("reason", ({ reason }) => reason || "A hook requests a user's decision."),
        input: "input",
        ...informationalFields,
      },
    },
    prompt: { exitCode: "always", fields: { deny: "denial", ...informationalFields, env: "env" } },
    result: {
      fields: { output: "output", context: joinFields("context", "denial", "context"), message: "message" },
    },
    stop: { needsReason: true, fields: { go_on: "denial", message: "message" } },
    cancel: { exitCode: "always", fields: { deny: "denial", message: "message" } },
    message: { fields: { message: "message" } },
    none: { fields: {} },
  },
};
