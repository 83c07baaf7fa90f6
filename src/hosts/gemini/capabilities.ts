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

/** Answer formats, defined in answers.ts. */
export type GeminiAnswerShape = "gate" | "block" | "stop" | "halt" | "context" | "message" | "none";

/** Facts from the released bundle and the documentation in it. */
const SHIPPED: FactSource = "shipped 0.61.0";

const DENIED = 'decision "deny", exit code 2 (exit code 0 with --gemini-deny json)';
const goesOn = native("nothing is printed: Gemini CLI goes on", SHIPPED, { lacksReason: true });
const message = native("systemMessage", SHIPPED, { isHiddenFromModel: true });
const context = native(
  "hookSpecificOutput.additionalContext; Gemini CLI writes &lt; and &gt; for < and > in it",
  SHIPPED,
);
const fallback = {
  option: "geminiAskFallback",
  value: "ask",
  how: "headless, where nobody can answer, Gemini CLI hangs or ends after it",
  remedy: "answer deny, or leave out --gemini-ask-fallback ask",
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
  allow: () => goesOn,
  user_message: (source) => native("systemMessage", source),
  instead: {
    reason: "use user_message",
    ask: "ask in a PreToolUse hook",
    context: "add it at UserPromptSubmit or PostToolUse",
  },
  showsReason: true,
});

/** An event on which the host honours denials. */
const createBlockingRow = <E extends NonGateEvent>(
  event: E,
  shape: GeminiAnswerShape,
  how: string,
  { ask, context: additional_context }: { ask: CapabilityRow["ask"]; context: CapabilityRow["additional_context"] },
) => ({
  event,
  shape,
  allow: goesOn,
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
    allow: native("nothing is printed; Gemini CLI's own approval still applies", SHIPPED, { lacksReason: true }),
    deny: native(DENIED, SHIPPED),
    ask: downgrade(
      // This also happens with --yolo, where a terminal would ask [seen 0.61.0, 2026-11-22].
      [
        'headless, where nobody can answer, Gemini CLI hangs or ends after "ask"',
        "--gemini-ask-fallback ask sends it, for terminals",
      ],
      SHIPPED,
      { unless: fallback },
    ),
    reason: native("reason", SHIPPED),
    user_message: message,
    modified_input: native(
      "hookSpecificOutput.tool_input, the whole input, which takes the original's place; the model is told that a hook changed it",
      SHIPPED,
    ),
    additional_context: drop(["Gemini CLI drops it before a call", "add it at PostToolUse"], SHIPPED),
  }),
  AfterTool: () => ({
    ...createBlockingRow("PostToolUse", "block", 'decision "deny": the model gets the reason instead of the result', {
      ask: askMeaningless,
      context,
    }),
    modified_output: emulated(
      "as the reason of a denial: the model reads it as an error instead of the result",
      SHIPPED,
    ),
  }),
  BeforeAgent: () => ({
    ...createBlockingRow("UserPromptSubmit", "gate", `${DENIED}: the prompt is discarded`, { ask: askBlocks, context }),
    reason: native("reason: the user reads it, unless the hook gave a user_message", SHIPPED),
  }),
  AfterAgent: () =>
    createBlockingRow("Stop", "stop", 'decision "deny": Gemini CLI goes on, with the reason as the prompt', {
      ask: askMeaningless,
      context: emulated(
        "systemMessage: Gemini CLI drops a context here, so the user reads it and the model does not",
        "unverified",
      ),
    }),
  SessionEnd: () => createObservingRow("SessionEnd", "message"),
  PreCompress: () => createObservingRow("PreCompact", "message"),
  Notification: () => createObservingRow("Notification", "message"),
  BeforeModel: () =>
    createBlockingRow("Native", "gate", `${DENIED}: the model is not asked`, { ask: askBlocks, context: noContext }),
  AfterModel: () => ({
    ...createObservingRow("Native", "halt"),
    deny: emulated(
      'continue false ends the whole turn; a decision "deny" would be told, and what the model said be done',
      SHIPPED,
    ),
    ask: askBlocks,
    reason: native("stopReason", SHIPPED),
  }),
  BeforeToolSelection: () => ({
    ...createObservingRow("Native", "none"),
    deny: unenforceable(["Gemini CLI reads only a toolConfig at this event", "deny in a PreToolUse hook"], SHIPPED),
    user_message: drop(["Gemini CLI reads only a toolConfig at this event", "give the message at PreToolUse"], SHIPPED),
  }),
};

/** The row for unreadable events and those of later releases. */
export const createUnknownEventRow = (): CapabilityRow<GeminiAnswerShape> => ({
  ...createBlockingRow("Native", "gate", "", { ask: askBlocks, context: noContext }),
  deny: emulated('decision "deny", exit code 2; not seen at this event', "unverified"),
  reason: native("reason", "unverified"),
});
