import * as v from "valibot";
import { parseJsonObject, toObject } from "../../protocol/object.ts";
import { createAnswerReader } from "../codec/answer-reader.ts";
import { toNonEmptyString } from "../codec/answer-values.ts";
import { extractAnswer, judgePluginAnswer } from "../codec/plugin-answers.ts";
import { answers } from "./answers.ts";
import { decodeToolCall } from "./call.ts";
import { opencode } from "./index.ts";

const optionalString = () => v.optional(v.string());
/** The documents that plugin.js accepts. */
const createAnswerSchema = () =>
  v.strictObject({
    deny: optionalString(),
    go_on: optionalString(),
    context: optionalString(),
    message: optionalString(),
    args: v.optional(v.record(v.string(), v.unknown())),
    output: optionalString(),
    env: v.optional(v.record(v.string(), v.string())),
  });

/** Interprets an answer in the plugin's format the way plugin.js does. */
export const { judgeAnswer, parseAnswer, translatePatch } = createAnswerReader({
  name: "the plugin for OpenCode",
  host: opencode,
  table: answers,
  findDocument: (result) => parseJsonObject(extractAnswer(result).stdout),
  judgeCommandAnswer: (answer) =>
    judgePluginAnswer(
      "OpenCode",
      { ...answer, isDenied: answer.isDenied && answer.shape !== "any" },
      {
        isGate: ["gate", "prompt"].includes(answer.shape),
        invalid: "its stdout is not valid JSON",
        unknown: "its document is not one that the plugin accepts",
        isValid: (document) => v.is(createAnswerSchema(), document),
      },
    ),
  readInput({ payload }) {
    const servers = Array.isArray(payload.mcp) ? payload.mcp.map(String) : [];
    const tool_name = String(toObject(payload.input).tool);
    return {
      input: toObject(payload.output).args,
      read: (input) => decodeToolCall(tool_name, input, servers).input,
    };
  },
  adjust(response, { result, reason }) {
    if (response.decision !== "deny") return response;
    const { user_message, additional_context } = response;
    const stderr = toNonEmptyString(extractAnswer(result).stderr);
    return { decision: "deny", reason: reason ?? stderr, user_message, additional_context };
  },
});
