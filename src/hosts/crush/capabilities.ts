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

/** Names of the answer formats defined in answers.ts. */
export type CrushAnswerShape = "gate";

/**
 * Source cited for facts taken from a public copy of Crush's hooks documentation, read on 2026-11-29. Crush was never
 * run.
 */
const DOCS: FactSource = "docs https://github.com/charmbracelet/crush/tree/main/docs/hooks";

const noMessage = drop(["Crush doesn't show messages from hooks", "include the message in a denial's reason"], DOCS);

export const capabilities: Capabilities<CrushAnswerShape> = {
  PreToolUse: () => ({
    event: "PreToolUse",
    shape: "gate",
    unreportedCalls: [{ calls: "subagents' calls; Crush reports only the top-level agent's calls", source: DOCS }],
    allow: native('decision "allow", after which Crush doesn\'t ask the user about the call', DOCS),
    deny: native("exit code 2 (49 would end the turn); Crush runs the call after any other failure", DOCS),
    ask: downgrade(['Crush has no "ask" answer', "return allow or deny"], DOCS),
    reason: native("stderr", DOCS),
    user_message: noMessage,
    modified_input: native("updated_input, whose keys replace the call's own keys", DOCS),
    additional_context: native(
      "context, which the model reads with the result; for a denial, part of the reason",
      DOCS,
    ),
  }),
};

/** Capability row for unreadable events and for events that Crush plans to add. */
export const createUnknownEventRow = (): CapabilityRow<CrushAnswerShape> => ({
  event: "Native",
  shape: "gate",
  allow: native("no output, so Crush continues", "unverified", { lacksReason: true }),
  deny: emulated("exit code 2; not verified on this event", "unverified"),
  ask: unenforceable(["Crush can't ask on this event", "deny in a PreToolUse hook"], "unverified"),
  reason: native("stderr", "unverified"),
  user_message: noMessage,
  modified_input: drop(["this event has no tool input to change", "rewrite in a PreToolUse hook"], "unverified"),
  additional_context: native("context", "unverified"),
});
