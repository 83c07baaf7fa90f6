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
import { askUnseen, createRowKit, type NonGateEvent } from "../codec/capability-rows.ts";

/** Answer formats, defined in answers.ts. */
export type KimiAnswerShape = "block" | "exit" | "none";

/** Facts from the program in its package. evidence.json lists the cells that a run has confirmed. */
const SHIPPED: FactSource = "shipped 2.1.0";

const goesOn = native("nothing is printed: Kimi Code goes on", SHIPPED, { lacksReason: true });
const noMessage = drop(["Kimi Code shows no message of a hook", "put it into the reason of a denial"], SHIPPED);
const reason = native("stderr", SHIPPED);

const { askMeaningless, askBlocks, noContext, observe } = createRowKit<KimiAnswerShape>({
  name: "Kimi Code",
  source: SHIPPED,
  allow: () => goesOn,
  user_message: () => noMessage,
  instead: {
    reason: "leave it out",
    ask: "deny in a PreToolUse hook",
    context: "put it into AGENTS.md, or into the reason of a denial",
  },
});

/** An event for which Kimi Code ignores the answer. */
const createSilentRow = <E extends NonGateEvent>(event: E) => observe(event, "none");

const noNewResult = unenforceable(
  ["Kimi Code has given the result to the model, and reads no answer", "deny the call at PreToolUse"],
  SHIPPED,
);

export const capabilities: Capabilities<KimiAnswerShape> = {
  SessionStart: () => ({
    ...createSilentRow("SessionStart"),
    session_env: drop(["Kimi Code accepts no variables from hooks", "set them where it is started"], SHIPPED),
  }),
  PreToolUse: () => ({
    event: "PreToolUse",
    shape: "block",
    allow: native("nothing is printed; Kimi Code's own approval still applies", SHIPPED, { lacksReason: true }),
    deny: native(
      'exit code 2 with the reason on stderr, and permissionDecision "deny" if the exit code is lost',
      SHIPPED,
    ),
    ask: downgrade(['Kimi Code runs the call on "ask"', "answer allow or deny"], SHIPPED),
    reason,
    user_message: noMessage,
    modified_input: downgrade(
      ["Kimi Code runs every call with its own input", "deny instead, and say in the reason what to call"],
      SHIPPED,
    ),
    additional_context: noContext,
  }),
  PostToolUse: () => ({
    ...createSilentRow("PostToolUse"),
    ask: askMeaningless,
    modified_output: noNewResult,
  }),
  PostToolUseFailure: () => ({
    ...createSilentRow("PostToolUseFailure"),
    ask: askMeaningless,
    modified_output: noNewResult,
  }),
  UserPromptSubmit: () => ({
    ...createSilentRow("UserPromptSubmit"),
    shape: "exit",
    deny: native("exit code 2: no request is sent", SHIPPED),
    ask: askBlocks,
    reason: native("stderr: the user reads it, and the model at the next prompt", SHIPPED),
    additional_context: drop(
      ["Kimi Code would show it to the user as it stands", "put it into AGENTS.md, or into the reason of a denial"],
      SHIPPED,
    ),
  }),
  Stop: () => ({
    ...createSilentRow("Stop"),
    shape: "block",
    deny: native("exit code 2 with the reason on stderr, once a turn", SHIPPED),
    ask: askMeaningless,
    reason,
  }),
  SubagentStart: () => createSilentRow("SubagentStart"),
  SubagentStop: () => ({ ...createSilentRow("SubagentStop"), ask: askMeaningless }),
  PreCompact: () => createSilentRow("PreCompact"),
  PostCompact: () => createSilentRow("PostCompact"),
  Notification: () => createSilentRow("Notification"),
  SessionEnd: () => createSilentRow("SessionEnd"),
  // This event is only a report; the answer has no effect on the approval.
  PermissionRequest: () => createSilentRow("Native"),
  PermissionResult: () => createSilentRow("Native"),
  StopFailure: () => createSilentRow("Native"),
  Interrupt: () => createSilentRow("Native"),
  UserPromptQueued: () => createSilentRow("Native"),
  TurnStarted: () => createSilentRow("Native"),
  TaskStarted: () => createSilentRow("Native"),
  SessionHeartbeat: () => createSilentRow("Native"),
};

/** The row for unreadable events and those of later releases. */
export const createUnknownEventRow = (): CapabilityRow<KimiAnswerShape> => ({
  ...createSilentRow("Native"),
  shape: "exit",
  deny: emulated(
    "exit code 2 with the reason on stderr, the host's general way to block; not seen at this event",
    "unverified",
  ),
  ask: askUnseen,
  reason: native("stderr", "unverified"),
});
