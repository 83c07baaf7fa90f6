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
import { NATIVE_EVENTS, UNUSED_EVENTS } from "./events.ts";

/** Names of the answer formats defined in answers.ts; plugin.js implements their effects. */
export type OpenCodeAnswerShape = "gate" | "prompt" | "result" | "stop" | "context" | "message" | "any" | "none";

/** Source cited for facts from the code inside the released binary. */
const SHIPPED: FactSource = "shipped 1.18.33";

const silentAllow = native("no answer, so OpenCode continues; its own permissions still apply", SHIPPED, {
  lacksReason: true,
});
const toast = native("shown as a toast in the terminal UI, or printed on stderr in `opencode run`", SHIPPED, {
  isHiddenFromModel: true,
});
const noAsk = downgrade(["OpenCode does not let plugins ask the user", "return allow or deny"], SHIPPED);

const { askMeaningless, observe } = createRowKit<OpenCodeAnswerShape>({
  name: "OpenCode",
  source: SHIPPED,
  allow: () => silentAllow,
  user_message: () => toast,
  advice: {
    reason: "use user_message",
    ask: "deny in a PreToolUse hook",
    context: "add the context in a UserPromptSubmit or PostToolUse hook",
  },
  showsReason: true,
});

const createObservingRow = <E extends NonGateEvent>(event: E, shape: OpenCodeAnswerShape = "message") => ({
  ...observe(event, shape),
  ask: askMeaningless,
});

const createPromptRow = <E extends NonGateEvent>(
  event: E,
  deny: CapabilityRow["deny"],
  additional_context: CapabilityRow["additional_context"],
): CommonCapabilityRow<OpenCodeAnswerShape, E> => ({
  ...createObservingRow(event, "prompt"),
  deny,
  ask: noAsk,
  reason: native("shown to the user like a message; OpenCode itself reports only that an error occurred", SHIPPED),
  additional_context,
});

/** Capability row for an event that the plugin forwards unchanged and that doesn't accept a decision. */
const createNativeRow = (name: string): CapabilityRow<OpenCodeAnswerShape> => ({
  ...createObservingRow("Native"),
  ...(UNUSED_EVENTS.includes(name) && {
    unreportedCalls: [
      { calls: "anything, because release 1.18.33 declares this event but never fires it", source: SHIPPED },
    ],
  }),
});

export const capabilities: Capabilities<OpenCodeAnswerShape> = {
  "session.created": () => ({
    ...createPromptRow(
      "SessionStart",
      emulated("the session already exists, so each of its prompts is refused", SHIPPED),
      native("sent as a synthetic text part of the session's next prompt", SHIPPED),
    ),
    session_env: native("the plugin adds the variables to the environment of every shell call (shell.env)", SHIPPED),
  }),
  "tool.execute.before": () => ({
    event: "PreToolUse",
    shape: "gate",
    allow: silentAllow,
    deny: native("the handler throws, so the call does not run", SHIPPED),
    ask: noAsk,
    reason: native("the error's text, which the model reads as the call's result", SHIPPED),
    user_message: toast,
    modified_input: [
      downgrade(
        ["users report that releases before 1.18.33 run the original call", "update OpenCode, or deny instead"],
        "docs https://github.com/anomalyco/opencode/issues/42409",
        { versions: "<1.18.33" },
      ),
      native("the call's arguments are changed in place", SHIPPED),
    ],
    additional_context: native(
      "appended to the call's result or to the denial's reason; lost if the call fails",
      SHIPPED,
    ),
  }),
  "tool.execute.after": () => ({
    ...createObservingRow("PostToolUse", "result"),
    deny: emulated("the call has already run; the model reads the reason after its result", SHIPPED),
    reason: native("appended to the call's result", SHIPPED),
    additional_context: native("appended to the call's result", SHIPPED),
    modified_output: native("the call's result is changed in place", SHIPPED),
  }),
  "chat.message": () =>
    createPromptRow(
      "UserPromptSubmit",
      native("the handler throws, so the prompt does not reach the model", SHIPPED),
      native("sent as a synthetic text part of the prompt", SHIPPED),
    ),
  "session.idle": () => ({
    ...createObservingRow("Stop", "stop"),
    deny: emulated(
      "the reason becomes the next prompt, but `opencode run` still exits and reports this on stderr",
      SHIPPED,
    ),
    reason: native("the next prompt", SHIPPED),
    additional_context: drop(["the turn is already over", "include the context in a denial's reason"], SHIPPED),
  }),
  // OpenCode fires this event at the end of `opencode run` or when it closes the project. Either way, it is too late to
  // show the user a message.
  dispose: () => ({
    ...createObservingRow("SessionEnd", "none"),
    deny: unenforceable(["OpenCode can't block this event", "deny in a PreToolUse hook"], SHIPPED),
    user_message: drop(
      ["OpenCode is closing, so the user would not see the message", "send the message in a Stop hook"],
      SHIPPED,
    ),
  }),
  "session.deleted": () => createObservingRow("SessionEnd"),
  // OpenCode does not report a call as failed if a hook denied it.
  "message.part.updated": () => ({
    ...createObservingRow("PostToolUseFailure"),
    modified_output: unenforceable(
      [
        "OpenCode notifies plugins of a failed call only after the model has received the error",
        "deny the call in a PreToolUse hook, or rewrite it to return less",
      ],
      SHIPPED,
    ),
  }),
  "experimental.session.compacting": () => ({
    ...createObservingRow("PreCompact", "context"),
    additional_context: native("added as a line to the compaction prompt", SHIPPED),
  }),
  "session.compacted": () => createObservingRow("PostCompact"),
  "permission.asked": () => createObservingRow("Notification"),
  "session.error": () => createObservingRow("Native"),
  "command.execute.before": () =>
    createPromptRow(
      "Native",
      native("the handler throws, so the command does not run", SHIPPED),
      native("sent as an additional text part of the command's prompt", SHIPPED),
    ),
  ...Object.fromEntries(NATIVE_EVENTS.map((name) => [name, () => createNativeRow(name)])),
  "experimental.chat.system.transform": () => ({
    ...createObservingRow("Native", "context"),
    additional_context: native("sent as an additional part of the request's system prompt", SHIPPED),
  }),
};

/** Capability row for unreadable events and events that later releases might add. */
export const createUnknownEventRow = (): CapabilityRow<OpenCodeAnswerShape> => ({
  ...createObservingRow("Native", "any"),
  deny: emulated("the handler throws, if the event has one; not verified on this event", "unverified"),
  ask: askUnseen,
  reason: native("the error's text", "unverified"),
  user_message: native("as on other events", "unverified"),
});
