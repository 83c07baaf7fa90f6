import {
  type Capabilities,
  type CapabilityCells,
  type CapabilityRow,
  downgrade,
  drop,
  emulated,
  type FactSource,
  native,
  type ResultEvent,
  unenforceable,
} from "../../protocol/capability.ts";
import type { Payload } from "../../protocol/host/host.ts";
import { askUnseen, createRowKit, type NonGateEvent } from "../codec/capability-rows.ts";

/** Names of the answer formats defined in answers.ts. */
export type CursorAnswerShape = "permission" | "any" | "continue" | "followup" | "context" | "message" | "none";

const DOCS: FactSource = "docs https://cursor.com/docs/hooks.md";
const SHIPPED: FactSource = "shipped @cursor/sdk 1.0.32";

const DENIED =
  'permission "deny" with exit code 0; with --cursor-deny exit, exit code 2 and the reason on stderr as the only text';
const fallback = {
  option: "cursorAskFallback",
  value: "ask",
  how: "this Cursor release may run the call without asking",
  remedy: "return deny, or remove --cursor-ask-fallback ask",
};

const ASKING_VERSIONS = ">=1.7.0 <2.4.21";

/**
 * Up to 2.4.20, Cursor asked the user; later releases denied the call. Since 3.0, Cursor has run the call without
 * asking, as the SDK did in test runs. The SDK reports "1.0.0" regardless of its version. Hooks were introduced in 1.7,
 * so only versions from 1.7 to 2.4.20 are known to ask.
 */
const askShell: CapabilityRow["ask"] = [
  native('permission "ask"', DOCS, { versions: ASKING_VERSIONS }),
  downgrade(
    ["this Cursor release runs the call without asking", '--cursor-ask-fallback ask sends "ask" anyway'],
    "unverified",
    {
      unless: fallback,
    },
  ),
];
const askBeforeTool: CapabilityRow["ask"] = [
  emulated('permission "ask"; Cursor asks about a shell call at beforeShellExecution', "unverified", {
    versions: ASKING_VERSIONS,
  }),
  downgrade(
    ['Cursor does not enforce "ask" on preToolUse', '--cursor-ask-fallback ask sends "ask" anyway'],
    "unverified",
    { unless: fallback },
  ),
];
const askInvalid = downgrade(
  ['Cursor accepts only "allow" and "deny" on this event', '--cursor-ask-fallback ask sends "ask" anyway'],
  DOCS,
  { unless: fallback },
);

const reasonForBoth = native(
  "agent_message, and user_message if the hook set none; for Cursor's own tools, only user_message reaches the model",
  "unverified",
);
const noRewrite = drop(["this event has no tool input to change", "rewrite in a preToolUse hook"], DOCS);
const noMessage = drop(["Cursor shows no message on this event", "send the message in a PreToolUse hook"], DOCS);
const allowedByContinue = native("continue true; Cursor then doesn't show the reason", DOCS, { lacksReason: true });
const noResult = unenforceable(
  [
    "Cursor replaces a result only on postToolUse, for MCP tools",
    "deny other calls in a PreToolUse hook, or rewrite them to return less",
  ],
  DOCS,
);
const createSilentAllow = (source: FactSource) => native('"{}", so Cursor continues', source, { lacksReason: true });

const permission = {
  event: "PreToolUse",
  shape: "permission",
  allow: native('permission "allow"', DOCS),
  deny: native(DENIED, DOCS),
  reason: reasonForBoth,
  user_message: native("user_message", DOCS),
} as const;

/**
 * Capability row for an event that reports one kind of call. Such an event can decide as preToolUse does, but only
 * preToolUse can change the call.
 */
const createSpecificRow = (ask: CapabilityRow["ask"]): CapabilityRow<CursorAnswerShape> => ({
  ...permission,
  ask,
  modified_input: downgrade(
    ["only preToolUse can change a call; on this event, Cursor would run the original", "configure preToolUse as well"],
    DOCS,
  ),
  additional_context: noContext,
});

