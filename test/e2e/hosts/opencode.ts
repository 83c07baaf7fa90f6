import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { NATIVE } from "../../../src/hosts/opencode/events.ts";
import { opencode as host } from "../../../src/hosts/opencode/index.ts";
import {
  asked,
  type Driver,
  fed,
  file,
  fired,
  first,
  marked,
  PRINTS_RESULT,
  PRINTS_VARIABLE,
  type Scenario,
  skipped,
  soundness,
  TOKEN,
} from "../driver.ts";
import type { Script, ToolUse, Turn } from "../model.ts";
import { installsItself, type Place, put, type Run, type Setup, type Step } from "../run.ts";
import { type Action, Server } from "./opencode-serve.ts";

const setupOf = await host.setup();

const EVENTS = setupOf.subscriptions("all").map(({ native_event }) => native_event);

const bash = (command: string): ToolUse => ({ name: "bash", input: { command, description: "says so" } });
const MARK = bash("echo original > marker.txt");
const FINAL: Turn = { text: "FINAL" };
const call = (name: string, input: unknown): ToolUse => ({ name, input });

const says = (...calls: ToolUse[]): Script => ({ main: [...calls.map((one) => ({ calls: [one] })), FINAL] });
const base: Setup = { script: says(MARK) };
/** What a client of the server does, instead of one prompt. */
const doing = (setup: Setup, ...app: Action[]): Setup => ({ ...setup, steps: [{ app }] });
/** A process of its own, started as people start it. */
const alone = (setup: Setup, step: Step = {}): Setup => ({ ...setup, steps: [{ args: [], ...step }] });

const inAgent: Setup = {
  script: {
    main: [
      { calls: [call("task", { description: "sub", prompt: "SUBAGENT, do it", subagent_type: "general" })] },
      FINAL,
    ],
    subagent: [{ calls: [MARK] }, { text: "SUBDONE" }],
  },
};
const compacting: Setup = { script: { main: [{ calls: [MARK], tokens: 99_000 }, FINAL, FINAL] } };
const failing: Setup = { script: says(call("read", { filePath: "none.txt" })) };
const asking: Setup = { ...base, files: { ".opencode/opencode.json": '{ "permission": { "bash": "ask" } }' } };
const command: Setup = doing(
  { script: { main: [FINAL] }, files: { ".opencode/command/say.md": "---\ndescription: says\n---\nSay $ARGUMENTS\n" } },
  { do: "command" },
);

const writing: Setup = { script: says(call("write", { filePath: "added.txt", content: "text\n" })) };

const ENVIRONMENT = ".opencode/plugins/environment.js";
const NOTHING = "export const Nothing = async () => ({});\n";

const rewrite = {
  patch: { command: "echo REWRITTEN > marker.txt" },
  done: (run: Run) => file(run, "marker.txt") === "REWRITTEN\n",
};
const reached = (run: Run) => asked(run, "main") > 0;
const toEnd = (run: Run) => run.sessions.at(-1)?.stdout.includes("FINAL") ?? false;
const called = (native_event: string) => (run: Run) => fired(run, native_event);

const scenarios: Record<string, Scenario> = {
  "session.created": {
    setup: base,
    passed: reached,
    reader: "user",
    variants: { session_env: { script: says(bash(PRINTS_VARIABLE)) } },
  },
  "tool.execute.before": { setup: base, passed: marked, rewrite },
  "tool.execute.after": {
    setup: base,
    passed: (run) => !fed(run, "REASON-TOKEN"),
    variants: { modified_output: { script: says(bash(PRINTS_RESULT)) } },
  },
  "chat.message": { setup: base, passed: reached, reader: "user" },
  "session.idle": { setup: base, passed: (run) => asked(run, "main") === 2, denied: (run) => asked(run, "main") === 3 },
  dispose: { setup: base, passed: toEnd },
  "session.deleted": { setup: doing(base, { do: "prompt" }, { do: "delete" }), passed: marked, ended: marked },
  "message.part.updated": { setup: failing, passed: toEnd, original: "not found" },
  "experimental.session.compacting": { setup: compacting, passed: called("session.compacted") },
  "session.compacted": { setup: compacting, passed: toEnd },
  "permission.asked": { setup: asking, passed: marked },
  "session.error": {
    setup: { script: { main: [{ status: 400 }] } },
    passed: reached,
    ended: reached,
  },
  "command.execute.before": { setup: command, passed: reached, reader: "user" },
  "file.edited": { setup: writing, passed: toEnd },
  "session.status": { setup: base, passed: marked },
  "command.executed": { setup: command, passed: toEnd },
  "experimental.chat.system.transform": { setup: base, passed: marked },
  "chat.params": { setup: base, passed: marked },
};

