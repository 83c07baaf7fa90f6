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

/** Answer formats. The plugin converts each one to the format that OpenClaw accepts for the event. */
export type OpenClawAnswerShape = "gate" | "prompt" | "start" | "result" | "finalize" | "any" | "none";

/** Source cited for facts from the types and documentation in the released package. */
const SHIPPED: FactSource = "shipped 2026.9.6";

const silentAllow = native("no answer, so OpenClaw continues; its own approvals still apply", SHIPPED, {
  lacksReason: true,
});
const logged = emulated("written to OpenClaw's log (with agent --local, to stderr), not shown in the chat", SHIPPED);

const { noRewrite, askBlocks, askMeaningless, observe } = createRowKit<OpenClawAnswerShape>({
  name: "OpenClaw",
  source: SHIPPED,
  allow: () => silentAllow,
  user_message: () => logged,
  advice: {
    reason: "use user_message",
    ask: "ask in a PreToolUse hook",
    context: "add the context in a UserPromptSubmit or PreToolUse hook",
  },
});

const createObservingRow = <E extends NonGateEvent>(event: E, source?: FactSource) => observe(event, "none", source);

/**
 * Capability row for a completed call's result as the model reads it. The result comes from OpenClaw's tool-result
 * middleware, which is not a named event and is not called in `agent exec` [seen 2026.9.6, 2026-11-22].
 */
const createResultRow = (event: "PostToolUse" | "PostToolUseFailure"): CapabilityRow<OpenClawAnswerShape> => ({
  ...createObservingRow(event),
  shape: "result",
  deny: native("the call has already run; the reason is appended to the result that the model reads", SHIPPED),
  ask: askMeaningless,
  reason: native("appended to the result", SHIPPED),
  additional_context: native("appended to the result", SHIPPED),
  modified_output: native(
    "replaces the result's content; agent exec drops the new content, so the model reads the original",
    SHIPPED,
  ),
});

/** Capability row for an event that the plugin forwards unchanged and that doesn't accept a decision. */
const createNativeRow = (name: string): CapabilityRow<OpenClawAnswerShape> => ({
  ...createObservingRow("Native"),
  ...(REMOVED_EVENTS.includes(name) && {
    unreportedCalls: [
      { calls: "anything, because release 2026.9.6 removed this hook and ignores its name", source: SHIPPED },
    ],
  }),
});

/**
 * Capability row for an event whose `event.messages` OpenClaw returns to the sender [shipped 2026.9.6: docs
 * automation/hooks/writing-hooks].
 */
const createReplyingRow = (name: string): CapabilityRow<OpenClawAnswerShape> => ({
  ...createNativeRow(name),
  user_message: emulated(
    name.startsWith("command:")
      ? "event.messages, shown as a reply in the command's chat channel, but not in the Control UI; also written to OpenClaw's log"
      : "event.messages, shown in clients that show compaction notices; also written to OpenClaw's log",
    SHIPPED,
  ),
});

export const capabilities: Capabilities<OpenClawAnswerShape> = {
  session_start: () => ({
    ...createObservingRow("SessionStart"),
    shape: "start",
    session_env: drop(
      [
        "bridge-hooks sends no environment variables to OpenClaw",
        "set the variables in the environment of OpenClaw's gateway",
      ],
      SHIPPED,
    ),
    additional_context: native("prepended to the session's first prompt", SHIPPED),
  }),
  before_agent_run: () => ({
    event: "UserPromptSubmit",
    shape: "prompt",
    allow: silentAllow,
    deny: native('outcome "block"; the prompt is not sent to the model', SHIPPED),
    ask: askBlocks,
    reason: native("message, shown to the user", SHIPPED),
    user_message: emulated(
      "for a denial, sent as message; otherwise written to OpenClaw's log (with agent --local, to stderr)",
      SHIPPED,
    ),
    modified_input: noRewrite,
    additional_context: native("prependContext, which precedes the prompt", SHIPPED),
  }),
  before_tool_call: () => ({
    event: "PreToolUse",
    shape: "gate",
    allow: silentAllow,
    deny: native("block with blockReason", SHIPPED),
    ask: native(
      "requireApproval; if nobody can be asked (agent --local, agent exec, cron), OpenClaw denies the call",
      SHIPPED,
    ),
    reason: native("blockReason; for a question, the request's description, truncated to 512 characters", SHIPPED),
    user_message: emulated(
      "for a question, part of the request's description; otherwise written to OpenClaw's log (with agent --local, to stderr)",
      SHIPPED,
    ),
    modified_input: native("params", SHIPPED),
    additional_context: native("appended to the call's result or to a denial's reason; agent exec drops it", SHIPPED),
  }),
  tool_result: () => createResultRow("PostToolUse"),
  tool_failure: () => createResultRow("PostToolUseFailure"),
  before_agent_finalize: () => ({
    ...createObservingRow("Stop"),
    shape: "finalize",
    deny: emulated(
      'action "revise": the agent continues, at most three times in a row and not after a call that changed something',
      SHIPPED,
    ),
    ask: askMeaningless,
    reason: native("sent as the instruction for the revision", SHIPPED),
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
    deny: native("block with blockReason; the plugin or skill is not installed", SHIPPED),
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

/** Capability row for unreadable events and all other events that a plugin can receive. */
export const createUnknownEventRow = (): CapabilityRow<OpenClawAnswerShape> => ({
  ...createObservingRow("Native", "unverified"),
  shape: "any",
  deny: emulated(
    "block with blockReason, which OpenClaw accepts on before_install; not verified on this event",
    "unverified",
  ),
  reason: native("blockReason", "unverified"),
});
