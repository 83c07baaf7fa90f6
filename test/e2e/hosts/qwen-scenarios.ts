import {
  countModelRequests,
  hasMarker,
  hasReachedModel,
  type HostScenario,
  PRINT_RESULT_COMMAND,
  readProjectFile,
  TOKENS,
  type ToolAction,
} from "../driver.ts";
import type { ModelScript, ModelTurn, ToolUse } from "../model.ts";
import type { HostRun, RunSetup } from "../run.ts";

export const buildShellCall = (command: string): ToolUse => ({
  name: "run_shell_command",
  input: { command, description: "a step", is_background: false },
});
export const MARK = buildShellCall("echo original > marker.txt");
export const FINAL: ModelTurn = { text: "FINAL" };
export const scriptCalls = (...calls: ToolUse[]): ModelScript => ({
  main: [...calls.map((call) => ({ calls: [call] })), FINAL],
});
export const base: RunSetup = { script: scriptCalls(MARK) };
export const spawn: ToolUse = {
  name: "agent",
  input: { description: "helper", prompt: "SUBAGENT do it", subagent_type: "general-purpose" },
};
/** The subagent runs in the background. When it ends, the model is notified in a separate turn. */
export const inAgent: RunSetup = {
  script: { main: [{ calls: [spawn] }, FINAL, FINAL], subagent: [{ calls: [MARK] }, { text: "SUBDONE" }] },
};
/**
 * Keeps the command running for a second: on a busy machine, Qwen Code reports "Output: (empty)" for a command that
 * exits right after printing [seen 0.24.4, 2026-11-29].
 */
export const PRINT_AND_WAIT = `${PRINT_RESULT_COMMAND}; sleep 1`;
const printing: RunSetup = { script: scriptCalls(buildShellCall(PRINT_AND_WAIT)) };
const failing: RunSetup = { script: scriptCalls(buildShellCall("echo RESULT-$((40+2)); exit 3")) };
const buildTodoCall = (status: string): ToolUse => ({
  name: "todo_write",
  input: { todos: [{ id: "1", content: "x", status }] },
});
/** What the model reads once a todo list has been saved. */
const SAVED = "Todos have been modified";
const creating: RunSetup = { script: scriptCalls(buildTodoCall("pending")) };
const completing: RunSetup = { script: scriptCalls(buildTodoCall("pending"), buildTodoCall("completed")) };
/** Reports that the model's context is nearly full. */
const compacting: RunSetup = {
  script: { main: [{ calls: [MARK], tokens: 19_000 }, FINAL] },
  files: { ".qwen/settings.json": '{"model":{"generationConfig":{"contextWindowSize":20000}}}' },
};
const expanding: RunSetup = {
  ...base,
  files: { ".qwen/commands/mine.toml": 'description = "mine"\nprompt = "do it {{args}}"\n' },
  steps: [{ prompt: "/mine now" }],
};
/** The model repeats itself until Qwen Code ends the turn. */
const looping: RunSetup = { script: { main: Array.from({ length: 8 }, () => ({ calls: [MARK] })) } };

export const hasReachedEnd = (run: HostRun) => run.sessions.at(-1)?.stdout.includes("FINAL") ?? false;
const hasExited =
  (code: number) =>
  ({ sessions }: HostRun) =>
    sessions.at(-1)?.code === code;
const isTold = (text: string) => (run: HostRun) => hasReachedModel(run, text);
const isNotTold = (text: string) => (run: HostRun) => !hasReachedModel(run, text);
const hasBegun = (run: HostRun) => countModelRequests(run, "main") > 0;
const countRequests = (who: "main" | "subagent") => (run: HostRun) => countModelRequests(run, who);
const prolonging = (who: "main" | "subagent", usual: number) => ({
  passed: (run: HostRun) => countRequests(who)(run) === usual,
  denied: (run: HostRun) => countRequests(who)(run) > usual,
});

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
  PostToolUse: { setup: printing, passed: isTold("RESULT-42") },
  PostToolUseFailure: { setup: failing, passed: isNotTold(TOKENS.reason) },
  UserPromptSubmit: {
    setup: base,
    passed: hasBegun,
    reader: "user",
    unseen: { reason: "headless, Qwen Code prints nothing" },
  },
  Stop: { setup: base, ...prolonging("main", 2) },
  SubagentStart: { setup: inAgent, passed: hasReachedEnd },
  SubagentStop: { setup: inAgent, ...prolonging("subagent", 2) },
  PreCompact: { setup: compacting, passed: hasReachedEnd },
  Notification: { setup: base, passed: hasReachedEnd },
  PostToolBatch: { setup: printing, passed: isTold("RESULT-42") },
  UserPromptExpansion: { setup: expanding, passed: hasBegun, reader: "user" },
  TodoCreated: { setup: creating, passed: isTold(SAVED) },
  TodoCompleted: {
    setup: completing,
    passed: ({ requests }) => requests.some(({ text }) => text.split(SAVED).length > 2),
  },
  InstructionsLoaded: { setup: { ...base, files: { "QWEN.md": "be brief\n" } }, passed: hasReachedEnd },
  MessageDisplay: { setup: base, passed: hasReachedEnd },
  StopFailure: { setup: looping, passed: hasExited(1), ended: hasExited(1) },
};

export const files = { "notes.txt": "NOTES-TOKEN one\n" };
const hasFile = (path: string) => (run: HostRun) => readProjectFile(run, path) !== undefined;
const act = (tool: string, done: (run: HostRun) => boolean, ...calls: ToolUse[]): [string, ToolAction] => [
  tool,
  { calls, tool, done, setup: { mcp: true, files } },
];

/** A call of each tool. */
export const actions: Readonly<Record<string, ToolAction>> = {
  ...Object.fromEntries([
    act("run_shell_command", hasMarker, MARK),
    act("read_file", isTold("NOTES-TOKEN one"), { name: "read_file", input: { file_path: "{{project}}/notes.txt" } }),
    act("write_file", hasFile("added.txt"), {
      name: "write_file",
      input: { file_path: "{{project}}/added.txt", content: "text\n" },
    }),
    act(
      "edit",
      (run) => readProjectFile(run, "edited.txt") === "two\n",
      { name: "write_file", input: { file_path: "{{project}}/edited.txt", content: "one\n" } },
      { name: "edit", input: { file_path: "{{project}}/edited.txt", old_string: "one", new_string: "two" } },
    ),
    act("list_directory", isTold("Listed "), { name: "list_directory", input: { path: "{{project}}" } }),
    act("glob", isTold("Found 1 file(s)"), { name: "glob", input: { pattern: "notes.*" } }),
    act("grep_search", isTold("L1: NOTES-TOKEN"), { name: "grep_search", input: { pattern: "NOTES" } }),
    act("todo_write", isTold(SAVED), buildTodoCall("pending")),
    act("mcp__tiny__echo", isTold("echo: hello"), { name: "mcp__tiny__echo", input: { text: "hello" } }),
    // A deferred tool: hooks receive the call to it, but not the one to the wrapper tool that runs it.
    act(
      "monitor",
      hasFile("monitored.txt"),
      { name: "tool_search", input: { query: "select:monitor" } },
      {
        name: "tool_call",
        input: { name: "monitor", arguments: { command: "touch monitored.txt", description: "m" } },
      },
    ),
  ]),
  agent: {
    calls: [spawn],
    tool: "agent",
    done: (run) => countModelRequests(run, "subagent") > 0,
    setup: { script: inAgent.script },
  },
};
