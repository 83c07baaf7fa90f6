import {
  type CapabilityCell,
  type CapabilityRow,
  type CommonCapabilityRow,
  downgrade,
  drop,
  type FactSource,
  type GateEvent,
  unenforceable,
} from "../../protocol/capability.ts";
import type { EventName } from "../../protocol/event.ts";

/** Events other than gate events. They have no tool input that a hook could change. */
export type NonGateEvent = Exclude<EventName, GateEvent>;

interface RowSpec {
  name: string;
  /** Source of most facts in the table. */
  source: FactSource;
  allow: (source: FactSource) => CapabilityCell<"native">;
  user_message: (source: FactSource) => CapabilityRow["user_message"];
  /** Advice for hooks that return a reason, "ask" or context on an event that doesn't support it. */
  advice: { reason: string; ask: "ask in a PreToolUse hook" | "deny in a PreToolUse hook"; context: string };
  /** Whether the user sees the reason of a denial that can't be enforced. */
  showsReason?: true;
  /** Source for the claim that an event ignores the reason and context; defaults to `source`. */
  textSource?: FactSource;
}

/** Creates the cells and rows that most hosts have in common. */
export function createRowKit<Shape extends string>(spec: RowSpec) {
  const { name, source, allow, user_message, advice, showsReason, textSource = source } = spec;
  const noRewrite = drop(["this event has no tool input to change", "rewrite in a PreToolUse hook"], source);
  const noReason = drop(
    ["this event doesn't accept decisions, so a reason would go unread", advice.reason],
    textSource,
  );
  const noContext = drop([`${name} doesn't accept context on this event`, advice.context], textSource);
  const reasonNote = showsReason ? " and only shows the reason to the user" : "";
  return {
    noRewrite,
    noReason,
    noContext,
    noVariables: drop(
      [`${name} doesn't accept environment variables from hooks`, `set the variables in ${name}'s own environment`],
      source,
    ),
    noResult: unenforceable(
      ["the call has failed, so there is no result to replace", "deny the call in a PreToolUse hook"],
      source,
    ),
    askBlocks: downgrade([`${name} can't ask on this event`, "return allow or deny"], source),
    askMeaningless: unenforceable(["it is too late to ask on this event", "return deny or no decision"], source),
    /** Capability row for an event that doesn't accept decisions. */
    observe: <E extends NonGateEvent>(
      event: E,
      shape: Shape,
      eventSource: FactSource = source,
    ): CommonCapabilityRow<Shape, E> => ({
      event,
      shape,
      allow: allow(eventSource),
      deny: unenforceable([`${name} can't block this event${reasonNote}`, "deny in a PreToolUse hook"], eventSource),
      ask: unenforceable([`${name} can't ask on this event`, advice.ask], eventSource),
      reason: noReason,
      user_message: user_message(eventSource),
      modified_input: noRewrite,
      additional_context: noContext,
    }),
  };
}

/** Cell for `ask` on events where no run has confirmed its effect. */
export const askUnseen = downgrade(["not verified on this event", "return allow or deny"], "unverified");
