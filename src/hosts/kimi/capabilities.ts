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

/** Names of the answer formats defined in answers.ts. */
export type KimiAnswerShape = "block" | "exit" | "none";

/** Source of facts taken from the program itself. evidence.json lists the cells that a run confirmed. */
const SHIPPED: FactSource = "shipped 2.1.0";

const silentAllow = native("no output, so Kimi Code continues", SHIPPED, { lacksReason: true });
const noMessage = drop(
  ["Kimi Code doesn't show messages from hooks", "include the message in a denial's reason"],
  SHIPPED,
);
const reason = native("stderr", SHIPPED);

const { askMeaningless, askBlocks, noContext, observe } = createRowKit<KimiAnswerShape>({
  name: "Kimi Code",
  source: SHIPPED,
  allow: () => silentAllow,
  user_message: () => noMessage,
  advice: {
    reason: "omit it",
    ask: "deny in a PreToolUse hook",
    context: "add the context to AGENTS.md, or include it in a denial's reason",
  },
});

/** Capability row for an event on which Kimi Code ignores the answer. */
const createSilentRow = <E extends NonGateEvent>(event: E) => observe(event, "none");

const noNewResult = unenforceable(
  ["Kimi Code doesn't read the answer, and the model already has the result", "deny the call in a PreToolUse hook"],
  SHIPPED,
);

export const capabilities: Capabilities<KimiAnswerShape> = {
  SessionStart: () => ({
    ...createSilentRow("SessionStart"),
    session_env: drop(
      ["Kimi Code doesn't accept environment variables from hooks", "set the variables in Kimi Code's own environment"],
      SHIPPED,
    ),
  }),
  PreToolUse: () => ({
    event: "PreToolUse",
    shape: "block",
    allow: native("no output; Kimi Code's own approval still applies", SHIPPED, { lacksReason: true }),
    deny: native(
      'exit code 2 with the reason on stderr, plus permissionDecision "deny" in case the exit code is lost',
      SHIPPED,
    ),
    ask: downgrade(['Kimi Code runs the call on "ask"', "return allow or deny"], SHIPPED),
    reason,
    user_message: noMessage,
    modified_input: downgrade(
      ["Kimi Code always runs a call with its original input", "deny instead, and suggest a better call in the reason"],
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
    deny: native("exit code 2; no request is sent", SHIPPED),
    ask: askBlocks,
    reason: native("stderr, shown to the user at once and to the model with the next prompt", SHIPPED),
    additional_context: drop(
      [
        "Kimi Code would show the context verbatim to the user",
        "add the context to AGENTS.md, or include it in a denial's reason",
      ],
      SHIPPED,
    ),
  }),
  Stop: () => ({
    ...createSilentRow("Stop"),
    shape: "block",
    deny: native("exit code 2 with the reason on stderr, once per turn", SHIPPED),
    ask: askMeaningless,
    reason,
  }),
  SubagentStart: () => createSilentRow("SubagentStart"),
  SubagentStop: () => ({ ...createSilentRow("SubagentStop"), ask: askMeaningless }),
  PreCompact: () => createSilentRow("PreCompact"),
  PostCompact: () => createSilentRow("PostCompact"),
  Notification: () => createSilentRow("Notification"),
  SessionEnd: () => createSilentRow("SessionEnd"),
  // This event only reports that Kimi Code is requesting approval. The hook's answer has no effect on it.
  PermissionRequest: () => createSilentRow("Native"),
  PermissionResult: () => createSilentRow("Native"),
  StopFailure: () => createSilentRow("Native"),
  Interrupt: () => createSilentRow("Native"),
  UserPromptQueued: () => createSilentRow("Native"),
  TurnStarted: () => createSilentRow("Native"),
  TaskStarted: () => createSilentRow("Native"),
  SessionHeartbeat: () => createSilentRow("Native"),
};

/** Capability row for unreadable events and events that later releases might add. */
export const createUnknownEventRow = (): CapabilityRow<KimiAnswerShape> => ({
  ...createSilentRow("Native"),
  shape: "exit",
  deny: emulated(
    "exit code 2 with the reason on stderr, this host's usual way to block; not verified on this event",
    "unverified",
  ),
  ask: askUnseen,
  reason: native("stderr", "unverified"),
});
