import { toObject, findCapabilityRow } from "../../doctor-helpers.ts";
import { diffInput, omitEmptyFields, toNonEmptyText, createAnswerParser } from "../../parse-answer.ts";
import { capabilities, createUnknownEventRow } from "../capabilities.ts";
import { decodeToolCall } from "../call/decode.ts";
import { parseAnswerDocument, judgeAnswer } from "../doctor/verdict.ts";

/** Converts a command's answer the way Gemini CLI reads it. */
export const parseAnswer = createAnswerParser({
  name: "Gemini CLI",
  verdict: judgeAnswer,
  untranslatableFields: ["tailToolCallRequest", "llm_request", "llm_response", "toolConfig"],
  findDocument: ({ stdout, stderr }) => parseAnswerDocument(stdout.trim() || stderr.trim()),
  readDocument(document, { native_event, payload }, { stdout, stderr }, denied) {
    const { additionalContext, tool_input } = toObject(document.hookSpecificOutput);
    const ends = document.continue === false;
    const atStop = findCapabilityRow(capabilities, createUnknownEventRow, native_event).shape === "stop";
    const why = toNonEmptyText(document.reason) ?? toNonEmptyText(document.stopReason);
    const heard = {
      user_message: toNonEmptyText(document.systemMessage),
      additional_context: toNonEmptyText(additionalContext),
    };
    // It ends the turn, which ends anyway.
    if (ends && atStop) return omitEmptyFields({ ...heard, user_message: heard.user_message ?? why });
    // Without a document, the text of exit code 2 is the reason.
    if (denied)
      return omitEmptyFields({
        decision: "deny",
        reason: why ?? toNonEmptyText(stdout) ?? toNonEmptyText(stderr),
        ...heard,
      });
    const { tool_name, mcp_context } = payload;
    const { server_name, tool_name: name } = toObject(mcp_context);
    const mcp = mcp_context ? { server_name: String(server_name), tool_name: String(name) } : undefined;
    const read = (input: object) => decodeToolCall(String(tool_name), { ...input }, mcp).input;
    // "allow" leaves the decision to Gemini CLI's own approval, so it is no opinion.
    const decision = document.decision === "ask" ? "ask" : undefined;
    const modified_input = diffInput(toObject(payload.tool_input), tool_input, read);
    return omitEmptyFields({ decision, reason: decision && why, modified_input, ...heard });
  },
});
