import { asked, fed, file, marked, PRINTS_RESULT, type Scenario, TOKEN } from "../driver.ts";
import type { Script, ToolUse } from "../model.ts";
import type { Run, Setup } from "../run.ts";

/** Calls are what Cursor's backend orders: the names are those of its messages; `hook.<event>` orders a hook itself. */
export const bash = (command: string): ToolUse => ({ name: "shellStreamArgs", input: { command } });
export const hook = (event: string, input: object): ToolUse => ({ name: `hook.${event}`, input });
export const read = (path: string): ToolUse => ({ name: "readArgs", input: { path } });
export const write = (path: string): ToolUse => ({ name: "writeArgs", input: { path, fileText: "text" } });
export const echo: ToolUse = {
  name: "mcpArgs",
  input: { name: "tiny-echo", toolName: "echo", providerIdentifier: "tiny", args: { text: "hello" } },
};
export const MARK = bash("echo original > marker.txt");

export const says = (...calls: ToolUse[]): Script => ({
  main: [...calls.map((call) => ({ calls: [call] })), { text: "FINAL" }],
});
export const base: Setup = { script: says(MARK) };
export const mcp: Setup = { script: says(echo), mcp: true };
export const notes: Setup = {
  script: says(read("notes.txt")),
  files: { "notes.txt": "TEXT-OF-NOTES", "rewritten.txt": "REWRITTEN" },
};
export const toEnd = (run: Run) => run.sessions.at(-1)?.stdout.includes("FINAL") ?? false;
export const rewrite = {
  patch: { command: "echo REWRITTEN > marker.txt" },
  done: (run: Run) => file(run, "marker.txt") === "REWRITTEN\n",
};

export const observed = (setup: Setup, more: Partial<Scenario> = {}): Scenario => ({ setup, passed: toEnd, ...more });
export const ordered = (event: string, input: object, more: Partial<Scenario> = {}): Scenario =>
  observed({ script: says(hook(event, input)) }, more);
export const subagent = {
  subagentId: "s",
  subagentType: "explore",
  task: "t",
  parentConversationId: "c",
  toolCallId: "tool",
  subagentModel: "m",
};
/** Releases that know the orders of these events, and that tell why a run was ended [1.0.22 does not; seen 2026-11-22]. */
export const ORDERED = ">=1.0.26";

export const scenarios: Record<string, Scenario> = {
  sessionStart: {
    setup: base,
    passed: (run) => asked(run, "main") > 0,
    reader: "user",
    tellsOnDenial: true,
    tells: ORDERED,
    variables: ({ calls }) =>
      calls.some(({ native_event, variable }) => native_event === "stop" && variable === TOKEN.session_env),
  },
  preToolUse: { setup: base, passed: marked, rewrite, tellsOnDenial: true },
  beforeShellExecution: { setup: base, passed: marked, tellsOnDenial: true },
  beforeMCPExecution: { setup: mcp, passed: (run) => fed(run, "echo: hello"), tellsOnDenial: true },
  beforeReadFile: {
    setup: notes,
    passed: (run) => fed(run, "TEXT-OF-NOTES"),
    tellsOnDenial: true,
    unshown: { ask: "Cursor takes it for a broken answer, and blocks the read" },
  },
  postToolUse: {
    setup: base,
    passed: (run) => !fed(run, "REASON-TOKEN"),
    variants: { modified_output: mcp },
    original: "echo: hello",
  },
  postToolUseFailure: {
    setup: { script: says(bash(`${PRINTS_RESULT}; exit 3`)) },
    passed: (run) => !fed(run, "REASON-TOKEN"),
  },
  afterShellExecution: observed(base, { variants: { modified_output: { script: says(bash(PRINTS_RESULT)) } } }),
  afterMCPExecution: observed(mcp, { original: "echo: hello" }),
  afterFileEdit: observed({ script: says(write("written.txt")) }, { original: "written.txt" }),
  beforeSubmitPrompt: ordered(
    "beforeSubmitPrompt",
    { prompt: "do it", attachments: [] },
    {
      passed: (run) => !/"continue":false/.test(run.sessions[0]?.stdout ?? ""),
      reader: "user",
      releases: ORDERED,
      unseen: { additional_context: "what the backend does with it can't be seen" },
    },
  ),
  stop: { setup: base, passed: (run) => asked(run, "main") === 1, denied: (run) => asked(run, "main") === 2 },
  sessionEnd: observed(base),
  subagentStart: ordered(
    "subagentStart",
    { ...subagent, isParallelWorker: false },
    {
      passed: (run) => !/"permission":"(SUBAGENT_START_PERMISSION_)?deny"/i.test(run.sessions[0]?.stdout ?? ""),
      unseen: { additional_context: "what the backend does with it can't be seen" },
    },
  ),
  subagentStop: ordered(
    "subagentStop",
    { ...subagent, status: "completed", durationMs: "1", summary: "s", description: "d" },
    {
      passed: (run) => !fed(run, "REASON-TOKEN"),
    },
  ),
  preCompact: ordered(
    "preCompact",
    {
      trigger: "manual",
      contextUsagePercent: 80,
      contextTokens: "1",
      contextWindowSize: "2",
      messageCount: 1,
      messagesToCompact: 1,
    },
    { unseen: { reason: "a reason that becomes a message goes to the backend, as what the model is told does" } },
  ),
  afterAgentResponse: ordered("afterAgentResponse", { text: "t" }, { releases: ORDERED }),
  afterAgentThought: ordered("afterAgentThought", { text: "t", durationMs: "1" }, { releases: ORDERED }),
};
