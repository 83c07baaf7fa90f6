import type { AnswerVerdict } from "../../protocol/host/install.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import { parseJsonObject } from "../../protocol/object.ts";
import {
  createAnswerReader,
  createInvalidVerdict,
  DENIED_VERDICT,
  describeExit,
  type CommandAnswer,
  judgeDenial,
  PASSED_VERDICT,
} from "../codec/answer-reader.ts";
import { toNonEmptyString } from "../codec/answer-values.ts";
import { answers } from "./answers.ts";
import { decodeToolCall } from "./call.ts";
import type { DroidAnswerShape } from "./capabilities.ts";
import { droid } from "./index.ts";

const HOST_NAME = "Droid";

/** Whether Droid would end the run or discard the prompt. Either way, nothing runs. */
const endsRun = ({ document, result, shape }: CommandAnswer<DroidAnswerShape>) =>
  ["gate", "feedback", "prompt"].includes(shape) && (document?.continue === false || result.exit_code === 3);

/**
 * Evaluates an answer on Stop, where Droid ignores a "block" without a reason, even with exit code 2 [shipped 0.215.0].
 */
function judgeStopAnswer({
  document,
  isDenied,
  result: { exit_code },
}: CommandAnswer<DroidAnswerShape>): AnswerVerdict {
  if (document?.continue === false || exit_code === 3) return PASSED_VERDICT;
  if (document?.decision === "block") return judgeDenial(isDenied);
  return exit_code === 2 ? DENIED_VERDICT : judgeExit(document, exit_code);
}

const judgeExit = (document: Payload | undefined, exit_code: number | null): AnswerVerdict =>
  document || exit_code === 0 ? PASSED_VERDICT : createInvalidVerdict(HOST_NAME, describeExit(exit_code));

/** Evaluates an answer the way Droid does [seen 0.215.0, 2026-11-27]. */
function judgeCommandAnswer(answer: CommandAnswer<DroidAnswerShape>): AnswerVerdict {
  const { shape, document, isDenied, result } = answer;
  if (endsRun(answer)) return DENIED_VERDICT;
  if (shape === "stop") return judgeStopAnswer(answer);
  // Before a call, the JSON determines the decision, regardless of the exit code.
  if (shape === "gate" && isDenied) return DENIED_VERDICT;
  return result.exit_code === 2 && shape !== "context" && shape !== "none"
    ? DENIED_VERDICT
    : judgeExit(document, result.exit_code);
}

export const { judgeAnswer, parseAnswer, translatePatch } = createAnswerReader({
  name: HOST_NAME,
  host: droid,
  table: answers,
  findDocument: ({ stdout }) => parseJsonObject(stdout),
  judgeCommandAnswer,
  plainContextEvents: ["SessionStart", "UserPromptSubmit"],
  readInput: ({ payload: { tool_name, tool_input } }) => ({
    input: tool_input,
    read: (input) => decodeToolCall(String(tool_name), input).input,
  }),
  adjust(response, { shape, result, document }) {
    if (response.decision === "deny") {
      const reason = response.reason ?? toNonEmptyString(document?.stopReason);
      return { ...response, reason: reason === answers.noReason ? undefined : reason };
    }
    const { additional_context, ...otherFields } = response;
    // Droid reads context only on these events and, if the hook failed, only after a call.
    const isRead = ["feedback", "prompt", "context"].includes(shape);
    return isRead && (shape === "feedback" || result.exit_code === 0) ? response : otherFields;
  },
});
