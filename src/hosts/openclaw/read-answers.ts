import { parseJsonObject, toObject } from "../../protocol/object.ts";
import { createAnswerReader } from "../codec/answer-reader.ts";
import { toNonEmptyString } from "../codec/answer-values.ts";
import { extractAnswer, judgePluginAnswer } from "../codec/plugin-answers.ts";
import { answers } from "./answers.ts";
import { decodeToolCall } from "./call.ts";
import { openclaw } from "./index.ts";

/** Interprets an answer in the plugin's format the way plugin.js and OpenClaw do. */
export const { judgeAnswer, parseAnswer, translatePatch } = createAnswerReader({
  name: "the plugin for OpenClaw",
  host: openclaw,
  table: answers,
  findDocument: (result) => parseJsonObject(extractAnswer(result).stdout),
  judgeCommandAnswer: (answer) =>
    judgePluginAnswer("OpenClaw", answer, {
      isGate: ["gate", "prompt", "any"].includes(answer.shape),
      invalid: "its stdout is not a JSON document",
      unknown: "its document is not an object",
    }),
  readInput: ({ payload: { toolName, toolKind, params } }) => ({
    input: params,
    read: (input) => decodeToolCall(String(toolName), input, toNonEmptyString(toolKind)).input,
  }),
  adjust(response, { document = {}, shape, result, reason }) {
    if (response.decision === "deny") {
      const stderr = toNonEmptyString(extractAnswer(result).stderr);
      return { ...response, reason: reason ?? stderr };
    }
    const isQuestion = shape === "gate" && document.requireApproval !== undefined;
    const { description } = toObject(document.requireApproval);
    return isQuestion ? { ...response, decision: "ask", reason: toNonEmptyString(description) } : response;
  },
});
