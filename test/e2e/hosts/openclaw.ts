import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ConfigFile, OwnFormat } from "../../../src/protocol/host/install.ts";
import { NATIVE_EVENTS } from "../../../src/hosts/openclaw/events.ts";
import { openclaw as host } from "../../../src/hosts/openclaw/index.ts";
import { PLUGIN_MANIFEST, setup as installation } from "../../../src/hosts/openclaw/install.ts";
import {
  countModelRequests,
  type HostDriver,
  hasReachedModel,
  readProjectFile,
  hasFired,
  findFirstProblem,
  hasMarker,
  PRINT_RESULT_COMMAND,
  findRunProblem,
  TOKENS,
} from "../driver.ts";
import { scaleMs } from "../../support/machine.ts";
import type { ModelScript, ToolUse, ModelTurn } from "../model.ts";
import { CACHE_FOLDER, getLockedNode } from "../releases.ts";
import {
  isInstalledByExecutable,
  listWantedEvents,
  type RunFolders,
  writeRunFile,
  type HostRun,
  type RunSetup,
} from "../run.ts";
import { buildConfig, Gateway, QUICK_ENVIRONMENT, wrapExecutable } from "./openclaw-gateway.ts";

const buildExecCall = (command: string): ToolUse => ({ name: "exec", input: { command } });
const MARK = buildExecCall("echo original > marker.txt");
const FINAL: ModelTurn = { text: "FINAL" };
const scriptCalls = (...calls: ToolUse[]): ModelScript => ({
  main: [...calls.map((call) => ({ calls: [call] })), FINAL],
});
/** Builds a call to a tool in the catalog. */
const buildCatalogueCall = (id: string, args: object): ToolUse => ({ name: "tool_call", input: { id, args } });

const base: RunSetup = { script: scriptCalls(MARK) };
const talking: RunSetup = { script: { main: [FINAL] } };
const failing: RunSetup = { script: scriptCalls({ name: "read", input: { path: "none.txt" } }) };
const chatting: RunSetup = { ...base, steps: [{ app: [{ do: "chat" }] }] };
/** Runs a chat command and then a prompt. */
const createCommandSetup = (line: string): RunSetup => ({
  ...talking,
  steps: [{ prompts: [line, "do it"], app: [{ do: "chat" }] }],
});
const [renewing, resetting] = [createCommandSetup("/new"), createCommandSetup("/reset")];
/** Observe-only events that these runs trigger. */
const PROVOKED = ["before_model_resolve", "before_prompt_build", "tool_result_persist", "command:reset"];
/** Events that fire dozens of times per session. */
const UNPROVOKED = NATIVE_EVENTS.filter((name) => !PROVOKED.includes(name));
const SPAWN = buildCatalogueCall("sessions_spawn", { task: "SUBAGENT, do it", agentId: "main" });
const inAgent: RunSetup = {
  script: {
    main: [{ calls: [SPAWN] }, { calls: [{ name: "sessions_yield", input: { message: "waiting" } }] }, FINAL],
    subagent: [{ calls: [MARK] }, { text: "SUBDONE" }],
  },
};

const PRE = "before_tool_call";
const hasReachedModelTurn = (run: HostRun) => countModelRequests(run, "main") > 0;
const rewrite = {
  patch: { command: "echo REWRITTEN > marker.txt" },
  done: (run: HostRun) => readProjectFile(run, "marker.txt") === "REWRITTEN\n",
};
const getLog = ({ sessions }: HostRun) => sessions.map(({ stdout, stderr }) => `${stdout}\n${stderr}`).join("\n");
/**
 * Extracts the log that the user sees, without failures of the previous run's plugin: its end event arrives when that
 * run's executable is already gone.
 */
const getShownText = (run: HostRun) =>
  getLog(run)
    .split("\n")
    .filter((line) => !line.includes("it can't be started") || line.includes(run.place.run))
    .join("\n");

const modules = (
  installation.listConfigFiles({ roots: [], home: "", platform: process.platform, env: {} }) as [ConfigFile]
).map(({ syntax }) => syntax);
const events = installation.planSubscriptions("all").map(({ native_event }) => native_event);

/** Builds the plugin's source, with entries for the events the run asks for. */
function buildPlugin(setup: RunSetup, command: string): string {
  const { write } = modules[0] as OwnFormat;
  const flags = setup.flags?.split(" ").filter(Boolean) ?? [];
  const wanted = listWantedEvents(setup, events, UNPROVOKED);
  const entry = (name: string) => ({ command, args: ["--host", "openclaw", "--event", name, ...flags], timeout: 20 });
  const hooks = Object.fromEntries(wanted.map((name) => [name, [entry(name)]]));
  return write(JSON.stringify({ hooks })) + (setup.repliesAt ? logReplies(setup.repliesAt) : "");
}

