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

/** Names of the answer formats defined in answers.ts. */
export type ClineAnswerShape = DenialShape | "cancel" | "feedback" | "none";

/** Source cited for facts taken from the program's code. evidence.json lists the cells confirmed by a run. */
const SHIPPED: FactSource = "shipped 3.0.65";

const silentAllow = native("no output, so Cline continues", SHIPPED, { lacksReason: true });
const noMessage = drop(["Cline doesn't show messages from hooks", "include the message in a denial's reason"], SHIPPED);

const { askMeaningless, observe } = createRowKit<ClineAnswerShape>({
  name: "Cline",
  source: SHIPPED,
  allow: () => silentAllow,
  user_message: () => noMessage,
  advice: {
    reason: "omit it",
    ask: "deny in a PreToolUse hook",
    context: "add the context in a PreToolUse or PostToolUse hook",
  },
});

/** Capability row for an event on which Cline runs the script but ignores its output [seen 3.0.65, 2026-11-29]. */
const createObservingRow = <E extends NonGateEvent>(event: E) => observe(event, "none");

const noVariables = drop(
  ["Cline doesn't accept environment variables from hooks", "set the variables in Cline's own environment"],
  SHIPPED,
);
const createStartRow = (): CapabilityRow<ClineAnswerShape> => ({
  ...createObservingRow("SessionStart"),
  session_env: noVariables,
});

const cancelDenial = emulated(
  "cancel, which ends the whole run without giving the model a reason; with an overridden input, this tool might still run",
  SHIPPED,
);
const overrides = emulated(
  "overrideInput, which makes the tool fail without changing anything, and the reason as context; " +
    "if overriding is unsafe (an MCP or unknown tool, or another script for the event), `cancel` ends the run",
  SHIPPED,
  { isEquivalent: true },
);

function createGateRow(payload?: Payload): CapabilityRow<ClineAnswerShape> {
  const shape = payload ? getGateShape(getCallPart(payload).name) : "commands";
  return {
    event: "PreToolUse",
    shape,
    allow: native("no output; Cline's own approval still applies", SHIPPED, { lacksReason: true }),
    deny: shape === "cancel" ? cancelDenial : overrides,
    ask: downgrade(["Cline's hooks can't ask", "return allow or deny"], SHIPPED),
    reason:
      shape === "cancel"
        ? emulated("errorMessage, which appears only in Cline's log", SHIPPED)
        : native("contextModification, which the model reads together with the call's result", SHIPPED),
    user_message: noMessage,
    modified_input: native("overrideInput, which replaces the whole input", SHIPPED),
    additional_context: native("contextModification, which the model reads together with the result", SHIPPED),
  };
}

export const capabilities: Capabilities<ClineAnswerShape> = {
  TaskStart: createStartRow,
  TaskResume: createStartRow,
  PreToolUse: createGateRow,
  PostToolUse: () => ({
    ...createObservingRow("PostToolUse"),
    shape: "feedback",
    deny: emulated(
      "the call has already run; the model reads the reason as context together with the unchanged result",
      SHIPPED,
    ),
    ask: askMeaningless,
    reason: native("contextModification", SHIPPED),
    additional_context: native("contextModification, which the model reads together with the result", SHIPPED),
    modified_output: unenforceable(
      ["Cline doesn't accept modified results from hooks", "deny the call in a PreToolUse hook"],
      SHIPPED,
    ),
  }),
  UserPromptSubmit: () => createObservingRow("UserPromptSubmit"),
  TaskComplete: () => createObservingRow("Stop"),
  TaskError: () => createObservingRow("Native"),
  TaskCancel: () => createObservingRow("Native"),
  SessionShutdown: () => createObservingRow("SessionEnd"),
};

/** Capability row for unreadable events and for events added in later releases. */
export const createUnknownEventRow = (): CapabilityRow<ClineAnswerShape> => ({
  ...createObservingRow("Native"),
  shape: "cancel",
  deny: emulated("cancel; not verified on this event", "unverified"),
  reason: emulated("errorMessage, which appears only in Cline's log", "unverified"),
});
