import { join } from "node:path";
import { EVENT_ALIASES } from "../../../src/hosts/copilot/capabilities.ts";
import { copilot as host } from "../../../src/hosts/copilot/index.ts";
import {
  countModelRequests,
  type HostCase,
  type HostDriver,
  hasReachedModel,
  readProjectFile,
  hasFired,
  findFirstProblem,
  hasMarker,
  PRINT_RESULT_COMMAND,
  type HostScenario,
  judgeSkippedHooks,
  findRunProblem,
  TOKENS,
} from "../driver.ts";
import { buildInstallAction, nameStep } from "../install-cases.ts";
import type { ModelScript, ToolUse, ModelTurn } from "../model.ts";
import { CACHE_FOLDER, PROBE_EXECUTABLE } from "../releases.ts";
import { isInstalledByExecutable, type RunFolders, writeRunFile, type HostRun, type RunSetup } from "../run.ts";

const buildBashCall = (command: string): ToolUse => ({ name: "bash", input: { command, description: "d" } });
const MARK = buildBashCall("echo original > marker.txt");
const FINAL: ModelTurn = { text: "FINAL" };
const scriptCalls = (...calls: ToolUse[]): ModelScript => ({
  main: [...calls.map((call) => ({ calls: [call] })), FINAL],
});
const base: RunSetup = { script: scriptCalls(MARK) };
const echo: ToolUse = { name: "tiny-echo", input: { text: "hello" } };
const task: ToolUse = {
  name: "task",
  input: { prompt: "SUBAGENT, do it", description: "d", agent_type: "task", name: "n" },
};
const inAgent: RunSetup = { script: { ...scriptCalls(task), subagent: [{ calls: [MARK] }, { text: "SUBDONE" }] } };
/** A large prompt makes Copilot summarize the conversation and then continue. */
const compacting: RunSetup = {
  script: { main: [{ calls: [MARK], tokens: 190_000 }, { calls: [buildBashCall("true")] }, FINAL, FINAL] },
};

const rewrite = {
  patch: { command: "echo REWRITTEN > marker.txt" },
  done: (run: HostRun) => readProjectFile(run, "marker.txt") === "REWRITTEN\n",
};
const hasReachedEnd = (run: HostRun) => run.sessions.at(-1)?.stdout.includes("FINAL") ?? false;
const createObservedScenario = (setup: RunSetup, more: Partial<HostScenario> = {}): HostScenario => ({
  setup,
  passed: hasReachedEnd,
  ...more,
});
/** A call that counts as failed in Copilot. A shell command with a nonzero exit code doesn't. */
const failing: RunSetup = { script: scriptCalls({ name: "view", input: { path: "nope.txt" } }) };

const scenarios: Record<string, HostScenario> = {
  sessionStart: createObservedScenario(base),
  preToolUse: { setup: base, passed: hasMarker, rewrite },
  postToolUse: {
    setup: base,
    passed: (run) => !hasReachedModel(run, TOKENS.reason),
    variants: { modified_output: { script: scriptCalls(buildBashCall(PRINT_RESULT_COMMAND)) } },
  },
  userPromptSubmitted: { setup: base, passed: (run) => countModelRequests(run, "main") > 0, reader: "user" },
  agentStop: {
    setup: base,
    passed: (run) => countModelRequests(run, "main") === 2,
    denied: (run) => countModelRequests(run, "main") > 2,
  },
  sessionEnd: createObservedScenario(base),
  postToolUseFailure: {
    setup: failing,
    passed: (run) => !hasReachedModel(run, TOKENS.reason),
    original: "does not exist",
  },
  permissionRequest: {
    setup: { ...base, steps: [{ args: [] }] },
    passed: hasMarker,
    // With no user to answer, the prompt is declined.
    unanswered: (run) => !hasMarker(run) && hasReachedModel(run, "no interactive user response"),
  },
  subagentStart: createObservedScenario(inAgent),
  subagentStop: {
    setup: inAgent,
    passed: (run) => countModelRequests(run, "subagent") === 2,
    denied: (run) => countModelRequests(run, "subagent") > 2,
  },
  preCompact: createObservedScenario(compacting),
  // An unattended run can't get permission to read outside the project. The delay is needed because Copilot doesn't
  // wait for these hooks.
  notification: createObservedScenario({
    script: { main: [{ calls: [{ name: "view", input: { path: "/nonexistent" } }] }, { ...FINAL, delay: 1_000 }] },
  }),
  errorOccurred: {
    setup: { script: { main: [{ status: 400 }] } },
    passed: (run) => hasFired(run, "errorOccurred") && countModelRequests(run, "main") === 1,
    ended: ({ sessions }) => sessions[0]?.code === 1,
  },
  userPromptTransformed: createObservedScenario(base),
  preMcpToolCall: createObservedScenario(
    { script: scriptCalls(echo), mcp: true },
    { passed: (run) => hasReachedModel(run, "echo: hello") },
  ),
};

