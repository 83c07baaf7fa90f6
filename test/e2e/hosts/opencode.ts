import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { NATIVE_EVENTS } from "../../../src/hosts/opencode/events.ts";
import { opencode as host } from "../../../src/hosts/opencode/index.ts";
import {
  countModelRequests,
  type HostDriver,
  hasReachedModel,
  readProjectFile,
  hasFired,
  findFirstProblem,
  hasMarker,
  PRINT_RESULT_COMMAND,
  PRINT_VARIABLE_COMMAND,
  type HostScenario,
  judgeSkippedHooks,
  findRunProblem,
  TOKENS,
} from "../driver.ts";
import type { ModelScript, ToolUse, ModelTurn } from "../model.ts";
import {
  isInstalledByExecutable,
  listWantedEvents,
  type RunFolders,
  writeRunFile,
  type HostRun,
  type RunSetup,
  type RunStep,
} from "../run.ts";
import { type OpenCodeAction, OpenCodeServer } from "./opencode-serve.ts";

const hostSetup = await host.setup();

const EVENTS = hostSetup.planSubscriptions("all").map(({ native_event }) => native_event);

const buildBashCall = (command: string): ToolUse => ({ name: "bash", input: { command, description: "says so" } });
const MARK = buildBashCall("echo original > marker.txt");
const FINAL: ModelTurn = { text: "FINAL" };
const buildCall = (name: string, input: unknown): ToolUse => ({ name, input });

const scriptCalls = (...calls: ToolUse[]): ModelScript => ({
  main: [...calls.map((one) => ({ calls: [one] })), FINAL],
});
const base: RunSetup = { script: scriptCalls(MARK) };
/** Has a client of the server perform these actions instead of sending a single prompt. */
const addActions = (setup: RunSetup, ...app: OpenCodeAction[]): RunSetup => ({ ...setup, steps: [{ app }] });
/** Launches a separate process, the way users start OpenCode. */
const runSeparately = (setup: RunSetup, step: RunStep = {}): RunSetup => ({ ...setup, steps: [{ args: [], ...step }] });

const inAgent: RunSetup = {
  script: {
    main: [
      { calls: [buildCall("task", { description: "sub", prompt: "SUBAGENT, do it", subagent_type: "general" })] },
      FINAL,
    ],
    subagent: [{ calls: [MARK] }, { text: "SUBDONE" }],
  },
};
const compacting: RunSetup = { script: { main: [{ calls: [MARK], tokens: 99_000 }, FINAL, FINAL] } };
const failing: RunSetup = { script: scriptCalls(buildCall("read", { filePath: "none.txt" })) };
const asking: RunSetup = { ...base, files: { ".opencode/opencode.json": '{ "permission": { "bash": "ask" } }' } };
const command: RunSetup = addActions(
  { script: { main: [FINAL] }, files: { ".opencode/command/say.md": "---\ndescription: says\n---\nSay $ARGUMENTS\n" } },
  { do: "command" },
);

const writing: RunSetup = { script: scriptCalls(buildCall("write", { filePath: "added.txt", content: "text\n" })) };

const ENVIRONMENT = ".opencode/plugins/environment.js";
const NOTHING = "export const Nothing = async () => ({});\n";

const rewrite = {
  patch: { command: "echo REWRITTEN > marker.txt" },
  done: (run: HostRun) => readProjectFile(run, "marker.txt") === "REWRITTEN\n",
};
const hasReachedModelTurn = (run: HostRun) => countModelRequests(run, "main") > 0;
const hasReachedEnd = (run: HostRun) => run.sessions.at(-1)?.stdout.includes("FINAL") ?? false;
const hasCalled = (native_event: string) => (run: HostRun) => hasFired(run, native_event);