/** Quiet settings: nothing is fetched, no title is made up, nothing is asked; the model is the run's own. */
const config = ({ url }: Place, { model = "fake-model", mcp }: Setup) => ({
  model: `fake/${model}`,
  small_model: `fake/${model}`,
  enabled_providers: ["fake"],
  provider: {
    fake: {
      npm: "@ai-sdk/openai-compatible",
      options: { baseURL: `${url}/v1`, apiKey: "dummy" },
      models: { [model]: { limit: { context: 100_000, output: 4_000 } } },
    },
  },
  autoupdate: false,
  share: "disabled",
  snapshot: false,
  permission: "allow",
  agent: { title: { disable: true } },
  ...(mcp && { mcp: { tiny: { type: "local", command: [process.execPath, join(import.meta.dir, "../mcp.ts")] } } }),
});

const envOf = ({ url }: Pick<Place, "url">) => ({
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  OPENCODE_DISABLE_MODELS_FETCH: "1",
  OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
  OPENCODE_EXPERIMENTAL_DISABLE_FILEWATCHER: "1",
  // Where there is something to install all the same, the registry says at once that there is none.
  npm_config_registry: `${new URL(url).origin}/npm/`,
});

/** OpenCode installs a package for plugins in each of its folders, unless it is there, and waits for that. */
function installed(folder: string): void {
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  put(join(folder, "package-lock.json"), '{ "packages": { "": { "dependencies": { "@opencode-ai/plugin": "*" } } } }');
}

const program = (folder: string) => {
  const bin = join(folder, `node_modules/opencode-${process.platform}-${process.arch}/bin/opencode`);
  return existsSync(bin) ? bin : `${bin}.exe`;
};

/** Entries of the plugin that `install` writes, with the flags of this run. */
function pluginFor(setup: Setup, executable: string): string {
  const [file] = setupOf.configs({ roots: ["/"], home: "/", platform: process.platform, env: {} });
  if (typeof file?.syntax !== "object") throw new Error("OpenCode's entries stand in a plugin");
  const { before, after } = file.syntax;
  const flags = (setup.flags ?? "").split(" ").filter(Boolean);
  const entry = (event: string) => ({
    command: executable,
    args: ["--host", "opencode", ...flags, "--event", event],
    timeout: 20,
    ...setup.entry,
  });
  const hooks = Object.fromEntries((setup.events ?? EVENTS).map((event) => [event, [entry(event)]]));
  return before + JSON.stringify({ hooks }) + after;
}

const denying: Pick<Setup, "plan"> = {
  plan: [{ event: "tool.execute.before", answer: { decision: "deny", reason: "REASON-TOKEN" } }],
};
const holds = (run: Run) =>
  first(
    soundness(run),
    !fired(run, "tool.execute.before") && "our process did not run: the hook was skipped",
    marked(run) && "the denial did not hold",
  );
const adding = (path: string) => ({ done: (run: Run) => file(run, path) !== undefined });
const TEXT = { "a.txt": "one\n" };
const patchText = "*** Begin Patch\n*** Add File: added.txt\n+text\n*** End Patch\n";

