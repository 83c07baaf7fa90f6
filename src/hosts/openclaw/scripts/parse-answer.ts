import { toObject, findCapabilityRow } from "../../doctor-helpers.ts";
import { extractAnswer } from "../../resident.ts";
import {
  parseJsonObject,
  diffInput,
  omitEmptyFields,
  extractModifiedOutput,
  toNonEmptyText,
  type SentPayload,
  createAnswerParser,
} from "../../parse-answer.ts";
import { capabilities, createUnknownEventRow } from "../capabilities.ts";
import { decodeToolCall } from "../call/decode.ts";
import { judgeAnswer } from "../doctor/verdict.ts";

/** Returns the patch of changed params. */
const diffOpenClawParams = ({ payload }: SentPayload, params: unknown) =>
  diffInput(
    toObject(payload.params),
    params,
    (input) => decodeToolCall(String(payload.toolName), input, toNonEmptyText(payload.toolKind)).input,
  );

/** Converts an answer in the plugin's format the way plugin.js and OpenClaw read it. */
export const parseAnswer = createAnswerParser({
  name: "the plugin for OpenClaw",
  verdict: judgeAnswer,
  findDocument: (result) => parseJsonObject(extractAnswer(result).stdout),
  readDocument(document, told, result, denied) {
    const { shape } = findCapabilityRow(capabilities, createUnknownEventRow, told.native_event);
    const user_message = toNonEmptyText(document.log);
    const reason =
      toNonEmptyText(document.blockReason) ?? toNonEmptyText(document.message) ?? toNonEmptyText(document.reason);
    const additional_context = toNonEmptyText(document.context) ?? toNonEmptyText(document.prependContext);
    // At a result, the reason is the appended text.
    const append = toNonEmptyText(document.append);
    const modified_output = shape === "result" ? extractModifiedOutput(document.output) : undefined;
    if (denied)
      return omitEmptyFields({
        decision: "deny",
        reason: reason ?? append ?? toNonEmptyText(extractAnswer(result).stderr),
        user_message,
        additional_context,
        modified_output,
      });
    const { description } = toObject(document.requireApproval);
    const asks = shape === "gate" && document.requireApproval !== undefined;
    return omitEmptyFields({
      decision: asks ? "ask" : undefined,
      reason: asks ? toNonEmptyText(description) : undefined,
      user_message,
      additional_context: additional_context ?? append,
      modified_output,
      modified_input: shape === "gate" ? diffOpenClawParams(told, document.params) : undefined,
    });
  },
});
