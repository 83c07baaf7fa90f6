import {
  countModelRequests,
  hasMarker,
  hasReachedModel,
  type HostScenario,
  PRINT_RESULT_COMMAND,
  PRINT_VARIABLE_COMMAND,
  readProjectFile,
  TOKENS,
} from "../driver.ts";
import { findFirstProblem, judgeDenial } from "../driver.ts";
import type { ModelScript, ModelTurn, ToolUse } from "../model.ts";
import type { HostRun, RunSetup } from "../run.ts";

/** A subagent's call must state its risk level. */
export const buildShellCall = (command: string): ToolUse => ({
  name: "Execute",
  input: { command, summary: "a step", riskLevelReason: "none", riskLevel: "low" },
});
export const buildEchoCall = (input: object): ToolUse => ({ name: "tiny___echo", input });
export const MARK = buildShellCall("echo original > marker.txt");
const FINAL: ModelTurn = { text: "FINAL" };
export const scriptCalls = (...calls: ToolUse[]): ModelScript => ({
  main: [...calls.map((call) => ({ calls: [call] })), FINAL],
});
export const base: RunSetup = { script: scriptCalls(MARK) };

export const buildTask = (prompt: string): ToolUse => ({
  name: "Task",
  input: { subagent_type: "worker", description: "helper", prompt },
});
/** The agent continues while the subagent works, and gets another turn once it has finished. */
export const scriptTask = (prompt = "SUBAGENT do it"): RunSetup => ({
  script: {
    main: [{ calls: [buildTask(prompt)] }, FINAL, FINAL],
    subagent: [{ calls: [MARK] }, { text: "SUBDONE" }],
  },
});
export const inAgent = scriptTask();

export const hasReachedEnd = (run: HostRun) => run.sessions.at(-1)?.stdout.includes("FINAL") ?? false;
const hasSubagentTurns = (count: number) => (run: HostRun) => countModelRequests(run, "subagent") === count;

export const denial = { decision: "deny", reason: TOKENS.reason } as const;
export const denying: Pick<RunSetup, "plan"> = { plan: [{ event: "PreToolUse", answer: denial }] };
export const isToldWhy = (run: HostRun) => !hasReachedModel(run, TOKENS.reason) && "the model did not get the reason";
export const judgeHeldDenial = (run: HostRun) => findFirstProblem(judgeDenial(run), isToldWhy(run));
export const specific = (fields: object) => ({ hookSpecificOutput: { hookEventName: "PreToolUse", ...fields } });

export const scenarios: Record<string, HostScenario> = {
  SessionStart: {
    setup: base,
    passed: hasReachedEnd,
    variants: { session_env: { script: scriptCalls(buildShellCall(PRINT_VARIABLE_COMMAND)) } },
  },
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
  UserPromptSubmit: {
    setup: inAgent,
    passed: hasSubagentTurns(2),
    denied: hasSubagentTurns(0),
    reader: "user",
    unseen: { reason: "a subagent's prompts are not shown to anyone" },
  },
  Stop: {
    setup: base,
    passed: (run) => countModelRequests(run, "main") === 2,
    denied: (run) => countModelRequests(run, "main") > 2,
  },
  SubagentStop: { setup: inAgent, passed: hasSubagentTurns(2) },
  SessionEnd: { setup: base, passed: hasReachedEnd },
};

/** Files in the project. Droid tells the model the names of those at the top level. */
export const files = { "notes.txt": "one\n", "deep/found.md": "GREP-ME\n", "deep/globbed.csv": "" };
/** A session that calls every tool. Read and LS accept only absolute paths. */
export const EVERY: RunSetup = {
  script: scriptCalls(
    buildShellCall("echo original > marker.txt"),
    { name: "Read", input: { file_path: "/etc/passwd" } },
    { name: "Edit", input: { file_path: "notes.txt", old_str: "one", new_str: "two" } },
    { name: "Create", input: { file_path: "added.txt", content: "text\n" } },
    { name: "LS", input: { directory_path: "/proc/sys/vm" } },
    { name: "Grep", input: { pattern: "GREP-ME" } },
    { name: "Glob", input: { patterns: ["**/*.csv"] } },
    buildEchoCall({ text: "hello" }),
  ),
  mcp: true,
  files,
};
const isTold = (text: string) => (run: HostRun) => hasReachedModel(run, text);
/** Whether every tool in the `EVERY` session ran. */
export const DONE: Readonly<Record<string, (run: HostRun) => boolean>> = {
  Execute: hasMarker,
  Read: isTold("root:x:0:0"),
  Edit: (run) => readProjectFile(run, "notes.txt")?.startsWith("two") ?? false,
  Create: (run) => readProjectFile(run, "added.txt") !== undefined,
  LS: isTold("overcommit_memory"),
  Grep: isTold("deep/found.md"),
  Glob: isTold("deep/globbed.csv"),
  tiny___echo: isTold("echo: hello"),
};
