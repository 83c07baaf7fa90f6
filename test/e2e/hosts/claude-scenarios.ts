import { join } from "node:path";
import { asked, fed, file, fired, marked, PRINTS_RESULT, PRINTS_VARIABLE, type Scenario } from "../driver.ts";
import type { Script, ToolUse, Turn } from "../model.ts";
import type { Run, Setup } from "../run.ts";

export const bash = (command: string): ToolUse => ({ name: "Bash", input: { command, description: "a step" } });
export const MARK = bash("echo original > marker.txt");
export const FINAL: Turn = { text: "FINAL" };

export const says = (...calls: ToolUse[]): Script => ({ main: [...calls.map((call) => ({ calls: [call] })), FINAL] });
export const BYPASS = ["--permission-mode", "bypassPermissions"];
export const ASKING = ["--permission-mode", "default"];
export const MCP = [
  "--mcp-config",
  JSON.stringify({ mcpServers: { tiny: { command: process.execPath, args: [join(import.meta.dir, "../mcp.ts")] } } }),
];
export const write = (file_path: string): ToolUse => ({ name: "Write", input: { file_path, content: "text" } });
export const read = (file_path: string): ToolUse => ({ name: "Read", input: { file_path } });
export const agent: ToolUse = {
  name: "Agent",
  input: { description: "a part", prompt: "SUBAGENT, do it", subagent_type: "general-purpose" },
};

export const base: Setup = { script: says(MARK) };
export const printing: Setup = { script: says(bash(PRINTS_VARIABLE)) };
export const toEnd = (run: Run) => run.sessions.at(-1)?.stdout.includes("FINAL") ?? false;
export const silent = (run: Run) => !fed(run, "REASON-TOKEN");
export const called = (native_event: string) => (run: Run) =>
  run.calls.some((call) => call.native_event === native_event);

/** The releases whose stream tells what the user is shown [2.1.197 does not; seen 2026-11-22]. */
export const SHOWS = ">=2.1.330";
/** Releases that offer tools for tasks [2.1.330 does not, headless; seen 2026-11-21]. */
export const TASKS = "<=2.1.197";
/** The same in a terminal. */
export const typed = (setup: Setup, ...more: string[]): Setup => ({
  ...setup,
  steps: [{ ...setup.steps?.[0], terminal: ["/❯/", "do it\r", ...more, "/exit\r"] }],
});
export const inTerminal = typed(base, "/FINAL/");
export const compacting: Setup = {
  script: says(MARK),
  steps: [{}, { prompt: "/compact", args: [...BYPASS, "--continue"] }],
};
export const inAgent: Setup = {
  script: { main: [{ calls: [agent] }, FINAL], subagent: [{ calls: [MARK] }, { text: "SUBDONE" }] },
};
export const eliciting: Setup = { script: says({ name: "mcp__tiny__elicit", input: { text: "x" } }), mcp: true };
export const switching: Setup = {
  script: { main: [FINAL, FINAL] },
  steps: [{ prompts: ["do it", "/model claude-opus-4-5", "do more"] }],
};
export const permission: Setup = { script: says(MARK), steps: [{ args: ASKING }] };
export const rewrite = {
  patch: { command: "echo REWRITTEN > marker.txt" },
  done: (run: Run) => file(run, "marker.txt") === "REWRITTEN\n",
};

/** Without anybody to answer Claude Code cancels a question. */
export const elicited: Scenario = {
  setup: eliciting,
  passed: (run) => !fed(run, "elicited decline"),
  asked: (run) => fed(run, "elicited cancel"),
  unseen: { user_message: "a headless run shows none, and in a terminal a form stands in its place" },
};

export const observed = (setup: Setup, more: Partial<Scenario> = {}): Scenario => ({ setup, passed: toEnd, ...more });

