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

/** Answer formats, defined in answers.ts. */
export type CrushAnswerShape = "gate";

/** Facts from a public copy of Crush's page about hooks, read on 2026-11-29. Crush was never run. */
const DOCS: FactSource = "docs https://github.com/charmbracelet/crush/tree/main/docs/hooks";

const noMessage = drop(["Crush shows no message of a hook", "put it into the reason of a denial"], DOCS);

export const capabilities: Capabilities<CrushAnswerShape> = {
  PreToolUse: () => ({
    event: "PreToolUse",
    shape: "gate",
    unreportedCalls: [{ calls: "the calls of subagents: only those of the top agent are reported", source: DOCS }],
    allow: native('decision "allow": Crush then asks nobody about the call', DOCS),
    deny: native("exit code 2, never 49, which would end the turn; any other failure lets the call run", DOCS),
    ask: downgrade(["Crush has no such answer", "answer allow or deny"], DOCS),
    reason: native("stderr", DOCS),
    user_message: noMessage,
    modified_input: native("updated_input, whose keys take the place of the call's own", DOCS),
    additional_context: native("context, which the model reads with the result; on a denial in the reason", DOCS),
  }),
};

/** The row for unreadable events and those of later releases, which are planned. */
export const createUnknownEventRow = (): CapabilityRow<CrushAnswerShape> => ({
  event: "Native",
  shape: "gate",
  allow: native("nothing is printed: Crush goes on", "unverified", { lacksReason: true }),
  deny: emulated("exit code 2; not seen at this event", "unverified"),
  ask: unenforceable(["Crush can't ask at this event", "deny in a PreToolUse hook"], "unverified"),
  reason: native("stderr", "unverified"),
  user_message: noMessage,
  modified_input: drop(
    ["there is no tool input to change at this event", "rewrite in a PreToolUse hook"],
    "unverified",
  ),
  additional_context: native("context", "unverified"),
});
