import * as v from "valibot";
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
import { answers } from "./answers.ts";
import { decodeOutput, decodeToolCall } from "./call.ts";
import { claude } from "./index.ts";

const HOST_NAME = "Claude Code";

/** Events on which Claude Code ignores `onFailure` [shipped 2.1.330]. */
const EVENTS_WITHOUT_ON_FAILURE = ["Stop", "SubagentStop", "TaskCompleted", "TeammateIdle"];

/** Fields whose invalid values Claude Code rejects [unverified]. Claude Code ignores unknown keys [seen 2.1.330]. */
const createAnswerSchema = () =>
  v.looseObject({
    continue: v.optional(v.boolean()),
    decision: v.optional(v.picklist(["approve", "block"])),
    hookSpecificOutput: v.optional(
      v.looseObject({
        hookEventName: v.optional(v.string()),
        permissionDecision: v.optional(v.picklist(["allow", "deny", "ask", "defer"])),
        decision: v.optional(v.looseObject({ behavior: v.picklist(["allow", "deny"]) })),
        action: v.optional(v.picklist(["accept", "decline", "cancel"])),
      }),
    ),
  });

/**
 * Parses the answer. Like Claude Code, drops hookSpecificOutput if its event name is missing or wrong [seen 2.1.330,
 * 2026-11-21].
 */
function findDocument(stdout: string, native_event: string) {
  const document = parseJsonObject(stdout);
  const hasEventName = toObject(document?.hookSpecificOutput).hookEventName === native_event;
  return document && !hasEventName ? { ...document, hookSpecificOutput: undefined } : document;
}

function judgeCommandAnswer(answer: CommandAnswer): AnswerVerdict {
  const { native_event, shape, result, handler, document, isDenied, canDeny } = answer;
  const { stdout, exit_code } = result;
  // Claude Code doesn't wait for an async hook [seen 2.1.330, 2026-11-21].
  if (handler.async === true) return PASSED_VERDICT;
  // On PermissionRequest, Claude Code reads only the JSON [seen 2.1.330, 2026-11-21].
  if (exit_code === 2 && shape !== "behavior") return judgeDenial(canDeny);
  // On a prompt, `continue: false` discards the prompt. On a tool call, the call still runs and then the turn ends
  // [seen 2.1.330, 2026-11-21].
  const isDiscarded = document?.continue === false && native_event === "UserPromptSubmit";
  // The JSON determines the decision, regardless of the exit code [seen 2.1.330, 2026-11-21].
  if (v.is(createAnswerSchema(), parseJsonObject(stdout))) return judgeDenial((isDenied || isDiscarded) && canDeny);
  const isDocument = stdout.trimStart().startsWith("{");
  if (exit_code === 0 && !isDocument) return PASSED_VERDICT;
  const problem = isDocument
    ? "its stdout starts like a document, but is not JSON that Claude Code accepts"
    : describeExit(exit_code);
  const isBlocking = handler.onFailure === "block" && !EVENTS_WITHOUT_ON_FAILURE.includes(native_event);
  return createInvalidVerdict(HOST_NAME, problem, isBlocking ? "blocks because of onFailure" : undefined);
}

export const { judgeAnswer, parseAnswer, translatePatch } = createAnswerReader({
  name: HOST_NAME,
  host: claude,
  table: answers,
  findDocument: ({ stdout }, { native_event }) => findDocument(stdout, native_event),
  judgeCommandAnswer,
  // Events on which Claude Code treats plain text as context [seen 2.1.330, 2026-11-21].
  plainContextEvents: ["SessionStart", "UserPromptSubmit", "UserPromptExpansion"],
  readInput: ({ payload: { tool_name, tool_input, mcp_server } }) => ({
    input: tool_input,
    read: (input) => decodeToolCall(String(tool_name), input, toNonEmptyString(toObject(mcp_server).name)).input,
  }),
  /** Returns the text of a modified result as Claude Code would show it. */
  readOutput(raw, { native_event, payload }) {
    if (raw === undefined || native_event !== "PostToolUse") return undefined;
    const { tool } = decodeToolCall(String(payload.tool_name), toObject(payload.tool_input));
    return tool === "Bash" || tool === "Read" ? decodeOutput(tool, raw).text : extractModifiedOutput(raw);
  },
  adjust(response, { document, shape, result, reason }) {
    const { decision, user_message, additional_context, modified_output } = response;
    const stderr = toNonEmptyString(result.stderr);
    if (document?.continue === false) {
      // `continue: false` ends the turn. The closest unified response is a denial, except on Stop, where the turn ends
      // anyway.
      if (shape === "stop") return { user_message: user_message ?? toNonEmptyString(document.stopReason) };
      return { decision: "deny", reason: reason ?? stderr, user_message, additional_context, modified_output };
    }
    if (decision === "deny") return response;
    // Context on Stop makes Claude Code continue [seen 2.1.330, 2026-11-21].
    if (shape === "stop" && additional_context) return { decision: "deny", reason: additional_context, user_message };
    // On an event that can't be blocked, Claude Code shows the denial's text to the user [docs
    // https://code.claude.com/docs/en/hooks].
    return result.exit_code === 2 ? { ...response, user_message: user_message ?? stderr } : response;
  },
});
