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
 * Answer formats, defined in answers.ts. Codex rejects a whole answer because of one unknown key and then runs the tool
 * [seen 0.169.0, 2026-11-21].
 */
export type CodexAnswerShape =
  "permission" | "block" | "end" | "behavior" | "stop" | "context" | "message" | "exit" | "none";

/** Facts from the JSON Schemas inside the released binary. */
const SHIPPED: FactSource = "shipped 0.169.0";

const fallback = {
  option: "codexAskFallback",
  value: "ask",
  how: "nothing is sent, and the call runs unless Codex's own approval stops it",
  remedy: "answer deny, or leave out --codex-ask-fallback ask",
};
const goesOn = native("nothing is printed: Codex goes on", SHIPPED, { lacksReason: true });
const exit2 = native("exit code 2 with the reason on stderr (exit code 0 with --codex-deny json)", SHIPPED);
const stderr = native(
  "stderr: with exit code 2 that is all Codex reads; in the document with --codex-deny json",
  SHIPPED,
);
const message = native(
  "systemMessage; on a denial by exit code it is dropped: Codex reads stderr alone, and so does the model (--codex-deny json shows it)",
  SHIPPED,
);
const context = native(
  "hookSpecificOutput.additionalContext; on a denial by exit code stderr, after the reason",
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
  allow: () => goesOn,
  user_message: (source) => native("systemMessage", source),
  instead: {
    reason: "use user_message",
    ask: "deny in a PreToolUse hook",
    context: "add it at UserPromptSubmit or PreToolUse",
  },
  showsReason: true,
});

const DOCS: FactSource = "docs https://developers.openai.com/codex/hooks";
/**
 * Calls that Codex does not report to hooks. Its shell is unified exec by default [seen 0.169.0, 2026-11-22: `codex
 * features list`], whose commands are reported as Bash, including those run in a terminal.
 */
const UNREPORTED_CALLS: readonly UnreportedCalls[] = [
  { calls: "input typed into a running command (write_stdin of unified exec)", source: "seen 0.169.0, 2026-11-22" },
  { calls: "web searches, which the model's provider makes", source: "seen 0.169.0, 2026-11-22" },
  {
    calls:
      "calls other than shell commands, patches and MCP calls (0.169.0 does for view_image and subagents), and shell calls that are not simple",
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
  allow: goesOn,
  deny: exit2,
  ask,
  reason: stderr,
  user_message: message,
  modified_input: noRewrite,
  additional_context,
});

/** An event that is denied by `continue: false`, which ends the whole turn and so is stricter than a denial. */
const createStoppingRow = <E extends NonGateEvent>(
  event: E,
  additional_context: CapabilityRow["additional_context"],
): CommonCapabilityRow<CodexAnswerShape, E> => ({
  ...createObservingRow(event, "stop"),
  deny: emulated("continue false ends the whole turn", SHIPPED),
  ask: askBlocks,
  reason: native("stopReason", SHIPPED),
  additional_context,
});

const createSilentRow = <E extends NonGateEvent>(
  event: E,
  source: FactSource = SHIPPED,
): CommonCapabilityRow<CodexAnswerShape, E> => ({
  ...createObservingRow(event, "none", source),
  deny: unenforceable(["Codex can't stop this event, and reads no answer", "deny in a PreToolUse hook"], source),
  user_message: drop(["Codex reads no answer at this event", "give the message at PreToolUse"], source),
});

export const capabilities: Capabilities<CodexAnswerShape> = {
  SessionStart: () => ({
    ...createStoppingRow("SessionStart", native("hookSpecificOutput.additionalContext", SHIPPED)),
    session_env: drop(
      [
        "Codex accepts no variables from hooks",
        "set them where it is started, or in shell_environment_policy.set of its config",
      ],
      SHIPPED,
    ),
  }),
  PreToolUse: () => ({
    event: "PreToolUse",
    shape: "permission",
    allow: native(
      'nothing is printed: a bare "allow" counts as a failed hook; Codex\'s own approval still applies',
      SHIPPED,
      {
        lacksReason: true,
      },
    ),
    deny: exit2,
    ask: downgrade(
      ['Codex runs the call on "ask"', "--codex-ask-fallback ask prints nothing and leaves it to Codex's own approval"],
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
    modified_output: emulated("as a denial's reason: Codex shows it to the model instead of the result", SHIPPED),
    unreportedCalls: [
      ...UNREPORTED_CALLS,
      {
        calls: "a failed patch, a failed MCP call, and a patch that is fed to apply_patch through the shell",
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
        "systemMessage: Codex fails the hook on a context here, so the user reads it and the model does not",
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
    ask: native("nothing is printed: Codex asks, as it was about to", "unverified", { lacksReason: true }),
    reason: stderr,
    user_message: message,
    modified_input: downgrade(["Codex refuses a rewrite at this event", "rewrite in a PreToolUse hook"], "unverified"),
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

/** The row for unreadable events and those of later releases. */
export const createUnknownEventRow = (): CapabilityRow<CodexAnswerShape> => ({
  ...createSilentRow("Native", "unverified"),
  shape: "exit",
  deny: emulated(
    "exit code 2 with the reason on stderr, the host's general way to block; not seen at this event",
    "unverified",
  ),
  ask: askUnseen,
  reason: native("stderr", "unverified"),
});
