import {
  countModelRequests,
  hasReachedModel,
  readProjectFile,
  hasMarker,
  PRINT_RESULT_COMMAND,
  type HostScenario,
  TOKENS,
} from "../driver.ts";
import type { ModelScript, ToolUse } from "../model.ts";
import type { HostRun, RunSetup } from "../run.ts";

/** Cursor's backend requests calls by name in its messages; `hook.<event>` runs a hook directly. */
export const buildShellCall = (command: string): ToolUse => ({ name: "shellStreamArgs", input: { command } });
export const buildHookCall = (event: string, input: object): ToolUse => ({ name: `hook.${event}`, input });
export const buildReadCall = (path: string): ToolUse => ({ name: "readArgs", input: { path } });
export const buildWriteCall = (path: string): ToolUse => ({ name: "writeArgs", input: { path, fileText: "text" } });
export const echoCall: ToolUse = {
  name: "mcpArgs",
  input: { name: "tiny-echo", toolName: "echo", providerIdentifier: "tiny", args: { text: "hello" } },
};
export const MARK_CALL = buildShellCall("echo original > marker.txt");

export const scriptCalls = (...calls: ToolUse[]): ModelScript => ({
  main: [...calls.map((call) => ({ calls: [call] })), { text: "FINAL" }],
});
export const baseSetup: RunSetup = { script: scriptCalls(MARK_CALL) };
export const mcpSetup: RunSetup = { script: scriptCalls(echoCall), mcp: true };
export const notesSetup: RunSetup = {
  script: scriptCalls(buildReadCall("notes.txt")),
  files: { "notes.txt": "TEXT-OF-NOTES", "rewritten.txt": "REWRITTEN" },
};
export const hasReachedEnd = (run: HostRun) => run.sessions.at(-1)?.stdout.includes("FINAL") ?? false;
export const rewrite = {
  patch: { command: "echo REWRITTEN > marker.txt" },
  done: (run: HostRun) => readProjectFile(run, "marker.txt") === "REWRITTEN\n",
};

export const createObservedScenario = (setup: RunSetup, more: Partial<HostScenario> = {}): HostScenario => ({
  setup,
  passed: hasReachedEnd,
  ...more,
});
export const createOrderedScenario = (event: string, input: object, more: Partial<HostScenario> = {}): HostScenario =>
  createObservedScenario({ script: scriptCalls(buildHookCall(event, input)) }, more);
export const subagentInput = {
  subagentId: "s",
  subagentType: "explore",
  task: "t",
  parentConversationId: "c",
  toolCallId: "tool",
  subagentModel: "m",
};
/**
 * Releases whose backend can trigger these events and reports why a run has ended [1.0.22 doesn't; seen 2026-11-22].
 */
export const ORDERING_RELEASES = ">=1.0.26";

export const scenarios: Record<string, HostScenario> = {
  sessionStart: {
    setup: baseSetup,
    passed: (run) => countModelRequests(run, "main") > 0,
    reader: "user",
    tellsOnDenial: true,
    tells: ORDERING_RELEASES,
    variables: ({ calls }) =>
      calls.some(({ native_event, variable }) => native_event === "stop" && variable === TOKENS.session_env),
  },
  preToolUse: { setup: baseSetup, passed: hasMarker, rewrite, tellsOnDenial: true },
  beforeShellExecution: { setup: baseSetup, passed: hasMarker, tellsOnDenial: true },
  beforeMCPExecution: { setup: mcpSetup, passed: (run) => hasReachedModel(run, "echo: hello"), tellsOnDenial: true },
  beforeReadFile: {
    setup: notesSetup,
    passed: (run) => hasReachedModel(run, "TEXT-OF-NOTES"),
    tellsOnDenial: true,
    unshown: { ask: "Cursor treats the field as a malformed answer, and blocks the read" },
  },
  postToolUse: {
    setup: baseSetup,
    passed: (run) => !hasReachedModel(run, "REASON-TOKEN"),
    variants: { modified_output: mcpSetup },
    original: "echo: hello",
  },
  postToolUseFailure: {
    setup: { script: scriptCalls(buildShellCall(`${PRINT_RESULT_COMMAND}; exit 3`)) },
    passed: (run) => !hasReachedModel(run, "REASON-TOKEN"),
  },
  afterShellExecution: createObservedScenario(baseSetup, {
    variants: { modified_output: { script: scriptCalls(buildShellCall(PRINT_RESULT_COMMAND)) } },
  }),
  afterMCPExecution: createObservedScenario(mcpSetup, { original: "echo: hello" }),
  afterFileEdit: createObservedScenario(
    { script: scriptCalls(buildWriteCall("written.txt")) },
    { original: "written.txt" },
  ),
  beforeSubmitPrompt: createOrderedScenario(
    "beforeSubmitPrompt",
    { prompt: "do it", attachments: [] },
    {
      passed: (run) => !/"continue":false/.test(run.sessions[0]?.stdout ?? ""),
      reader: "user",
      releases: ORDERING_RELEASES,
      unseen: { additional_context: "the backend's reaction is not visible" },
    },
  ),
  stop: {
    setup: baseSetup,
    passed: (run) => countModelRequests(run, "main") === 1,
    denied: (run) => countModelRequests(run, "main") === 2,
  },
  sessionEnd: createObservedScenario(baseSetup),
  subagentStart: createOrderedScenario(
    "subagentStart",
    { ...subagentInput, isParallelWorker: false },
    {
      passed: (run) => !/"permission":"(SUBAGENT_START_PERMISSION_)?deny"/i.test(run.sessions[0]?.stdout ?? ""),
      unseen: { additional_context: "the backend's reaction is not visible" },
    },
  ),
  subagentStop: createOrderedScenario(
    "subagentStop",
    { ...subagentInput, status: "completed", durationMs: "1", summary: "s", description: "d" },
    {
      passed: (run) => !hasReachedModel(run, "REASON-TOKEN"),
    },
  ),
  preCompact: createOrderedScenario(
    "preCompact",
    {
      trigger: "manual",
      contextUsagePercent: 80,
      contextTokens: "1",
      contextWindowSize: "2",
      messageCount: 1,
      messagesToCompact: 1,
    },
    { unseen: { reason: "a reason that becomes a message goes to the backend, like messages to the model" } },
  ),
  afterAgentResponse: createOrderedScenario("afterAgentResponse", { text: "t" }, { releases: ORDERING_RELEASES }),
  afterAgentThought: createOrderedScenario(
    "afterAgentThought",
    { text: "t", durationMs: "1" },
    { releases: ORDERING_RELEASES },
  ),
};