/** A handler that runs later and logs the replies OpenClaw is about to send. */
const logReplies = (name: string) => `
const { register } = openclawPlugin;
openclawPlugin.register = (api) => {
  register(api);
  const log = ({ messages }) => void api.logger.warn("REPLIES " + JSON.stringify(messages));
  api.registerHook(${JSON.stringify(name)}, log, { name: "replies", description: "replies" });
};
`;

const ENABLED = {
  plugins: { entries: { "bridge-hooks": { enabled: true, hooks: { allowConversationAccess: true } } } },
};

/** Writes the plugin's files and its config entry, as installing it would. */
function installPlugin(home: string, config: object, plugin: string): void {
  const state = join(home, ".openclaw");
  writeRunFile(join(state, "openclaw.json"), JSON.stringify({ ...config, ...ENABLED }));
  writeRunFile(join(state, "extensions/bridge-hooks/openclaw.plugin.json"), JSON.stringify(PLUGIN_MANIFEST));
  writeRunFile(join(state, "extensions/bridge-hooks/index.mjs"), plugin);
}

/**
 * Starts OpenClaw once to complete the installation without install scripts. If several first launches run
 * concurrently, they fail [seen 2026.9.6, 2026-11-23].
 */
function completeInstallation([node = "", main = ""]: readonly string[]): void {
  const home = join(CACHE_FOLDER, "openclaw-0");
  mkdirSync(home, { recursive: true });
  spawnSync(node, [main, "--version"], {
    env: { PATH: dirname(node), HOME: home, TMPDIR: home },
    cwd: home,
    stdio: "ignore",
    timeout: scaleMs(60_000),
  });
}

/** Whether a run needs its own process, either to run another command or to use installed files. */
const isSeparateProcess = ({ steps = [] }: RunSetup) => steps.some(({ args, before }) => args || before);
const LOCAL = ["agent", "--local", "--agent", "main", "--message"];

const denial: Pick<RunSetup, "plan"> = { plan: [{ event: PRE, answer: { decision: "deny", reason: TOKENS.reason } }] };
const createExecSetup = (plan: RunSetup["plan"]): RunSetup => ({ ...base, plan, steps: [{ args: ["agent", "exec"] }] });