const scenarios: Record<string, HostScenario> = {
  "session.created": {
    setup: base,
    passed: hasReachedModelTurn,
    reader: "user",
    variants: { session_env: { script: scriptCalls(buildBashCall(PRINT_VARIABLE_COMMAND)) } },
  },
  "tool.execute.before": { setup: base, passed: hasMarker, rewrite },
  "tool.execute.after": {
    setup: base,
    passed: (run) => !hasReachedModel(run, "REASON-TOKEN"),
    variants: { modified_output: { script: scriptCalls(buildBashCall(PRINT_RESULT_COMMAND)) } },
  },
  "chat.message": { setup: base, passed: hasReachedModelTurn, reader: "user" },
  "session.idle": {
    setup: base,
    passed: (run) => countModelRequests(run, "main") === 2,
    denied: (run) => countModelRequests(run, "main") === 3,
  },
  dispose: { setup: base, passed: hasReachedEnd },
  "session.deleted": {
    setup: addActions(base, { do: "prompt" }, { do: "delete" }),
    passed: hasMarker,
    ended: hasMarker,
  },
  "message.part.updated": { setup: failing, passed: hasReachedEnd, original: "not found" },
  "experimental.session.compacting": { setup: compacting, passed: hasCalled("session.compacted") },
  "session.compacted": { setup: compacting, passed: hasReachedEnd },
  "permission.asked": { setup: asking, passed: hasMarker },
  "session.error": {
    setup: { script: { main: [{ status: 400 }] } },
    passed: hasReachedModelTurn,
    ended: hasReachedModelTurn,
  },
  "command.execute.before": { setup: command, passed: hasReachedModelTurn, reader: "user" },
  "file.edited": { setup: writing, passed: hasReachedEnd },
  // One run subscribes to every event, so that all payloads are recorded.
  "session.status": { setup: { ...base, events: EVENTS }, passed: hasMarker },
  "command.executed": { setup: command, passed: hasReachedEnd },
  "experimental.chat.system.transform": { setup: base, passed: hasMarker },
  "chat.params": { setup: base, passed: hasMarker },
};

/** Events that fire dozens of times per session. */
const UNPROVOKED = NATIVE_EVENTS.filter((name) => !Object.hasOwn(scenarios, name));

