import {
  type Capabilities,
  type CommonCapabilityRow,
  downgrade,
  drop,
  emulated,
  native,
  type CapabilityRow,
  type FactSource,
  unenforceable,
} from "../../protocol/capability.ts";
import type { EventName } from "../../protocol/event.ts";

/** The forms of an answer; see encode.ts. */
export type Shape = "gate" | "stop" | "none";

const DOCS: FactSource = "docs https://docs.x.ai/build/features/hooks";

type Other = Exclude<EventName, "PreToolUse" | "PermissionRequest">;

const goesOn = native("nothing is printed: Grok Build goes on", DOCS, { silent: true });
const noReason = drop("nothing is decided here, so nobody would read it; leave it out", DOCS);
const noMessage = drop(
  "Grok Build is not known to show a hook's message; put it into the reason of a denial",
  "unverified",
);
const noContext = drop("Grok Build is not known to take a context; put it into the reason of a denial", "unverified");
const noRewrite = drop("there is no tool input to change at this event; rewrite in a PreToolUse hook", DOCS);

const noResult = unenforceable(
  "Grok Build is not known to replace a result; deny the call at PreToolUse",
  "unverified",
);

/** PreToolUse is the only event that the documentation calls blocking. */
const observing = <E extends Other>(event: E): CommonCapabilityRow<Shape, E> => ({
  event,
  shape: "none",
  allow: goesOn,
  deny: unenforceable("Grok Build has no way to stop this event; deny in a PreToolUse hook", DOCS),
  ask: unenforceable("Grok Build has no way to ask at this event; deny in a PreToolUse hook", DOCS),
  reason: noReason,
  user_message: noMessage,
  modified_input: noRewrite,
  additional_context: noContext,
});

/** Releases were reported to go on after exit code 2 here. */
const stopping = (event: "Stop" | "SubagentStop"): CapabilityRow<Shape> => ({
  ...observing(event),
  shape: "stop",
  deny: emulated(
    'decision "block" with exit code 2, which the documentation does not name at this event',
    "unverified",
  ),
  reason: native("reason, stderr", "unverified"),
});

export const capabilities: Capabilities<Shape> = {
  SessionStart: () => ({
    ...observing("SessionStart"),
    session_env: drop(
      "Grok Build is not known to take variables from hooks; set them where it is started",
      "unverified",
    ),
  }),
  PreToolUse: () => ({
    event: "PreToolUse",
    shape: "gate",
    allow: native("nothing is printed; Grok Build's own approval still applies", DOCS, { silent: true }),
    deny: native('decision "deny" with exit code 2; any other failure lets the call run', DOCS),
    ask: downgrade("Grok Build is not known to ask for a hook; answer allow or deny", DOCS),
    reason: native("reason", DOCS),
    user_message: noMessage,
    modified_input: downgrade(
      "Grok Build is not known to take another input from a hook; deny instead, and say what to do",
      DOCS,
    ),
    additional_context: noContext,
  }),
  PostToolUse: () => ({ ...observing("PostToolUse"), modified_output: noResult }),
  PostToolUseFailure: () => ({ ...observing("PostToolUseFailure"), modified_output: noResult }),
  UserPromptSubmit: () => observing("UserPromptSubmit"),
  Stop: () => stopping("Stop"),
  SubagentStart: () => observing("SubagentStart"),
  SubagentStop: () => stopping("SubagentStop"),
  PreCompact: () => observing("PreCompact"),
  PostCompact: () => observing("PostCompact"),
  Notification: () => observing("Notification"),
  SessionEnd: () => observing("SessionEnd"),
  PermissionDenied: () => observing("Native"),
  StopFailure: () => observing("Native"),
};

/** An event of a later release, or one that could not be read. */
export const unknown = (): CapabilityRow<Shape> => ({
  ...observing("Native"),
  shape: "gate",
  deny: emulated('decision "deny" with exit code 2; not seen at this event', "unverified"),
  reason: native("reason", "unverified"),
});
