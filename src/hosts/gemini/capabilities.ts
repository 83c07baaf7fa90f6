import {
  type Capabilities,
  type CapabilityRow,
  downgrade,
  drop,
  emulated,
  type FactSource,
  native,
  unenforceable,
} from "../../protocol/capability.ts";
import { createRowKit, type NonGateEvent } from "../codec/capability-rows.ts";

/** Names of the answer formats defined in answers.ts. */
export type GeminiAnswerShape = "gate" | "block" | "stop" | "halt" | "context" | "message" | "none";

/** Source cited for facts from the released bundle and the documentation in it. */
const SHIPPED: FactSource = "shipped 0.61.0";

const DENIED = 'decision "deny", exit code 2 (exit code 0 with --gemini-deny json)';
const silentAllow = native("no output, so Gemini CLI continues", SHIPPED, { lacksReason: true });
const message = native("systemMessage", SHIPPED, { isHiddenFromModel: true });
const context = native("hookSpecificOutput.additionalContext; Gemini CLI replaces < and > with &lt; and &gt;", SHIPPED);
const fallback = {
  option: "geminiAskFallback",
  value: "ask",
  how: "in headless runs, where nobody can answer, Gemini CLI then hangs or exits",
  remedy: "return deny, or remove --gemini-ask-fallback ask",
};

const {
  noRewrite,
  noContext,
  noVariables,
  askBlocks,
  askMeaningless,
  observe: createObservingRow,
} = createRowKit<GeminiAnswerShape>({
  name: "Gemini CLI",
  source: SHIPPED,
  allow: () => silentAllow,
  user_message: (source) => native("systemMessage", source),
  advice: {
    reason: "use user_message",
    ask: "ask in a PreToolUse hook",
    context: "add the context in a UserPromptSubmit or PostToolUse hook",
  },
  showsReason: true,
});

/** Capability row for an event on which Gemini CLI honors denials. */
const createBlockingRow = <E extends NonGateEvent>(
  event: E,
  shape: GeminiAnswerShape,
  how: string,
  { ask, context: additional_context }: { ask: CapabilityRow["ask"]; context: CapabilityRow["additional_context"] },
) => ({
  event,
  shape,
  allow: silentAllow,
  deny: native(how, SHIPPED),
  ask,
  reason: native("reason", SHIPPED),
  user_message: message,
  modified_input: noRewrite,
  additional_context,
});

export const capabilities: Capabilities<GeminiAnswerShape> = {
  SessionStart: () => ({
    ...createObservingRow("SessionStart", "context"),
    additional_context: context,
    session_env: noVariables,
  }),
  BeforeTool: () => ({
    event: "PreToolUse",
    shape: "gate",
    allow: native("no output; Gemini CLI's own approval still applies", SHIPPED, { lacksReason: true }),
    deny: native(DENIED, SHIPPED),
    ask: downgrade(
      // With --yolo, Gemini CLI asks in a terminal, but still hangs or exits in headless runs [seen 0.61.0,
      // 2026-11-22].
      [
        'in headless runs, where nobody can answer, Gemini CLI hangs or exits on "ask"',
        '--gemini-ask-fallback ask sends "ask", for use in terminals',
      ],
      SHIPPED,
      { unless: fallback },
    ),
    reason: native("reason", SHIPPED),
    user_message: message,
    modified_input: native(
      "hookSpecificOutput.tool_input, which replaces the whole input; the model is told that a hook changed it",
      SHIPPED,
    ),
    additional_context: drop(
      ["Gemini CLI drops context before a call", "add the context in a PostToolUse hook"],
      SHIPPED,
    ),
  }),
  AfterTool: () => ({
    ...createBlockingRow("PostToolUse", "block", 'decision "deny"; the model gets the reason instead of the result', {
      ask: askMeaningless,
      context,
    }),
    modified_output: emulated(
      "sent as a denial's reason, which the model reads as an error instead of the result",
      SHIPPED,
    ),
  }),
  BeforeAgent: () => ({
    ...createBlockingRow("UserPromptSubmit", "gate", `${DENIED}; the prompt is discarded`, { ask: askBlocks, context }),
    reason: native("reason, shown to the user unless the hook set a user_message", SHIPPED),
  }),
  AfterAgent: () =>
    createBlockingRow("Stop", "stop", 'decision "deny"; Gemini CLI continues with the reason as the prompt', {
      ask: askMeaningless,
      context: emulated(
        "systemMessage, shown only to the user, because Gemini CLI drops context on this event",
        "unverified",
      ),
    }),
  SessionEnd: () => createObservingRow("SessionEnd", "message"),
  PreCompress: () => createObservingRow("PreCompact", "message"),
  Notification: () => createObservingRow("Notification", "message"),
  BeforeModel: () =>
    createBlockingRow("Native", "gate", `${DENIED}; the request is not sent to the model`, {
      ask: askBlocks,
      context: noContext,
    }),
  AfterModel: () => ({
    ...createObservingRow("Native", "halt"),
    deny: emulated(
      'continue false, which ends the whole turn; Gemini CLI would report decision "deny" but still carry out the model\'s request',
      SHIPPED,
    ),
    ask: askBlocks,
    reason: native("stopReason", SHIPPED),
  }),
  BeforeToolSelection: () => ({
    ...createObservingRow("Native", "none"),
    deny: unenforceable(["Gemini CLI reads only a toolConfig on this event", "deny in a PreToolUse hook"], SHIPPED),
    user_message: drop(
      ["Gemini CLI reads only a toolConfig on this event", "send the message in a PreToolUse hook"],
      SHIPPED,
    ),
  }),
};

/** Capability row for unreadable events and events that later releases might add. */
export const createUnknownEventRow = (): CapabilityRow<GeminiAnswerShape> => ({
  ...createBlockingRow("Native", "gate", "", { ask: askBlocks, context: noContext }),
  deny: emulated('decision "deny", exit code 2; not verified on this event', "unverified"),
  reason: native("reason", "unverified"),
});
