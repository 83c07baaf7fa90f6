import type { AnswerVerdict } from "../../protocol/host/install.ts";
import { isObject, parseJsonObject } from "../../protocol/object.ts";
import {
  createAnswerReader,
  createInvalidVerdict,
  DENIED_VERDICT,
  describeExit,
  type CommandAnswer,
  judgeDenial,
  PASSED_VERDICT,
} from "../codec/answer-reader.ts";
import { answers } from "./answers.ts";
import { decodeToolCall } from "./call.ts";
import type { AuggieAnswerShape } from "./capabilities.ts";
import { auggie } from "./index.ts";

const HOST_NAME = "Auggie";

/**
 * Evaluates an answer. Before a call, exit code 2 denies the call unless the JSON contains "continue" [shipped 0.36.0].
 */
function judgeCommandAnswer({ shape, document, isDenied, result }: CommandAnswer<AuggieAnswerShape>): AnswerVerdict {
  const { exit_code } = result;
  if (shape === "gate") {
    if (document?.continue === true) return PASSED_VERDICT;
    if (exit_code === 2 || document?.continue === false || isDenied) return DENIED_VERDICT;
  }
  if (exit_code === 2) return shape === "feedback" ? DENIED_VERDICT : PASSED_VERDICT;
  if (exit_code !== 0) return createInvalidVerdict(HOST_NAME, describeExit(exit_code));
  return judgeDenial(shape === "feedback" && isDenied);
}

export const { judgeAnswer, parseAnswer, translatePatch } = createAnswerReader<AuggieAnswerShape>({
  name: HOST_NAME,
  host: auggie,
  table: answers,
  // Auggie ignores the JSON if the exit code is neither 0 nor 2, or if the JSON names another event [shipped 0.36.0].
  findDocument({ stdout, exit_code }) {
    const document = parseJsonObject(stdout);
    const { hookSpecificOutput: hookOutput } = document ?? {};
    const isRead = exit_code === 0 || exit_code === 2;
    return isRead &&
      (hookOutput === undefined || (isObject(hookOutput) && typeof hookOutput.hookEventName === "string"))
      ? document
      : undefined;
  },
  judgeCommandAnswer,
  readInput: ({ payload: { tool_name, tool_input } }) => ({
    input: tool_input,
    read: (input) => decodeToolCall(String(tool_name), input).input,
  }),
  // With exit code 2, the reason is on stderr.
  adjust: (response, { result: { exit_code, stderr } }) =>
    response.decision === "deny" && exit_code === 2 && stderr.trim()
      ? { ...response, reason: stderr.trim() }
      : response,
});
