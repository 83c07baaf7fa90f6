import * as v from "valibot";
import type { AnswerVerdict } from "../../protocol/host/install.ts";
import type { Payload } from "../../protocol/host/payload.ts";
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
import { toNonEmptyString } from "../codec/answer-values.ts";
import { answers } from "./answers.ts";
import { decodeToolCall } from "./call.ts";
import { codex } from "./index.ts";

const HOST_NAME = "Codex";

const optionalString = () => v.optional(v.string());
const common = {
  systemMessage: optionalString(),
  continue: v.optional(v.boolean()),
  stopReason: optionalString(),
  suppressOutput: v.optional(v.boolean()),
};
const block = { decision: v.optional(v.literal("block")), reason: optionalString() };
/** Codex requires an event name but, unlike its schemas, accepts any value [seen 0.169.0, 2026-11-21]. */
const createSpecificSchema = <T extends v.ObjectEntries>(entries: T) =>
  v.optional(v.strictObject({ hookEventName: v.string(), ...entries }));
const context = () => createSpecificSchema({ additionalContext: optionalString() });

/**
 * Answer schemas, copied from the JSON Schemas inside the released binary. A single unknown key invalidates the whole
 * answer [shipped 0.169.0; seen 2026-11-21].
 */
const OUTPUT_SCHEMAS: Readonly<Record<string, () => v.GenericSchema>> = {
  PreToolUse: () =>
    v.strictObject({
      ...common,
      decision: v.optional(v.picklist(["approve", "block"])),
      reason: optionalString(),
      hookSpecificOutput: createSpecificSchema({
        additionalContext: optionalString(),
        permissionDecision: v.optional(v.picklist(["allow", "deny", "ask"])),
        permissionDecisionReason: optionalString(),
        updatedInput: v.optional(v.unknown()),
      }),
    }),
  PermissionRequest: () =>
    v.strictObject({
      ...common,
      hookSpecificOutput: createSpecificSchema({
        decision: v.optional(
          v.strictObject({
            behavior: v.picklist(["allow", "deny"]),
            message: optionalString(),
            interrupt: v.optional(v.literal(false)),
          }),
        ),
      }),
    }),
  PostToolUse: () => v.strictObject({ ...common, ...block, hookSpecificOutput: context() }),
  UserPromptSubmit: () => v.strictObject({ ...common, ...block, hookSpecificOutput: context() }),
  Stop: () => v.strictObject({ ...common, ...block }),
  SubagentStop: () => v.strictObject({ ...common, ...block }),
  SessionStart: () => v.strictObject({ ...common, hookSpecificOutput: context() }),
  SubagentStart: () => v.strictObject({ ...common, hookSpecificOutput: context() }),
  PreCompact: () => v.strictObject(common),
  PostCompact: () => v.strictObject(common),
  Interrupt: () => v.strictObject({ systemMessage: optionalString() }),
};

const isNonEmptyString = (text: unknown) => toNonEmptyString(text) !== undefined;
const createProblemVerdict = (problem: string) => createInvalidVerdict(HOST_NAME, problem);

/** Explains why Codex rejects an answer even though it matches the schema [seen 0.169.0, 2026-11-21]. */
function explainRefusal(native_event: string, answer: Payload): string | undefined {
  const { permissionDecision, permissionDecisionReason, updatedInput } = toObject(answer.hookSpecificOutput);
  const gate = native_event === "PreToolUse" || native_event === "PermissionRequest";
  if (gate && (answer.continue === false || isNonEmptyString(answer.stopReason) || answer.suppressOutput === true))
    return "it sets continue, stopReason or suppressOutput, which Codex doesn't accept on this event";
  if (answer.decision === "approve") return 'it returned "approve"';
  if (answer.decision === "block" && !isNonEmptyString(answer.reason)) return "it blocks without a reason";
  if (permissionDecision === "ask") return 'it returned "ask", which Codex doesn\'t support';
  if (permissionDecision === "allow" && updatedInput === undefined)
    return 'it returned "allow" without changing anything';
  if (permissionDecision === "deny" && !isNonEmptyString(permissionDecisionReason)) return "it denies without a reason";
  return updatedInput !== undefined && permissionDecision !== "allow"
    ? 'it changes the input without "allow"'
    : undefined;
}

