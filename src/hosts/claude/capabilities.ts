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

/** Names of the answer formats defined in answers.ts. */
export type ClaudeAnswerShape =
  "permission" | "block" | "stop" | "behavior" | "context" | "message" | "exit" | "elicitation";

/** Source cited for facts taken from the type declarations in the agent SDK of the same release. */
const SHIPPED: FactSource = "shipped 2.1.330, 2026-11-20";
/** Source cited for facts taken from the schemas inside the executable. */
const SHIPPED_332: FactSource = "shipped 2.1.332, 2026-11-24";
const DOCS: FactSource = "docs https://code.claude.com/docs/en/hooks";

const createSilentAllow = (source: FactSource) =>
  native("no output, so Claude Code continues", source, { lacksReason: true });
const message = native("systemMessage", SHIPPED, { isHiddenFromModel: true });
const { noRewrite, noContext, askBlocks, askMeaningless, observe } = createRowKit<ClaudeAnswerShape>({
  name: "Claude Code",
  source: DOCS,
  allow: createSilentAllow,
  user_message: () => message,
  advice: {
    reason: "use user_message or additional_context",
    ask: "ask in a PreToolUse hook",
    context: "add the context in a UserPromptSubmit or PreToolUse hook",
  },
  showsReason: true,
});
const createContextCell = (source: FactSource) => native("hookSpecificOutput.additionalContext", source);

const variables = native(
  "lines appended to the file named by CLAUDE_ENV_FILE; each Bash call reads this file first",
  DOCS,
);
const newResult = native(
  "hookSpecificOutput.updatedToolOutput: text for Bash, Read and MCP tools; for other tools, event.output.raw with the text changed",
  SHIPPED,
);
const noResult = unenforceable(
  [
    "Claude Code can't replace the result of a failed call",
    "deny the call in a PreToolUse hook, or rewrite it to return less",
  ],
  SHIPPED,
);

const contextAtStop = emulated(
  "systemMessage, shown only to the user, because context on this event would make Claude Code continue endlessly",
  "unverified",
);

/** Capability row for an event that hooks deny with `decision: "block"`, a reason and exit code 2. */
const createBlockingRow = <E extends NonGateEvent>(
  event: E,
  source: FactSource,
  ask: CapabilityRow["ask"],
  context: CapabilityRow["additional_context"],
): CommonCapabilityRow<ClaudeAnswerShape, E> => ({
  event,
  shape: "block",
  allow: createSilentAllow(source),
  deny: native('decision "block", exit code 2', source),
  ask,
  reason: native("reason", source),
  user_message: message,
  modified_input: noRewrite,
  additional_context: context,
});

/** Capability row for an event that accepts context and messages but not decisions. */
const createObservingRow = <E extends NonGateEvent>(
  event: E,
  source: FactSource,
  shape: "context" | "message",
): CommonCapabilityRow<ClaudeAnswerShape, E> => ({
  ...observe(event, shape, source),
  ...(shape === "context" && { additional_context: createContextCell(source) }),
});

/**
 * Cell for events where Claude Code accepts systemMessage but never shows it, in the terminal or in headless output
 * [seen 2.1.330, 2026-11-22; Setup, PermissionDenied and FileChanged headless only].
 */
const noMessage = drop(
  ["Claude Code doesn't show messages from hooks on this event", "send the message in a PreToolUse or Stop hook"],
  "unverified",
);
const withoutMessage = (row: CapabilityRow<ClaudeAnswerShape>): CapabilityRow<ClaudeAnswerShape> => ({
  ...row,
  user_message: noMessage,
});
const createHiddenRow = <E extends OtherEvent>(
  event: E,
  source: FactSource,
): CommonCapabilityRow<ClaudeAnswerShape, E> => ({
  ...createObservingRow(event, source, "message"),
  user_message: noMessage,
  deny: unenforceable(
    ["Claude Code can't block this event and doesn't show the reason", "deny in a PreToolUse hook"],
    source,
  ),
});

