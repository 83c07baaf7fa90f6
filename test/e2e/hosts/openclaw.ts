import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ConfigFile, Module } from "../../../src/protocol/host/install.ts";
import { NATIVE } from "../../../src/hosts/openclaw/events.ts";
import { openclaw as host } from "../../../src/hosts/openclaw/index.ts";
import { MANIFEST, setup as installation } from "../../../src/hosts/openclaw/install/setup.ts";
import { asked, type Driver, fed, file, fired, first, marked, PRINTS_RESULT, soundness, TOKEN } from "../driver.ts";
import type { Script, ToolUse, Turn } from "../model.ts";
import { CACHE } from "../releases.ts";
import { installsItself, type Place, put, type Run, type Setup } from "../run.ts";
import { configOf, Gateway, QUICK, wrapped } from "./openclaw-gateway.ts";

const bash = (command: string): ToolUse => ({ name: "exec", input: { command } });
const MARK = bash("echo original > marker.txt");
const FINAL: Turn = { text: "FINAL" };
const says = (...calls: ToolUse[]): Script => ({ main: [...calls.map((call) => ({ calls: [call] })), FINAL] });
/** A tool out of the catalogue. */
const catalogued = (id: string, args: object): ToolUse => ({ name: "tool_call", input: { id, args } });

const base: Setup = { script: says(MARK) };
const talking: Setup = { script: { main: [FINAL] } };
const failing: Setup = { script: says({ name: "read", input: { path: "none.txt" } }) };
const chatting: Setup = { ...base, steps: [{ app: [{ do: "chat" }] }] };
/** A command in the chat, and then a prompt. */
const commanding = (line: string): Setup => ({
  ...talking,
  steps: [{ prompts: [line, "do it"], app: [{ do: "chat" }] }],
});
const [renewing, resetting] = [commanding("/new"), commanding("/reset")];
/** Of the events that are told and no more, those that happen here. */
const PROVOKED = ["before_model_resolve", "before_prompt_build", "tool_result_persist", "command:reset"];
const SPAWN = catalogued("sessions_spawn", { task: "SUBAGENT, do it", agentId: "main" });
const inAgent: Setup = {
  script: {
    main: [{ calls: [SPAWN] }, { calls: [{ name: "sessions_yield", input: { message: "waiting" } }] }, FINAL],
    subagent: [{ calls: [MARK] }, { text: "SUBDONE" }],
  },
};

const PRE = "before_tool_call";
const reached = (run: Run) => asked(run, "main") > 0;
const rewrite = {
  patch: { command: "echo REWRITTEN > marker.txt" },
  done: (run: Run) => file(run, "marker.txt") === "REWRITTEN\n",
};
const log = ({ sessions }: Run) => sessions.map(({ stdout, stderr }) => `${stdout}\n${stderr}`).join("\n");
/** As it is shown: the plugin of the run before is told of its end when the executable of that run is gone. */
const shown = (run: Run) =>
  log(run)
    .split("\n")
    .filter((line) => !line.includes("it can't be started") || line.includes(run.place.run))
    .join("\n");

const modules = (
  installation.configs({ roots: [], home: "", platform: process.platform, env: {} }) as [ConfigFile]
).map(({ syntax }) => syntax);
const events = installation.subscriptions("all").map(({ native_event }) => native_event);

/** The plugin's text with entries as the run asks for them. */
function pluginOf(setup: Setup, command: string): string {
  const { before, after } = modules[0] as Module;
  const flags = setup.flags?.split(" ").filter(Boolean) ?? [];
  const entry = (name: string) => ({ command, args: ["--host", "openclaw", "--event", name, ...flags], timeout: 20 });
  return (
    before +
    JSON.stringify({ hooks: Object.fromEntries((setup.events ?? events).map((name) => [name, [entry(name)]])) }) +
    after
  );
}

const ENABLED = {
  plugins: { entries: { "bridge-hooks": { enabled: true, hooks: { allowConversationAccess: true } } } },
};

