import * as v from "valibot";
import type { AnswerVerdict } from "../../protocol/host/install.ts";
import { isObject, toObject } from "../../protocol/object.ts";
import {
  createAnswerReader,
  createInvalidVerdict,
  describeExit,
  type CommandAnswer,
  judgeDenial,
} from "../codec/answer-reader.ts";
import { extractModifiedOutput, toNonEmptyString } from "../codec/answer-values.ts";
import { answers, TEXT_LIMIT } from "./answers.ts";
import { decodeToolCall } from "./call.ts";
import type { CursorAnswerShape } from "./capabilities.ts";
import { cursor } from "./index.ts";

const message = () => v.optional(v.string());
/**
 * Fields that invalidate an answer if they have the wrong type. Cursor ignores unknown keys [seen @cursor/sdk 1.0.32,
 * 2026-11-21].
 */
const Answer = () => v.looseObject({ user_message: message(), agent_message: message() });
const permission = (...values: string[]) =>
  v.looseObject({ ...Answer().entries, permission: v.optional(v.picklist(values)) });
/** Events on which Cursor considers "ask" an invalid answer and blocks [seen @cursor/sdk 1.0.32, 2026-11-21]. */
const EVENTS_WITHOUT_ASK = ["beforeReadFile", "beforeTabFileRead"];

/**
 * Finds the JSON document in stdout: either all of stdout or the last document at its end [seen @cursor/sdk 1.0.32,
 * 2026-11-21].
 */
function findLastDocument(stdout: string): unknown {
  const text = stdout.replace(/^\ufeff/, "").trim();
  const parseFrom = (start: number): unknown => {
    try {
      return JSON.parse(text.slice(start));
    } catch {
      return undefined;
    }
  };
  let parsedDocument = parseFrom(0);
  if (!text.endsWith("}")) return parsedDocument;
  for (let at = text.lastIndexOf("{"); parsedDocument === undefined && at > 0; at = text.lastIndexOf("{", at - 1))
    parsedDocument = parseFrom(at);
  return parsedDocument;
}

/**
 * Returns the reason why Cursor considers an answer invalid. If `isBlocking` is set, Cursor blocks regardless of the
 * entry's settings.
 */
function findFault(
  { native_event, shape, result }: CommandAnswer<CursorAnswerShape>,
  isClosed: boolean,
): { problem: string; isBlocking?: true } | undefined {
  const { stdout, exit_code } = result;
  if (exit_code !== 0) return { problem: describeExit(exit_code) };
  // Without failClosed, Cursor treats empty stdout as no decision.
  if (stdout.trim() === "") return isClosed ? { problem: "it printed nothing" } : undefined;
  const schema =
    shape !== "permission"
      ? Answer()
      : EVENTS_WITHOUT_ASK.includes(native_event)
        ? permission("allow", "deny")
        : permission("allow", "deny", "ask");
  const document = findLastDocument(stdout);
  // Cursor rejects an array where it expects an object.
  if (!isObject(document) || !v.is(schema, document)) {
    const isGate = shape === "permission" || shape === "any";
    return { problem: "its stdout is not a document that Cursor accepts", ...(isGate && { isBlocking: true }) };
  }
  const { additional_context: text } = document;
  const isTooLong = native_event === "preToolUse" && typeof text === "string" && text.length > TEXT_LIMIT;
  return isTooLong && isClosed
    ? { problem: `its additional_context is longer than ${TEXT_LIMIT} characters` }
    : undefined;
}

function judgeCommandAnswer(answer: CommandAnswer<CursorAnswerShape>): AnswerVerdict {
  const { shape, result, handler, document = {}, isDenied } = answer;
  const canStop = shape === "permission" || shape === "continue" || shape === "any";
  // With exit code 2, Cursor ignores the JSON [seen @cursor/sdk 1.0.32, 2026-11-21].
  if (result.exit_code === 2) return judgeDenial(canStop);
  const isClosed = handler.failClosed === true && canStop;
  const fault = findFault(answer, isClosed);
  if (fault) {
    const blocking = isClosed ? "blocks because of failClosed" : undefined;
    return createInvalidVerdict("Cursor", fault.problem, fault.isBlocking ? "blocks for safety" : blocking);
  }
  // On a stop event, Cursor also accepts another host's `decision: "block"`.
  const isBlocked = shape === "followup" && document.decision === "block" && Boolean(document.reason);
  return judgeDenial(shape === "followup" ? Boolean(document.followup_message) || isBlocked : isDenied);
}

export const { judgeAnswer, parseAnswer, translatePatch } = createAnswerReader({
  name: "Cursor",
  host: cursor,
  table: answers,
  findDocument: ({ stdout }) => toObject(findLastDocument(stdout)),
  judgeCommandAnswer,
  // Only preToolUse accepts modified input [seen @cursor/sdk 1.0.32, 2026-11-21].
  readInput: ({ native_event, payload: { tool_name, tool_input } }) =>
    native_event === "preToolUse"
      ? { input: tool_input, read: (input) => decodeToolCall(String(tool_name), input).input }
      : undefined,
  readOutput(output, { native_event, payload: { tool_name, tool_input } }) {
    if (native_event !== "postToolUse") return undefined;
    const { tool } = decodeToolCall(String(tool_name), toObject(tool_input));
    return tool === "MCP" ? extractModifiedOutput(output) : undefined;
  },
  adjust(response, { native_event, shape, document = {}, result, reason: documentReason }) {
    const { decision, user_message: userMessage, session_env } = response;
    const { stdout, stderr, exit_code } = result;
    // With exit code 2, Cursor shows whatever was printed as the reason.
    const printedReason =
      exit_code === 2 && Object.keys(document).length === 0
        ? (toNonEmptyString(stdout) ?? toNonEmptyString(stderr))
        : undefined;
    const reason = printedReason ?? documentReason ?? userMessage;
    const hasDecision = decision === "deny" || decision === "ask";
    return {
      ...response,
      decision: shape === "any" && decision !== "deny" ? undefined : decision,
      reason: hasDecision ? reason : undefined,
      user_message: hasDecision && userMessage === reason ? undefined : userMessage,
      session_env: native_event === "sessionStart" ? session_env : undefined,
    };
  },
});