/** Installs entries only for this event, to speed up the run. */
const limitToEvent = ([event, { setup, ...rest }]: [string, HostScenario]): [string, HostScenario] => [
  event,
  { setup: { ...setup, events: [event] }, ...rest },
];

/** Builds a scenario for the event under its Claude Code name, as used in Claude Code's config files. */
const createClaudeScenario = (native_event: string): HostScenario => {
  const { setup, variants = {}, ...rest } = scenarios[EVENT_ALIASES[native_event] as string] as HostScenario;
  const events = [native_event];
  return {
    setup: { ...setup, events },
    variants: Object.fromEntries(Object.entries(variants).map(([field, variant]) => [field, { ...variant, events }])),
    ...rest,
    unseen: { user_message: "the CLI does not show the message; VS Code can't run here" },
  };
};
const SHOWN = ["PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop"];

/** The names of the events for which `install` writes entries. */
const events = Object.keys(host.capabilities).filter((event) => !Object.hasOwn(EVENT_ALIASES, event));

const getProgram = (folder: string) =>
  join(
    folder,
    `node_modules/@github/copilot-${process.platform}-${process.arch}`,
    process.platform === "win32" ? "copilot.exe" : "copilot",
  );

const buildConfig = (setup: RunSetup, probe: string) => {
  const command = (event: string) =>
    `"${setup.executable ?? probe}" --host copilot --event ${event} ${setup.flags ?? ""}`.trim();
  const entry = (event: string) => ({ type: "command", command: command(event), timeout: 20, ...setup.entry });
  const hooks = Object.fromEntries((setup.events ?? events).map((event) => [event, [entry(event)]]));
  return setup.broken ? `{"version":1,"hooks":${JSON.stringify(hooks)},}` : JSON.stringify({ version: 1, hooks });
};

const getHooksFolder = ({ scope }: RunSetup, { home, project, etc }: RunFolders) =>
  scope === "managed"
    ? join(etc, "github-copilot/policy.d")
    : scope === "project"
      ? join(project, ".github/hooks")
      : join(home, ".copilot/hooks");

const MCP = JSON.stringify({
  mcpServers: {
    tiny: { type: "local", command: process.execPath, args: [join(import.meta.dir, "../mcp.ts")], tools: ["*"] },
  },
});

/** A denial at preToolUse, regardless of which entry runs. */
const denying: Pick<RunSetup, "plan"> = {
  plan: ["preToolUse", "PreToolUse"].map((event) => ({ event, answer: { decision: "deny", reason: TOKENS.reason } })),
};
const judgeRanAndHeld = (run: HostRun): string | undefined =>
  findFirstProblem(
    findRunProblem(run),
    !hasFired(run, "preToolUse") && !hasFired(run, "PreToolUse") && "the executable did not run: the hook was skipped",
    hasMarker(run) && "the denial was not enforced",
    !hasReachedModel(run, TOKENS.reason) && "the model did not get the reason",
  );
const DISABLING = { ".github/copilot/settings.json": JSON.stringify({ disableAllHooks: true }) };
/** A Claude Code entry that calls bridge-hooks. */
const CLAUDES = JSON.stringify({
  hooks: {
    PreToolUse: [
      { matcher: "*", hooks: [{ type: "command", command: `"${PROBE_EXECUTABLE}" --host claude --event PreToolUse` }] },
    ],
  },
});

const createLimitCase = (name: string, setup: Partial<RunSetup>): HostCase => ({
  name: `limit: ${name}`,
  setup: { ...base, ...denying, ...setup },
  judge: judgeSkippedHooks,
});

