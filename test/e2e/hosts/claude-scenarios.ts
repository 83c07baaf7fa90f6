import { chmodSync } from "node:fs";
import { join } from "node:path";
import {
  countModelRequests,
  hasReachedModel,
  readProjectFile,
  hasFired,
  hasMarker,
  PRINT_RESULT_COMMAND,
  PRINT_VARIABLE_COMMAND,
  type HostCase,
  type HostScenario,
  judgeDenial,
} from "../driver.ts";
import type { ModelScript, ToolUse, ModelTurn } from "../model.ts";
import { type HostRun, type RunSetup, writeRunFile } from "../run.ts";

/** Writes a policy helper that prints the settings, and managed settings that point to it. */
export function writePolicyHelper(managed: string, path: string, settings: string): void {
  writeRunFile(managed, JSON.stringify({ policyHelper: { path } }));
  writeRunFile(path, `#!/bin/sh\ncat <<'END'\n{"managedSettings":${settings}}\nEND\n`);
  chmodSync(path, 0o755);
}

/** @param setup contains a plan that denies a call */
export const buildHelperCase = (setup: RunSetup): HostCase => ({
  name: "managed settings printed by a policyHelper: the denial is enforced",
  setup: { ...setup, scope: "managed", computed: true },
  mounts: true,
  releases: SHOWING_RELEASES,
  judge: judgeDenial,
});

export const buildBashCall = (command: string): ToolUse => ({
  name: "Bash",
  input: { command, description: "a step" },
});
export const MARK_CALL = buildBashCall("echo original > marker.txt");
export const FINAL_TURN: ModelTurn = { text: "FINAL" };

export const scriptCalls = (...calls: ToolUse[]): ModelScript => ({
  main: [...calls.map((call) => ({ calls: [call] })), FINAL_TURN],
});
export const BYPASS_ARGUMENTS = ["--permission-mode", "bypassPermissions"];
export const ASKING_ARGUMENTS = ["--permission-mode", "default"];
export const MCP_ARGUMENTS = [
  "--mcp-config",
  JSON.stringify({ mcpServers: { tiny: { command: process.execPath, args: [join(import.meta.dir, "../mcp.ts")] } } }),
];
export const buildWriteCall = (file_path: string): ToolUse => ({
  name: "Write",
  input: { file_path, content: "text" },
});
export const buildReadCall = (file_path: string): ToolUse => ({ name: "Read", input: { file_path } });
export const agentCall: ToolUse = {
  name: "Agent",
  input: { description: "a part", prompt: "SUBAGENT, do it", subagent_type: "general-purpose" },
};

export const baseSetup: RunSetup = { script: scriptCalls(MARK_CALL) };
export const printingSetup: RunSetup = { script: scriptCalls(buildBashCall(PRINT_VARIABLE_COMMAND)) };
export const hasReachedEnd = (run: HostRun) => run.sessions.at(-1)?.stdout.includes("FINAL") ?? false;
export const hasNoReason = (run: HostRun) => !hasReachedModel(run, "REASON-TOKEN");
export const hasCalled = (native_event: string) => (run: HostRun) =>
  run.calls.some((call) => call.native_event === native_event);

/** Releases whose stream includes messages to the user [2.1.197 doesn't; seen 2026-11-22]. */
export const SHOWING_RELEASES = ">=2.1.330";
/** Releases with an event for shell commands in skills and slash commands. */
export const SKILL_LINE_RELEASES = ">=2.1.332";
/** Releases that offer task tools [2.1.330 doesn't in headless mode; seen 2026-11-21]. */
export const TASK_RELEASES = "<=2.1.197";
/** Runs the setup in a terminal. */
export const typeInTerminal = (setup: RunSetup, ...more: string[]): RunSetup => ({
  ...setup,
  steps: [{ ...setup.steps?.[0], terminal: ["/❯/", "do it\r", ...more, "/exit\r"] }],
});
export const terminalSetup = typeInTerminal(baseSetup, "/FINAL/");
export const compactingSetup: RunSetup = {
  script: scriptCalls(MARK_CALL),
  steps: [{}, { prompt: "/compact", args: [...BYPASS_ARGUMENTS, "--continue"] }],
};
export const subagentSetup: RunSetup = {
  script: { main: [{ calls: [agentCall] }, FINAL_TURN], subagent: [{ calls: [MARK_CALL] }, { text: "SUBDONE" }] },
};
export const elicitingSetup: RunSetup = {
  script: scriptCalls({ name: "mcp__tiny__elicit", input: { text: "x" } }),
  mcp: true,
};
export const switchingSetup: RunSetup = {
  script: { main: [FINAL_TURN, FINAL_TURN] },
  steps: [{ prompts: ["do it", "/model claude-opus-4-5", "do more"] }],
};
export const permissionSetup: RunSetup = { script: scriptCalls(MARK_CALL), steps: [{ args: ASKING_ARGUMENTS }] };
export const rewrite = {
  patch: { command: "echo REWRITTEN > marker.txt" },
  done: (run: HostRun) => readProjectFile(run, "marker.txt") === "REWRITTEN\n",
};

