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
} from "../../protocol/capability.ts";
import { askUnseen, createRowKit, type NonGateEvent } from "../codec/capability-rows.ts";

/** Names of the answer formats defined in answers.ts. */
type FlatShape = "permission" | "behavior" | "block" | "context" | "none";
export type CopilotAnswerShape = FlatShape | "any" | `nested ${FlatShape | "prompt" | "stop"}`;

const DOCS: FactSource = "docs https://docs.github.com/en/copilot/reference/hooks-reference";
/** Source cited for facts taken from the types in the package's SDK. */
const SHIPPED: FactSource = "shipped 1.0.102";
const VSCODE_DOCS: FactSource = "docs https://code.visualstudio.com/docs/agents/reference/hooks-reference";

const createSilentAllow = (source: FactSource) =>
  native("no output, so Copilot continues", source, { lacksReason: true });
const noMessage = drop(
  ["Copilot CLI doesn't show messages from hooks", "tell the model in additional_context"],
  SHIPPED,
);
const noVariables = drop(
  ["Copilot doesn't accept environment variables from hooks", "set the variables in Copilot's own environment"],
  SHIPPED,
);
const noResult = unenforceable(
  [
    "Copilot can't replace the result of a failed call",
    "deny the call in a PreToolUse hook, or rewrite it to return less",
  ],
  SHIPPED,
);
const { noContext, askBlocks, askMeaningless, observe } = createRowKit<FlatShape>({
  name: "Copilot",
  source: SHIPPED,
  allow: createSilentAllow,
  user_message: () => noMessage,
  advice: {
    reason: "omit it",
    ask: "ask in a PreToolUse hook",
    context: "add the context in a UserPromptSubmit or PreToolUse hook",
  },
});
const context = native("additionalContext", SHIPPED);

const createGateRow = (rewriteText = "modifiedArgs, which replaces the whole input"): CapabilityRow<FlatShape> => ({
  event: "PreToolUse",
  shape: "permission",
  allow: native('permissionDecision "allow"; the call runs without Copilot\'s own approval', DOCS),
  deny: native('permissionDecision "deny" with exit code 2', DOCS),
  ask: native('permissionDecision "ask"; if no user can answer (-p, the cloud agent), Copilot denies the call', DOCS),
  reason: native("permissionDecisionReason", DOCS),
  user_message: noMessage,
  modified_input: native(rewriteText, DOCS),
  additional_context: context,
});

const createApprovalRow = (): CapabilityRow<FlatShape> => ({
  event: "PermissionRequest",
  shape: "behavior",
  allow: native('behavior "allow"; the user is not asked', DOCS),
  deny: native('behavior "deny"', DOCS),
  ask: downgrade(
    ["Copilot runs the call without asking if all tools are allowed", "return deny, or ask in a PreToolUse hook"],
    SHIPPED,
  ),
  reason: native("message", DOCS),
  user_message: noMessage,
  modified_input: downgrade(["Copilot doesn't accept rewrites on this event", "rewrite in a PreToolUse hook"], SHIPPED),
  additional_context: noContext,
});

const createObservingRow = <E extends NonGateEvent>(event: E, shape: FlatShape = "none", source?: FactSource) =>
  observe(event, shape, source);

const createInformingRow = <E extends NonGateEvent>(event: E): CommonCapabilityRow<FlatShape, E> => ({
  ...createObservingRow(event, "context"),
  additional_context: context,
});

const createStartRow = (): CapabilityRow<FlatShape> => ({
  ...createInformingRow("SessionStart"),
  session_env: noVariables,
});

const createPromptRow = (): CapabilityRow<FlatShape> => ({
  ...createObservingRow("UserPromptSubmit", "block"),
  deny: native('decision "block"; the prompt is not sent to the model', SHIPPED),
  ask: askBlocks,
  reason: native("reason, shown to the user", SHIPPED),
  additional_context: context,
});

const createResultRow = (): CapabilityRow<FlatShape> => ({
  ...createObservingRow("PostToolUse", "block"),
  deny: native('decision "block"; the reason replaces the result', DOCS),
  ask: askMeaningless,
  reason: native("reason", DOCS),
  additional_context: context,
  modified_output: native("modifiedResult; on a denial, the reason follows the result", DOCS),
});

const createFailureRow = (): CapabilityRow<FlatShape> => ({
  ...createObservingRow("PostToolUseFailure", "context"),
  deny: emulated("the call has failed; the model gets the reason as additionalContext", SHIPPED),
  ask: askMeaningless,
  reason: native("additionalContext", SHIPPED),
  additional_context: context,
  modified_output: noResult,
});