export const driver: HostDriver = {
  host,
  // OpenClaw might require a newer version of Node than the system has.
  program: getLockedNode,
  runner(release, probe) {
    const argv = [getLockedNode(release.folder), join(release.folder, "node_modules/openclaw/openclaw.mjs")];
    completeInstallation(argv);
    const free: Gateway[] = [];
    let started = 0;
    const open = () =>
      Gateway.open(++started, argv, (home, config) =>
        installPlugin(home, config, buildPlugin({ script: talking.script, events: [] }, "/nonexistent")),
      );
    return {
      release,
      path: `${join(release.folder, "node_modules/.bin")}:${dirname(getLockedNode(release.folder))}`,
      configure(setup, place) {
        const config = buildConfig(place.url, place.project, 28_789);
        if (isInstalledByExecutable(setup))
          writeRunFile(join(place.home, ".openclaw/openclaw.json"), JSON.stringify(config));
        else if (isSeparateProcess(setup))
          installPlugin(place.home, config, buildPlugin(setup, setup.executable ?? probe));
      },
      start: ({ args = LOCAL, prompt = "do it" }) => ({ argv: [...argv, ...args, prompt], env: QUICK_ENVIRONMENT }),
      async session({ app, env, prompts, prompt = "do it" }, setup, place: RunFolders) {
        if (isSeparateProcess(setup)) return undefined;
        const gateway = free.pop() ?? (await open());
        const executable = setup.executable ?? probe;
        const command = executable.startsWith("/nonexistent") ? executable : wrapExecutable(executable, place, env);
        const { bound = 60 } = setup;
        const order = {
          place,
          plugin: buildPlugin(setup, command),
          prompts: prompts ?? [prompt],
          chat: app !== undefined,
          settles: setup.script.subagent !== undefined,
          bound,
        } as const;
        const session = await gateway.run(order);
        if (gateway.alive && !session.hung) free.push(gateway);
        else await gateway.close();
        return session;
      },
      close: async () => void (await Promise.all(free.map((gateway) => gateway.close()))),
    };
  },
  scenarios: {
    session_start: { setup: talking, passed: hasReachedModelTurn },
    before_agent_run: { setup: talking, passed: hasReachedModelTurn, reader: "user" },
    before_tool_call: {
      setup: base,
      passed: hasMarker,
      rewrite,
      variants: { ask: chatting },
      asked: (run) => getLog(run).includes("plugin.approval.requested") && !hasMarker(run),
    },
    tool_result: {
      setup: base,
      at: { tool: "exec" },
      passed: (run) => !hasReachedModel(run, TOKENS.reason),
      variants: { modified_output: { script: scriptCalls(buildExecCall(PRINT_RESULT_COMMAND)) } },
    },
    tool_failure: {
      setup: failing,
      at: { tool: "read" },
      passed: (run) => !hasReachedModel(run, TOKENS.reason),
      original: "ENOENT",
    },
    before_agent_finalize: {
      setup: talking,
      passed: (run) => countModelRequests(run, "main") === 1,
      denied: (run) => countModelRequests(run, "main") > 1,
    },
    // One run subscribes to every event, so that all payloads are recorded.
    session_end: { setup: { ...talking, events }, passed: hasReachedModelTurn },
    agent_end: { setup: talking, passed: hasReachedModelTurn },
    before_model_resolve: { setup: talking, passed: hasReachedModelTurn },
    before_prompt_build: { setup: talking, passed: hasReachedModelTurn },
    tool_result_persist: { setup: base, passed: hasMarker },
    "command:new": { setup: renewing, passed: hasReachedModelTurn },
    "command:reset": { setup: resetting, passed: hasReachedModelTurn },
  },
  unprovoked: {
    subagent_spawned: "omitted to keep the runs short: the event decides nothing",
    subagent_ended: "omitted to keep the runs short: the event decides nothing",
    before_compaction: "omitted to keep the runs short: the event decides nothing",
    after_compaction: "omitted to keep the runs short: the event decides nothing",
    before_reset: "omitted to keep the runs short: the event decides nothing",
    message_received: "requires a channel",
    "agent:bootstrap": "omitted to keep the runs short: the event decides nothing",
    "gateway:startup": "the gateway starts before the plugin has its entries",
    "gateway:shutdown": "one gateway serves all runs",
    before_install: "omitted to keep the runs short: the runs install nothing",
    ...Object.fromEntries(
      UNPROVOKED.map((name) => [name, "omitted to keep the runs short: the event decides nothing"]),
    ),
  },
  shown: getShownText,
  bash: buildExecCall,
  inAgent,
  // OpenClaw doesn't continue after a call that changed something.
  stopping: { setup: talking, turns: 1 },
  several: [],
  missing: { blocks: "*" },
  actions: {
    exec: { calls: [MARK], tool: "exec", done: hasMarker },
    write: {
      calls: [{ name: "write", input: { path: "added.txt", content: "text\n" } }],
      tool: "write",
      done: (run) => readProjectFile(run, "added.txt") !== undefined,
    },
    edit: {
      calls: [{ name: "edit", input: { path: "there.txt", edits: [{ oldText: "one", newText: "two" }] } }],
      tool: "edit",
      done: (run) => readProjectFile(run, "there.txt") === "two\n",
      setup: { files: { "there.txt": "one\n" } },
    },
    read: {
      calls: [{ name: "read", input: { path: "there.txt" } }],
      tool: "read",
      done: (run) => hasReachedModel(run, "SECRET"),
      setup: { files: { "there.txt": "SECRET\n" } },
    },
    "an MCP tool": {
      calls: [buildCatalogueCall("tiny__echo", { text: "hello" })],
      tool: "tiny__echo",
      done: (run) => hasReachedModel(run, "echo: hello"),
    },
    sessions_spawn: {
      calls: [SPAWN],
      tool: "sessions_spawn",
      done: (run) => countModelRequests(run, "subagent") > 0,
      setup: { script: { ...scriptCalls(SPAWN), subagent: [{ text: "SUBDONE" }] } },
    },
  },
  cases: [
    {
      name: "agent exec: the denial of a call is enforced",
      setup: createExecSetup(denial.plan),
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          !hasFired(run, PRE) && "the executable did not run",
          hasMarker(run) && "the denial was not enforced",
          !hasReachedModel(run, TOKENS.reason) && "the model did not get the reason",
        ),
    },
    {
      name: "limit: agent exec reports only tool calls",
      setup: createExecSetup([]),
      judge: (run) => {
        const more = run.calls.find(({ native_event }) => native_event !== PRE);
        return findFirstProblem(
          findRunProblem(run),
          !hasFired(run, PRE) && "the executable did not run",
          !hasMarker(run) && "the call did not take place",
          more && `the executable received ${more.native_event}: the limit no longer applies; update the README`,
        );
      },
    },
    {
      name: "a message at command:new is among the replies that OpenClaw sends",
      setup: {
        ...renewing,
        repliesAt: "command:new",
        plan: [{ event: "command:new", answer: { user_message: TOKENS.user_message } }],
      },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          !getLog(run).includes(`REPLIES ["${TOKENS.user_message}"]`) && "the event's messages don't include it",
        ),
    },
    {
      name: "a missing executable with the policy to deny: the call does not take place",
      setup: { ...base, executable: "/nonexistent/bridge-hooks", flags: "--on-error deny" },
      judge: (run) => findFirstProblem(findRunProblem(run), hasMarker(run) && "the call took place"),
    },
    {
      name: "a missing executable with the policy to allow: the call takes place",
      setup: { ...base, executable: "/nonexistent/bridge-hooks" },
      judge: (run) => findFirstProblem(findRunProblem(run), !hasMarker(run) && "the call did not take place"),
    },
  ],
};