export const driver: HostDriver = {
  host,
  program: getProgram,
  runner: (release, probe) => ({
    release,
    path: join(getProgram(release.folder), ".."),
    configure(setup, place) {
      if (isInstalledByExecutable(setup)) return;
      writeRunFile(join(getHooksFolder(setup, place), "hooks.json"), buildConfig(setup, probe));
    },
    start({ args = ["--allow-all-tools"], prompt = "do it" }, setup, { url, home }) {
      // Hooks in the policy or user scope don't need trust.
      const trusting = setup.trusting ? ["--trust-folder"] : [];
      const mcp = setup.mcp ? ["--additional-mcp-config", MCP] : [];
      return {
        argv: [getProgram(release.folder), "--disable-client-telemetry", ...trusting, ...mcp, ...args, "-p", prompt],
        env: {
          COPILOT_HOME: join(home, ".copilot"),
          // Where Copilot's executable unpacks its files; all runs share them.
          COPILOT_CACHE_HOME: join(CACHE_FOLDER, "copilot"),
          // The compile cache cuts Copilot's startup time by an eighth.
          NODE_COMPILE_CACHE: join(CACHE_FOLDER, "copilot-compiled"),
          COPILOT_OFFLINE: "true",
          COPILOT_AUTO_UPDATE: "false",
          COPILOT_PROVIDER_TYPE: "anthropic",
          COPILOT_PROVIDER_BASE_URL: url,
          COPILOT_PROVIDER_API_KEY: "dummy",
          COPILOT_MODEL: setup.model ?? "fake-model",
        },
      };
    },
  }),
  scenarios: {
    ...Object.fromEntries(Object.entries(scenarios).map(limitToEvent)),
    ...Object.fromEntries(SHOWN.map((event) => [event, createClaudeScenario(event)])),
  },
  unprovoked: {
    ...Object.fromEntries(
      Object.keys(EVENT_ALIASES)
        .filter((event) => !SHOWN.includes(event))
        .map((event) => [event, "the same as under the event's other name"]),
    ),
  },
  raw(field, native_event) {
    const behavior = native_event.toLowerCase() === "permissionrequest";
    switch (field) {
      case "deny":
        return {
          document: behavior
            ? { behavior: "deny", message: TOKENS.reason }
            : {
                permissionDecision: "deny",
                permissionDecisionReason: TOKENS.reason,
                decision: "block",
                reason: TOKENS.reason,
                continue: false,
              },
        };
      case "ask":
        return {
          document: behavior
            ? { behavior: "ask", message: TOKENS.reason }
            : { permissionDecision: "ask", permissionDecisionReason: TOKENS.reason, decision: "ask" },
        };
      case "user_message":
        return { document: { systemMessage: TOKENS.user_message, userNotification: TOKENS.user_message } };
      case "modified_input": {
        const modifiedArgs = { command: "echo REWRITTEN > marker.txt", description: "d", text: "REWRITTEN" };
        return { document: { modifiedArgs, updatedInput: modifiedArgs } };
      }
      case "additional_context":
        return { document: { additionalContext: TOKENS.additional_context } };
      case "modified_output":
        return { document: { modifiedResult: { resultType: "success", textResultForLlm: TOKENS.modified_output } } };
    }
  },
  shown: ({ sessions }) => sessions.map(({ stdout, stderr }) => stdout + stderr).join("\n"),
  bash: buildBashCall,
  inAgent,
  several: [{ scopes: ["user", "project", "local", "managed"], times: 4 }],
  missing: { blocks: "*" },
  closes: true,
  sharesCalls: true,
  actions: {
    bash: { calls: [MARK], tool: "bash", done: hasMarker },
    create: {
      calls: [{ name: "create", input: { path: "new.txt", file_text: "text" } }],
      tool: "create",
      done: (run) => readProjectFile(run, "new.txt") !== undefined,
    },
    edit: {
      calls: [{ name: "edit", input: { path: "old.txt", old_str: "one", new_str: "two" } }],
      tool: "edit",
      done: (run) => readProjectFile(run, "old.txt") === "two",
      setup: { files: { "old.txt": "one" } },
    },
    view: {
      calls: [{ name: "view", input: { path: "notes.txt" } }],
      tool: "view",
      done: (run) => hasReachedModel(run, "TEXT-OF-NOTES"),
      setup: { files: { "notes.txt": "TEXT-OF-NOTES" } },
    },
    "an MCP tool": {
      calls: [echo],
      tool: "tiny-echo",
      done: (run) => hasReachedModel(run, "echo: hello"),
      setup: { mcp: true },
    },
    task: { calls: [task], tool: "task", done: (run) => countModelRequests(run, "subagent") > 0 },
  },
  cases: [
    {
      name: "a trusted project's hooks: the denial is enforced",
      setup: { ...base, ...denying, scope: "project", trusting: true },
      judge: judgeRanAndHeld,
    },
    createLimitCase("a project's hooks are skipped if the directory is not trusted", { scope: "project" }),
    {
      name: "a project's hooks in an untrusted directory, with GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS: the denial is enforced",
      setup: {
        ...base,
        ...denying,
        scope: "project",
        steps: [{ env: { GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS: "true" } }],
      },
      judge: judgeRanAndHeld,
    },
    {
      name: "policy.d: the denial is enforced in a trusted project that turns hooks off",
      setup: { ...base, ...denying, scope: "managed", files: DISABLING, trusting: true },
      mounts: true,
      judge: judgeRanAndHeld,
    },
    createLimitCase("a trusted project that turns hooks off also turns off the user's hooks", {
      files: DISABLING,
      trusting: true,
    }),
    {
      name: "an untrusted project that turns hooks off does not turn off the user's hooks",
      setup: { ...base, ...denying, files: DISABLING },
      judge: judgeRanAndHeld,
    },
    createLimitCase("with a trailing comma in the config, no hook runs", { broken: true }),
    {
      name: "Claude Code's settings of a trusted project: the denial of an entry with --host claude is enforced",
      setup: { ...base, ...denying, events: [], files: { ".claude/settings.json": CLAUDES }, trusting: true },
      judge: judgeRanAndHeld,
    },
    {
      name: "install --host claude --host copilot in a project: both entries deny, and the model gets no context twice",
      setup: {
        script: scriptCalls(MARK, { name: "create", input: { path: "written.txt", file_text: "text" } }),
        trusting: true,
        plan: [
          ...["preToolUse", "PreToolUse"].flatMap((event) => [
            {
              event,
              tool: event === "preToolUse" ? "bash" : "Bash",
              answer: { decision: "deny" as const, reason: TOKENS.reason },
            },
            {
              event,
              tool: event === "preToolUse" ? "create" : "Write",
              answer: { additional_context: "BEFORE-TOKEN" },
            },
          ]),
        ],
        steps: [nameStep("installed", { before: [buildInstallAction("install", "project", ["claude", "copilot"])] })],
      },
      judge: (run) => {
        const times = run.requests.at(-1)?.text.split("BEFORE-TOKEN").length ?? 0;
        return findFirstProblem(
          judgeRanAndHeld(run),
          !hasFired(run, "PreToolUse") && "the entry in Claude Code's settings did not run",
          readProjectFile(run, "written.txt") === undefined && "the harmless call did not take place",
          times !== 2 && `the model got the context ${times - 1} times`,
        );
      },
    },
    {
      ...createLimitCase("if a hook exceeds its entry's timeout, the call is allowed", {}),
      ...createSlowHookCase(),
    },
    {
      name: "a missing executable: the call does not take place",
      setup: { ...base, executable: "/nonexistent/bridge-hooks", events: ["preToolUse"] },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          hasMarker(run) && "the call took place",
          !hasReachedModel(run, "hook errored") && "the model got no message",
        ),
    },
  ],
};

/** Builds a case with an entry whose timeout is shorter than the hook's. */
function createSlowHookCase(): Pick<HostCase, "setup" | "judge"> {
  return {
    setup: {
      ...base,
      entry: { timeout: 1 },
      events: ["preToolUse"],
      plan: [{ event: "preToolUse", way: "hang" }],
      flags: "--on-error deny",
    },
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        !hasFired(run, "preToolUse") && "the executable did not run",
        !hasMarker(run) && "the call did not take place",
      ),
  };
}
