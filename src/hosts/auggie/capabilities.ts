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
export type AuggieAnswerShape = "gate" | "feedback" | "none";

/** Facts from the package's bundle. Auggie was never run, because its model uses the vendor's own protocol. */
const SHIPPED: FactSource = "shipped 0.36.0";

const goesOn = native("nothing is printed: Auggie goes on", SHIPPED, { lacksReason: true });
const message = native("systemMessage, shown in the terminal", SHIPPED);

const { askMeaningless, observe } = createRowKit<AuggieAnswerShape>({
  name: "Auggie",
  source: SHIPPED,
  allow: () => goesOn,
  user_message: () => message,
  instead: {
    reason: "put it into the message for the user",
    ask: "deny in a PreToolUse hook",
    context: "add it at PostToolUse",
  },
});

/** An event for which Auggie ignores everything in the answer except the message, despite its documentation. */
const createObservingRow = <E extends NonGateEvent>(event: E) => observe(event, "none");

export const capabilities: Capabilities<AuggieAnswerShape> = {
  SessionStart: () => ({
    ...createObservingRow("SessionStart"),
    additional_context: drop(
      ["Auggie throws the context away, whatever its documents say", "add it at PostToolUse"],
      SHIPPED,
    ),
    session_env: drop(["Auggie accepts no variables from hooks", "set them where it is started"], SHIPPED),
  }),
  PreToolUse: () => ({
    event: "PreToolUse",
    shape: "gate",
    unreportedCalls: [{ calls: "the start of several subagents at once; what they do is reported", source: SHIPPED }],
    allow: native("nothing is printed; Auggie's own approval still applies", SHIPPED, { lacksReason: true }),
    deny: native("exit code 2; any other failure lets the call run", SHIPPED),
    ask: downgrade(["Auggie runs a call that a hook asks about", "answer allow or deny"], SHIPPED),
    reason: native("stderr", SHIPPED),
    user_message: native("systemMessage, if the call runs; a denial says no more than that a hook blocked it", SHIPPED),
    modified_input: native("updatedInput, the whole input, which takes the original's place", SHIPPED),
    additional_context: drop(["Auggie throws away context before a call", "add it at PostToolUse"], SHIPPED),
  }),
  PostToolUse: () => ({
    ...createObservingRow("PostToolUse"),
    shape: "feedback",
    deny: native('decision "block": the model reads the reason after the result, which stays', SHIPPED),
    ask: askMeaningless,
    reason: native("reason", SHIPPED),
    additional_context: native("additionalContext, which the model reads after the result", SHIPPED),
    modified_output: unenforceable(
      ["Auggie lets no hook replace a result, only add to it", "deny the call at PreToolUse"],
      SHIPPED,
    ),
  }),
  PromptSubmit: () => createObservingRow("UserPromptSubmit"),
  Stop: () => createObservingRow("Stop"),
  Notification: () => createObservingRow("Notification"),
  SessionEnd: () => createObservingRow("SessionEnd"),
};

/** The row for unreadable events and those of later releases. */
export const createUnknownEventRow = (): CapabilityRow<AuggieAnswerShape> => ({
  ...createObservingRow("Native"),
  shape: "gate",
  deny: emulated("exit code 2; not seen at this event", "unverified"),
  reason: native("stderr", "unverified"),
});
