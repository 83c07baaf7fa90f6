import {
  type Capabilities,
  type CommonRow,
  downgrade,
  drop,
  emulated,
  native,
  type Row,
  type Source,
  unenforceable,
} from "../../protocol/capability.ts";
import type { EventName } from "../../protocol/event.ts";

/** The forms of an answer; see encode.ts. */
export type Shape = "permission" | "behavior" | "block" | "context" | "any" | "none";

const DOCS: Source = "docs https://docs.github.com/en/copilot/reference/hooks-reference";
/** The types in the package's own SDK. */
const SHIPPED: Source = "shipped 1.0.102";
const VSCODE: Source = "docs https://code.visualstudio.com/docs/agents/reference/hooks-reference";

type Other = Exclude<EventName, "PreToolUse" | "PermissionRequest">;

const goesOn = (source: Source) => native("nothing is printed: Copilot goes on", source, { silent: true });
const noReason = drop("nothing is decided here, so nobody would read it; leave it out", SHIPPED);
const noMessage = drop("Copilot CLI shows nobody a hook's message; tell the model in additional_context", SHIPPED);
const noRewrite = drop("there is no tool input to change at this event; rewrite in a PreToolUse hook", SHIPPED);
const noContext = drop("Copilot takes none at this event; add it at UserPromptSubmit or PreToolUse", SHIPPED);
const noVariables = drop("Copilot takes no variables from hooks; set them where it is started", SHIPPED);
const noResult = unenforceable(
  "Copilot can't replace the result of a failed call; deny the call at PreToolUse, or rewrite it to return less",
  SHIPPED,
);
const askMeaningless = unenforceable(
  "there is nothing left to ask about at this event; answer deny or nothing",
  SHIPPED,
);
const context = native("additionalContext", SHIPPED);

const gate = (changed = "modifiedArgs, the whole input"): Row<Shape> => ({
  event: "PreToolUse",
  shape: "permission",
  allow: native('permissionDecision "allow": the call runs without Copilot\'s own approval', DOCS),
  deny: native('permissionDecision "deny" with exit code 2', DOCS),
  ask: native('permissionDecision "ask"; where nobody can answer (-p, the cloud agent), Copilot denies', DOCS),
  reason: native("permissionDecisionReason", DOCS),
  user_message: noMessage,
  modified_input: native(changed, DOCS),
  additional_context: context,
});

const approval = (): Row<Shape> => ({
  event: "PermissionRequest",
  shape: "behavior",
  allow: native('behavior "allow": nobody is asked', DOCS),
  deny: native('behavior "deny"', DOCS),
  ask: downgrade(
    "Copilot runs the call unasked where all tools are allowed; answer deny, or ask in a PreToolUse hook",
    SHIPPED,
  ),
  reason: native("message", DOCS),
  user_message: noMessage,
  modified_input: downgrade("Copilot changes no call at this event; rewrite in a PreToolUse hook", SHIPPED),
  additional_context: noContext,
});

const observing = <E extends Other>(
  event: E,
  shape: Shape = "none",
  source: Source = SHIPPED,
): CommonRow<Shape, E> => ({
  event,
  shape,
  allow: goesOn(source),
  deny: unenforceable("Copilot has no way to stop this event; deny in a PreToolUse hook", source),
  ask: unenforceable("Copilot has no way to ask at this event; ask in a PreToolUse hook", source),
  reason: noReason,
  user_message: noMessage,
  modified_input: noRewrite,
  additional_context: noContext,
});

const informing = <E extends Other>(event: E): CommonRow<Shape, E> => ({
  ...observing(event, "context"),
  additional_context: context,
});

const starting = (): Row<Shape> => ({
  ...informing("SessionStart"),
  session_env: noVariables,
});

const prompt = (): Row<Shape> => ({
  ...observing("UserPromptSubmit", "block"),
  deny: native('decision "block": the model is not asked', SHIPPED),
  ask: downgrade("Copilot can't ask at this event; answer allow or deny", SHIPPED),
  reason: native("reason: the user reads it", SHIPPED),
  additional_context: context,
});

const finished = (): Row<Shape> => ({
  ...observing("PostToolUse", "block"),
  deny: native('decision "block": the reason takes the place of the result', DOCS),
  ask: askMeaningless,
  reason: native("reason", DOCS),
  additional_context: context,
  modified_output: native("modifiedResult; on a denial in front of the reason", DOCS),
});

