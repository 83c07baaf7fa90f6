import {
  type Capabilities,
  type CapabilityRow,
  downgrade,
  drop,
  emulated,
  type FactSource,
  native,
} from "../../protocol/capability.ts";
import { askUnseen, createRowKit, type NonGateEvent } from "../codec/capability-rows.ts";

/** Names of the answer formats defined in answers.ts. */
export type QwenAnswerShape = "gate" | "approval" | "result" | "block" | "stop" | "context" | "none";

/**
 * Source of facts taken from the program itself or from the guide in its package. evidence.json lists the cells that a
 * run confirmed.
 */
const SHIPPED: FactSource = "shipped 0.24.4";

const silentAllow = native("no output, so Qwen Code continues", SHIPPED, { lacksReason: true });
const noMessage = drop(
  ["Qwen Code doesn't show messages from hooks on this event", "include the message in a denial's reason"],
  SHIPPED,
);
const CONTEXT_AFTER_RESULT =
  "additionalContext, which the model reads after the result; Qwen Code replaces < and > with &lt; and &gt;";

const { noRewrite, noResult, noVariables, askBlocks, askMeaningless, observe } = createRowKit<QwenAnswerShape>({
  name: "Qwen Code",
  source: SHIPPED,
  allow: () => silentAllow,
  user_message: () => noMessage,
  advice: {
    reason: "omit it",
    ask: "ask in a PreToolUse hook",
    context: "add the context in a UserPromptSubmit or PostToolUse hook",
  },
});

const createObservingRow = <E extends NonGateEvent>(event: E) => observe(event, "none");

/**
 * Capability row for an event on which Qwen Code honors denials. A denial uses exit code 2, with the document on
 * stderr.
 */
const createBlockingRow = <E extends NonGateEvent>(
  event: E,
  how: string,
  overrides: Partial<Pick<CapabilityRow, "ask" | "additional_context">> = {},
) => ({
  ...createObservingRow(event),
  shape: "block" as const,
  deny: native(`decision "block" with exit code 2; ${how}`, SHIPPED),
  ask: askBlocks,
  reason: native("reason", SHIPPED),
  ...overrides,
});

const createStoppingRow = (event: "Stop" | "SubagentStop"): CapabilityRow<QwenAnswerShape> => ({
  ...createObservingRow(event),
  shape: "stop",
  deny: native('decision "block" with exit code 2; the model continues with the reason, up to 7 times', SHIPPED),
  ask: askMeaningless,
  reason: native("reason", SHIPPED),
});

export const capabilities: Capabilities<QwenAnswerShape> = {
  SessionStart: () => ({
    ...createObservingRow("SessionStart"),
    shape: "context",
    additional_context: native("additionalContext, which becomes part of the system prompt", SHIPPED),
    session_env: noVariables,
  }),
  PreToolUse: () => ({
    event: "PreToolUse",
    shape: "gate",
    allow: native("no output; Qwen Code has already approved the call", SHIPPED, { lacksReason: true }),
    deny: native(
      'permissionDecision "deny" and continue false, on stderr with exit code 2; without "continue", another hook\'s "allow" overrides the denial',
      SHIPPED,
    ),
    ask: native('permissionDecision "ask"; Qwen Code denies the call in headless runs and background agents', SHIPPED),
    reason: native("permissionDecisionReason", SHIPPED),
    user_message: noMessage,
    modified_input: downgrade(
      [
        "Qwen Code ignores modified input and runs the original call",
        "deny instead, and suggest a better call in the reason",
      ],
      SHIPPED,
    ),
    additional_context: drop(
      ["Qwen Code drops context before a call", "add the context in a PostToolUse hook"],
      SHIPPED,
    ),
  }),
  PostToolUse: () => ({
    ...createObservingRow("PostToolUse"),
    shape: "result",
    deny: emulated("continue false; the model gets the reason instead of the result", SHIPPED),
    ask: askMeaningless,
    reason: native("stopReason", SHIPPED),
    additional_context: native(CONTEXT_AFTER_RESULT, SHIPPED),
    modified_output: emulated(
      "sent as a denial's reason, which the model reads as an error instead of the result",
      SHIPPED,
    ),
  }),
  PostToolUseFailure: () => ({
    ...createObservingRow("PostToolUseFailure"),
    shape: "context",
    deny: emulated("the call has failed; the model gets the reason as additionalContext", SHIPPED),
    ask: askMeaningless,
    reason: native("additionalContext", SHIPPED),
    additional_context: native(CONTEXT_AFTER_RESULT, SHIPPED),
    modified_output: noResult,
  }),
  UserPromptSubmit: () => ({
    ...createBlockingRow("UserPromptSubmit", "no request is sent, and a headless run prints nothing", {
      additional_context: native("additionalContext, which the model reads after the prompt", SHIPPED),
    }),
    reason: native("reason, shown to the user, but not in headless runs", SHIPPED),
  }),
  // On this event, Qwen Code also shows reasons and messages in headless runs, on stderr.
  Stop: () => ({ ...createStoppingRow("Stop"), user_message: native("systemMessage", SHIPPED) }),
  SubagentStart: () => createObservingRow("SubagentStart"),
  SubagentStop: () => createStoppingRow("SubagentStop"),
  // Qwen Code fires this event only if a user can answer.
  PermissionRequest: () => ({
    event: "PermissionRequest",
    shape: "approval",
    allow: native('decision.behavior "allow"', SHIPPED),
    deny: native('decision.behavior "deny"', SHIPPED),
    ask: native("no output, so Qwen Code asks the user as usual", SHIPPED, { lacksReason: true }),
    reason: native("decision.message", SHIPPED),
    user_message: noMessage,
    modified_input: native(
      'decision.updatedInput together with "allow"; without "allow" the rewrite becomes a denial',
      SHIPPED,
    ),
    additional_context: drop(
      ["Qwen Code doesn't accept context on this event", "add the context in a PostToolUse hook"],
      SHIPPED,
    ),
  }),
  PreCompact: () => ({
    ...createObservingRow("PreCompact"),
    shape: "context",
    additional_context: native("additionalContext, which the model reads when it writes the summary", SHIPPED),
  }),
  PostCompact: () => createObservingRow("PostCompact"),
  Notification: () => createObservingRow("Notification"),
  SessionEnd: () => createObservingRow("SessionEnd"),
  PostToolBatch: () =>
    createBlockingRow("Native", "the model gets the reason instead of the last result", {
      ask: askMeaningless,
      additional_context: native(CONTEXT_AFTER_RESULT, SHIPPED),
    }),
  UserPromptExpansion: () => ({
    ...createBlockingRow("Native", "the command's prompt is not sent", {
      additional_context: native("additionalContext, which the model reads after the prompt", SHIPPED),
    }),
    reason: native("reason, shown to the user", SHIPPED),
  }),
  TodoCreated: () => createBlockingRow("Native", "the list stays unchanged"),
  TodoCompleted: () => createBlockingRow("Native", "the list stays unchanged"),
  InstructionsLoaded: () => createObservingRow("Native"),
  MessageDisplay: () => createObservingRow("Native"),
  StopFailure: () => createObservingRow("Native"),
};

/** Capability row for unreadable events and events that later releases might add. */
export const createUnknownEventRow = (): CapabilityRow<QwenAnswerShape> => ({
  ...createObservingRow("Native"),
  shape: "gate",
  deny: emulated('decision "deny" with exit code 2; not verified on this event', "unverified"),
  ask: askUnseen,
  reason: native("reason", "unverified"),
  modified_input: noRewrite,
});
