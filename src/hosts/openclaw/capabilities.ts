import {
  type Capabilities,
  type CapabilityRow,
  drop,
  emulated,
  type FactSource,
  native,
} from "../../protocol/capability.ts";
import { createRowKit, type NonGateEvent } from "../codec/capability-rows.ts";
import { NATIVE_EVENTS, REMOVED_EVENTS } from "./events.ts";

/** Answer formats. The plugin converts each one to what OpenClaw accepts for the event. */
export type OpenClawAnswerShape = "gate" | "prompt" | "start" | "result" | "finalize" | "any" | "none";

/** Facts from the types and documentation in the released package. */
const SHIPPED: FactSource = "shipped 2026.9.6";

const goesOn = native("nothing is answered: OpenClaw goes on, and its own approvals still apply", SHIPPED, {
  lacksReason: true,
});
const logged = emulated("written to OpenClaw's log (with agent --local: stderr); no message in the chat", SHIPPED);

const { noRewrite, askBlocks, askMeaningless, observe } = createRowKit<OpenClawAnswerShape>({
  name: "OpenClaw",
  source: SHIPPED,
  allow: () => goesOn,
  user_message: () => logged,
  instead: {
    reason: "use user_message",
    ask: "ask in a PreToolUse hook",
    context: "add it at UserPromptSubmit or PreToolUse",
  },
});

const createObservingRow = <E extends NonGateEvent>(event: E, source?: FactSource) => observe(event, "none", source);

/**
 * The result of a completed call as the model reads it. It comes from OpenClaw's tool-result middleware, which is not a
 * named event and which `agent exec` does not call [seen 2026.9.6, 2026-11-22].
 */
const createResultRow = (event: "PostToolUse" | "PostToolUseFailure"): CapabilityRow<OpenClawAnswerShape> => ({
  ...createObservingRow(event),
  shape: "result",
  deny: native("the reason stands at the end of the result that the model reads; the call has taken place", SHIPPED),
  ask: askMeaningless,
  reason: native("at the end of the result", SHIPPED),
  additional_context: native("at the end of the result", SHIPPED),
  modified_output: native("the result's content; agent exec drops it, and the model reads the original", SHIPPED),
});

/** An event that is passed on unchanged and accepts no decision. */
const createNativeRow = (name: string): CapabilityRow<OpenClawAnswerShape> => ({
  ...createObservingRow("Native"),
  ...(REMOVED_EVENTS.includes(name) && {
    unreportedCalls: [
      { calls: "anything, since release 2026.9.6 has removed this hook and ignores its name", source: SHIPPED },
    ],
  }),
});

/** An event whose sender receives `event.messages` [shipped 2026.9.6: docs automation/hooks/writing-hooks]. */
const createReplyingRow = (name: string): CapabilityRow<OpenClawAnswerShape> => ({
  ...createNativeRow(name),
  user_message: emulated(
    name.startsWith("command:")
      ? "event.messages: a reply in the chat channel where the command was given, but not in the Control UI; written to OpenClaw's log as well"
      : "event.messages: a notice where the client shows those of a compaction; written to OpenClaw's log as well",
    SHIPPED,
  ),
});

export const capabilities: Capabilities<OpenClawAnswerShape> = {
  session_start: () => ({
    ...createObservingRow("SessionStart"),
    shape: "start",
    session_env: drop(["bridge-hooks sends OpenClaw no variables", "set them where its gateway is started"], SHIPPED),
    additional_context: native("in front of the session's first prompt", SHIPPED),
  }),
  before_agent_run: () => ({
    event: "UserPromptSubmit",
    shape: "prompt",
    allow: goesOn,
    deny: native('outcome "block": the model is not asked', SHIPPED),
    ask: askBlocks,
    reason: native("message: the user reads it", SHIPPED),
    user_message: emulated(
      "message, on a denial; else written to OpenClaw's log (with agent --local: stderr)",
      SHIPPED,
    ),
    modified_input: noRewrite,
    additional_context: native("prependContext: in front of the prompt", SHIPPED),
  }),
  before_tool_call: () => ({
    event: "PreToolUse",
    shape: "gate",
    allow: goesOn,
    deny: native("block with blockReason", SHIPPED),
    ask: native(
      "requireApproval; where nobody can be asked (agent --local, agent exec, cron), OpenClaw denies the call",
      SHIPPED,
    ),
    reason: native("blockReason; on ask the description of the request, cut at 512 characters", SHIPPED),
    user_message: emulated(
      "on ask in the request's description; else written to OpenClaw's log (with agent --local: stderr)",
      SHIPPED,
    ),
    modified_input: native("params", SHIPPED),
    additional_context: native(
      "at the end of the call's result, or of the reason of a denial; agent exec drops it",
      SHIPPED,
    ),
  }),
  tool_result: () => createResultRow("PostToolUse"),
  tool_failure: () => createResultRow("PostToolUseFailure"),
  before_agent_finalize: () => ({
    ...createObservingRow("Stop"),
    shape: "finalize",
    deny: emulated(
      'action "revise": the agent goes on, three times in a run at most, and not after a call that changed something (exec, write, edit, …)',
      SHIPPED,
    ),
    ask: askMeaningless,
    reason: native("the instruction for the revision", SHIPPED),
  }),
  session_end: () => createObservingRow("SessionEnd"),
  subagent_spawned: () => createObservingRow("SubagentStart"),
  subagent_ended: () => createObservingRow("SubagentStop"),
  before_compaction: () => createObservingRow("PreCompact"),
  after_compaction: () => createObservingRow("PostCompact"),
  agent_end: () => createObservingRow("Native"),
  before_reset: () => createObservingRow("Native"),
  message_received: () => createObservingRow("Native"),
  "command:new": () => createReplyingRow("command:new"),
  "agent:bootstrap": () => createObservingRow("Native"),
  "gateway:startup": () => createObservingRow("Native"),
  "gateway:shutdown": () => createObservingRow("Native"),
  before_install: () => ({
    ...createObservingRow("Native"),
    shape: "any",
    deny: native("block with blockReason: the plugin or skill is not installed", SHIPPED),
    ask: askBlocks,
    reason: native("blockReason", SHIPPED),
  }),
  ...Object.fromEntries(NATIVE_EVENTS.map((name) => [name, () => createNativeRow(name)])),
  ...Object.fromEntries(
    ["command:reset", "session:compact:before", "session:compact:after"].map((name) => [
      name,
      () => createReplyingRow(name),
    ]),
  ),
};

/** The row for unreadable events and all other events that a plugin can receive. */
export const createUnknownEventRow = (): CapabilityRow<OpenClawAnswerShape> => ({
  ...createObservingRow("Native", "unverified"),
  shape: "any",
  deny: emulated(
    "block with blockReason, which OpenClaw takes at some events (before_install); not seen at this one",
    "unverified",
  ),
  reason: native("blockReason", "unverified"),
});
