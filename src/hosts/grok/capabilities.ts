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
import { createRowKit, type NonGateEvent } from "../codec/capability-rows.ts";

/** Answer formats; see answers.ts. */
export type GrokAnswerShape = "gate" | "prompt" | "feedback" | "context" | "stop" | "none";

// No release was run. Where the web page and the guide inside the package differ, the guide is the newer one. An
// earlier release ignores what it does not know, so answers don't use such words where ignoring them would let a call
// pass.
const DOCS: FactSource = "docs https://docs.x.ai/build/features/hooks";
/** The user guide inside the package, read and not run. */
const GUIDE: FactSource = "shipped 1.0.41";

const goesOn = native("nothing is printed: Grok Build goes on", DOCS, { silent: true });
const noMessage = drop(
  ["Grok Build is not known to show a hook's message", "put it into the reason of a denial"],
  "unverified",
);
const context = native("additionalContext: the model reads it beside the result", GUIDE);

const noResult = unenforceable(
  [
    "Grok Build takes a new result only in the tool's own form, which has not been recorded",
    "deny the call at PreToolUse",
  ],
  GUIDE,
);

const { askMeaningless, observe } = createRowKit<GrokAnswerShape>({
  name: "Grok Build",
  source: DOCS,
  textSource: GUIDE,
  allow: () => goesOn,
  user_message: () => noMessage,
  instead: {
    reason: "leave it out",
    ask: "deny in a PreToolUse hook",
    context: "add it at PreToolUse or PostToolUse",
  },
});

const noContext = drop(["Grok Build accepts no context at this event", "add it at PreToolUse or PostToolUse"], GUIDE);
const createObservingRow = <E extends NonGateEvent>(event: E) => ({
  ...observe(event, "none"),
  additional_context: noContext,
});

const createStoppingRow = (event: "Stop" | "SubagentStop"): CapabilityRow<GrokAnswerShape> => ({
  ...createObservingRow(event),
  shape: "stop",
  deny: native(
    'decision "block" with exit code 2, up to 8 times a turn; the page on the web does not name this event as blocking',
    GUIDE,
  ),
  ask: askMeaningless,
  reason: native("reason, stderr", GUIDE),
  additional_context: drop(["a context here would make Grok Build go on", "add it at PostToolUse"], GUIDE),
});

export const capabilities: Capabilities<GrokAnswerShape> = {
  SessionStart: () => ({
    ...createObservingRow("SessionStart"),
    session_env: drop(["Grok Build accepts no variables from hooks", "set them where it is started"], GUIDE),
  }),
  PreToolUse: () => ({
    event: "PreToolUse",
    shape: "gate",
    allow: native("nothing is printed; Grok Build's own approval still applies", DOCS, { silent: true }),
    deny: native('decision "deny" with exit code 2; any other failure lets the call run', DOCS),
    ask: downgrade(
      ['the guide of 1.0.41 has "ask", but a release without it lets the call run', "answer allow or deny"],
      GUIDE,
    ),
    reason: native("reason", DOCS),
    user_message: noMessage,
    modified_input: downgrade(
      [
        "the guide of 1.0.41 has updatedInput, but a release without it runs the original",
        "deny instead, and say what to do",
      ],
      GUIDE,
    ),
    additional_context: native(
      "additionalContext: the model reads it after the call; on a denial in the reason",
      GUIDE,
    ),
  }),
  PostToolUse: () => ({
    ...createObservingRow("PostToolUse"),
    shape: "feedback",
    deny: native('decision "block": the model reads the reason beside the result, which stays', GUIDE),
    ask: askMeaningless,
    reason: native("reason", GUIDE),
    additional_context: context,
    modified_output: noResult,
  }),
  PostToolUseFailure: () => ({
    ...createObservingRow("PostToolUseFailure"),
    shape: "context",
    deny: emulated("the call has failed: the model gets the reason as additionalContext", GUIDE),
    ask: askMeaningless,
    reason: native("additionalContext", GUIDE),
    additional_context: context,
    modified_output: noResult,
  }),
  UserPromptSubmit: () => ({
    ...createObservingRow("UserPromptSubmit"),
    shape: "prompt",
    deny: emulated(
      'decision "block" with exit code 2; releases before that of the guide (1.0.41) send the prompt all the same',
      GUIDE,
    ),
    ask: downgrade(["Grok Build can't ask at this event", "answer allow or deny"], GUIDE),
    reason: native("reason: the user reads it", GUIDE),
  }),
  Stop: () => createStoppingRow("Stop"),
  SubagentStart: () => createObservingRow("SubagentStart"),
  SubagentStop: () => createStoppingRow("SubagentStop"),
  PreCompact: () => createObservingRow("PreCompact"),
  PostCompact: () => createObservingRow("PostCompact"),
  Notification: () => createObservingRow("Notification"),
  SessionEnd: () => createObservingRow("SessionEnd"),
  PermissionDenied: () => createObservingRow("Native"),
  StopFailure: () => createObservingRow("Native"),
  StopCancelled: () => createObservingRow("Native"),
};

/** For events of a later release and for unreadable ones. */
export const createUnknownEventRow = (): CapabilityRow<GrokAnswerShape> => ({
  ...createObservingRow("Native"),
  shape: "gate",
  deny: emulated('decision "deny" with exit code 2; not seen at this event', "unverified"),
  reason: native("reason", "unverified"),
});