const failed = (): Row<Shape> => ({
  ...observing("PostToolUseFailure", "context"),
  deny: emulated("the call has failed: the model gets the reason as additionalContext", SHIPPED),
  ask: askMeaningless,
  reason: native("additionalContext", SHIPPED),
  additional_context: context,
  modified_output: noResult,
});

const stopping = (event: "Stop" | "SubagentStop"): Row<Shape> => ({
  ...observing(event, "block"),
  deny: native('decision "block"; Copilot ends the turn after 8 of them in a row', SHIPPED),
  ask: askMeaningless,
  reason: native("reason", SHIPPED),
});

const notified = (): Row<Shape> => ({
  ...informing("Notification"),
  additional_context: native("additionalContext: the model gets it as a prompt of its own", DOCS),
});

/**
 * The same under Claude Code's names, as that host's files and VS Code have them: the answer says all twice, flat and inside
 * `hookSpecificOutput`. The CLI reads the flat fields, and of the others those at PreToolUse [seen 1.0.102, 2026-11-22].
 */
const claudes = (row: Row<Shape>): Row<Shape> => ({
  ...row,
  user_message: emulated("systemMessage, which VS Code shows; the CLI shows it to nobody", VSCODE),
});

export const capabilities: Capabilities<Shape> = {
  sessionStart: starting,
  preToolUse: () => gate(),
  postToolUse: finished,
  userPromptSubmitted: prompt,
  agentStop: () => stopping("Stop"),
  sessionEnd: () => observing("SessionEnd"),
  postToolUseFailure: failed,
  permissionRequest: approval,
  subagentStart: () => informing("SubagentStart"),
  subagentStop: () => stopping("SubagentStop"),
  preCompact: () => observing("PreCompact"),
  notification: notified,
  userPromptTransformed: () => observing("Native"),
  preMcpToolCall: () => observing("Native"),
  errorOccurred: () => observing("Native"),
  SessionStart: () => claudes(starting()),
  PreToolUse: () => ({
    ...claudes(gate("modifiedArgs and hookSpecificOutput.updatedInput, the whole input")),
    deny: native('permissionDecision "deny", flat and inside hookSpecificOutput', DOCS),
  }),
  PostToolUse: () => claudes(finished()),
  UserPromptSubmit: () => ({
    ...claudes(prompt()),
    deny: native('decision "block"; continue false as well, which VS Code reads (by its documentation alone)', VSCODE),
  }),
  Stop: () => ({
    ...claudes(stopping("Stop")),
    deny: native(
      'decision "block"; inside hookSpecificOutput as well, where VS Code reads it (by its documentation alone)',
      VSCODE,
    ),
  }),
  SessionEnd: () => claudes(observing("SessionEnd")),
  PostToolUseFailure: () => claudes(failed()),
  PermissionRequest: () => claudes(approval()),
  SubagentStart: () => claudes(informing("SubagentStart")),
  SubagentStop: () => claudes(stopping("SubagentStop")),
  PreCompact: () => claudes(observing("PreCompact")),
  Notification: () => claudes(notified()),
  PreMcpToolCall: () => claudes(observing("Native")),
  ErrorOccurred: () => claudes(observing("Native")),
};

/** The names that `install` writes, by those of Claude Code. */
export const ALIASES: Readonly<Record<string, string>> = {
  SessionStart: "sessionStart",
  PreToolUse: "preToolUse",
  PostToolUse: "postToolUse",
  UserPromptSubmit: "userPromptSubmitted",
  Stop: "agentStop",
  SessionEnd: "sessionEnd",
  PostToolUseFailure: "postToolUseFailure",
  PermissionRequest: "permissionRequest",
  SubagentStart: "subagentStart",
  SubagentStop: "subagentStop",
  PreCompact: "preCompact",
  Notification: "notification",
  PreMcpToolCall: "preMcpToolCall",
  ErrorOccurred: "errorOccurred",
};

/** An event of a later release, or one that could not be read: all that Copilot reads anywhere, in one document. */
export const unknown = (): Row<Shape> => ({
  ...observing("Native", "any", "unverified"),
  deny: emulated('permissionDecision "deny", decision "block", exit code 2; not seen at this event', "unverified"),
  ask: downgrade("not seen at this event; answer allow or deny", "unverified"),
  reason: native("permissionDecisionReason and reason", "unverified"),
});
