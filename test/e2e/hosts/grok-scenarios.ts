import {
  countModelRequests,
  hasMarker,
  hasReachedModel,
  type HostScenario,
  PRINT_RESULT_COMMAND,
  readProjectFile,
  TOKENS,
} from "../driver.ts";
import type { ModelScript, ModelTurn, ToolUse } from "../model.ts";
import type { HostRun, RunSetup } from "../run.ts";

export const buildShellCall = (command: string): ToolUse => ({
  name: "run_terminal_command",
  input: { command, description: "a step" },
});
export const buildMcpCall = (tool_name: string, tool_input: object): ToolUse => ({
  name: "use_tool",
  input: { tool_name, tool_input },
});
export const MARK = buildShellCall("echo original > marker.txt");
const FINAL: ModelTurn = { text: "FINAL" };
export const scriptCalls = (...calls: ToolUse[]): ModelScript => ({
  main: [...calls.map((call) => ({ calls: [call] })), FINAL],
});
export const base: RunSetup = { script: scriptCalls(MARK) };
const failing: RunSetup = { script: scriptCalls(buildMcpCall("tiny__fail", { text: "FAILED-42" })), mcp: true };
export const spawn: ToolUse = { name: "spawn_subagent", input: { prompt: "SUBAGENT do it", description: "helper" } };
export const inAgent: RunSetup = {
  script: {
    main: [
      { calls: [spawn] },
      { calls: [{ name: "get_command_or_subagent_output", input: { task_ids: ["{{agent}}"], timeout_ms: 20_000 } }] },
      FINAL,
    ],
    subagent: [{ calls: [MARK] }, { text: "SUBDONE" }],
  },
};
/** The model provider fails, which ends the turn and notifies the user. */
const broken: RunSetup = { script: { main: [{ status: 400 }] } };
const SUMMARY: ModelTurn = {
  text: "The user asked for a step, which was run; nothing else is left to do. ".repeat(40),
};
const compacting: RunSetup = {
  script: { main: [{ calls: [MARK], tokens: 99_000 }, SUMMARY, SUMMARY, FINAL] },
};
const forbidden: RunSetup = {
  script: scriptCalls(buildShellCall("touch forbidden.txt")),
  steps: [{ args: ["--deny", "Bash(touch*)", "-p", "do it"] }],
};
const limited: RunSetup = {
  script: scriptCalls(MARK, MARK),
  steps: [{ args: ["--always-approve", "--max-turns", "1", "-p", "do it"] }],
};

export const hasReachedEnd = (run: HostRun) => run.sessions.at(-1)?.stdout.includes("FINAL") ?? false;
const hasExited =
  (code: number) =>
  ({ sessions }: HostRun) =>
    sessions.at(-1)?.code === code;
const hasCalled = (native_event: string) => (run: HostRun) =>
  run.calls.some((call) => call.native_event === native_event);

export const scenarios: Record<string, HostScenario> = {
  SessionStart: { setup: base, passed: hasReachedEnd },
  PreToolUse: {
    setup: base,
    passed: hasMarker,
    rewrite: {
      patch: { command: "echo REWRITTEN > marker.txt" },
      done: (run) => readProjectFile(run, "marker.txt") === "REWRITTEN\n",
    },
  },
  PostToolUse: {
    setup: { script: scriptCalls(buildShellCall(PRINT_RESULT_COMMAND)) },
    passed: (run) => !hasReachedModel(run, TOKENS.reason),
  },
  PostToolUseFailure: {
    setup: failing,
    passed: (run) => !hasReachedModel(run, TOKENS.reason),
    original: "Tool not found: tiny__fail",
  },
  UserPromptSubmit: {
    setup: base,
    passed: (run) => countModelRequests(run, "main") > 0,
    reader: "user",
    unseen: { reason: "Grok Build prints nothing in a headless run" },
  },
  Stop: {
    setup: base,
    passed: (run) => countModelRequests(run, "main") === 2,
    denied: (run) => countModelRequests(run, "main") > 2,
    unshown: { additional_context: "the context makes the agent continue" },
  },
  SubagentStart: { setup: inAgent, passed: hasReachedEnd },
  SubagentStop: {
    setup: inAgent,
    passed: (run) => countModelRequests(run, "subagent") === 2,
    denied: (run) => countModelRequests(run, "subagent") > 2,
    unshown: { additional_context: "the context makes the subagent continue" },
  },
  PreCompact: { setup: compacting, passed: hasReachedEnd },
  PostCompact: { setup: compacting, passed: hasReachedEnd },
  Notification: { setup: broken, passed: hasCalled("StopFailure"), ended: hasExited(1) },
  StopFailure: { setup: broken, passed: hasCalled("Notification"), ended: hasExited(1) },
  SessionEnd: { setup: base, passed: hasReachedEnd },
  PermissionDenied: { setup: forbidden, passed: hasReachedEnd },
  StopCancelled: { setup: limited, passed: (run) => countModelRequests(run, "main") === 1, ended: hasExited(1) },
};

export const files = { "notes.txt": "NOTES-TOKEN one\n" };
/** A session that calls every tool. */
export const EVERY: RunSetup = {
  script: scriptCalls(
    buildShellCall("echo RESULT-$((40+2)) | tee marker.txt"),
    { name: "read_file", input: { target_file: "notes.txt" } },
    { name: "search_replace", input: { file_path: "notes.txt", old_string: "one", new_string: "two" } },
    { name: "write", input: { file_path: "added.txt", content: "text\n" } },
    { name: "list_dir", input: { target_directory: "." } },
    { name: "grep", input: { pattern: "NOTES" } },
    { name: "todo_write", input: { todos: [{ id: "1", content: "x", status: "pending" }], merge: false } },
    { name: "search_tool", input: { query: "echo" } },
    buildMcpCall("tiny__echo", { text: "hello" }),
    { name: "monitor", input: { command: "touch monitored.txt", description: "m" } },
  ),
  mcp: true,
  files,
};
const hasFile = (path: string) => (run: HostRun) => readProjectFile(run, path) !== undefined;
const isTold = (text: string) => (run: HostRun) => hasReachedModel(run, text);
/** Whether every tool in the `EVERY` session ran. */
export const DONE: Readonly<Record<string, (run: HostRun) => boolean>> = {
  run_terminal_command: hasMarker,
  read_file: isTold("1→NOTES-TOKEN"),
  search_replace: (run) => readProjectFile(run, "notes.txt")?.includes("two") ?? false,
  write: hasFile("added.txt"),
  list_dir: isTold("  - notes.txt"),
  grep: isTold("1:NOTES-TOKEN"),
  todo_write: isTold("[pending] 1"),
  search_tool: isTold("total_hidden_tools"),
  tiny__echo: isTold("echo: hello"),
  monitor: hasFile("monitored.txt"),
};
/** Tools whose results don't contain text. */
export const TEXTLESS = ["monitor"];
