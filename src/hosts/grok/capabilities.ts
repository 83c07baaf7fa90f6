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

/** Answer formats, defined in answers.ts. */
export type GrokAnswerShape = "gate" | "prompt" | "feedback" | "context" | "stop" | "none";

/** Facts from the program and the user guide in its package. evidence.json lists the cells that a run has confirmed. */
const SHIPPED: FactSource = "shipped 1.0.41";

const goesOn = native("nothing is printed: Grok Build goes on", SHIPPED, { lacksReason: true });
const noMessage = drop(["Grok Build shows no message of a hook", "put it into the reason of a denial"], SHIPPED);
const context = native("additionalContext: the model reads it beside the result", SHIPPED);

const { askMeaningless, noResult, noVariables, observe } = createRowKit<GrokAnswerShape>({
  name: "Grok Build",
  source: SHIPPED,
  allow: () => goesOn,
  user_message: () => noMessage,
  instead: {
    reason: "leave it out",
    ask: "deny in a PreToolUse hook",
    context: "add it at PreToolUse or PostToolUse",
  },
});

const noContext = drop(["Grok Build accepts no context at this event", "add it at PreToolUse or PostToolUse"], SHIPPED);
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
  additional_context: drop(["a context here would make Grok Build go on", "add it at PostToolUse"], SHIPPED),
});

export const capabilities: Capabilities<GrokAnswerShape> = {
  SessionStart: () => ({
    ...createObservingRow("SessionStart"),
    session_env: noVariables,
  }),
  PreToolUse: () => ({
    event: "PreToolUse",
    shape: "gate",
    allow: native("nothing is printed; Grok Build's own approval still applies", SHIPPED, { lacksReason: true }),
    deny: native('decision "deny" with exit code 2; any other failure lets the call run', SHIPPED),
    ask: downgrade(
      [
        "Grok Build asks nobody where every call is approved, and runs the call; headless it ends the run",
        "answer allow or deny",
      ],
      SHIPPED,
    ),
    reason: native("reason", SHIPPED),
    user_message: noMessage,
    modified_input: native(
      "updatedInput, the whole input, which takes the original's place; a required field that is missing is a denial",
      SHIPPED,
    ),
    additional_context: native(
      "additionalContext: the model reads it after the call; on a denial in the reason",
      SHIPPED,
    ),
  }),
  PostToolUse: () => ({
    ...createObservingRow("PostToolUse"),
    shape: "feedback",
    deny: native('decision "block": the model reads the reason after the result, which stays', SHIPPED),
    ask: askMeaningless,
    reason: native("reason", SHIPPED),
    additional_context: context,
    modified_output: native("updatedToolOutput in the tool's own form; a text replaces an MCP tool's result", SHIPPED),
  }),
  PostToolUseFailure: () => ({
    ...createObservingRow("PostToolUseFailure"),
    shape: "context",
    deny: emulated("the call has failed: the model gets the reason as additionalContext", SHIPPED),
    ask: askMeaningless,
    reason: native("additionalContext", SHIPPED),
    additional_context: context,
    modified_output: noResult,
  }),
  UserPromptSubmit: () => ({
    ...createObservingRow("UserPromptSubmit"),
    shape: "prompt",
    deny: native('decision "block" with exit code 2: no request is sent; headless nothing is printed', SHIPPED),
    ask: downgrade(["Grok Build can't ask at this event", "answer allow or deny"], SHIPPED),
    reason: native("reason: the user reads it, but not headless", SHIPPED),
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

/** The row for unreadable events and those of later releases. */
export const createUnknownEventRow = (): CapabilityRow<GrokAnswerShape> => ({
  ...createObservingRow("Native"),
  shape: "gate",
  deny: emulated('decision "deny" with exit code 2; not seen at this event', "unverified"),
  reason: native("reason", "unverified"),
});
