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

/** Events without a call that could still be changed or stopped by its input. */
export type NonGateEvent = Exclude<EventName, GateEvent>;

interface RowSpec {
  /** The host's name in messages. */
  name: string;
  /** Where most of the table is known from. */
  source: FactSource;
  allow: (source: FactSource) => CapabilityCell<"native">;
  user_message: (source: FactSource) => CapabilityRow["user_message"];
  /** What to do instead of a reason, of a question, and of a context at an event that takes none. */
  instead: { reason: string; ask: "ask in a PreToolUse hook" | "deny in a PreToolUse hook"; context: string };
  /** The user reads the reason of a denial that can't be enforced. */
  showsReason?: true;
  /** Where it is known from that an event takes no reason and no context. Default: `source`. */
  textSource?: FactSource;
}

/** Creates the cells and rows that read alike on most hosts. */
export function createRowKit<Shape extends string>(spec: RowSpec) {
  const { name, source, allow, user_message, instead, showsReason, textSource = source } = spec;
  const noRewrite = drop(["there is no tool input to change at this event", "rewrite in a PreToolUse hook"], source);
  const noReason = drop(["nothing is decided here, so no one would read it", instead.reason], textSource);
  const noContext = drop([`${name} accepts none at this event`, instead.context], textSource);
  const shown = showsReason ? ", and the user is shown the reason" : "";
  return {
    noRewrite,
    noReason,
    noContext,
    noVariables: drop([`${name} accepts no variables from hooks`, "set them where it is started"], source),
    noResult: unenforceable(
      ["the call has failed: there is no result to replace", "deny the call at PreToolUse"],
      source,
    ),
    askBlocks: downgrade([`${name} can't ask at this event`, "answer allow or deny"], source),
    askMeaningless: unenforceable(
      ["there is nothing left to ask about at this event", "answer deny or nothing"],
      source,
    ),
    /** An event at which no decision is possible. */
    observe: <E extends NonGateEvent>(
      event: E,
      shape: Shape,
      from: FactSource = source,
    ): CommonCapabilityRow<Shape, E> => ({
      event,
      shape,
      allow: allow(from),
      deny: unenforceable([`${name} can't stop this event${shown}`, "deny in a PreToolUse hook"], from),
      ask: unenforceable([`${name} can't ask at this event`, instead.ask], from),
      reason: noReason,
      user_message: user_message(from),
      modified_input: noRewrite,
      additional_context: noContext,
    }),
  };
}

/** The question at an event that no run has shown. */
export const askUnseen = downgrade(["not seen at this event", "answer allow or deny"], "unverified");