const { noReason, noContext, askBlocks, askMeaningless, observe } = createRowKit<CursorAnswerShape>({
  name: "Cursor",
  source: DOCS,
  allow: createSilentAllow,
  user_message: () => noMessage,
  advice: {
    reason: "omit it",
    ask: "deny in a PreToolUse hook",
    context: "add the context in a SessionStart or PostToolUse hook",
  },
});

const createObservingRow = <E extends NonGateEvent>(event: E, shape: CursorAnswerShape, source?: FactSource) => ({
  ...observe(event, shape, source),
  modified_input: noRewrite,
});

const createFeedbackRow = (
  event: ResultEvent,
  modified_output: CapabilityCells<"native" | "unenforceable"> = noResult,
): CapabilityRow<CursorAnswerShape> => ({
  ...createObservingRow(event, "context"),
  ask: askMeaningless,
  deny: emulated("the call has already run; the model gets the reason as additional_context", DOCS),
  reason: native("additional_context", DOCS),
  additional_context: native("additional_context", DOCS),
  modified_output,
});

const createFinishedRow = (): CapabilityRow<CursorAnswerShape> => ({
  ...createObservingRow("PostToolUse", "none"),
  modified_output: noResult,
});

const createFollowupRow = (event: "Stop" | "SubagentStop", note: string): CapabilityRow<CursorAnswerShape> => ({
  ...createObservingRow(event, "followup"),
  ask: askMeaningless,
  deny: native(`followup_message, within the entry's loop_limit; ${note}`, DOCS),
  reason: native("followup_message", DOCS),
});

/** Whether the run failed or was stopped. */
const isUnfinished = ({ status }: Payload = {}) => typeof status === "string" && status !== "completed";

/**
 * If the run failed or was stopped, the SDK's runtime ignores the answer [shipped @cursor/sdk 1.0.32], although the
 * documentation has an example that answers after an error.
 */
const unfinishedRun: Pick<CapabilityRow, "deny" | "reason"> = {
  deny: [
    unenforceable(
      [
        "the SDK runtime doesn't read the answer after a run that failed or was stopped",
        "none, because the run is over",
      ],
      SHIPPED,
      {
        versions: "1.0.0",
      },
    ),
    emulated("followup_message; not observed to work after a run that failed or was stopped", DOCS),
  ],
  reason: [{ ...noReason, versions: "1.0.0" }, native("followup_message", DOCS)],
};

const unfinishedSubagent: Pick<CapabilityRow, "deny" | "reason"> = {
  deny: unenforceable(
    ["Cursor lets a subagent continue only if it completed", "deny in a Stop hook of the parent agent"],
    DOCS,
  ),
  reason: noReason,
};