const createStopRow = (event: "Stop" | "SubagentStop"): CapabilityRow<FlatShape> => ({
  ...createObservingRow(event, "block"),
  deny: native('decision "block"; Copilot ends the turn after 8 blocks in a row', SHIPPED),
  ask: askMeaningless,
  reason: native("reason", SHIPPED),
});

const createNotificationRow = (): CapabilityRow<FlatShape> => ({
  ...createInformingRow("Notification"),
  // Copilot does not wait for hooks on this event [seen 1.0.102, 2026-11-26].
  additional_context: native(
    "additionalContext, which the model gets as a separate prompt; lost if the agent ends before the hook",
    DOCS,
  ),
});

/**
 * Converts a row for one of Copilot's own event names to a row for Claude Code's name, which is used by VS Code and by
 * the entries in Claude Code's files. The answer contains every field both at the top level and inside
 * `hookSpecificOutput`. The CLI reads the top-level fields, and the nested ones only on PreToolUse [seen 1.0.102,
 * 2026-11-22].
 */
const toPascalCaseRow = (row: CapabilityRow<FlatShape>): CapabilityRow<CopilotAnswerShape> => ({
  ...row,
  shape: `nested ${row.shape}`,
  user_message: emulated("systemMessage, which VS Code shows, but the CLI doesn't", VSCODE_DOCS),
});

export const capabilities: Capabilities<CopilotAnswerShape> = {
  sessionStart: createStartRow,
  preToolUse: () => createGateRow(),
  postToolUse: createResultRow,
  userPromptSubmitted: createPromptRow,
  agentStop: () => createStopRow("Stop"),
  sessionEnd: () => createObservingRow("SessionEnd"),
  postToolUseFailure: createFailureRow,
  permissionRequest: createApprovalRow,
  subagentStart: () => createInformingRow("SubagentStart"),
  subagentStop: () => createStopRow("SubagentStop"),
  preCompact: () => createObservingRow("PreCompact"),
  notification: createNotificationRow,
  userPromptTransformed: () => createObservingRow("Native"),
  preMcpToolCall: () => createObservingRow("Native"),
  errorOccurred: () => createObservingRow("Native"),
  SessionStart: () => toPascalCaseRow(createStartRow()),
  PreToolUse: () => ({
    ...toPascalCaseRow(
      createGateRow("modifiedArgs and hookSpecificOutput.updatedInput, which replace the whole input"),
    ),
    deny: native('permissionDecision "deny", both at the top level and inside hookSpecificOutput', DOCS),
  }),
  PostToolUse: () => toPascalCaseRow(createResultRow()),
  UserPromptSubmit: () => ({
    ...toPascalCaseRow(createPromptRow()),
    shape: "nested prompt",
    deny: native('decision "block"; for VS Code also continue false (according to its documentation)', VSCODE_DOCS),
  }),
  Stop: () => ({
    ...toPascalCaseRow(createStopRow("Stop")),
    shape: "nested stop",
    deny: native(
      'decision "block"; for VS Code also inside hookSpecificOutput (according to its documentation)',
      VSCODE_DOCS,
    ),
  }),
  SessionEnd: () => toPascalCaseRow(createObservingRow("SessionEnd")),
  PostToolUseFailure: () => toPascalCaseRow(createFailureRow()),
  PermissionRequest: () => toPascalCaseRow(createApprovalRow()),
  SubagentStart: () => toPascalCaseRow(createInformingRow("SubagentStart")),
  SubagentStop: () => toPascalCaseRow(createStopRow("SubagentStop")),
  PreCompact: () => toPascalCaseRow(createObservingRow("PreCompact")),
  Notification: () => toPascalCaseRow(createNotificationRow()),
  PreMcpToolCall: () => toPascalCaseRow(createObservingRow("Native")),
  ErrorOccurred: () => toPascalCaseRow(createObservingRow("Native")),
};

/** Maps Claude Code's event names to Copilot's own names, which `install` writes. */
export const EVENT_ALIASES: Readonly<Record<string, string>> = {
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

/**
 * Capability row for unreadable events and for events added in later releases. The document contains every field that
 * Copilot reads on any event.
 */
export const createUnknownEventRow = (): CapabilityRow<CopilotAnswerShape> => ({
  ...createObservingRow("Native", "none", "unverified"),
  shape: "any",
  deny: emulated('permissionDecision "deny", decision "block", exit code 2; not verified on this event', "unverified"),
  ask: askUnseen,
  reason: native("permissionDecisionReason and reason", "unverified"),
});
