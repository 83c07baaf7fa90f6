import type { AnswerVerdict } from "../../protocol/host/install.ts";
import { isObject, parseJsonObject, toObject } from "../../protocol/object.ts";
import {
  createAnswerReader,
  createInvalidVerdict,
  DENIED_VERDICT,
  describeExit,
  type CommandAnswer,
  judgeDenial,
  PASSED_VERDICT,
} from "../codec/answer-reader.ts";
import { extractModifiedOutput } from "../codec/answer-values.ts";
import { answers } from "./answers.ts";
import { decodeToolCall, toSnakeCase } from "./call.ts";
import type { GrokAnswerShape } from "./capabilities.ts";
import { grok } from "./index.ts";
import { decodeOutput } from "./results.ts";

const HOST_NAME = "Grok Build";

const GATE_DECISIONS: readonly unknown[] = ["deny", "block", "allow", "approve", "ask", "defer", undefined];

/** Evaluates an answer the way Grok Build does [seen 1.0.41, 2026-11-28]. */
function judgeCommandAnswer(answer: CommandAnswer<GrokAnswerShape>): AnswerVerdict {
  const { shape, document, isDenied, result } = answer;
  const { exit_code } = result;
  // The document takes precedence over the exit code.
  if (document && shape === "stop") return judgeDenial(isDenied && document.continue !== false);
  if (shape === "context" || shape === "none") {
    if (document) return PASSED_VERDICT;
  } else if (isDenied || exit_code === 2) return DENIED_VERDICT;
  if (exit_code !== 0) return createInvalidVerdict(HOST_NAME, describeExit(exit_code));
  return shape === "gate" && !GATE_DECISIONS.includes(document?.decision)
    ? createInvalidVerdict(HOST_NAME, "its decision is not one that Grok Build supports")
    : PASSED_VERDICT;
}

export const { judgeAnswer, parseAnswer, translatePatch } = createAnswerReader({
  name: HOST_NAME,
  host: grok,
  table: answers,
  findDocument({ stdout, exit_code }, { shape }) {
    const document = parseJsonObject(stdout);
    if (!document || shape !== "gate") return document;
    const decision = toObject(document.hookSpecificOutput).permissionDecision ?? document.decision;
    // "defer" leaves the decision to the user and makes Grok Build ignore all other fields.
    return decision === "defer" && exit_code !== 2 ? { decision } : { ...document, decision };
  },
  judgeCommandAnswer,
  readInput({ payload }) {
    const { tool_name, tool_input } = toSnakeCase(payload);
    return { input: tool_input, read: (input) => decodeToolCall(String(tool_name), { ...input }).input };
  },
  readOutput: (output) =>
    isObject(output) && typeof output.type === "string"
      ? decodeOutput("Other", output).text
      : extractModifiedOutput(output),
  adjust(response, { document, shape, result }) {
    const { decision, additional_context } = response;
    if (decision === "deny") return response;
    switch (shape) {
      case "gate":
        // If the hook failed, Grok Build ignores the other fields.
        return result.exit_code === 0 ? response : { decision, reason: response.reason };
      case "stop":
        return additional_context && document?.continue !== false
          ? { decision: "deny", reason: additional_context }
          : {};
      case "prompt":
      case "none":
        return {};
      case "feedback":
      case "context":
        return response;
    }
  },
});
