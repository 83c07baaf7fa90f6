import {
  type Capabilities,
  type CapabilityRow,
  type CommonCapabilityRow,
  downgrade,
  drop,
  emulated,
  type FactSource,
  native,
  unenforceable,
} from "../../protocol/capability.ts";
import { askUnseen, createRowKit, type NonGateEvent } from "../codec/capability-rows.ts";
import { CANCELLED_EVENTS, NATIVE_EVENTS, UNUSED_EVENTS } from "./events.ts";

/** Names of the answer formats defined in answers.ts; plugin.js implements their effects. */
export type PiAnswerShape = "gate" | "prompt" | "result" | "stop" | "cancel" | "message" | "none";

/** Source cited for facts from the types and documentation in the released package. */
const SHIPPED: FactSource = "shipped 1.5.2";

const silentAllow = native("no answer, so pi continues", SHIPPED, { lacksReason: true });
const notification = native(
  "shown as a notification (ctx.ui.notify) in the terminal UI and by RPC clients, otherwise printed on stderr",
  SHIPPED,
  { isHiddenFromModel: true },
);
const noAsk = downgrade(["pi can't ask on this event", "return allow or deny"], SHIPPED);

const { askMeaningless, observe } = createRowKit<PiAnswerShape>({
  name: "pi",
  source: SHIPPED,
  allow: () => silentAllow,
  user_message: () => notification,
  advice: {
    reason: "use user_message",
    ask: "ask in a PreToolUse hook",
    context: "add the context in a UserPromptSubmit or PreToolUse hook",
  },
  showsReason: true,
});

const createObservingRow = <E extends NonGateEvent>(event: E, source?: FactSource) => observe(event, "message", source);

/** Capability row for an event that can be denied. The user sees the reason. */
const createStoppableRow = <E extends NonGateEvent>(
  event: E,
  shape: PiAnswerShape,
  deny: CapabilityRow["deny"],
): CommonCapabilityRow<PiAnswerShape, E> => ({
  ...createObservingRow(event),
  shape,
  deny,
  ask: noAsk,
  reason: native("shown to the user like a message", SHIPPED),
});

/**
 * Capability row for a completed call's result. pi has a single event for results; the plugin splits it by `isError`.
 */
const createResultRow = (event: "PostToolUse" | "PostToolUseFailure"): CapabilityRow<PiAnswerShape> => ({
  ...createObservingRow(event),
  shape: "result",
  deny: emulated("the call has already run; the model reads the reason after its result", SHIPPED),
  ask: askMeaningless,
  reason: native("appended to the call's result", SHIPPED),
  additional_context: native("appended to the call's result", SHIPPED),
  modified_output: native("`content`, which replaces the call's result", SHIPPED),
});

/** Capability row for an event that the plugin forwards and that doesn't accept a decision. */
const createNativeRow = (name: string): CapabilityRow<PiAnswerShape> => ({
  ...createObservingRow("Native"),
  ...(UNUSED_EVENTS.includes(name) && {
    unreportedCalls: [
      { calls: "anything, because a handler for this event would change pi's behavior", source: SHIPPED },
    ],
  }),
});

const cancel = native("`cancel`, which prevents the operation", SHIPPED);

export const capabilities: Capabilities<PiAnswerShape> = {
  session_start: () => ({
    ...createStoppableRow(
      "SessionStart",
      "prompt",
      emulated("the session already exists, so each of its prompts is refused", SHIPPED),
    ),
    additional_context: native("sent as a message before the session's first turn (before_agent_start)", SHIPPED),
    session_env: emulated(
      "set in pi's own process until the session ends, so pi's shells inherit the variables",
      SHIPPED,
    ),
  }),
  input: () => ({
    ...createStoppableRow(
      "UserPromptSubmit",
      "prompt",
      native('`action: "handled"`; the prompt does not reach the model', SHIPPED),
    ),
    additional_context: native("sent as a message after the prompt (before_agent_start)", SHIPPED),
  }),
  tool_call: () => ({
    event: "PreToolUse",
    shape: "gate",
    allow: silentAllow,
    deny: native("`block` with `reason`; the call does not run", SHIPPED),
    ask: native("ctx.ui.confirm; if nobody can be asked (print and JSON mode), the call is denied", SHIPPED),
    reason: native("`reason`, which the model reads as the call's result; for a question, the dialog's text", SHIPPED),
    user_message: notification,
    modified_input: native("`event.input` is changed in place; pi does not validate it again", SHIPPED),
    additional_context: native("appended to the call's result or to a denial's reason", SHIPPED),
  }),
  tool_result: () => createResultRow("PostToolUse"),
  tool_failure: () => createResultRow("PostToolUseFailure"),
  agent_before_settle: () => ({
    ...createObservingRow("Stop"),
    shape: "stop",
    deny: [
      unenforceable(["releases before 0.87.0 don't have this event", "update pi"], SHIPPED, { versions: "<0.87.0" }),
      native("`continue` with the reason as a message; the agent continues", SHIPPED),
    ],
    ask: askMeaningless,
    reason: native("sent as a message to the model", SHIPPED),
    additional_context: drop(["the turn is already over", "include the context in a denial's reason"], SHIPPED),
  }),
  session_shutdown: () => ({
    ...createObservingRow("SessionEnd"),
    shape: "none",
    deny: unenforceable(["pi can't block this event", "deny in a PreToolUse hook"], SHIPPED),
    user_message: drop(
      ["pi is closing, so the user would not see the message", "send the message in a Stop hook"],
      SHIPPED,
    ),
  }),
  session_before_compact: () => createStoppableRow("PreCompact", "cancel", cancel),
  session_compact: () => createObservingRow("PostCompact"),
  ui_prompt_start: () => createObservingRow("Notification"),
  user_bash: () =>
    createStoppableRow("Native", "cancel", native("`result`; the reason replaces the command's output", SHIPPED)),
  ...Object.fromEntries(CANCELLED_EVENTS.map((name) => [name, () => createStoppableRow("Native", "cancel", cancel)])),
  ...Object.fromEntries(NATIVE_EVENTS.map((name) => [name, () => createNativeRow(name)])),
};

/** Capability row for unreadable events and events that later releases might add. */
export const createUnknownEventRow = (): CapabilityRow<PiAnswerShape> => ({
  ...createObservingRow("Native", "unverified"),
  shape: "cancel",
  deny: emulated("the extension cancels the event, if pi accepts that; not verified on this event", "unverified"),
  ask: askUnseen,
  reason: native("shown to the user like a message", "unverified"),
});
