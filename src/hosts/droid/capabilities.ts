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
import { createRowKit } from "../codec/capability-rows.ts";

/** Answer formats, defined in answers.ts. */
export type DroidAnswerShape = "gate" | "prompt" | "feedback" | "context" | "stop" | "exit" | "none";

/** Facts from the program. evidence.json lists the cells that a run has confirmed. */
const SHIPPED: FactSource = "shipped 0.215.0";
const SEEN = "seen 0.215.0, 2026-11-29";

const goesOn = native("nothing is printed: Droid goes on", SHIPPED, { lacksReason: true });
const noMessage = drop(["Droid shows no message of a hook headless", "put it into the reason of a denial"], SHIPPED);

const { askBlocks, askMeaningless, observe } = createRowKit<DroidAnswerShape>({
  name: "Droid",
  source: SHIPPED,
  allow: () => goesOn,
  user_message: () => noMessage,
  instead: {
    reason: "leave it out",
    ask: "deny in a PreToolUse hook",
    context: "add it at SessionStart or PostToolUse",
  },
});

const context = native("hookSpecificOutput.additionalContext: the model reads it as a message", SHIPPED);

export const capabilities: Capabilities<DroidAnswerShape> = {
  SessionStart: () => ({
    ...observe("SessionStart", "context"),
    additional_context: context,
    session_env: native(
      "a line each for the file that CLAUDE_ENV_FILE names; a value with a line break is left out",
      SHIPPED,
    ),
  }),
  PreToolUse: () => ({
    event: "PreToolUse",
    shape: "gate",
    // If several hooks decide, the first decision applies, so "allow" would override another hook's denial [seen
    // 0.215.0, 2026-11-29].
    allow: native("nothing is printed; Droid's own approval still applies", SHIPPED, { lacksReason: true }),
    deny: native('permissionDecision "deny" with exit code 2; any other failure lets the call run', SHIPPED),
    ask: downgrade(["Droid notes the question in its log and runs the call", "answer allow or deny"], SHIPPED),
    reason: native("permissionDecisionReason", SHIPPED),
    user_message: noMessage,
    modified_input: native("updatedInput, which is laid over the tool's input", SHIPPED),
    additional_context: drop(["Droid drops it at this event", "add it at SessionStart or PostToolUse"], SHIPPED),
  }),
  PostToolUse: () => ({
    ...observe("PostToolUse", "feedback"),
    unreportedCalls: [{ calls: "calls that fail", source: SEEN }],
    deny: native("exit code 2: the model reads the reason after the result, which stays", SHIPPED),
    ask: askMeaningless,
    reason: native("stderr", SHIPPED),
    additional_context: context,
    modified_output: unenforceable(
      ["Droid can't replace a result", "deny the call at PreToolUse, or rewrite it to return less"],
      SHIPPED,
    ),
  }),
  UserPromptSubmit: () => ({
    ...observe("UserPromptSubmit", "prompt"),
    unreportedCalls: [
      { calls: "the prompt of droid exec", source: SEEN },
      // Droid passes the prompt to the hook in an environment variable, and above this size the hook can't be started.
      { calls: "prompts of more than 128 KB, on Linux", source: SEEN },
    ],
    deny: native("exit code 2: no request is sent", SHIPPED),
    ask: askBlocks,
    reason: native("stderr: the user reads it", SHIPPED),
    additional_context: context,
  }),
  Stop: () => ({
    ...observe("Stop", "stop"),
    deny: native('decision "block" with exit code 2; Droid has no limit of its own', SHIPPED),
    ask: askMeaningless,
    reason: native("reason", SHIPPED),
  }),
  SubagentStop: () => observe("SubagentStop", "none"),
  PreCompact: () => ({
    ...observe("PreCompact", "exit"),
    deny: native("exit code 2: nothing is compacted", SHIPPED),
    ask: askBlocks,
    reason: drop(["Droid writes the reason to its log", "leave it out"], SHIPPED),
  }),
  Notification: () => observe("Notification", "none"),
  SessionEnd: () => observe("SessionEnd", "none"),
};

/** The row for unreadable events and those of later releases. */
export const createUnknownEventRow = (): CapabilityRow<DroidAnswerShape> => ({
  ...observe("Native", "gate"),
  deny: emulated('permissionDecision "deny" with exit code 2; not seen at this event', "unverified"),
  reason: native("permissionDecisionReason", "unverified"),
});