export const scenarios: Record<string, Scenario> = {
  SessionStart: {
    setup: base,
    passed: toEnd,
    variants: { user_message: inTerminal, deny: inTerminal, session_env: printing },
  },
  PreToolUse: { setup: base, passed: marked, rewrite, variants: { allow: permission } },
  PostToolUse: { setup: base, passed: silent, variants: { modified_output: { script: says(bash(PRINTS_RESULT)) } } },
  UserPromptSubmit: { setup: base, passed: (run) => asked(run, "main") > 0, reader: "user" },
  Stop: { setup: base, passed: (run) => asked(run, "main") === 2, denied: (run) => asked(run, "main") === 3 },
  SessionEnd: observed(base),
  PostToolUseFailure: { setup: { script: says(bash(`${PRINTS_RESULT}; exit 3`)) }, passed: silent },
  PermissionRequest: {
    setup: permission,
    passed: marked,
    unanswered: (run) => !marked(run),
    asked: (run) => !marked(run) && fed(run, "needs approval"),
    rewrite,
    releases: SHOWS,
  },
  SubagentStart: observed(inAgent),
  SubagentStop: {
    setup: inAgent,
    passed: (run) => asked(run, "subagent") === 2,
    denied: (run) => asked(run, "subagent") === 3,
    unshown: { additional_context: "Claude Code takes it, and goes on because of it: that is why it is dropped" },
    at: { agent: true },
  },
  // Claude Code notifies when a question has waited for six seconds.
  Notification: {
    setup: {
      ...typed(
        { ...base, steps: [{ args: ["--permission-mode", "manual"] }] },
        "/Doyouwant/",
        "+8000",
        "\r",
        "/FINAL/",
      ),
      idle: true,
    },
    passed: marked,
    releases: SHOWS,
  },
  PreCompact: { setup: compacting, passed: called("PostCompact"), reader: "user" },
  PostCompact: { setup: compacting, passed: called("PostCompact") },
  UserPromptExpansion: {
    setup: { script: says(), steps: [{ prompt: "/hello" }], files: { ".claude/commands/hello.md": "Say hello." } },
    passed: (run) => asked(run, "main") > 0,
    reader: "user",
  },
  PostToolBatch: {
    setup: base,
    passed: (run) => asked(run, "main") > 1,
    reader: "user",
    tells: SHOWS,
    variants: { reason: typed(base, "/REASON-TOKEN/") },
  },
  ConfigChange: {
    setup: {
      script: says(
        bash(`mkdir -p .claude; echo '{"env":{"CHANGED":"yes"}}' > .claude/settings.local.json; sleep 1.5`),
        bash("echo now=$CHANGED"),
      ),
    },
    passed: (run) => fed(run, "now=yes"),
    releases: SHOWS,
  },
  TaskCreated: {
    setup: { script: says({ name: "TaskCreate", input: { subject: "s", description: "d" } }) },
    passed: (run) => fired(run, "PostToolUse", { tool: "TaskCreate" }),
    unseen: { user_message: "this release tells nothing of what the user is shown" },
    releases: TASKS,
  },
  TaskCompleted: {
    setup: {
      script: says(
        { name: "TaskCreate", input: { subject: "s", description: "d" } },
        { name: "TaskUpdate", input: { taskId: "1", status: "completed" } },
      ),
    },
    passed: (run) => fed(run, "Updated task #1"),
    unseen: { user_message: "this release tells nothing of what the user is shown" },
    releases: TASKS,
  },
  PreModelSwitch: { setup: switching, passed: called("PostModelSwitch"), reader: "user", releases: SHOWS },
  PostModelSwitch: { setup: switching, passed: (run) => asked(run, "main") === 2, releases: SHOWS },
  Elicitation: elicited,
  ElicitationResult: elicited,
  Setup: observed({ script: says(bash(PRINTS_VARIABLE)), steps: [{ args: [...BYPASS, "--init"] }] }),
  PermissionDenied: observed(
    { script: says(bash(`python3 -c 'open("marker.txt", "w")'`)), steps: [{ args: ["--permission-mode", "auto"] }] },
    { releases: SHOWS },
  ),
  StopFailure: observed({
    script: { main: [{ status: 400, until: "once more" }, FINAL] },
    steps: [{ prompts: ["do it", "once more"] }],
  }),
  InstructionsLoaded: observed({ ...base, files: { "CLAUDE.md": "Be brief." } }),
  CwdChanged: observed({ script: says(bash("cd sub"), bash(PRINTS_VARIABLE)), files: { "sub/file": "" } }),
  FileChanged: observed({
    script: says(bash("sleep 1; echo new > watched.txt; sleep 2"), bash(PRINTS_VARIABLE)),
    files: { "watched.txt": "old" },
  }),
  MessageDisplay: observed(base),
};
