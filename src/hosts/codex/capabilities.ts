import {
  type Capabilities,
  type CapabilityRow,
  type CommonCapabilityRow,
  downgrade,
  drop,
  emulated,
  type FactSource,
  native,
  unenforceable,
  type UnreportedCalls,
} from "../../protocol/capability.ts";
import { askUnseen, createRowKit, type NonGateEvent } from "../codec/capability-rows.ts";

/**
 * Names of the answer formats defined in answers.ts. If an answer contains an unknown key, Codex rejects the whole
 * answer and runs the tool [seen 0.169.0, 2026-11-21].
 */
export type CodexAnswerShape =
  "permission" | "block" | "end" | "behavior" | "stop" | "context" | "message" | "exit" | "none";

/** Source cited for facts taken from the JSON Schemas inside the released binary. */
const SHIPPED: FactSource = "shipped 0.169.0";

const fallback = {
  option: "codexAskFallback",
  value: "ask",
  how: "nothing is sent, and the call runs unless Codex's own approval stops it",
  remedy: "return deny, or remove --codex-ask-fallback ask",
};
const silentAllow = native("no output, so Codex continues", SHIPPED, { lacksReason: true });
const denialByExitCode = native("exit code 2 with the reason on stderr (exit code 0 with --codex-deny json)", SHIPPED);
const stderr = native(
  "stderr, the only output that Codex reads with exit code 2; with --codex-deny json, the document",
  SHIPPED,
);
const message = native(
  "systemMessage; lost when denying by exit code, because Codex and the model read only stderr (--codex-deny json shows the message)",
  SHIPPED,
);
const context = native(
  "hookSpecificOutput.additionalContext; when denying by exit code, on stderr after the reason",
  SHIPPED,
);

const {
  noRewrite,
  noContext,
  askBlocks,
  askMeaningless,
  observe: createObservingRow,
} = createRowKit<CodexAnswerShape>({
  name: "Codex",
  source: SHIPPED,
  allow: () => silentAllow,
  user_message: (source) => native("systemMessage", source),
  advice: {
    reason: "use user_message",
    ask: "deny in a PreToolUse hook",
    context: "add the context in a UserPromptSubmit or PreToolUse hook",
  },
  showsReason: true,
});

const DOCS: FactSource = "docs https://developers.openai.com/codex/hooks";
/**
 * Calls that Codex does not report to hooks. Commands run by unified exec, Codex's default shell [seen 0.169.0,
 * 2026-11-22: `codex features list`], are reported as Bash, even those run in a terminal.
 */
const UNREPORTED_CALLS: readonly UnreportedCalls[] = [
  { calls: "input typed into a running command (write_stdin of unified exec)", source: "seen 0.169.0, 2026-11-22" },
  { calls: "web searches, which the model's provider runs", source: "seen 0.169.0, 2026-11-22" },
  {
    calls:
      "complex shell calls, or calls other than shell commands, patches and MCP calls (although 0.169.0 reports view_image and subagents)",
    source: DOCS,
  },
];

const createBlockingRow = <E extends NonGateEvent>(
  event: E,
  ask: CapabilityRow["ask"],
  additional_context: CapabilityRow["additional_context"],
): CommonCapabilityRow<CodexAnswerShape, E> => ({
  event,
  shape: "block",
  allow: silentAllow,
  deny: denialByExitCode,
  ask,
  reason: stderr,
  user_message: message,
  modified_input: noRewrite,
  additional_context,
});

/**
 * Capability row for an event that is denied with `continue: false`, which is stricter than a denial because it ends
 * the whole turn.
 */
const createStoppingRow = <E extends NonGateEvent>(
  event: E,
  additional_context: CapabilityRow["additional_context"],
): CommonCapabilityRow<CodexAnswerShape, E> => ({
  ...createObservingRow(event, "stop"),
  deny: emulated("continue false, which ends the whole turn", SHIPPED),
  ask: askBlocks,
  reason: native("stopReason", SHIPPED),
  additional_context,
});