export const capabilities: Capabilities<CursorAnswerShape> = {
  sessionStart: () => ({
    ...createObservingRow("SessionStart", "continue"),
    allow: allowedByContinue,
    deny: emulated(
      "continue false ends the run in the SDK; according to the documentation, the IDE does not enforce it",
      DOCS,
    ),
    reason: emulated(
      "shown to the user unless the hook set a user_message, because Cursor doesn't pass messages to the agent on this event",
      DOCS,
    ),
    user_message: native("user_message", DOCS),
    additional_context: [
      drop(
        ["the SDK runtime, which reports version 1.0.0, drops the context", "add the context in a PostToolUse hook"],
        "unverified",
        {
          versions: "1.0.0",
        },
      ),
      native("additional_context", DOCS),
    ],
    session_env: [
      emulated(
        "env; in the SDK runtime (version 1.0.0), later hooks in the run get the variables, but hooks for tool calls and the shell don't",
        "unverified",
        {
          versions: "1.0.0",
        },
      ),
      emulated(
        "env; later hooks in the session get the variables; the documentation doesn't say whether the shell gets them",
        DOCS,
      ),
    ],
  }),
  preToolUse: () => ({
    ...permission,
    ask: askBeforeTool,
    modified_input: native(
      "updated_input, for Shell (command, cwd), Read and Write (file_path) and MCP (arguments); any other change becomes a denial",
      DOCS,
    ),
    additional_context: native("additional_context", DOCS),
  }),
  beforeShellExecution: () => createSpecificRow(askShell),
  beforeMCPExecution: () => createSpecificRow(askShell),
  beforeReadFile: () => createSpecificRow(askInvalid),
  beforeTabFileRead: () => ({
    ...createObservingRow("Native", "permission"),
    event: "PreToolUse",
    allow: native('permission "allow"', DOCS),
    deny: native(DENIED, DOCS),
    ask: askInvalid,
    // The documentation for this event mentions neither a reason nor a user message, but the shipped runtime handles
    // both as it does on beforeReadFile.
    reason: native("user_message if the hook set none, and agent_message", SHIPPED),
    user_message: native("user_message", SHIPPED),
    modified_input: downgrade(["only preToolUse can change a call, and Tab has no preToolUse", "deny instead"], DOCS),
  }),
  postToolUse: () => createFeedbackRow("PostToolUse", native("updated_mcp_tool_output, for MCP tools only", DOCS)),
  afterShellExecution: createFinishedRow,
  afterMCPExecution: createFinishedRow,
  afterFileEdit: createFinishedRow,
  afterTabFileEdit: createFinishedRow,
  beforeSubmitPrompt: () => ({
    ...createObservingRow("UserPromptSubmit", "continue"),
    allow: allowedByContinue,
    deny: [
      emulated(
        "continue false; the SDK runtime (version 1.0.0) ignores the denial for prompts that it submits itself",
        "unverified",
        {
          versions: "1.0.0",
        },
      ),
      native("continue false", DOCS),
    ],
    ask: askBlocks,
    reason: emulated(
      "shown to the user unless the hook set a user_message, because Cursor doesn't pass messages to the agent on this event",
      DOCS,
    ),
    user_message: native("user_message", DOCS),
    additional_context: emulated(
      "Cursor accepts the context but was not observed to pass it to the model; SessionStart and PostToolUse are safer",
      "unverified",
    ),
  }),
  stop: (payload) => ({
    ...createFollowupRow("Stop", "in the SDK, only after a run that completed"),
    ...(isUnfinished(payload) && unfinishedRun),
  }),
  sessionEnd: () => createObservingRow("SessionEnd", "none", DOCS),
  postToolUseFailure: () => createFeedbackRow("PostToolUseFailure"),
  subagentStart: () => ({
    ...createObservingRow("SubagentStart", "permission", DOCS),
    allow: native('permission "allow"', DOCS),
    deny: native(DENIED, DOCS),
    ask: downgrade(
      ['Cursor treats "ask" as "deny" on this event', '--cursor-ask-fallback ask sends "ask" anyway'],
      DOCS,
      {
        unless: fallback,
      },
    ),
    reason: native("agent_message, and user_message if the hook set none", DOCS),
    user_message: native("user_message", DOCS),
    additional_context: emulated(
      "Cursor accepts the context but was not observed to pass it to the subagent; SessionStart and PostToolUse are safer",
      "unverified",
    ),
  }),
  subagentStop: (payload) => ({
    ...createFollowupRow("SubagentStop", "only if the subagent completed"),
    ...(isUnfinished(payload) && unfinishedSubagent),
    additional_context: native("additional_context", DOCS),
  }),
  preCompact: () => ({ ...createObservingRow("PreCompact", "message"), user_message: native("user_message", DOCS) }),
  afterAgentResponse: () => createObservingRow("Native", "none", DOCS),
  afterAgentThought: () => createObservingRow("Native", "none", DOCS),
  workspaceOpen: () => createObservingRow("Native", "none", SHIPPED),
};

/**
 * Capability row for unreadable events and for events added in later releases. The document contains every field that
 * Cursor reads on any event.
 */
export const createUnknownEventRow = (): CapabilityRow<CursorAnswerShape> => ({
  ...createObservingRow("Native", "any", "unverified"),
  deny: emulated('permission "deny", exit code 2; not verified on this event', "unverified"),
  ask: askUnseen,
  reason: native("agent_message and user_message", "unverified"),
  user_message: native("user_message", "unverified"),
});
