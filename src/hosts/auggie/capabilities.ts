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
export type AuggieAnswerShape = "gate" | "feedback" | "none";

/**
 * Source cited for facts taken from the package's bundle. Auggie itself was never run, because its model uses a
 * proprietary protocol.
 */
const SHIPPED: FactSource = "shipped 0.36.0";

const silentAllow = native("no output, so Auggie continues", SHIPPED, { lacksReason: true });
const message = native("systemMessage, which Auggie shows in the terminal", SHIPPED);

const { askMeaningless, observe } = createRowKit<AuggieAnswerShape>({
  name: "Auggie",
  source: SHIPPED,
  allow: () => silentAllow,
  user_message: () => message,
  advice: {
    reason: "use user_message",
    ask: "deny in a PreToolUse hook",
    context: "add the context in a PostToolUse hook",
  },
});

/**
 * Capability row for an event on which Auggie only shows a message to the user. It ignores the other response fields,
 * despite documenting them.
 */
const createObservingRow = <E extends NonGateEvent>(event: E) => observe(event, "none");

export const capabilities: Capabilities<AuggieAnswerShape> = {
  SessionStart: () => ({
    ...createObservingRow("SessionStart"),
    additional_context: drop(
      ["Auggie discards the context, contrary to its documentation", "add the context in a PostToolUse hook"],
      SHIPPED,
    ),
    session_env: drop(
      ["Auggie doesn't accept environment variables from hooks", "set the variables in Auggie's own environment"],
      SHIPPED,
    ),
  }),
  PreToolUse: () => ({
    event: "PreToolUse",
    shape: "gate",
    unreportedCalls: [
      { calls: "calls that start several subagents at once; the subagents' own calls are reported", source: SHIPPED },
    ],
    allow: native("no output; Auggie's own approval still applies", SHIPPED, { lacksReason: true }),
    deny: native("exit code 2; Auggie runs the call after any other failure", SHIPPED),
    ask: downgrade(["Auggie runs the call without asking", "return allow or deny"], SHIPPED),
    reason: native("stderr", SHIPPED),
    user_message: native(
      "systemMessage if the call runs; on a denial, Auggie only says that a hook blocked the call",
      SHIPPED,
    ),
    modified_input: native("updatedInput, which replaces the whole input", SHIPPED),
    additional_context: drop(
      ["Auggie discards context before a call", "add the context in a PostToolUse hook"],
      SHIPPED,
    ),
  }),
  PostToolUse: () => ({
    ...createObservingRow("PostToolUse"),
    shape: "feedback",
    deny: native('decision "block"; the model reads the reason after the unchanged result', SHIPPED),
    ask: askMeaningless,
    reason: native("reason", SHIPPED),
    additional_context: native("additionalContext, which the model reads after the result", SHIPPED),
    modified_output: unenforceable(
      ["Auggie hooks can add to a result but can't replace it", "deny the call in a PreToolUse hook"],
      SHIPPED,
    ),
  }),
  PromptSubmit: () => createObservingRow("UserPromptSubmit"),
  Stop: () => createObservingRow("Stop"),
  Notification: () => createObservingRow("Notification"),
  SessionEnd: () => createObservingRow("SessionEnd"),
};

/** Capability row for unreadable events and for events added in later releases. */
export const createUnknownEventRow = (): CapabilityRow<AuggieAnswerShape> => ({
  ...createObservingRow("Native"),
  shape: "gate",
  deny: emulated("exit code 2; not verified on this event", "unverified"),
  reason: native("stderr", "unverified"),
});