export const opencode: Driver = {
  host,
  program,
  runner: (release, probe) => {
    // One for each run at a time: a server does all its work on one core.
    const servers: Promise<Server>[] = [];
    const free: Promise<Server>[] = [];
    return {
      release,
      path: dirname(program(release.folder)),
      configure(setup, place) {
        put(join(place.project, "opencode.json"), JSON.stringify(config(place, setup)));
        for (const folder of [join(place.project, ".opencode"), join(place.home, ".config/opencode")])
          installed(folder);
        if (installsItself(setup)) return;
        const folder = setup.scope === "user" ? join(place.home, ".config/opencode") : join(place.project, ".opencode");
        put(join(folder, "plugins/bridge-hooks.js"), pluginFor(setup, setup.executable ?? probe));
      },
      start({ args = [], prompt = "do it" }, _setup, place) {
        // Where the project's own config is not read, the model is known from here.
        const env = { ...envOf(place), OPENCODE_CONFIG: join(place.project, "opencode.json") };
        return { argv: [program(release.folder), "run", "--title", "run", ...args, prompt], env };
      },
      // A start with deeds, arguments or an environment needs a process of its own, and so does what files of the folder do to it.
      async session({ before, args, env, app = [{ do: "prompt" }] }, setup, place) {
        const { scope, files = {} } = setup;
        if (before || args || env || scope || ENVIRONMENT in files || "bunfig.toml" in files) return undefined;
        const server =
          free.pop() ??
          Server.start(program(release.folder), envOf(place), (home) => installed(join(home, ".config/opencode")));
        if (!servers.includes(server)) servers.push(server);
        const session = await (await server).session(place.project, setup, app as Action[]);
        free.push(server);
        return session;
      },
      close: async () => (await Promise.all(servers)).forEach((server) => server.close()),
    };
  },
  scenarios,
  unprovoked: Object.fromEntries(
    NATIVE.filter((name) => !Object.hasOwn(scenarios, name)).map((name) => [
      name,
      "to keep the runs short: it decides nothing",
    ]),
  ),
  // Messages are toasts for whoever uses the server, and lines on stderr in `opencode run`.
  shown: ({ sessions }) => sessions.map(({ stderr }) => stderr).join("\n"),
  bash,
  inAgent,
  several: [{ scopes: ["user", "project", "managed"], times: 3 }],
  elsewhere: true,
  missing: { blocks: "*" },
  // The terminal's environment is that of OpenCode itself, which Bun's own switches take away; a plugin of the project's sets that of hooks.
  projectEnv: (env): Record<string, string> =>
    Object.keys(env).length === 0
      ? {}
      : { [ENVIRONMENT]: `Object.assign(process.env, ${JSON.stringify(env)});\n${NOTHING}` },
  actions: {
    bash: { calls: [MARK], tool: "bash", done: marked },
    write: {
      calls: [call("write", { filePath: "added.txt", content: "text\n" })],
      tool: "write",
      ...adding("added.txt"),
    },
    read: {
      calls: [call("read", { filePath: "a.txt" })],
      tool: "read",
      done: (run) => fed(run, "1: one"),
      setup: { files: TEXT },
    },
    edit: {
      calls: [
        call("read", { filePath: "a.txt" }),
        call("edit", { filePath: "a.txt", oldString: "one", newString: "two" }),
      ],
      tool: "edit",
      done: (run) => file(run, "a.txt") === "two\n",
      setup: { files: TEXT },
    },
    apply_patch: {
      calls: [call("apply_patch", { patchText })],
      tool: "apply_patch",
      ...adding("added.txt"),
      // OpenCode gives it to models of this name alone.
      setup: { model: "gpt-5" },
    },
    todowrite: {
      calls: [call("todowrite", { todos: [{ content: "TODO-TOKEN", status: "pending", priority: "high" }] })],
      tool: "todowrite",
      done: (run) =>
        run.requests.some(({ body }) =>
          JSON.stringify((body.messages as { role: string }[]).filter(({ role }) => role === "tool")).includes(
            "TODO-TOKEN",
          ),
        ),
    },
    task: {
      calls: [call("task", { description: "sub", prompt: "SUBAGENT, do it", subagent_type: "general" })],
      tool: "task",
      done: (run) => asked(run, "subagent") > 0,
    },
    "an MCP tool": {
      calls: [call("tiny_echo", { text: "hello" })],
      tool: "tiny_echo",
      done: (run) => fed(run, "echo: hello"),
      setup: { mcp: true },
    },
  },
  cases: [
    {
      name: "a new result of an MCP tool takes the original's place",
      setup: {
        script: says(call("tiny_echo", { text: "hello" })),
        mcp: true,
        plan: [{ event: "tool.execute.after", answer: { modified_output: TOKEN.modified_output } }],
      },
      judge: (run) =>
        first(
          soundness(run),
          !fed(run, TOKEN.modified_output) && "the model was not given the new result",
          fed(run, "echo: hello") && "the model read the original result",
        ),
    },
    {
      name: "a rewrite that lacks an argument: the call is made without it",
      setup: {
        script: says(call("tiny_echo", { text: "hello", more: "MORE-TOKEN" })),
        mcp: true,
        plan: [{ event: "tool.execute.before", answer: { modified_input: { arguments: { text: "REWRITTEN" } } } }],
      },
      judge: (run) =>
        first(
          soundness(run),
          !fed(run, "echo: REWRITTEN") && "the call was not changed",
          run.calls.some(
            ({ native_event, payload }) =>
              native_event === "tool.execute.after" && JSON.stringify(payload.input).includes("MORE-TOKEN"),
          ) && "the argument is still there",
        ),
    },
    {
      name: "opencode run: the denial holds, and the session's end is told",
      setup: alone({ ...base, ...denying }),
      judge: (run) => first(holds(run), !fired(run, "dispose") && "the end of the session was not told"),
    },
    {
      name: "opencode run: a message of a hook is on stderr",
      setup: alone({ ...base, plan: [{ event: "tool.execute.after", answer: { user_message: "MESSAGE-TOKEN" } }] }),
      judge: (run) =>
        first(soundness(run), !run.sessions[0]?.stderr.includes("MESSAGE-TOKEN") && "the user was not told"),
    },
    {
      name: "limit: opencode run ends where a hook wants the agent to go on, and says so",
      setup: alone({
        ...base,
        plan: [{ event: "session.idle", answer: { decision: "deny", reason: "REASON-TOKEN" } }],
      }),
      judge: (run) =>
        first(
          soundness(run),
          asked(run, "main") !== 2 && "the agent went on: the limit is gone; tell the README",
          !/opencode run" ends here.*REASON-TOKEN/.test(run.sessions[0]?.stderr ?? "") && "the user was not told",
        ),
    },
    {
      name: "opencode run --continue: the session is told as one that was taken up again",
      setup: { ...base, anew: true, steps: [{ args: [] }, { args: ["--continue"] }] },
      judge: (run) => {
        const [, again] = run.sessions;
        const start = again?.calls.find(({ native_event }) => native_event === "session.created");
        return first(soundness(run), start?.payload.resumed !== true && "the start was not told, or not as such");
      },
    },
    {
      name: "a project's own list of plugins does not take the managed one away",
      setup: {
        ...base,
        ...denying,
        files: { ".opencode/opencode.json": '{ "plugin": [] }' },
        steps: [{ before: [{ line: ["install", "--host", "opencode", "--scope", "managed", "--root", "{run}"] }] }],
      },
      mounts: true,
      judge: holds,
    },
    {
      name: "limit: opencode run --pure loads no plugin",
      setup: alone({ ...base, ...denying }, { args: ["--pure"] }),
      judge: skipped,
    },
    {
      name: "limit: OPENCODE_PURE loads no plugin",
      setup: alone({ ...base, ...denying, scope: "user" }, { env: { OPENCODE_PURE: "1" } }),
      judge: skipped,
    },
    {
      name: "limit: OPENCODE_DISABLE_PROJECT_CONFIG loads no project's plugin",
      setup: alone({ ...base, ...denying }, { env: { OPENCODE_DISABLE_PROJECT_CONFIG: "1" } }),
      judge: (run) =>
        first(soundness(run), run.calls.length > 0 && "our process ran: the limit is gone; tell the README"),
    },
    {
      name: "a missing executable, with --on-error deny: the call does not take place, and the user is told",
      setup: {
        ...base,
        executable: "/nonexistent/bridge-hooks",
        flags: "--on-error deny",
        events: ["tool.execute.before"],
      },
      judge: (run) =>
        first(
          soundness(run),
          marked(run) && "the call took place",
          !fed(run, "can't be started") && "the model was not told why",
        ),
    },
    {
      name: "a missing executable, with --on-error allow: the call takes place, and the user is told",
      setup: { ...base, executable: "/nonexistent/bridge-hooks", events: ["tool.execute.before"] },
      judge: (run) =>
        first(
          soundness(run),
          !marked(run) && "the call did not take place",
          !run.sessions[0]?.stderr.includes("can't be started") && "the user was not told",
        ),
    },
  ],
};
