import {
  type Capabilities,
  type CapabilityRow,
  downgrade,
  drop,
  emulated,
  type FactSource,
  native,
} from "../../protocol/capability.ts";
import { createRowKit, type NonGateEvent } from "../codec/capability-rows.ts";

/** Names of the answer formats defined in answers.ts. */
export type GrokAnswerShape = "gate" | "prompt" | "feedback" | "context" | "stop" | "none";

/**
 * Source of facts taken from the program itself or from the user guide in its package. evidence.json lists the cells
 * that a run confirmed.
 */
const SHIPPED: FactSource = "shipped 1.0.41";

const silentAllow = native("no output, so Grok Build continues", SHIPPED, { lacksReason: true });
const noMessage = drop(
  ["Grok Build doesn't show messages from hooks", "include the message in a denial's reason"],
  SHIPPED,
);
const context = native("additionalContext, which the model reads together with the result", SHIPPED);

const { askMeaningless, noResult, noVariables, observe } = createRowKit<GrokAnswerShape>({
  name: "Grok Build",
  source: SHIPPED,
  allow: () => silentAllow,
  user_message: () => noMessage,
  advice: {
    reason: "omit it",
    ask: "deny in a PreToolUse hook",
    context: "add the context in a PreToolUse or PostToolUse hook",
  },
});

const noContext = drop(
  ["Grok Build doesn't accept context on this event", "add the context in a PreToolUse or PostToolUse hook"],
  SHIPPED,
);
const createObservingRow = <E extends NonGateEvent>(event: E) => ({
  ...observe(event, "none"),
  additional_context: noContext,
});

const createStoppingRow = (event: "Stop" | "SubagentStop"): CapabilityRow<GrokAnswerShape> => ({
  ...createObservingRow(event),
  shape: "stop",
  deny: native('decision "block" with exit code 2, up to 8 times a turn', SHIPPED),
  ask: askMeaningless,
  reason: native("reason, stderr", SHIPPED),
  additional_context: drop(
    ["context on this event would make Grok Build continue", "add the context in a PostToolUse hook"],
    SHIPPED,
  ),
});

export const capabilities: Capabilities<GrokAnswerShape> = {
  SessionStart: () => ({
    ...createObservingRow("SessionStart"),
    session_env: noVariables,
  }),
  PreToolUse: () => ({
    event: "PreToolUse",
    shape: "gate",
    allow: native("no output; Grok Build's own approval still applies", SHIPPED, { lacksReason: true }),
    deny: native('decision "deny" with exit code 2; Grok Build runs the call after any other failure', SHIPPED),
    ask: downgrade(
      [
        'Grok Build runs the call without asking if every call is auto-approved; in headless runs, "ask" ends the run',
        "return allow or deny",
      ],
      SHIPPED,
    ),
    reason: native("reason", SHIPPED),
    user_message: noMessage,
    modified_input: native(
      "updatedInput, which replaces the whole input; a missing required field becomes a denial",
      SHIPPED,
    ),
    additional_context: native(
      "additionalContext, which the model reads after the call; for a denial, part of the reason",
      SHIPPED,
    ),
  }),
  PostToolUse: () => ({
    ...createObservingRow("PostToolUse"),
    shape: "feedback",
    deny: native('decision "block"; the model reads the reason after the unchanged result', SHIPPED),
    ask: askMeaningless,
    reason: native("reason", SHIPPED),
    additional_context: context,
    modified_output: native(
      "updatedToolOutput in the tool's own format; plain text replaces an MCP tool's result",
      SHIPPED,
    ),
  }),
  PostToolUseFailure: () => ({
    ...createObservingRow("PostToolUseFailure"),
    shape: "context",
    deny: emulated("the call has failed; the model gets the reason as additionalContext", SHIPPED),
    ask: askMeaningless,
    reason: native("additionalContext", SHIPPED),
    additional_context: context,
    modified_output: noResult,
  }),
  UserPromptSubmit: () => ({
    ...createObservingRow("UserPromptSubmit"),
    shape: "prompt",
    deny: native('decision "block" with exit code 2; no request is sent, and a headless run prints nothing', SHIPPED),
    ask: downgrade(["Grok Build can't ask on this event", "return allow or deny"], SHIPPED),
    reason: native("reason, shown to the user, but not in headless runs", SHIPPED),
  }),
  Stop: () => createStoppingRow("Stop"),
  SubagentStart: () => createObservingRow("SubagentStart"),
  SubagentStop: () => createStoppingRow("SubagentStop"),
  PreCompact: () => createObservingRow("PreCompact"),
  PostCompact: () => createObservingRow("PostCompact"),
  Notification: () => createObservingRow("Notification"),
  SessionEnd: () => createObservingRow("SessionEnd"),
  PermissionDenied: () => createObservingRow("Native"),
  StopFailure: () => createObservingRow("Native"),
  StopCancelled: () => createObservingRow("Native"),
};

/** Capability row for unreadable events and events that later releases might add. */
export const createUnknownEventRow = (): CapabilityRow<GrokAnswerShape> => ({
  ...createObservingRow("Native"),
  shape: "gate",
  deny: emulated('decision "deny" with exit code 2; not verified on this event', "unverified"),
  reason: native("reason", "unverified"),
});