/** A slash command of the project that contains a shell command. */
export const skillLineSetup: RunSetup = {
  script: scriptCalls(),
  steps: [{ prompt: "/mark" }],
  files: {
    ".claude/commands/mark.md":
      "---\nallowed-tools: Bash(echo:*)\n---\nSay what this printed: !`echo original | tee marker.txt`\n",
  },
};

/** The same slash command, followed by a tool call from the model. */
export const skillLineAndCallSetup: RunSetup = {
  ...skillLineSetup,
  script: scriptCalls(buildBashCall("echo original > called.txt")),
};
/** A plugin in the project whose mod answers tool calls in place of hooks. */
export const modSetup: RunSetup = {
  ...baseSetup,
  steps: [{ args: [...BYPASS_ARGUMENTS, "--plugin-dir", "mod"] }],
  files: {
    "mod/.claude-plugin/plugin.json": JSON.stringify({ name: "mod", version: "1.0.0" }),
    "mod/hooks/hooks.json": JSON.stringify({ modules: ["./register.ts"] }),
    "mod/hooks/register.ts": 'export const register = (on) => on("classic.PreToolUse", async () => ({}));\n',
  },
};

/** Claude Code cancels an elicitation if nobody can answer it. */
export const elicitationScenario: HostScenario = {
  setup: elicitingSetup,
  passed: (run) => !hasReachedModel(run, "elicited decline"),
  asked: (run) => hasReachedModel(run, "elicited cancel"),
  unseen: { user_message: "a headless run doesn't show messages, and in a terminal a form covers them" },
};

export const createObservedScenario = (setup: RunSetup, more: Partial<HostScenario> = {}): HostScenario => ({
  setup,
  passed: hasReachedEnd,
  ...more,
});

