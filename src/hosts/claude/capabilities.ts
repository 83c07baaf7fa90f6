import {
  type Capabilities,
  type CapabilityRow,
  type CommonCapabilityRow,
  downgrade,
  drop,
  emulated,
  type FactSource,
  native,
  type OtherEvent,
  unenforceable,
} from "../../protocol/capability.ts";
import { createRowKit, type NonGateEvent } from "../codec/capability-rows.ts";

/** Answer formats, defined in answers.ts. */
export type ClaudeAnswerShape =
  "permission" | "block" | "stop" | "behavior" | "context" | "message" | "exit" | "elicitation";

/** Facts from the type declarations of the agent SDK for the same release. */
const SHIPPED: FactSource = "shipped 2.1.330, 2026-11-20";
/** Facts from the schemas inside the executable. */
const SHIPPED_332: FactSource = "shipped 2.1.332, 2026-11-24";
const DOCS: FactSource = "docs https://code.claude.com/docs/en/hooks";

const goesOn = (source: FactSource) => native("nothing is printed: Claude Code goes on", source, { lacksReason: true });
const message = native("systemMessage", SHIPPED, { isHiddenFromModel: true });
const { noRewrite, noContext, askBlocks, askMeaningless, observe } = createRowKit<ClaudeAnswerShape>({
  name: "Claude Code",
  source: DOCS,
  allow: goesOn,
  user_message: () => message,
  instead: {
    reason: "use user_message or additional_context",
    ask: "ask in a PreToolUse hook",
    context: "add it at UserPromptSubmit or PreToolUse",
  },
  showsReason: true,
});
const contextTo = (source: FactSource) => native("hookSpecificOutput.additionalContext", source);

const variables = native("lines for the file that CLAUDE_ENV_FILE names, which each Bash call reads first", DOCS);
const newResult = native(
  "hookSpecificOutput.updatedToolOutput; a text for Bash, Read and MCP tools; for others event.output.raw with its texts changed",
  SHIPPED,
);
const noResult = unenforceable(
  [
    "Claude Code can't replace the result of a failed call",
    "deny the call at PreToolUse, or rewrite it to return less",
  ],
  SHIPPED,
);

const contextAtStop = emulated(
  "systemMessage: a context here would make Claude Code go on endlessly, so the user reads it and the model does not",
  "unverified",
);

/** An event that is denied by `decision: "block"` with a reason and exit code 2. */
const blocking = <E extends NonGateEvent>(
  event: E,
  source: FactSource,
  ask: CapabilityRow["ask"],
  context: CapabilityRow["additional_context"],
): CommonCapabilityRow<ClaudeAnswerShape, E> => ({
  event,
  shape: "block",
  allow: goesOn(source),
  deny: native('decision "block", exit code 2', source),
  ask,
  reason: native("reason", source),
  user_message: message,
  modified_input: noRewrite,
  additional_context: context,
});

/** An event that accepts context and messages but no decision. */
const observing = <E extends NonGateEvent>(
  event: E,
  source: FactSource,
  shape: "context" | "message",
): CommonCapabilityRow<ClaudeAnswerShape, E> => ({
  ...observe(event, shape, source),
  ...(shape === "context" && { additional_context: contextTo(source) }),
});

/**
 * For events on which Claude Code accepts systemMessage but never shows it, neither in the stream of a headless run nor
 * in the terminal [seen 2.1.330, 2026-11-22; Setup, PermissionDenied and FileChanged headless only].
 */
const noMessage = drop(
  ["Claude Code shows the user nothing at this event", "give the message at PreToolUse or Stop"],
  "unverified",
);
const unshown = (row: CapabilityRow<ClaudeAnswerShape>): CapabilityRow<ClaudeAnswerShape> => ({
  ...row,
  user_message: noMessage,
});
const unseen = <E extends OtherEvent>(event: E, source: FactSource): CommonCapabilityRow<ClaudeAnswerShape, E> => ({
  ...observing(event, source, "message"),
  user_message: noMessage,
  deny: unenforceable(
    ["Claude Code can't stop this event, and does not show the reason", "deny in a PreToolUse hook"],
    source,
  ),
});

