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

/** Names of the answer formats defined in answers.ts. */
export type DroidAnswerShape = "gate" | "prompt" | "feedback" | "context" | "stop" | "exit" | "none";

/** Source cited for facts taken from the program's code. evidence.json lists the cells confirmed by a run. */
const SHIPPED: FactSource = "shipped 0.215.0";
const SEEN = "seen 0.215.0, 2026-11-29";

const silentAllow = native("no output, so Droid continues", SHIPPED, { lacksReason: true });
const noMessage = drop(
  ["Droid doesn't show messages from hooks in headless runs", "include the message in a denial's reason"],
  SHIPPED,
);

const { askBlocks, askMeaningless, observe } = createRowKit<DroidAnswerShape>({
  name: "Droid",
  source: SHIPPED,
  allow: () => silentAllow,
  user_message: () => noMessage,
  advice: {
    reason: "omit it",
    ask: "deny in a PreToolUse hook",
    context: "add the context in a SessionStart or PostToolUse hook",
  },
});

const context = native("hookSpecificOutput.additionalContext, which the model reads as a message", SHIPPED);

export const capabilities: Capabilities<DroidAnswerShape> = {
  SessionStart: () => ({
    ...observe("SessionStart", "context"),
    additional_context: context,
    session_env: native(
      "one line per variable in the file named by CLAUDE_ENV_FILE; values that contain a line break are omitted",
      SHIPPED,
    ),
  }),
  PreToolUse: () => ({
    event: "PreToolUse",
    shape: "gate",
    // If several hooks answer, Droid applies the first decision, so returning "allow" would override another hook's
    // denial [seen 0.215.0, 2026-11-29].
    allow: native("no output; Droid's own approval still applies", SHIPPED, { lacksReason: true }),
    deny: native('permissionDecision "deny" with exit code 2; Droid runs the call after any other failure', SHIPPED),
    ask: downgrade(["Droid only logs the question and runs the call", "return allow or deny"], SHIPPED),
    reason: native("permissionDecisionReason", SHIPPED),
    user_message: noMessage,
    modified_input: native("updatedInput, which is merged into the tool's input", SHIPPED),
    additional_context: drop(
      ["Droid drops context on this event", "add the context in a SessionStart or PostToolUse hook"],
      SHIPPED,
    ),
  }),
  PostToolUse: () => ({
    ...observe("PostToolUse", "feedback"),
    unreportedCalls: [{ calls: "calls that fail", source: SEEN }],
    deny: native("exit code 2; the model reads the reason after the unchanged result", SHIPPED),
    ask: askMeaningless,
    reason: native("stderr", SHIPPED),
    additional_context: context,
    modified_output: unenforceable(
      ["Droid can't replace a result", "deny the call in a PreToolUse hook, or rewrite it to return less"],
      SHIPPED,
    ),
  }),
  UserPromptSubmit: () => ({
    ...observe("UserPromptSubmit", "prompt"),
    unreportedCalls: [
      { calls: "the prompt of droid exec", source: SEEN },
      // Droid passes the prompt to the hook in an environment variable and can't start the hook if the prompt exceeds
      // this limit.
      { calls: "prompts over 128 KB on Linux", source: SEEN },
    ],
    deny: native("exit code 2; no request is sent", SHIPPED),
    ask: askBlocks,
    reason: native("stderr, shown to the user", SHIPPED),
    additional_context: context,
  }),
  Stop: () => ({
    ...observe("Stop", "stop"),
    deny: native('decision "block" with exit code 2; Droid does not limit the number of continuations', SHIPPED),
    ask: askMeaningless,
    reason: native("reason", SHIPPED),
  }),
  SubagentStop: () => observe("SubagentStop", "none"),
  PreCompact: () => ({
    ...observe("PreCompact", "exit"),
    deny: native("exit code 2, which prevents the compaction", SHIPPED),
    ask: askBlocks,
    reason: drop(["Droid only logs the reason", "omit it"], SHIPPED),
  }),
  Notification: () => observe("Notification", "none"),
  SessionEnd: () => observe("SessionEnd", "none"),
};

/** Capability row for unreadable events and for events added in later releases. */
export const createUnknownEventRow = (): CapabilityRow<DroidAnswerShape> => ({
  ...observe("Native", "gate"),
  deny: emulated('permissionDecision "deny" with exit code 2; not verified on this event', "unverified"),
  reason: native("permissionDecisionReason", "unverified"),
});
