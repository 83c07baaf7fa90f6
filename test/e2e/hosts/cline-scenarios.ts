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

export const buildCommandsCall = (...commands: unknown[]): ToolUse => ({ name: "run_commands", input: { commands } });
export const buildShellCall = (command: string): ToolUse => buildCommandsCall(command);
export const MARK = buildShellCall("echo original > marker.txt");
const FINAL: ModelTurn = { text: "FINAL" };
export const scriptCalls = (...calls: ToolUse[]): ModelScript => ({
  main: [...calls.map((call) => ({ calls: [call] })), FINAL],
});
export const base: RunSetup = { script: scriptCalls(MARK) };
export const spawn: ToolUse = { name: "spawn_agent", input: { systemPrompt: "You help.", task: "SUBAGENT do it" } };
export const inAgent: RunSetup = {
  script: { main: [{ calls: [spawn] }, FINAL], subagent: [{ calls: [MARK] }, { text: "SUBDONE" }] },
};
/** Cline ends the run once a tool has rejected three calls. */
export const mistaken: RunSetup = {
  script: { main: Array.from({ length: 3 }, () => ({ calls: [{ name: "editor", input: { path: "a" } }] })) },
};

export const hasReachedEnd = (run: HostRun) => run.sessions.at(-1)?.stdout.includes("FINAL") ?? false;
export const isAborted = ({ sessions }: HostRun) => sessions.at(-1)?.stdout.includes('"run_aborted"') ?? false;

export const scenarios: Record<string, HostScenario> = {
  TaskStart: { setup: base, passed: hasReachedEnd },
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
  TaskComplete: { setup: base, passed: (run) => countModelRequests(run, "main") === 2 },
  SessionShutdown: { setup: mistaken, passed: isAborted, ended: isAborted },
};

export const files = { "notes.txt": "NOTES-TOKEN one\n" };
/** A session that calls every tool. */
export const EVERY: readonly ToolUse[] = [
  buildShellCall("echo RESULT-$((40+2)) | tee marker.txt"),
  { name: "read_files", input: { files: [{ path: "notes.txt" }] } },
  { name: "editor", input: { path: "notes.txt", old_text: "one", new_text: "two" } },
  { name: "search_codebase", input: { queries: ["NOTES"] } },
];
const isTold = (text: string) => (run: HostRun) => hasReachedModel(run, text);
/** Whether every tool in the `EVERY` session ran. */
export const DONE: Readonly<Record<string, (run: HostRun) => boolean>> = {
  run_commands: hasMarker,
  read_files: isTold("1 | NOTES-TOKEN"),
  editor: (run) => readProjectFile(run, "notes.txt")?.includes("two") ?? false,
  search_codebase: isTold("Found 1 result"),
};
