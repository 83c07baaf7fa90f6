import {
  countModelRequests,
  hasMarker,
  hasReachedModel,
  type HostDriver,
  type HostScenario,
  PRINT_RESULT_COMMAND,
  readProjectFile,
  TOKENS,
} from "../driver.ts";
import type { ModelScript, ModelTurn, ToolUse } from "../model.ts";
import type { HostRun, RunSetup } from "../run.ts";

export const buildShellCall = (command: string): ToolUse => ({ name: "Bash", input: { command } });
export const MARK = buildShellCall("echo original > marker.txt");
const FINAL: ModelTurn = { text: "FINAL" };
/** Delays the last turn: Kimi Code doesn't wait for hooks that run after a call, and kills them on exit. */
const LATE: ModelTurn = { ...FINAL, delay: 3_000 };
export const scriptCalls = (...calls: ToolUse[]): ModelScript => ({
  main: [...calls.map((call) => ({ calls: [call] })), FINAL],
});
export const base: RunSetup = { script: scriptCalls(MARK) };
const failing: RunSetup = {
  script: { main: [{ calls: [buildShellCall("echo FAILED-$((40+2)) >&2; exit 3")] }, LATE] },
};
const spawn: ToolUse = { name: "Agent", input: { prompt: "SUBAGENT do it", description: "helper" } };
export const inAgent: RunSetup = {
  script: { main: [{ calls: [spawn] }, LATE], subagent: [{ calls: [MARK] }, { text: "SUBDONE" }] },
};
/** The model provider fails. */
const broken: RunSetup = { script: { main: [{ status: 400 }] } };
const compacting: RunSetup = {
  script: { main: [{ calls: [MARK], tokens: 99_000 }, { text: "SUMMARY" }, LATE] },
};
/** A background command that finishes during the session. */
const background: RunSetup = {
  script: {
    main: [
      {
        calls: [
          {
            name: "Bash",
            input: { command: "echo original > marker.txt", run_in_background: true, description: "a step" },
          },
        ],
      },
      { calls: [{ name: "WaitFor", input: { timeout: 2 } }], delay: 2_000 },
      LATE,
    ],
  },
};

/**
 * Runs a session in a terminal. Kimi Code first asks whether the directory is trusted, and it can't be quit before a
 * turn has ended.
 */
const buildTerminalStep = (...actions: string[]): Pick<RunSetup, "steps"> => ({
  steps: [{ terminal: ["/Trustthisfolder/", "\r", "/Nosessionyet/", ...actions, "+3000", "/exit\r"] }],
});
/** The user approves the call in the terminal. */
export const typed: RunSetup = { ...base, ...buildTerminalStep("do it\r", "/Runthiscommand/", "\r", "/FINAL/") };
const interrupted: RunSetup = {
  script: { main: [{ text: "LATE", delay: 40_000 }] },
  ...buildTerminalStep("do it\r", "/·Tip:/", "+3000", "\u001b", "/Interrupted/"),
};

export const hasReachedEnd = (run: HostRun) => run.sessions.at(-1)?.stdout.includes("FINAL") ?? false;
const hasExited =
  (code: number) =>
  ({ sessions }: HostRun) =>
    sessions.at(-1)?.code === code;

const AS_IT_STANDS = "Kimi Code shows all stdout verbatim to the user and the model";

export const scenarios: Record<string, HostScenario> = {
  SessionStart: { setup: base, passed: hasReachedEnd },
  PreToolUse: { setup: base, passed: hasMarker },
  PostToolUse: {
    setup: { script: { main: [{ calls: [buildShellCall(PRINT_RESULT_COMMAND)] }, LATE] } },
    passed: (run) => !hasReachedModel(run, TOKENS.reason),
  },
  PostToolUseFailure: {
    setup: failing,
    passed: (run) => !hasReachedModel(run, TOKENS.reason),
    original: "FAILED-42",
  },
  UserPromptSubmit: {
    setup: base,
    passed: (run) => countModelRequests(run, "main") > 0,
    reader: "user",
    unshown: { user_message: AS_IT_STANDS, modified_input: AS_IT_STANDS, additional_context: AS_IT_STANDS },
  },
  Stop: {
    setup: base,
    passed: (run) => countModelRequests(run, "main") === 2,
    denied: (run) => countModelRequests(run, "main") > 2,
  },
  SubagentStart: { setup: inAgent, passed: hasReachedEnd },
  SubagentStop: { setup: inAgent, passed: (run) => countModelRequests(run, "subagent") === 2 },
  PreCompact: { setup: compacting, passed: hasReachedEnd },
  PostCompact: { setup: compacting, passed: hasReachedEnd },
  Notification: { setup: background, passed: hasReachedEnd },
  TaskStarted: { setup: background, passed: hasReachedEnd },
  SessionEnd: { setup: typed, passed: hasReachedEnd },
  PermissionRequest: { setup: typed, passed: hasMarker },
  PermissionResult: { setup: typed, passed: hasMarker },
  Interrupt: { setup: interrupted, passed: (run) => countModelRequests(run, "main") === 1, ended: hasExited(0) },
  TurnStarted: { setup: base, passed: hasReachedEnd },
  StopFailure: {
    setup: broken,
    passed: (run) => countModelRequests(run, "main") > 0,
    ended: hasExited(1),
  },
};

const isTold = (text: string) => (run: HostRun) => hasReachedModel(run, text);
/** Without ripgrep, the call is made but fails. */
const isSearched = isTold("ripgrep (rg) is not available");
const notes = { files: { "notes.txt": "NOTES-TOKEN one\n", "edited.txt": "one\n" } };

/** A call of every tool that doesn't need an external service. */
export const actions: HostDriver["actions"] = {
  Bash: { calls: [MARK], tool: "Bash", done: hasMarker },
  Read: {
    calls: [{ name: "Read", input: { path: "notes.txt" } }],
    tool: "Read",
    done: isTold("1\\tNOTES-TOKEN"),
    setup: notes,
  },
  Edit: {
    calls: [
      { name: "Read", input: { path: "edited.txt" } },
      { name: "Edit", input: { path: "edited.txt", old_string: "one", new_string: "two" } },
    ],
    tool: "Edit",
    done: (run) => readProjectFile(run, "edited.txt") === "two\n",
    setup: notes,
  },
  Write: {
    calls: [{ name: "Write", input: { path: "added.txt", content: "text\n" } }],
    tool: "Write",
    done: (run) => readProjectFile(run, "added.txt") !== undefined,
  },
  Glob: { calls: [{ name: "Glob", input: { pattern: "*.txt" } }], tool: "Glob", done: isSearched },
  Grep: { calls: [{ name: "Grep", input: { pattern: "NOTES" } }], tool: "Grep", done: isSearched },
  // Offline, the call is made but fails.
  FetchURL: {
    calls: [{ name: "FetchURL", input: { url: "https://example.com/a" } }],
    tool: "FetchURL",
    done: isTold("Failed to fetch URL"),
  },
  TodoList: {
    calls: [{ name: "TodoList", input: { todos: [{ title: "x", status: "pending" }] } }],
    tool: "TodoList",
    done: isTold("[pending] x"),
  },
  Agent: { calls: [spawn], tool: "Agent", done: (run) => countModelRequests(run, "subagent") > 0 },
  mcp__tiny__echo: {
    calls: [{ name: "mcp__tiny__echo", input: { text: "hello" } }],
    tool: "mcp__tiny__echo",
    done: isTold("echo: hello"),
    setup: { mcp: true },
  },
};