/** The plugin's files and its entry in the config, as an installation puts them. */
function installIn(home: string, config: object, plugin: string): void {
  const state = join(home, ".openclaw");
  put(join(state, "openclaw.json"), JSON.stringify({ ...config, ...ENABLED }));
  put(join(state, "extensions/bridge-hooks/openclaw.plugin.json"), JSON.stringify(MANIFEST));
  put(join(state, "extensions/bridge-hooks/index.mjs"), plugin);
}

/** It asks for a newer Node than the system may have; the lock has one for Linux. */
const program = (folder: string): string =>
  join(folder, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
/** Its first start completes an installation without install scripts; a second one at the same time ends with an error [seen 2026.9.6, 2026-11-23]. */
function settle([node = "", main = ""]: readonly string[]): void {
  const home = join(CACHE, "openclaw-0");
  mkdirSync(home, { recursive: true });
  spawnSync(node, [main, "--version"], {
    env: { PATH: dirname(node), HOME: home, TMPDIR: home },
    cwd: home,
    stdio: "ignore",
    timeout: 60_000,
  });
}

/** A process of its own: another command, or files that somebody installed. */
const isOwn = ({ steps = [] }: Setup) => steps.some(({ args, before }) => args || before);
const LOCAL = ["agent", "--local", "--agent", "main", "--message"];

const denial: Pick<Setup, "plan"> = { plan: [{ event: PRE, answer: { decision: "deny", reason: TOKEN.reason } }] };
const execing = (plan: Setup["plan"]): Setup => ({ ...base, plan, steps: [{ args: ["agent", "exec"] }] });

export const openclaw: Driver = {
  host,
  program,
  runner(release, probe) {
    const argv = [program(release.folder), join(release.folder, "node_modules/openclaw/openclaw.mjs")];
    settle(argv);
    const free: Gateway[] = [];
    let started = 0;
    const open = () =>
      Gateway.open(++started, argv, (home, config) =>
        installIn(home, config, pluginOf({ script: talking.script, events: [] }, "/nonexistent")),
      );
    return {
      release,
      path: `${join(release.folder, "node_modules/.bin")}:${dirname(program(release.folder))}`,
      configure(setup, place) {
        const config = configOf(place.url, place.project, 28_789);
        if (installsItself(setup)) put(join(place.home, ".openclaw/openclaw.json"), JSON.stringify(config));
        else if (isOwn(setup)) installIn(place.home, config, pluginOf(setup, setup.executable ?? probe));
      },
      start: ({ args = LOCAL, prompt = "do it" }) => ({ argv: [...argv, ...args, prompt], env: QUICK }),
      async session({ app, env, prompts, prompt = "do it" }, setup, place: Place) {
        if (isOwn(setup)) return undefined;
        const gateway = free.pop() ?? (await open());
        const executable = setup.executable ?? probe;
        const command = executable.startsWith("/nonexistent") ? executable : wrapped(executable, place, env);
        const { bound = 60 } = setup;
        const order = {
          place,
          plugin: pluginOf(setup, command),
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
    session_start: { setup: talking, passed: reached },
    before_agent_run: { setup: talking, passed: reached, reader: "user" },
    before_tool_call: {
      setup: base,
      passed: marked,
      rewrite,
      variants: { ask: chatting },
      asked: (run) => log(run).includes("plugin.approval.requested") && !marked(run),
    },
    tool_result: {
      setup: base,
      at: { tool: "exec" },
      passed: (run) => !fed(run, TOKEN.reason),
      variants: { modified_output: { script: says(bash(PRINTS_RESULT)) } },
    },
    tool_failure: {
      setup: failing,
      at: { tool: "read" },
      passed: (run) => !fed(run, TOKEN.reason),
      original: "ENOENT",
    },
    before_agent_finalize: {
      setup: talking,
      passed: (run) => asked(run, "main") === 1,
      denied: (run) => asked(run, "main") > 1,
    },
    session_end: { setup: talking, passed: reached },
    agent_end: { setup: talking, passed: reached },
    before_model_resolve: { setup: talking, passed: reached },
    before_prompt_build: { setup: talking, passed: reached },
    tool_result_persist: { setup: base, passed: marked },
    "command:new": { setup: renewing, passed: reached },
    "command:reset": { setup: resetting, passed: reached },
  },
  unprovoked: {
    subagent_spawned: "to keep the runs short: it decides nothing",
    subagent_ended: "to keep the runs short: it decides nothing",
    before_compaction: "to keep the runs short: it decides nothing",
    after_compaction: "to keep the runs short: it decides nothing",
    before_reset: "to keep the runs short: it decides nothing",
    message_received: "it takes a channel",
    "agent:bootstrap": "to keep the runs short: it decides nothing",
    "gateway:startup": "the gateway starts before the plugin has its entries",
    "gateway:shutdown": "the gateway runs for all runs",
    before_install: "to keep the runs short: nothing is installed in them",
    ...Object.fromEntries(
      NATIVE.filter((name) => !PROVOKED.includes(name)).map((name) => [
        name,
        "to keep the runs short: it decides nothing",
      ]),
    ),
  },
  shown,
  bash,
  inAgent,
  // It does not go on after a call that changed something.
  stopping: { setup: talking, turns: 1 },
  several: [],
  missing: { blocks: "*" },
  actions: {
    exec: { calls: [MARK], tool: "exec", done: marked },
    write: {
      calls: [{ name: "write", input: { path: "added.txt", content: "text\n" } }],
      tool: "write",
      done: (run) => file(run, "added.txt") !== undefined,
    },
    edit: {
      calls: [{ name: "edit", input: { path: "there.txt", edits: [{ oldText: "one", newText: "two" }] } }],
      tool: "edit",
      done: (run) => file(run, "there.txt") === "two\n",
      setup: { files: { "there.txt": "one\n" } },
    },
    read: {
      calls: [{ name: "read", input: { path: "there.txt" } }],
      tool: "read",
      done: (run) => fed(run, "SECRET"),
      setup: { files: { "there.txt": "SECRET\n" } },
    },
    "an MCP tool": {
      calls: [catalogued("tiny__echo", { text: "hello" })],
      tool: "tiny__echo",
      done: (run) => fed(run, "echo: hello"),
    },
    sessions_spawn: {
      calls: [SPAWN],
      tool: "sessions_spawn",
      done: (run) => asked(run, "subagent") > 0,
      setup: { script: { ...says(SPAWN), subagent: [{ text: "SUBDONE" }] } },
    },
  },
  cases: [
    {
      name: "agent exec: the denial of a call holds",
      setup: execing(denial.plan),
      judge: (run) =>
        first(
          soundness(run),
          !fired(run, PRE) && "our process did not run",
          marked(run) && "the denial did not hold",
          !fed(run, TOKEN.reason) && "the model was not told why",
        ),
    },
    {
      name: "limit: agent exec asks about tool calls alone",
      setup: execing([]),
      judge: (run) => {
        const more = run.calls.find(({ native_event }) => native_event !== PRE);
        return first(
          soundness(run),
          !fired(run, PRE) && "our process did not run",
          !marked(run) && "the call did not take place",
          more && `our process was asked at ${more.native_event}: the limit is gone; tell the README`,
        );
      },
    },
    {
      name: "an executable that is gone, and calls are to be denied then: the call does not take place",
      setup: { ...base, executable: "/nonexistent/bridge-hooks", flags: "--on-error deny" },
      judge: (run) => first(soundness(run), marked(run) && "the call took place"),
    },
    {
      name: "an executable that is gone, and calls may pass then: they do",
      setup: { ...base, executable: "/nonexistent/bridge-hooks" },
      judge: (run) => first(soundness(run), !marked(run) && "the call did not take place"),
    },
  ],
};
