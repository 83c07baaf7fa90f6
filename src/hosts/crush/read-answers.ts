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
} from "../codec/answer-reader.ts";
import { answers } from "./answers.ts";
import { decodeToolCall } from "./call.ts";
import type { CrushAnswerShape } from "./capabilities.ts";
import { crush } from "./index.ts";

const HOST_NAME = "Crush";
/** Exit code that blocks the call and ends the turn. */
const HALT_EXIT_CODE = 49;

/**
 * If the context is a list, joins it into one string. If the document uses Claude Code's nested format, keeps only the
 * nested part.
 */
function joinContext(document: Payload | undefined): Payload | undefined {
  if (document?.hookSpecificOutput !== undefined) return { hookSpecificOutput: document.hookSpecificOutput };
  return Array.isArray(document?.context) ? { ...document, context: document.context.join("\n") } : document;
}

/** Evaluates an answer as described in Crush's hook documentation. Ending the turn also blocks the call. */
function judgeCommandAnswer({
  document,
  isDenied,
  result: { exit_code },
}: CommandAnswer<CrushAnswerShape>): AnswerVerdict {
  if (exit_code === 2 || exit_code === HALT_EXIT_CODE) return DENIED_VERDICT;
  if (exit_code !== 0) return createInvalidVerdict(HOST_NAME, describeExit(exit_code));
  return judgeDenial(isDenied || document?.halt === true);
}

export const { judgeAnswer, parseAnswer, translatePatch } = createAnswerReader<CrushAnswerShape>({
  name: HOST_NAME,
  host: crush,
  table: answers,
  findDocument: ({ stdout, exit_code }) => (exit_code === 0 ? joinContext(parseJsonObject(stdout)) : undefined),
  judgeCommandAnswer,
  readInput: ({ payload: { tool_name, tool_input } }) => ({
    input: tool_input,
    // Crush merges the new input into the original.
    read: (input) => decodeToolCall(String(tool_name), { ...(tool_input as object), ...input }).input,
  }),
});