/** Builds a config that selects the run's model and turns off downloads, generated titles and permission prompts. */
const buildConfig = ({ url }: RunFolders, { model = "fake-model", mcp }: RunSetup) => ({
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

const buildEnvironment = ({ url }: Pick<RunFolders, "url">) => ({
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  OPENCODE_DISABLE_MODELS_FETCH: "1",
  OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
  OPENCODE_EXPERIMENTAL_DISABLE_FILEWATCHER: "1",
  // If OpenCode tries to install a package, this registry responds at once that it doesn't exist.
  npm_config_registry: `${new URL(url).origin}/npm/`,
});

/** Provides the package that OpenCode would otherwise install in each plugin directory, which would delay it. */
function preparePluginFolder(folder: string): void {
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  writeRunFile(
    join(folder, "package-lock.json"),
    '{ "packages": { "": { "dependencies": { "@opencode-ai/plugin": "*" } } } }',
  );
}

const getProgram = (folder: string) => {
  const bin = join(folder, `node_modules/opencode-${process.platform}-${process.arch}/bin/opencode`);
  return existsSync(bin) ? bin : `${bin}.exe`;
};

/** Builds the plugin that `install` writes, with this run's flags. */
function buildPlugin(setup: RunSetup, executable: string): string {
  const [file] = hostSetup.listConfigFiles({ roots: ["/"], home: "/", platform: process.platform, env: {} });
  if (typeof file?.syntax !== "object") throw new Error("OpenCode's entries are in a plugin");
  const { write } = file.syntax;
  const flags = (setup.flags ?? "").split(" ").filter(Boolean);
  const entry = (event: string) => ({
    command: executable,
    args: ["--host", "opencode", ...flags, "--event", event],
    timeout: 20,
    ...setup.entry,
  });
  const wanted = listWantedEvents(setup, EVENTS, UNPROVOKED);
  const hooks = Object.fromEntries(wanted.map((event) => [event, [entry(event)]]));
  return write(JSON.stringify({ hooks }));
}

const denying: Pick<RunSetup, "plan"> = {
  plan: [{ event: "tool.execute.before", answer: { decision: "deny", reason: "REASON-TOKEN" } }],
};
const judgeHeldDenial = (run: HostRun) =>
  findFirstProblem(
    findRunProblem(run),
    !hasFired(run, "tool.execute.before") && "the executable did not run: the hook was skipped",
    hasMarker(run) && "the denial was not enforced",
  );
const adding = (path: string) => ({ done: (run: HostRun) => readProjectFile(run, path) !== undefined });
const TEXT = { "a.txt": "one\n" };
const patchText = "*** Begin Patch\n*** Add File: added.txt\n+text\n*** End Patch\n";

export const driver: HostDriver = {
  host,
  program: getProgram,
  runner: (release, probe) => {
    // One server per concurrent run, because a server uses only one core.
    const servers: Promise<OpenCodeServer>[] = [];
    const free: Promise<OpenCodeServer>[] = [];
    return {
      release,
      path: dirname(getProgram(release.folder)),
      configure(setup, place) {
        writeRunFile(join(place.project, "opencode.json"), JSON.stringify(buildConfig(place, setup)));
        for (const folder of [join(place.project, ".opencode"), join(place.home, ".config/opencode")])
          preparePluginFolder(folder);
        if (isInstalledByExecutable(setup)) return;
        const folder = setup.scope === "user" ? join(place.home, ".config/opencode") : join(place.project, ".opencode");
        writeRunFile(join(folder, "plugins/bridge-hooks.js"), buildPlugin(setup, setup.executable ?? probe));
      },
      start({ args = [], prompt = "do it" }, _setup, place) {
        // Names the model's config explicitly, because OpenCode might not read the project's own.
        const env = { ...buildEnvironment(place), OPENCODE_CONFIG: join(place.project, "opencode.json") };
        return { argv: [getProgram(release.folder), "run", "--title", "run", ...args, prompt], env };
      },
      // A launch needs its own process if it has actions, arguments or environment variables, or if one of the
      // project's files affects OpenCode.
      async session({ before, args, env, app = [{ do: "prompt" }] }, setup, place) {
        const { scope, files = {} } = setup;
        if (before || args || env || scope || ENVIRONMENT in files || "bunfig.toml" in files) return undefined;
        const server =
          free.pop() ??
          OpenCodeServer.start(getProgram(release.folder), buildEnvironment(place), (home) =>
            preparePluginFolder(join(home, ".config/opencode")),
          );
        if (!servers.includes(server)) servers.push(server);
        const session = await (await server).session(place.project, setup, app as OpenCodeAction[]);
        free.push(server);
        return session;
      },
      close: async () => (await Promise.all(servers)).forEach((server) => server.close()),
    };
  },
  scenarios,
  unprovoked: Object.fromEntries(
    UNPROVOKED.map((name) => [name, "omitted to keep the runs short: the event decides nothing"]),
  ),
  // Clients of the server get messages as toasts, while `opencode run` prints them to stderr.
  shown: ({ sessions }) => sessions.map(({ stderr }) => stderr).join("\n"),
  bash: buildBashCall,
  inAgent,
  several: [{ scopes: ["user", "project", "managed"], times: 3 }],
  elsewhere: true,
  missing: { blocks: "*" },
  // Hooks inherit OpenCode's environment without Bun's own switches, so a plugin in the project sets the variables for
  // hooks.
  projectEnv: (env): Record<string, string> =>
    Object.keys(env).length === 0
      ? {}
      : { [ENVIRONMENT]: `Object.assign(process.env, ${JSON.stringify(env)});\n${NOTHING}` },
  actions: {
    bash: { calls: [MARK], tool: "bash", done: hasMarker },
    write: {
      calls: [buildCall("write", { filePath: "added.txt", content: "text\n" })],
      tool: "write",
      ...adding("added.txt"),
    },
    read: {
      calls: [buildCall("read", { filePath: "a.txt" })],
      tool: "read",
      done: (run) => hasReachedModel(run, "1: one"),
      setup: { files: TEXT },
    },
    edit: {
      calls: [
        buildCall("read", { filePath: "a.txt" }),
        buildCall("edit", { filePath: "a.txt", oldString: "one", newString: "two" }),
      ],
      tool: "edit",
      done: (run) => readProjectFile(run, "a.txt") === "two\n",
      setup: { files: TEXT },
    },
    apply_patch: {
      calls: [buildCall("apply_patch", { patchText })],
      tool: "apply_patch",
      ...adding("added.txt"),
      // OpenCode offers this tool only to models with this name.
      setup: { model: "gpt-5" },
    },
    todowrite: {
      calls: [buildCall("todowrite", { todos: [{ content: "TODO-TOKEN", status: "pending", priority: "high" }] })],
      tool: "todowrite",
      done: (run) =>
        run.requests.some(({ body }) =>
          JSON.stringify((body.messages as { role: string }[]).filter(({ role }) => role === "tool")).includes(
            "TODO-TOKEN",
          ),
        ),
    },
    task: {
      calls: [buildCall("task", { description: "sub", prompt: "SUBAGENT, do it", subagent_type: "general" })],
      tool: "task",
      done: (run) => countModelRequests(run, "subagent") > 0,
    },
    "an MCP tool": {
      calls: [buildCall("tiny_echo", { text: "hello" })],
      tool: "tiny_echo",
      done: (run) => hasReachedModel(run, "echo: hello"),
      setup: { mcp: true },
    },
  },
  cases: [
    {
      name: "a new result of an MCP tool replaces the original",
      setup: {
        script: scriptCalls(buildCall("tiny_echo", { text: "hello" })),
        mcp: true,
        plan: [{ event: "tool.execute.after", answer: { modified_output: TOKENS.modified_output } }],
      },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          !hasReachedModel(run, TOKENS.modified_output) && "the model did not get the new result",
          hasReachedModel(run, "echo: hello") && "the model read the original result",
        ),
    },
    {
      name: "a rewrite without an argument: the call is made without the argument",
      setup: {
        script: scriptCalls(buildCall("tiny_echo", { text: "hello", more: "MORE-TOKEN" })),
        mcp: true,
        plan: [{ event: "tool.execute.before", answer: { modified_input: { arguments: { text: "REWRITTEN" } } } }],
      },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          !hasReachedModel(run, "echo: REWRITTEN") && "the call was not changed",
          run.calls.some(
            ({ native_event, payload }) =>
              native_event === "tool.execute.after" && JSON.stringify(payload.input).includes("MORE-TOKEN"),
          ) && "the argument remains",
        ),
    },
    {
      name: "opencode run: the denial is enforced, and the session's end is reported",
      setup: runSeparately({ ...base, ...denying }),
      judge: (run) =>
        findFirstProblem(judgeHeldDenial(run), !hasFired(run, "dispose") && "the session's end was not reported"),
    },
    {
      name: "opencode run: a hook's message is printed on stderr",
      setup: runSeparately({
        ...base,
        plan: [{ event: "tool.execute.after", answer: { user_message: "MESSAGE-TOKEN" } }],
      }),
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          !run.sessions[0]?.stderr.includes("MESSAGE-TOKEN") && "the user was not told",
        ),
    },
    {
      name: "limit: opencode run ends although a hook wants the agent to continue, and prints a message",
      setup: runSeparately({
        ...base,
        plan: [{ event: "session.idle", answer: { decision: "deny", reason: "REASON-TOKEN" } }],
      }),
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          countModelRequests(run, "main") !== 2 &&
            "the agent continued: the limit no longer applies; update the README",
          !/opencode run" ends here.*REASON-TOKEN/.test(run.sessions[0]?.stderr ?? "") && "the user was not told",
        ),
    },
    {
      name: "opencode run --continue: the session is reported as resumed",
      setup: { ...base, anew: true, steps: [{ args: [] }, { args: ["--continue"] }] },
      judge: (run) => {
        const [, again] = run.sessions;
        const start = again?.calls.find(({ native_event }) => native_event === "session.created");
        return findFirstProblem(
          findRunProblem(run),
          start?.payload.resumed !== true && "the start was not reported, or not as resumed",
        );
      },
    },
    {
      name: "a project's own list of plugins does not remove the managed plugin",
      setup: {
        ...base,
        ...denying,
        files: { ".opencode/opencode.json": '{ "plugin": [] }' },
        steps: [
          { before: [{ line: ["install", "--host", "opencode", "--scope", "managed", "--root", "{run}", "--yes"] }] },
        ],
      },
      mounts: true,
      judge: judgeHeldDenial,
    },
    {
      name: "limit: opencode run --pure loads no plugin",
      setup: runSeparately({ ...base, ...denying }, { args: ["--pure"] }),
      judge: judgeSkippedHooks,
    },
    {
      name: "limit: OPENCODE_PURE loads no plugin",
      setup: runSeparately({ ...base, ...denying, scope: "user" }, { env: { OPENCODE_PURE: "1" } }),
      judge: judgeSkippedHooks,
    },
    {
      name: "limit: OPENCODE_DISABLE_PROJECT_CONFIG keeps project plugins from loading",
      setup: runSeparately({ ...base, ...denying }, { env: { OPENCODE_DISABLE_PROJECT_CONFIG: "1" } }),
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          run.calls.length > 0 && "the executable ran: the limit no longer applies; update the README",
        ),
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
        findFirstProblem(
          findRunProblem(run),
          hasMarker(run) && "the call took place",
          !hasReachedModel(run, "can't be started") && "the model did not get the reason",
        ),
    },
    {
      name: "a missing executable, with --on-error allow: the call takes place, and the user is told",
      setup: { ...base, executable: "/nonexistent/bridge-hooks", events: ["tool.execute.before"] },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          !hasMarker(run) && "the call did not take place",
          !run.sessions[0]?.stderr.includes("can't be started") && "the user was not told",
        ),
    },
  ],
};
