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
import type { Payload } from "../../protocol/host/payload.ts";
import { createRowKit, type NonGateEvent } from "../codec/capability-rows.ts";
import { getCallPart } from "./call.ts";
import { type DenialShape, getGateShape } from "./denials.ts";

/** Answer formats, defined in answers.ts. */
export type ClineAnswerShape = DenialShape | "cancel" | "feedback" | "none";

/** Facts from the program's own code. evidence.json lists the cells that a run has confirmed. */
const SHIPPED: FactSource = "shipped 3.0.65";

const goesOn = native("nothing is printed: Cline goes on", SHIPPED, { lacksReason: true });
const noMessage = drop(["Cline shows no message of a hook", "put it into the reason of a denial"], SHIPPED);

const { askMeaningless, observe } = createRowKit<ClineAnswerShape>({
  name: "Cline",
  source: SHIPPED,
  allow: () => goesOn,
  user_message: () => noMessage,
  instead: {
    reason: "leave it out",
    ask: "deny in a PreToolUse hook",
    context: "add it at PreToolUse or PostToolUse",
  },
});

/** An event for which Cline starts the script but ignores its output [seen 3.0.65, 2026-11-29]. */
const createObservingRow = <E extends NonGateEvent>(event: E) => observe(event, "none");

const noVariables = drop(["Cline accepts no variables from hooks", "set them where it is started"], SHIPPED);
const createStartRow = (): CapabilityRow<ClineAnswerShape> => ({
  ...createObservingRow("SessionStart"),
  session_env: noVariables,
});

const cancels = emulated(
  "cancel: the whole run ends there, and the model reads nothing, since this tool might run with any other input",
  SHIPPED,
);
const overrides = emulated(
  "overrideInput, with which the tool changes nothing and fails; the reason is context. " +
    "Where that is not safe, `cancel` ends the run: an MCP or unknown tool, or another script at the same event",
  SHIPPED,
);

function createGateRow(payload?: Payload): CapabilityRow<ClineAnswerShape> {
  const shape = payload ? getGateShape(getCallPart(payload).name) : "commands";
  return {
    event: "PreToolUse",
    shape,
    allow: native("nothing is printed; Cline's own approval still applies", SHIPPED, { lacksReason: true }),
    deny: shape === "cancel" ? cancels : overrides,
    ask: downgrade(["Cline's hooks can't ask", "answer allow or deny"], SHIPPED),
    reason:
      shape === "cancel"
        ? emulated("errorMessage, which only Cline's log has", SHIPPED)
        : native("contextModification: the model reads it beside the result of the call", SHIPPED),
    user_message: noMessage,
    modified_input: native("overrideInput, the whole input, which takes the original's place", SHIPPED),
    additional_context: native("contextModification: the model reads it beside the result", SHIPPED),
  };
}

export const capabilities: Capabilities<ClineAnswerShape> = {
  TaskStart: createStartRow,
  TaskResume: createStartRow,
  PreToolUse: createGateRow,
  PostToolUse: () => ({
    ...createObservingRow("PostToolUse"),
    shape: "feedback",
    deny: emulated("the call has run: the model reads the reason as context beside the result, which stays", SHIPPED),
    ask: askMeaningless,
    reason: native("contextModification", SHIPPED),
    additional_context: native("contextModification: the model reads it beside the result", SHIPPED),
    modified_output: unenforceable(["Cline takes no other result from hooks", "deny the call at PreToolUse"], SHIPPED),
  }),
  UserPromptSubmit: () => createObservingRow("UserPromptSubmit"),
  TaskComplete: () => createObservingRow("Stop"),
  TaskError: () => createObservingRow("Native"),
  TaskCancel: () => createObservingRow("Native"),
  SessionShutdown: () => createObservingRow("SessionEnd"),
};

/** The row for unreadable events and those of later releases. */
export const createUnknownEventRow = (): CapabilityRow<ClineAnswerShape> => ({
  ...createObservingRow("Native"),
  shape: "cancel",
  deny: emulated("cancel; not seen at this event", "unverified"),
  reason: emulated("errorMessage, which only Cline's log has", "unverified"),
});