const createSilentRow = <E extends NonGateEvent>(
  event: E,
  source: FactSource = SHIPPED,
): CommonCapabilityRow<CodexAnswerShape, E> => ({
  ...createObservingRow(event, "none", source),
  deny: unenforceable(
    ["Codex can't block this event and doesn't read the answer", "deny in a PreToolUse hook"],
    source,
  ),
  user_message: drop(["Codex doesn't read the answer on this event", "send the message in a PreToolUse hook"], source),
});

export const capabilities: Capabilities<CodexAnswerShape> = {
  SessionStart: () => ({
    ...createStoppingRow("SessionStart", native("hookSpecificOutput.additionalContext", SHIPPED)),
    session_env: drop(
      [
        "Codex doesn't accept environment variables from hooks",
        "set the variables in Codex's own environment, or in shell_environment_policy.set of its config",
      ],
      SHIPPED,
    ),
  }),
  PreToolUse: () => ({
    event: "PreToolUse",
    shape: "permission",
    allow: native(
      'no output, because "allow" without a rewrite counts as a failed hook; Codex\'s own approval still applies',
      SHIPPED,
      {
        lacksReason: true,
      },
    ),
    deny: denialByExitCode,
    ask: downgrade(
      [
        'Codex runs the call on "ask"',
        "--codex-ask-fallback ask prints nothing and leaves the decision to Codex's own approval",
      ],
      "unverified",
      { unless: fallback, lacksReason: true },
    ),
    reason: stderr,
    user_message: message,
    modified_input: native('permissionDecision "allow" with updatedInput', SHIPPED),
    additional_context: context,
    unreportedCalls: UNREPORTED_CALLS,
  }),
  PostToolUse: () => ({
    ...createBlockingRow("PostToolUse", askMeaningless, context),
    modified_output: emulated("sent as a denial's reason, which Codex shows the model instead of the result", SHIPPED),
    unreportedCalls: [
      ...UNREPORTED_CALLS,
      {
        calls: "a failed patch, a failed MCP call, or a patch passed to apply_patch through the shell",
        source: "seen 0.169.0, 2026-11-21",
      },
    ],
  }),
  UserPromptSubmit: () => createBlockingRow("UserPromptSubmit", askBlocks, context),
  Stop: () => ({
    ...createBlockingRow(
      "Stop",
      askMeaningless,
      emulated(
        "systemMessage, shown only to the user, because Codex treats context on this event as a hook failure",
        "unverified",
      ),
    ),
    shape: "end",
  }),
  SessionEnd: () => createSilentRow("SessionEnd"),
  PermissionRequest: () => ({
    event: "PermissionRequest",
    shape: "behavior",
    allow: native('decision.behavior "allow"', SHIPPED),
    deny: native(
      'decision.behavior "deny", exit code 2 with the reason on stderr (exit code 0 with --codex-deny json)',
      SHIPPED,
    ),
    ask: native("no output, so Codex asks the user as usual", "unverified", { lacksReason: true }),
    reason: stderr,
    user_message: message,
    modified_input: downgrade(["Codex rejects a rewrite on this event", "rewrite in a PreToolUse hook"], "unverified"),
    additional_context: noContext,
  }),
  SubagentStart: () => ({
    ...createObservingRow("SubagentStart", "context"),
    additional_context: native("hookSpecificOutput.additionalContext", SHIPPED),
  }),
  SubagentStop: () => createBlockingRow("SubagentStop", askMeaningless, noContext),
  PreCompact: () => createStoppingRow("PreCompact", noContext),
  PostCompact: () => createObservingRow("PostCompact", "message"),
  Interrupt: () => createObservingRow("Native", "message"),
  PreModelRequest: () => createSilentRow("Native"),
  PostModelRequest: () => createSilentRow("Native", "unverified"),
};

/** Capability row for unreadable events and for events added in later releases. */
export const createUnknownEventRow = (): CapabilityRow<CodexAnswerShape> => ({
  ...createSilentRow("Native", "unverified"),
  shape: "exit",
  deny: emulated(
    "exit code 2 with the reason on stderr, this host's usual way to block; not verified on this event",
    "unverified",
  ),
  ask: askUnseen,
  reason: native("stderr", "unverified"),
});