function judgeDocument({ native_event, result: { stdout }, isDenied }: CommandAnswer): AnswerVerdict {
  let document: unknown;
  try {
    document = JSON.parse(stdout.trim());
  } catch {
    return createProblemVerdict("its stdout starts like a document, but is not valid JSON");
  }
  if (!isObject(document)) return createProblemVerdict("its document is an array");
  const { success, issues } = v.safeParse((OUTPUT_SCHEMAS[native_event] as () => v.GenericSchema)(), document);
  if (!success)
    return createProblemVerdict(
      `its document does not match the event's schema (${v.getDotPath(issues[0]) ?? "all of it"}: ${issues[0].message})`,
    );
  const refusal = explainRefusal(native_event, document);
  if (refusal) return createProblemVerdict(refusal);
  // On Stop, `continue: false` ends the turn, whereas a denial would continue it. Some other events can't be stopped at
  // all.
  const stops = ["PostToolUse", "UserPromptSubmit", "SessionStart", "PreCompact"].includes(native_event);
  return judgeDenial(isDenied || (document.continue === false && stops));
}

function judgeCommandAnswer(answer: CommandAnswer): AnswerVerdict {
  const { native_event, shape, result, handler } = answer;
  const { stdout, stderr, exit_code } = result;
  // Codex doesn't wait for async hooks [seen 0.169.0, 2026-11-21].
  if (handler.async === true) return PASSED_VERDICT;
  if (exit_code === 2) {
    if (shape === "none") return PASSED_VERDICT;
    // On SessionStart and PreCompact, Codex treats exit code 2 as a failure [seen 0.169.0, 2026-11-21].
    if (shape === "stop" || shape === "context" || shape === "message")
      return createProblemVerdict("it exited with code 2, which has no effect on this event");
    // With exit code 2, Codex does not read stdout [seen 0.169.0, 2026-11-21].
    return isNonEmptyString(stderr)
      ? DENIED_VERDICT
      : createProblemVerdict("it exited with code 2 and printed nothing on stderr");
  }
  if (exit_code !== 0) return createProblemVerdict(describeExit(exit_code));
  const text = stdout.trim();
  if (text === "" || shape === "none") return PASSED_VERDICT;
  if (/^[{[]/.test(text) && Object.hasOwn(OUTPUT_SCHEMAS, native_event)) return judgeDocument(answer);
  // On other events, Codex uses plain text as context or ignores it [seen 0.169.0, 2026-11-21].
  return ["Stop", "SubagentStop", "Interrupt"].includes(native_event)
    ? createProblemVerdict("it printed plain text")
    : PASSED_VERDICT;
}

export const { judgeAnswer, parseAnswer, translatePatch } = createAnswerReader({
  name: HOST_NAME,
  host: codex,
  table: answers,
  // With exit code 2, Codex reads only stderr [seen 0.169.0, 2026-11-21].
  findDocument: ({ stdout, exit_code }) => (exit_code === 2 ? undefined : parseJsonObject(stdout.trim())),
  judgeCommandAnswer,
  // Events on which Codex treats plain text as context [seen 0.169.0, 2026-11-21; SubagentStart shipped 0.169.0].
  plainContextEvents: ["SessionStart", "UserPromptSubmit", "SubagentStart"],
  readInput: ({ payload: { tool_name, tool_input } }) => ({
    input: tool_input,
    read: (input) => decodeToolCall(String(tool_name), { ...input }).input,
  }),
  adjust(response, { document, result, reason }) {
    const { decision, user_message } = response;
    if (decision === "deny") return result.exit_code === 2 ? response : { ...response, reason };
    // The turn ends anyway on Stop, so `continue: false` has no effect.
    return document?.continue === false
      ? { user_message: user_message ?? toNonEmptyString(document.stopReason) }
      : response;
  },
});