export const scenarios: Record<string, HostScenario> = {
  SessionStart: {
    setup: baseSetup,
    passed: hasReachedEnd,
    variants: { user_message: terminalSetup, deny: terminalSetup, session_env: printingSetup },
  },
  PreToolUse: { setup: baseSetup, passed: hasMarker, rewrite, variants: { allow: permissionSetup } },
  PreSkillShellCommand: {
    setup: skillLineSetup,
    passed: hasMarker,
    unshown: {
      ask: "Claude Code doesn't run the command, as after a denial; covered by a separate case",
      modified_input: "Claude Code doesn't run the command, as after a denial; covered by a separate case",
    },
    releases: SKILL_LINE_RELEASES,
  },
  PostToolUse: {
    setup: baseSetup,
    passed: hasNoReason,
    variants: { modified_output: { script: scriptCalls(buildBashCall(PRINT_RESULT_COMMAND)) } },
  },
  UserPromptSubmit: { setup: baseSetup, passed: (run) => countModelRequests(run, "main") > 0, reader: "user" },
  Stop: {
    setup: baseSetup,
    passed: (run) => countModelRequests(run, "main") === 2,
    denied: (run) => countModelRequests(run, "main") > 2,
  },
  SessionEnd: createObservedScenario(baseSetup),
  PostToolUseFailure: {
    setup: { script: scriptCalls(buildBashCall(`${PRINT_RESULT_COMMAND}; exit 3`)) },
    passed: hasNoReason,
  },
  PermissionRequest: {
    setup: permissionSetup,
    passed: hasMarker,
    unanswered: (run) => !hasMarker(run),
    asked: (run) => !hasMarker(run) && hasReachedModel(run, "needs approval"),
    rewrite,
    releases: SHOWING_RELEASES,
  },
  SubagentStart: createObservedScenario(subagentSetup),
  SubagentStop: {
    setup: subagentSetup,
    passed: (run) => countModelRequests(run, "subagent") === 2,
    denied: (run) => countModelRequests(run, "subagent") > 2,
    unshown: {
      additional_context: "Claude Code accepts the field and continues because of it, so bridge-hooks drops it",
    },
    at: { agent: true },
  },
  // Claude Code notifies the user once a question has gone unanswered for six seconds.
  Notification: {
    setup: {
      ...typeInTerminal(
        { ...baseSetup, steps: [{ args: ["--permission-mode", "manual"] }] },
        "/Doyouwant/",
        "+8000",
        "\r",
        "/FINAL/",
      ),
      idle: true,
    },
    passed: hasMarker,
    releases: SHOWING_RELEASES,
  },
  PreCompact: { setup: compactingSetup, passed: hasCalled("PostCompact"), reader: "user" },
  PostCompact: { setup: compactingSetup, passed: hasCalled("PostCompact") },
  UserPromptExpansion: {
    setup: {
      script: scriptCalls(),
      steps: [{ prompt: "/hello" }],
      files: { ".claude/commands/hello.md": "Say hello." },
    },
    passed: (run) => countModelRequests(run, "main") > 0,
    reader: "user",
  },
  PostToolBatch: {
    setup: baseSetup,
    passed: (run) => countModelRequests(run, "main") > 1,
    reader: "user",
    tells: SHOWING_RELEASES,
    variants: { reason: typeInTerminal(baseSetup, "/REASON-TOKEN/") },
  },
  ConfigChange: {
    setup: {
      script: scriptCalls(
        buildBashCall(`mkdir -p .claude; echo '{"env":{"CHANGED":"yes"}}' > .claude/settings.local.json; sleep 1.5`),
        buildBashCall("echo now=$CHANGED"),
      ),
    },
    passed: (run) => hasReachedModel(run, "now=yes"),
    releases: SHOWING_RELEASES,
  },
  TaskCreated: {
    setup: { script: scriptCalls({ name: "TaskCreate", input: { subject: "s", description: "d" } }) },
    passed: (run) => hasFired(run, "PostToolUse", { tool: "TaskCreate" }),
    unseen: { user_message: "this release doesn't report what the user sees" },
    releases: TASK_RELEASES,
  },
  TaskCompleted: {
    setup: {
      script: scriptCalls(
        { name: "TaskCreate", input: { subject: "s", description: "d" } },
        { name: "TaskUpdate", input: { taskId: "1", status: "completed" } },
      ),
    },
    passed: (run) => hasReachedModel(run, "Updated task #1"),
    unseen: { user_message: "this release doesn't report what the user sees" },
    releases: TASK_RELEASES,
  },
  PreModelSwitch: {
    setup: switchingSetup,
    passed: hasCalled("PostModelSwitch"),
    reader: "user",
    releases: SHOWING_RELEASES,
  },
  PostModelSwitch: {
    setup: switchingSetup,
    passed: (run) => countModelRequests(run, "main") === 2,
    releases: SHOWING_RELEASES,
  },
  Elicitation: elicitationScenario,
  ElicitationResult: elicitationScenario,
  Setup: createObservedScenario({
    script: scriptCalls(buildBashCall(PRINT_VARIABLE_COMMAND)),
    steps: [{ args: [...BYPASS_ARGUMENTS, "--init"] }],
  }),
  PermissionDenied: createObservedScenario(
    {
      script: scriptCalls(buildBashCall(`python3 -c 'open("marker.txt", "w")'`)),
      steps: [{ args: ["--permission-mode", "auto"] }],
    },
    { releases: SHOWING_RELEASES },
  ),
  StopFailure: createObservedScenario({
    script: { main: [{ status: 400, until: "once more" }, FINAL_TURN] },
    steps: [{ prompts: ["do it", "once more"] }],
  }),
  InstructionsLoaded: createObservedScenario({ ...baseSetup, files: { "CLAUDE.md": "Be brief." } }),
  CwdChanged: createObservedScenario({
    script: scriptCalls(buildBashCall("cd sub"), buildBashCall(PRINT_VARIABLE_COMMAND)),
    files: { "sub/file": "" },
  }),
  FileChanged: createObservedScenario({
    script: scriptCalls(
      buildBashCall("sleep 1; echo new > watched.txt; sleep 2"),
      buildBashCall(PRINT_VARIABLE_COMMAND),
    ),
    files: { "watched.txt": "old" },
  }),
  MessageDisplay: createObservedScenario(baseSetup),
};