/** Capability row for an event that can only be blocked with exit code 2 and a reason on stderr. */
const createExitCodeRow = (
  source: FactSource,
  note: string,
  denialContinues?: true,
): CapabilityRow<ClaudeAnswerShape> => ({
  ...createObservingRow("Native", source, "message"),
  shape: "exit",
  denialContinues,
  deny: emulated(`exit code 2 with the reason on stderr, ${note}`, source),
  ask: downgrade(["Claude Code can't ask on this event", "return allow or deny"], source),
  reason: native("stderr", source),
});

const createElicitationRow = (source: FactSource): CapabilityRow<ClaudeAnswerShape> => ({
  ...createObservingRow("Native", source, "message"),
  shape: "elicitation",
  deny: native('hookSpecificOutput.action "decline"', source),
  ask: native("no output, so the user is asked anyway", source, { lacksReason: true }),
  reason: drop(["Claude Code doesn't accept a reason on this event", "use user_message"], source),
});

export const capabilities: Capabilities<ClaudeAnswerShape> = {
  SessionStart: () => ({ ...createObservingRow("SessionStart", DOCS, "context"), session_env: variables }),
  PreToolUse: () => ({
    event: "PreToolUse",
    shape: "permission",
    allow: native('permissionDecision "allow"', DOCS),
    deny: native('permissionDecision "deny", exit code 2', DOCS),
    ask: native('permissionDecision "ask"; without a terminal, Claude Code denies the call', DOCS),
    reason: native("permissionDecisionReason", DOCS),
    user_message: message,
    modified_input: native("updatedInput, which replaces the whole input", DOCS),
    additional_context: createContextCell(DOCS),
  }),
  // Capability row for a shell command embedded in a skill or slash command. Claude Code runs the command when it loads
  // the skill or slash command [from 2.1.332].
  PreSkillShellCommand: () => ({
    event: "PreToolUse",
    shape: "permission",
    allow: native('permissionDecision "allow"; Claude Code\'s own rules still apply to the command', SHIPPED_332),
    deny: native('permissionDecision "deny", exit code 2', SHIPPED_332),
    ask: downgrade(
      ["Claude Code can't ask about a shell command in a skill or slash command", "return allow or deny"],
      SHIPPED_332,
    ),
    reason: native("permissionDecisionReason, which replaces the command's output", SHIPPED_332),
    user_message: message,
    modified_input: downgrade(
      ["Claude Code can't change a shell command in a skill or slash command", "deny it and suggest a better command"],
      SHIPPED_332,
    ),
    additional_context: drop(
      [
        "Claude Code doesn't accept context for a shell command in a skill or slash command",
        "add the context in a UserPromptSubmit or PreToolUse hook",
      ],
      SHIPPED_332,
    ),
  }),
  PostToolUse: () => ({
    ...createBlockingRow("PostToolUse", DOCS, askMeaningless, createContextCell(DOCS)),
    modified_output: newResult,
  }),
  UserPromptSubmit: () => createBlockingRow("UserPromptSubmit", DOCS, askBlocks, createContextCell(DOCS)),
  Stop: () => ({ ...createBlockingRow("Stop", DOCS, askMeaningless, contextAtStop), shape: "stop" }),
  SessionEnd: () => createHiddenRow("SessionEnd", DOCS),
  PostToolUseFailure: () => ({
    ...createBlockingRow("PostToolUseFailure", SHIPPED, askMeaningless, createContextCell(SHIPPED)),
    modified_output: noResult,
  }),
  PermissionRequest: () =>
    withoutMessage({
      event: "PermissionRequest",
      shape: "behavior",
      allow: native('decision.behavior "allow"', DOCS),
      deny: native('decision.behavior "deny", exit code 2', DOCS),
      ask: native("no output, so Claude Code asks the user as usual", "unverified", { lacksReason: true }),
      reason: native("decision.message", DOCS),
      user_message: message,
      modified_input: native(
        'decision.updatedInput together with "allow"; without "allow" the rewrite becomes a denial',
        DOCS,
      ),
      additional_context: noContext,
    }),
  SubagentStart: () => ({
    ...createHiddenRow("SubagentStart", DOCS),
    shape: "context",
    additional_context: createContextCell(DOCS),
  }),
  SubagentStop: () =>
    withoutMessage({
      ...createBlockingRow(
        "SubagentStop",
        DOCS,
        askMeaningless,
        drop(
          [
            "context on this event would make Claude Code continue endlessly",
            "add the context in a SubagentStart hook",
          ],
          "unverified",
        ),
      ),
      shape: "stop",
    }),
  PreCompact: () => ({
    ...createBlockingRow("PreCompact", DOCS, askBlocks, noContext),
    user_message: emulated(
      "systemMessage; Claude Code shows the whole JSON document and passes it to the model as instructions for the summary",
      "unverified",
    ),
  }),
  PostCompact: () => ({
    ...createObservingRow("PostCompact", SHIPPED, "message"),
    user_message: emulated("systemMessage; Claude Code shows the whole JSON document", "unverified"),
  }),
  // The SDK's types declare additionalContext for this event, but the model did not receive it [seen 2.1.330,
  // 2026-11-22].
  Notification: () => createHiddenRow("Notification", SHIPPED),

  UserPromptExpansion: () => createBlockingRow("Native", DOCS, askBlocks, createContextCell(SHIPPED)),
  PostToolBatch: () => createBlockingRow("Native", DOCS, askMeaningless, createContextCell(SHIPPED)),
  ConfigChange: () => ({
    ...withoutMessage(createBlockingRow("Native", DOCS, askBlocks, noContext)),
    reason: drop(["Claude Code keeps its settings and doesn't show the reason", "omit it"], "unverified"),
  }),
  TaskCreated: () => createExitCodeRow(DOCS, "which prevents the task from being created"),
  TaskCompleted: () => createExitCodeRow(DOCS, "which keeps the task open", true),
  TeammateIdle: () => createExitCodeRow(DOCS, "which keeps the teammate working", true),
  PreModelSwitch: () => ({
    ...createObservingRow("Native", SHIPPED, "message"),
    shape: "permission",
    allow: native('permissionDecision "allow"', SHIPPED),
    deny: native('permissionDecision "deny", exit code 2', SHIPPED),
    ask: native('permissionDecision "ask"', SHIPPED),
    reason: native("permissionDecisionReason", SHIPPED),
  }),
  Elicitation: () => createElicitationRow(SHIPPED),
  ElicitationResult: () => createElicitationRow(SHIPPED),
  // The SDK's types declare additionalContext for this event, but the model did not receive it [seen 2.1.197 and
  // 2.1.330, 2026-11-22].
  Setup: () => ({ ...createHiddenRow("Native", SHIPPED), session_env: variables }),
  PermissionDenied: () => createHiddenRow("Native", SHIPPED),
  StopFailure: () => createHiddenRow("Native", SHIPPED),
  PostModelSwitch: () => createObservingRow("Native", SHIPPED, "context"),
  // On this event, Claude Code requires a path on stdout and fails to start without one, so `install` must not write an
  // entry for it.
  WorktreeCreate: () => ({
    ...createExitCodeRow("unverified", "which prevents Claude Code from starting"),
    allow: drop(
      [
        "Claude Code requires a worktree path from this hook and doesn't start without one",
        "don't configure an entry for this event",
      ],
      "unverified",
    ),
  }),
  WorktreeRemove: () => createObservingRow("Native", SHIPPED, "message"),
  InstructionsLoaded: () => createHiddenRow("Native", SHIPPED),
  CwdChanged: () => ({ ...createHiddenRow("Native", SHIPPED), session_env: variables }),
  FileChanged: () => ({ ...createHiddenRow("Native", SHIPPED), session_env: variables }),
  DirectoryAdded: () => createObservingRow("Native", SHIPPED, "message"),
  MessageDisplay: () => createHiddenRow("Native", SHIPPED),
};

/** Capability row for unreadable events and for events added in later releases. */
export const createUnknownEventRow = (): CapabilityRow<ClaudeAnswerShape> =>
  createExitCodeRow("unverified", "this host's usual way to block; not verified on this event");
