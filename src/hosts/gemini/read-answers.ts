import type { AnswerVerdict } from "../../protocol/host/install.ts";
import { isObject, toObject } from "../../protocol/object.ts";
import {
  createAnswerReader,
  createInvalidVerdict,
  describeExit,
  type CommandAnswer,
  judgeDenial,
  PASSED_VERDICT,
} from "../codec/answer-reader.ts";
import { toNonEmptyString } from "../codec/answer-values.ts";
import { answers } from "./answers.ts";
import { decodeToolCall } from "./call.ts";
import { gemini } from "./index.ts";

const HOST_NAME = "Gemini CLI";

/** Evaluates an answer the way Gemini CLI does [seen 0.61.0, 2026-11-22]. */
function judgeCommandAnswer({
  result: { stdout, stderr, exit_code },
  document,
  isDenied,
  canDeny,
}: CommandAnswer): AnswerVerdict {
  // The document determines the decision, regardless of the exit code.
  if (document) return judgeDenial(isDenied && canDeny);
  if (exit_code === null) return createInvalidVerdict(HOST_NAME, describeExit(exit_code));
  const hasPrinted = stdout.trim() !== "";
  if (exit_code === 0)
    return hasPrinted
      ? createInvalidVerdict(HOST_NAME, "its stdout is text for the user, not a document")
      : PASSED_VERDICT;
  const exitDescription = describeExit(exit_code);
  if (!hasPrinted && stderr.trim() === "")
    return createInvalidVerdict(HOST_NAME, `${exitDescription} and printed nothing`);
  if (exit_code === 1) return createInvalidVerdict(HOST_NAME, exitDescription);
  // A nonzero exit code without a document is a denial if stderr contains any text.
  if (!hasPrinted) return judgeDenial(canDeny);
  const blocking = canDeny ? "treats all of it as a denial" : undefined;
  return createInvalidVerdict(HOST_NAME, `${exitDescription}, and its stdout is not a document`, blocking);
}

export const { judgeAnswer, parseAnswer, translatePatch } = createAnswerReader({
  name: HOST_NAME,
  host: gemini,
  table: answers,
  untranslatableFields: ["tailToolCallRequest", "llm_request", "llm_response", "toolConfig"],
  /**
   * Finds the document on stdout, or on stderr if stdout is empty. The document can be wrapped in a JSON string
   * [shipped 0.61.0].
   */
  findDocument({ stdout, stderr }) {
    try {
      const parsed: unknown = JSON.parse(stdout.trim() || stderr.trim());
      const document: unknown = typeof parsed === "string" ? JSON.parse(parsed) : parsed;
      return isObject(document) ? document : undefined;
    } catch {
      return undefined;
    }
  },
  judgeCommandAnswer,
  readInput({ payload: { tool_name, tool_input, mcp_context } }) {
    const { server_name, tool_name: name } = toObject(mcp_context);
    const mcp = mcp_context ? { server_name: String(server_name), tool_name: String(name) } : undefined;
    return { input: tool_input, read: (input) => decodeToolCall(String(tool_name), { ...input }, mcp).input };
  },
  adjust(response, { document, shape, result: { stdout, stderr }, reason }) {
    const { decision, user_message, additional_context } = response;
    // The turn ends anyway, so `continue: false` has no effect.
    if (document?.continue === false && shape === "stop")
      return { user_message: user_message ?? reason, additional_context };
    // Without a document, the text printed with exit code 2 serves as the reason.
    if (decision !== "deny") return response;
    return { ...response, reason: reason ?? toNonEmptyString(stdout) ?? toNonEmptyString(stderr) };
  },
});