/** An event that can only be blocked by exit code 2 with the reason on stderr. */
const byExitCode = (source: FactSource, note: string, denialContinues?: true): CapabilityRow<ClaudeAnswerShape> => ({
  ...observing("Native", source, "message"),
  shape: "exit",
  denialContinues,
  deny: emulated(`exit code 2 with the reason on stderr, ${note}`, source),
  ask: downgrade(["Claude Code can't ask at this event", "answer allow or deny"], source),
  reason: native("stderr", source),
});

const answered = (source: FactSource): CapabilityRow<ClaudeAnswerShape> => ({
  ...observing("Native", source, "message"),
  shape: "elicitation",
  deny: native('hookSpecificOutput.action "decline"', source),
  ask: native("nothing is printed: the user is asked anyway", source, { lacksReason: true }),
  reason: drop(["Claude Code accepts no reason at this event", "use user_message"], source),
});

export const capabilities: Capabilities<ClaudeAnswerShape> = {
  SessionStart: () => ({ ...observing("SessionStart", DOCS, "context"), session_env: variables }),
  PreToolUse: () => ({
    event: "PreToolUse",
    shape: "permission",
    allow: native('permissionDecision "allow"', DOCS),
    deny: native('permissionDecision "deny", exit code 2', DOCS),
    ask: native('permissionDecision "ask"; without a terminal Claude Code denies it', DOCS),
    reason: native("permissionDecisionReason", DOCS),
    user_message: message,
    modified_input: native("updatedInput, the whole input", DOCS),
    additional_context: contextTo(DOCS),
  }),
  // A shell command in the text of a skill or slash command, which runs when the text is loaded [from 2.1.332].
  PreSkillShellCommand: () => ({
    event: "PreToolUse",
    shape: "permission",
    allow: native('permissionDecision "allow", which leaves the line to Claude Code\'s own rules', SHIPPED_332),
    deny: native('permissionDecision "deny", exit code 2', SHIPPED_332),
    ask: downgrade(["Claude Code can't ask about a line of a skill or command", "answer allow or deny"], SHIPPED_332),
    reason: native("permissionDecisionReason, in the place of the line's output", SHIPPED_332),
    user_message: message,
    modified_input: downgrade(
      ["Claude Code can't change a line of a skill or command", "deny it, and name the better line"],
      SHIPPED_332,
    ),
    additional_context: drop(
      ["Claude Code accepts none for a line of a skill or command", "add it at UserPromptSubmit or PreToolUse"],
      SHIPPED_332,
    ),
  }),
  PostToolUse: () => ({
    ...blocking("PostToolUse", DOCS, askMeaningless, contextTo(DOCS)),
    modified_output: newResult,
  }),
  UserPromptSubmit: () => blocking("UserPromptSubmit", DOCS, askBlocks, contextTo(DOCS)),
  Stop: () => ({ ...blocking("Stop", DOCS, askMeaningless, contextAtStop), shape: "stop" }),
  SessionEnd: () => unseen("SessionEnd", DOCS),
  PostToolUseFailure: () => ({
    ...blocking("PostToolUseFailure", SHIPPED, askMeaningless, contextTo(SHIPPED)),
    modified_output: noResult,
  }),
  PermissionRequest: () =>
    unshown({
      event: "PermissionRequest",
      shape: "behavior",
      allow: native('decision.behavior "allow"', DOCS),
      deny: native('decision.behavior "deny", exit code 2', DOCS),
      ask: native("nothing is printed: Claude Code asks, as it was about to", "unverified", { lacksReason: true }),
      reason: native("decision.message", DOCS),
      user_message: message,
      modified_input: native('decision.updatedInput beside "allow"; without "allow" it becomes a denial', DOCS),
      additional_context: noContext,
    }),
  SubagentStart: () => ({ ...unseen("SubagentStart", DOCS), shape: "context", additional_context: contextTo(DOCS) }),
  SubagentStop: () =>
    unshown({
      ...blocking(
        "SubagentStop",
        DOCS,
        askMeaningless,
        drop(["a context here would make Claude Code go on endlessly", "add it at SubagentStart"], "unverified"),
      ),
      shape: "stop",
    }),
  PreCompact: () => ({
    ...blocking("PreCompact", DOCS, askBlocks, noContext),
    user_message: emulated(
      "systemMessage; Claude Code shows the whole document, and gives it to the model as instructions for the summary",
      "unverified",
    ),
  }),
  PostCompact: () => ({
    ...observing("PostCompact", SHIPPED, "message"),
    user_message: emulated("systemMessage; Claude Code shows the whole document", "unverified"),
  }),
  // The types declare additionalContext here, but the model did not receive it [seen 2.1.330, 2026-11-22].
  Notification: () => unseen("Notification", SHIPPED),

  UserPromptExpansion: () => blocking("Native", DOCS, askBlocks, contextTo(SHIPPED)),
  PostToolBatch: () => blocking("Native", DOCS, askMeaningless, contextTo(SHIPPED)),
  ConfigChange: () => ({
    ...unshown(blocking("Native", DOCS, askBlocks, noContext)),
    reason: drop(["Claude Code keeps its settings and does not show the reason", "leave it out"], "unverified"),
  }),
  TaskCreated: () => byExitCode(DOCS, "which keeps the task from being created"),
  TaskCompleted: () => byExitCode(DOCS, "which keeps the task open", true),
  TeammateIdle: () => byExitCode(DOCS, "which keeps the teammate working", true),
  PreModelSwitch: () => ({
    ...observing("Native", SHIPPED, "message"),
    shape: "permission",
    allow: native('permissionDecision "allow"', SHIPPED),
    deny: native('permissionDecision "deny", exit code 2', SHIPPED),
    ask: native('permissionDecision "ask"', SHIPPED),
    reason: native("permissionDecisionReason", SHIPPED),
  }),
  Elicitation: () => answered(SHIPPED),
  ElicitationResult: () => answered(SHIPPED),
  // The types declare additionalContext here, but the model did not receive it [seen 2.1.197 and 2.1.330, 2026-11-22].
  Setup: () => ({ ...unseen("Native", SHIPPED), session_env: variables }),
  PermissionDenied: () => unseen("Native", SHIPPED),
  StopFailure: () => unseen("Native", SHIPPED),
  PostModelSwitch: () => observing("Native", SHIPPED, "context"),
  // Claude Code expects a path on stdout for this event and doesn't start without one, so we must not install an entry
  // for it.
  WorktreeCreate: () => ({
    ...byExitCode("unverified", "which keeps Claude Code from starting"),
    allow: drop(
      [
        "Claude Code wants a worktree's path from this hook, and refuses to start without one",
        "configure no entry here",
      ],
      "unverified",
    ),
  }),
  WorktreeRemove: () => observing("Native", SHIPPED, "message"),
  InstructionsLoaded: () => unseen("Native", SHIPPED),
  CwdChanged: () => ({ ...unseen("Native", SHIPPED), session_env: variables }),
  FileChanged: () => ({ ...unseen("Native", SHIPPED), session_env: variables }),
  DirectoryAdded: () => observing("Native", SHIPPED, "message"),
  MessageDisplay: () => unseen("Native", SHIPPED),
};

/** The row for unreadable events and those of later releases. */
export const createUnknownEventRow = (): CapabilityRow<ClaudeAnswerShape> =>
  byExitCode("unverified", "the host's general way to block; not seen at this event");
