import { toObject, findCapabilityRow } from "../../doctor-helpers.ts";
import {
  parseJsonObject,
  diffInput,
  omitEmptyFields,
  extractModifiedOutput,
  toNonEmptyText,
  type SentPayload,
  createAnswerParser,
  extractSessionEnv,
} from "../../parse-answer.ts";
import { extractAnswer } from "../../resident.ts";
import { capabilities, createUnknownEventRow } from "../capabilities.ts";
import { decodeToolCall } from "../call/decode.ts";
import { judgeAnswer } from "../doctor/verdict.ts";

/** Returns the patch of changed arguments. */
function diffOpenCodeArguments({ payload }: SentPayload, args: unknown) {
  const servers = Array.isArray(payload.mcp) ? payload.mcp.map(String) : [];
  const tool_name = String(toObject(payload.input).tool);
  return diffInput(
    toObject(toObject(payload.output).args),
    args,
    (input) => decodeToolCall(tool_name, input, servers).input,
  );
}

/** Converts an answer in the plugin's format the way plugin.js reads it. */
export const parseAnswer = createAnswerParser({
  name: "the plugin for OpenCode",
  verdict: judgeAnswer,
  findDocument: (result) => parseJsonObject(extractAnswer(result).stdout),
  readDocument(document, told, result, denied) {
    const { shape } = findCapabilityRow(capabilities, createUnknownEventRow, told.native_event);
    const heard = {
      user_message: toNonEmptyText(document.message),
      additional_context: toNonEmptyText(document.context),
    };
    const reason =
      toNonEmptyText(document.deny) ?? toNonEmptyText(document.go_on) ?? toNonEmptyText(extractAnswer(result).stderr);
    if (denied) return omitEmptyFields({ decision: "deny", reason, ...heard });
    const modified_input = shape === "gate" ? diffOpenCodeArguments(told, document.args) : undefined;
    return omitEmptyFields({
      modified_input,
      modified_output: extractModifiedOutput(document.output),
      session_env: extractSessionEnv(document.env),
      ...heard,
    });
  },
});
