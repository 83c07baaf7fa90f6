import * as v from "valibot";
import { parseJsonObject } from "../../protocol/object.ts";
import { createAnswerReader } from "../codec/answer-reader.ts";
import { toNonEmptyString } from "../codec/answer-values.ts";
import { extractAnswer, judgePluginAnswer } from "../codec/plugin-answers.ts";
import { answers } from "./answers.ts";
import { decodeToolCall } from "./call.ts";
import { pi } from "./index.ts";

const optionalString = () => v.optional(v.string());
/** The documents that plugin.js accepts. */
const createAnswerSchema = () =>
  v.strictObject({
    deny: optionalString(),
    ask: optionalString(),
    go_on: optionalString(),
    context: optionalString(),
    message: optionalString(),
    input: v.optional(v.record(v.string(), v.unknown())),
    output: optionalString(),
    env: v.optional(v.record(v.string(), v.string())),
  });

/** Interprets an answer in the plugin's format the way plugin.js does. */
export const { judgeAnswer, parseAnswer, translatePatch } = createAnswerReader({
  name: "the plugin for pi",
  host: pi,
  table: answers,
  findDocument: (result) => parseJsonObject(extractAnswer(result).stdout),
  judgeCommandAnswer: (answer) =>
    judgePluginAnswer("pi", answer, {
      isGate: ["gate", "prompt", "cancel"].includes(answer.shape),
      invalid: "its stdout is not valid JSON",
      unknown: "its document is not one that the plugin accepts",
      isValid: (document) => v.is(createAnswerSchema(), document),
    }),
  readInput: ({ payload: { toolName, input } }) => ({
    input,
    read: (changedInput) => decodeToolCall(String(toolName), changedInput).input,
  }),
  adjust(response, { document = {}, shape, result, reason }) {
    if (response.decision === "deny") {
      const { user_message, additional_context } = response;
      const stderr = toNonEmptyString(extractAnswer(result).stderr);
      return { decision: "deny", reason: reason ?? stderr, user_message, additional_context };
    }
    const question = shape === "gate" ? toNonEmptyString(document.ask) : undefined;
    return question === undefined ? response : { ...response, decision: "ask", reason: question };
  },
});
