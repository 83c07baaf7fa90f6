import type { AnswerVerdict } from "../../protocol/host/install.ts";
import { parseJsonObject, toObject } from "../../protocol/object.ts";
import {
  createAnswerReader,
  createInvalidVerdict,
  describeExit,
  type CommandAnswer,
  judgeDenial,
  PASSED_VERDICT,
} from "../codec/answer-reader.ts";
import { extractModifiedOutput, toNonEmptyString } from "../codec/answer-values.ts";
import { isPascalCase } from "../codec/value-tests.ts";
import { answers } from "./answers.ts";
import { decodeToolCall, parseInput, toSnakeCase } from "./call.ts";
import type { CopilotAnswerShape } from "./capabilities.ts";
import { copilot } from "./index.ts";

const HOST_NAME = "Copilot";

/** Evaluates an answer the way Copilot CLI does. */
function judgeCommandAnswer({ shape, result, document, ...answer }: CommandAnswer<CopilotAnswerShape>): AnswerVerdict {
  // On an unknown event, only the denial field of gate events is known to work.
  const isDenied = shape === "any" ? document?.permissionDecision === "deny" : answer.isDenied;
  const { stdout, exit_code } = result;
  const isGate = /permission|behavior/.test(shape);
  // With exit code 2, Copilot ignores the document before a call but still reads it after a call and on a prompt [seen
  // 1.0.102, 2026-11-22].
  if (exit_code === 2) return judgeDenial(isGate || isDenied);
  if (exit_code !== 0)
    return createInvalidVerdict(HOST_NAME, describeExit(exit_code), isGate ? "blocks the call for safety" : undefined);
  if (stdout.trim() === "" || shape === "none" || shape === "nested none") return PASSED_VERDICT;
  // Any text before the document makes all of stdout unreadable [seen 1.0.102, 2026-11-21].
  return document ? judgeDenial(isDenied) : createInvalidVerdict(HOST_NAME, "its stdout is not a document");
}

export const { judgeAnswer, parseAnswer, translatePatch } = createAnswerReader({
  name: HOST_NAME,
  host: copilot,
  table: answers,
  untranslatableFields: ["modifiedPrompt", "modifiedTransformedPrompt"],
  // Top-level fields take precedence over nested ones, which Copilot reads only before a call [seen 1.0.102,
  // 2026-11-22].
  findDocument({ stdout }, { native_event, shape }) {
    const document = parseJsonObject(stdout);
    if (!document) return undefined;
    const { hookSpecificOutput, continue: _, stopReason: __, ...flatFields } = document;
    const readsNested = shape === "nested permission" || (shape === "any" && isPascalCase(native_event));
    return readsNested ? { ...toObject(hookSpecificOutput), ...flatFields } : flatFields;
  },
  judgeCommandAnswer,
  /** Returns the native input. A patch can only be replaced by another patch [shipped 1.0.102]. */
  readInput({ payload }) {
    const { tool_name, tool_input } = toSnakeCase(payload);
    return { input: parseInput(tool_input), read: (input) => decodeToolCall(String(tool_name), input).input };
  },
  /** Returns a modified result. The original is replaced even if the new result has no text. */
  readOutput: (result) => (result ? (extractModifiedOutput(toObject(result).textResultForLlm) ?? "") : undefined),
  adjust(response, { row: { event }, shape, result }) {
    // After a failed call, the model receives stderr as guidance [seen 1.0.102, 2026-11-21].
    const guidance =
      event === "PostToolUseFailure" && result.exit_code === 2 ? toNonEmptyString(result.stderr) : undefined;
    return {
      ...response,
      ...(shape === "any" && response.decision !== "deny" && { decision: undefined, reason: undefined }),
      additional_context: response.additional_context ?? guidance,
      modified_output: event === "PostToolUse" ? response.modified_output : undefined,
    };
  },
});
