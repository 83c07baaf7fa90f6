import type { AnswerVerdict, CommandResult } from "../../protocol/host/install.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import { isObject, toObject } from "../../protocol/object.ts";
import {
  createAnswerReader,
  createInvalidVerdict,
  describeExit,
  type CommandAnswer,
  judgeDenial,
  PASSED_VERDICT,
} from "../codec/answer-reader.ts";
import { answers } from "./answers.ts";
import { decodeToolCall } from "./call.ts";
import type { QwenAnswerShape } from "./capabilities.ts";
import { qwen } from "./index.ts";

const HOST_NAME = "Qwen Code";

/**
 * Returns the output that Qwen Code reads. With exit code 2, Qwen Code reads stderr. Otherwise it reads stdout, or
 * stderr if stdout is empty [shipped 0.24.4].
 */
const pickText = ({ stdout, stderr, exit_code }: CommandResult): string =>
  exit_code === 2 ? stderr.trim() : stdout.trim() || stderr.trim();

/** Parses the document, which can be wrapped in a JSON string [shipped 0.24.4]. */
function parseDocument(result: CommandResult): Payload | undefined {
  try {
    const parsed: unknown = JSON.parse(pickText(result));
    const document: unknown = typeof parsed === "string" ? JSON.parse(parsed) : parsed;
    return isObject(document) ? document : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Finds the document. Before a call, the nested decision takes precedence, and "ask" overrides "continue" [shipped
 * 0.24.4].
 */
function findDocument(result: CommandResult, { shape }: { shape: QwenAnswerShape }): Payload | undefined {
  const document = parseDocument(result);
  if (!document || shape !== "gate") return document;
  const { permissionDecision, ...specific } = toObject(document.hookSpecificOutput);
  const decision = DECISIONS.includes(permissionDecision) ? permissionDecision : document.decision;
  return {
    ...document,
    hookSpecificOutput: specific,
    decision,
    ...(decision === "ask" && { continue: undefined, stopReason: undefined }),
  };
}
const DECISIONS: readonly unknown[] = ["allow", "deny", "ask"];

/** Answer shapes for which exit code 2 with plain text on stderr is a denial. */
const TEXT_DENIAL_SHAPES: readonly QwenAnswerShape[] = ["gate", "block", "stop"];

/** Evaluates an answer the way Qwen Code does [seen 0.24.4, 2026-11-27]. */
function judgeCommandAnswer({
  shape,
  result,
  document,
  isDenied,
  canDeny,
}: CommandAnswer<QwenAnswerShape>): AnswerVerdict {
  const { exit_code } = result;
  if (exit_code === null) return createInvalidVerdict(HOST_NAME, describeExit(exit_code));
  // The document determines the decision, regardless of the exit code.
  if (document) return judgeDenial(isDenied && canDeny);
  const text = pickText(result);
  if (exit_code === 2 && text === "")
    return createInvalidVerdict(HOST_NAME, `${describeExit(exit_code)} and printed nothing on stderr`);
  if (exit_code === 2 && TEXT_DENIAL_SHAPES.includes(shape)) return judgeDenial(canDeny);
  if (exit_code !== 0) return createInvalidVerdict(HOST_NAME, describeExit(exit_code));
  return text.startsWith("{")
    ? createInvalidVerdict(HOST_NAME, "its output starts like a document, but is not valid JSON")
    : PASSED_VERDICT;
}

export const { judgeAnswer, parseAnswer, translatePatch } = createAnswerReader({
  name: HOST_NAME,
  host: qwen,
  table: answers,
  findDocument,
  judgeCommandAnswer,
  // Events on which plain text becomes context [SessionStart and UserPromptSubmit seen 0.24.4, 2026-11-27; the third
  // shipped 0.24.4].
  plainContextEvents: ["SessionStart", "UserPromptSubmit", "UserPromptExpansion"],
  readInput: ({ native_event, payload: { tool_name, tool_input } }) =>
    // On other events, Qwen Code ignores a modified input [seen 0.24.4, 2026-11-27].
    native_event === "PermissionRequest"
      ? { input: tool_input, read: (input) => decodeToolCall(String(tool_name), input).input }
      : undefined,
  adjust(response, { native_event }) {
    // If a call or prompt is denied, Qwen Code ignores all other fields.
    if (response.decision !== "deny" || native_event === "PostToolBatch") return response;
    const { decision, reason, user_message } = response;
    return { decision, reason, user_message };
  },
});
