import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { codex as host } from "../../../src/hosts/codex/index.ts";
import {
  countModelRequests,
  type HostDriver,
  hasReachedModel,
  readProjectFile,
  hasFired,
  findFirstProblem,
  judgeDenial,
  hasMarker,
  PRINT_RESULT_COMMAND,
  buildRawDocument,
  type HostScenario,
  judgeSkippedHooks,
  findRunProblem,
} from "../driver.ts";
import type { ModelScript, ToolUse, ModelTurn } from "../model.ts";
import { isInstalledByExecutable, type RunFolders, writeRunFile, type HostRun, type RunSetup } from "../run.ts";
import type { CodexAction } from "./codex-app-server.ts";

const buildBashCall = (cmd: string) => ({ name: "exec_command", input: { cmd } });
const MARK = buildBashCall("echo original > marker.txt");
const FINAL: ModelTurn = { text: "FINAL" };

const scriptCalls = (...calls: ToolUse[]): ModelScript => ({
  main: [...calls.map((call) => ({ calls: [call] })), FINAL],
});
/** Runs the setup through the app server, which reports each hook's messages. */
const serveSetup = (setup: RunSetup, ...actions: CodexAction[]): RunSetup => ({
  ...setup,
  steps: [
    { ...setup.steps?.[0], app: [{ do: "trust" }, ...(actions.length > 0 ? actions : ([{ do: "turn" }] as const))] },
  ],
});

const base: RunSetup = { script: scriptCalls(MARK) };
/** Some tools are offered only to models that Codex knows. */
const KNOWN = "gpt-5.5";
const buildPatch = (path: string) => `*** Begin Patch\n*** Add File: ${path}\n+text\n*** End Patch\n`;
const OTHER = { file_path: "other.txt", operation: "add" as const, edits: [{ old_string: "", new_string: "text\n" }] };
const adding = { setup: { model: KNOWN }, done: (run: HostRun) => readProjectFile(run, "added.txt") !== undefined };
const DOT = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const spawn: ToolUse = { name: "spawn_agent", namespace: "multi_agent_v1", input: { message: "SUBAGENT, do it" } };
const inAgent: RunSetup = {
  script: {
    main: [
      { calls: [spawn] },
      {
        calls: [
          { name: "wait_agent", namespace: "multi_agent_v1", input: { targets: ["{{agent}}"], timeout_ms: 20_000 } },
        ],
      },
      FINAL,
    ],
    subagent: [{ calls: [MARK] }, { text: "SUBDONE" }],
  },
};
const compacting: RunSetup = {
  script: { main: [{ calls: [MARK], tokens: 5_000 }, FINAL, FINAL] },
  steps: [{ args: ["-c", "model_auto_compact_token_limit=1000"] }],
};
const approving = serveSetup(base, { do: "turn", params: { approvalPolicy: "untrusted" } });
const rewrite = {
  patch: { command: "echo REWRITTEN > marker.txt" },
  done: (run: HostRun) => readProjectFile(run, "marker.txt") === "REWRITTEN\n",
};
const hasCalled = (native_event: string) => (run: HostRun) =>
  run.calls.some((call) => call.native_event === native_event);
const hasAsked = ({ sessions }: HostRun) => /requestApproval/.test(sessions[0]?.stdout ?? "");
const hasReachedEnd = (run: HostRun) => run.sessions.at(-1)?.stdout.includes("FINAL") ?? false;

/** Builds a scenario in which the app server reports messages. */
const createServedScenario = (setup: RunSetup, more: Omit<HostScenario, "setup">): HostScenario => {
  const telling = serveSetup(setup);
  const reason = more.reader === "user" && { reason: telling };
  return { setup, ...more, variants: { user_message: telling, deny: telling, ...reason, ...more.variants } };
};

const scenarios: Record<string, HostScenario> = {
  SessionStart: createServedScenario(base, { passed: (run) => countModelRequests(run, "main") > 0, reader: "user" }),
  PreToolUse: createServedScenario(base, { passed: hasMarker, rewrite }),
  PostToolUse: createServedScenario(base, {
    passed: (run) => !hasReachedModel(run, "REASON-TOKEN"),
    variants: { modified_output: { script: scriptCalls(buildBashCall(PRINT_RESULT_COMMAND)) } },
  }),
  UserPromptSubmit: createServedScenario(base, {
    passed: (run) => countModelRequests(run, "main") > 0,
    reader: "user",
  }),
  Stop: createServedScenario(base, {
    passed: (run) => countModelRequests(run, "main") === 2,
    denied: (run) => countModelRequests(run, "main") === 3,
    variants: { additional_context: serveSetup(base) },
  }),
  SessionEnd: createServedScenario(base, { passed: hasReachedEnd }),
  PermissionRequest: {
    setup: approving,
    passed: hasMarker,
    // The client declines every approval request, so a call counts as denied only if there was no such request.
    denied: (run) => !hasMarker(run) && !hasAsked(run),
    unanswered: hasAsked,
    asked: hasAsked,
  },
  SubagentStart: createServedScenario(inAgent, { passed: hasReachedEnd, at: { agent: true } }),
  SubagentStop: createServedScenario(inAgent, {
    passed: (run) => countModelRequests(run, "subagent") === 2,
    denied: (run) => countModelRequests(run, "subagent") === 3,
  }),
  PreCompact: createServedScenario(compacting, { passed: hasCalled("PostCompact"), reader: "user" }),
  PostCompact: createServedScenario(compacting, { passed: hasCalled("PostCompact") }),
  Interrupt: {
    setup: serveSetup({ script: scriptCalls(buildBashCall("sleep 5")) }, { do: "interrupt" }),
    passed: hasCalled("Interrupt"),
    ended: ({ sessions }) => sessions[0]?.code === 0,
  },
  PreModelRequest: createServedScenario(base, { passed: hasReachedEnd }),
  PostModelRequest: createServedScenario(base, { passed: hasReachedEnd }),
};

/** Extracts the hook messages reported by the server, or the output of `codex exec`. */
function getShownText({ sessions }: HostRun): string {
  return sessions
    .map(({ stdout, stderr }) => {
      const entries = stdout.split("\n").flatMap((line) => {
        try {
          const { method, params } = JSON.parse(line);
          return method === "hook/completed" ? params.run.entries.map(({ text }: { text: string }) => text) : [];
        } catch {
          return [];
        }
      });
      return [stderr, ...entries].join("\n");
    })
    .join("\n");
}

const events = Object.keys(host.capabilities);

const formatFields = (table: object) =>
  Object.entries(table)
    .map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
    .join("\n");

/** Builds a config that selects the run's model and turns off update checks, analytics and plugins. */
const buildConfig = (
  { url, project }: RunFolders,
  { model = "fake-model", mcp, trusting, plugins }: RunSetup,
) => `model = "${model}"
model_provider = "fake"
check_for_update_on_startup = false
web_search = "disabled"

[analytics]
enabled = false

[features]
plugins = ${plugins === true}
apps = false

[model_providers.fake]
name = "fake"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false
${mcp ? `\n[mcp_servers.tiny]\ncommand = ${JSON.stringify(process.execPath)}\nargs = [${JSON.stringify(join(import.meta.dir, "../mcp.ts"))}]\n` : ""}${trusting ? `\n[projects.${JSON.stringify(project)}]\ntrust_level = "trusted"\n` : ""}`;

function getProgram(folder: string): string {
  const vendor = join(folder, `node_modules/@openai/codex-${process.platform}-${process.arch}/vendor`);
  const [triple = ""] = existsSync(vendor) ? readdirSync(vendor) : [];
  return join(vendor, triple, process.platform === "win32" ? "bin/codex.exe" : "bin/codex");
}

const denying: Pick<RunSetup, "plan"> = {
  plan: [{ event: "PreToolUse", answer: { decision: "deny", reason: "REASON-TOKEN" } }],
};
const DISABLING = { ".codex/config.toml": "[features]\nhooks = false\n" };

const buildEnvironment = ({ home }: RunFolders) => ({ CODEX_HOME: join(home, ".codex"), FAKE_KEY: "dummy" });

export const driver: HostDriver = {
  host,
  program: getProgram,
  runner: (release, probe) => ({
    release,
    path: dirname(getProgram(release.folder)),
    configure(setup, place) {
      const command = (event: string) =>
        `"${setup.executable ?? probe}" --host codex --event ${event} ${setup.flags ?? ""}`.trim();
      // SessionEnd and Interrupt hooks are given at most 3 s.
      const timeout = (event: string) => (event === "SessionEnd" || event === "Interrupt" ? 3 : 20);
      const entry = (event: string) => ({
        hooks: [{ type: "command", command: command(event), timeout: timeout(event), ...setup.entry }],
      });
      writeRunFile(join(place.home, ".codex/config.toml"), buildConfig(place, setup));
      if (isInstalledByExecutable(setup)) return;
      const hooks = Object.fromEntries((setup.events ?? events).map((event) => [event, [entry(event)]]));
      // JSON strings and arrays are valid TOML; JSON objects aren't.
      const toml = Object.entries(hooks).map(
        ([event, [group]]) =>
          `[[hooks.${event}]]\n${group?.hooks.map((hook) => `[[hooks.${event}.hooks]]\n${formatFields(hook)}`).join("\n")}`,
      );
      if (setup.scope === "managed")
        writeRunFile(
          join(place.etc, "codex/requirements.toml"),
          `[hooks]\nmanaged_dir = ${JSON.stringify(place.run)}\n\n${toml.join("\n")}${setup.pinned ? "\n[features]\nhooks = true\n" : ""}`,
        );
      else
        writeRunFile(
          join(setup.scope === "project" ? place.project : place.home, ".codex/hooks.json"),
          JSON.stringify({ hooks }),
        );
    },
    start({ app, args = [], prompt = "do it" }, setup, place) {
      const codex = getProgram(release.folder);
      const trusting = setup.untrusting ? [] : ["--dangerously-bypass-hook-trust"];
      const argv = app
        ? [process.execPath, join(import.meta.dir, "codex-app-server.ts"), JSON.stringify(app), codex, ...args]
        : [
            codex,
            "exec",
            "--skip-git-repo-check",
            "--dangerously-bypass-approvals-and-sandbox",
            ...trusting,
            ...args,
            prompt,
          ];
      return { argv, env: buildEnvironment(place) };
    },
    command: (words, place) => ({ argv: [getProgram(release.folder), ...words], env: buildEnvironment(place) }),
  }),
  scenarios,
  unprovoked: {},
  raw: buildRawDocument,
  shown: getShownText,
  bash: buildBashCall,
  inAgent,
  trust: { app: [{ do: "trust" }] },
  // The executable runs once per file that Codex reads, including requirements.toml [seen 0.169.0, 2026-11-22].
  several: [{ scopes: ["user", "project", "managed"], times: 3 }],
  missing: { passes: "*" },
  plugin: {
    install: (folder) => [
      ["plugin", "marketplace", "add", folder],
      ["plugin", "add", "bridge-hooks@bridge-hooks"],
    ],
  },
  actions: {
    Bash: { calls: [MARK], tool: "Bash", done: hasMarker },
    apply_patch: {
      calls: [{ name: "apply_patch", input: buildPatch("added.txt"), freeform: true }],
      tool: "apply_patch",
      ...adding,
    },
    "a patch through the shell": {
      calls: [buildBashCall(`apply_patch <<'EOF'\n${buildPatch("added.txt")}EOF`)],
      tool: "Bash",
      ...adding,
    },
    view_image: {
      calls: [{ name: "view_image", input: { path: "dot.png" } }],
      tool: "view_image",
      done: (run) => hasReachedModel(run, "input_image"),
      setup: { files: { "dot.png": DOT }, model: KNOWN },
    },
    "an MCP tool": {
      calls: [{ name: "echo", namespace: "mcp__tiny", input: { text: "hello" } }],
      tool: "mcp__tiny__echo",
      done: (run) => hasReachedModel(run, "echo: hello"),
      setup: { mcp: true },
    },
    spawn_agent: {
      calls: [spawn],
      tool: "spawn_agent",
      done: (run) => run.calls.some((call) => call.native_event === "SubagentStart"),
    },
  },
  waitsLong: true,
  cases: [
    {
      name: "a rewritten path: the patch adds the other file",
      setup: {
        ...adding.setup,
        script: scriptCalls({ name: "apply_patch", input: buildPatch("added.txt"), freeform: true }),
        plan: [{ event: "PreToolUse", answer: { modified_input: { files: [OTHER] } } }],
      },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          adding.done(run) && "the first file was added",
          readProjectFile(run, "other.txt") === undefined && "the other file was not added",
        ),
    },
    {
      name: "limit: hooks that no user trusted are skipped silently",
      setup: { ...base, ...denying, untrusting: true },
      judge: judgeSkippedHooks,
    },
    {
      name: "entries trusted through the app server: the denial is enforced in codex exec",
      setup: { ...base, ...denying, untrusting: true, steps: [{ app: [{ do: "trust" }] }, {}] },
      judge: judgeDenial,
    },
    {
      name: "entries managed through requirements.toml: the denial is enforced without trust",
      setup: { ...base, ...denying, untrusting: true, scope: "managed" },
      mounts: true,
      judge: judgeDenial,
    },
    {
      name: "entries managed through a requirements.toml that pins hooks: the denial is enforced in a trusted project that turns hooks off",
      setup: {
        ...base,
        ...denying,
        untrusting: true,
        scope: "managed",
        pinned: true,
        files: DISABLING,
        trusting: true,
      },
      mounts: true,
      judge: judgeDenial,
    },
    {
      name: "limit: a trusted project that turns hooks off also turns off managed hooks, unless requirements.toml pins them",
      setup: { ...base, ...denying, untrusting: true, scope: "managed", files: DISABLING, trusting: true },
      mounts: true,
      judge: judgeSkippedHooks,
    },
    {
      name: "limit: a trusted project that turns hooks off also turns off the user's hooks",
      setup: { ...base, ...denying, files: DISABLING, trusting: true },
      judge: judgeSkippedHooks,
    },
    {
      name: "a trusted project's hooks: the denial is enforced",
      setup: { ...base, ...denying, scope: "project", trusting: true },
      judge: judgeDenial,
    },
    {
      name: "limit: a project's hooks are skipped if the project is not trusted",
      setup: { ...base, ...denying, scope: "project" },
      judge: judgeSkippedHooks,
    },
    {
      name: "a command with its own terminal is reported to hooks: the denial is enforced",
      setup: { ...denying, script: scriptCalls({ name: "exec_command", input: { cmd: MARK.input.cmd, tty: true } }) },
      judge: judgeDenial,
    },
    {
      name: "limit: input typed into a running command is not reported to hooks",
      setup: {
        script: scriptCalls(
          { name: "exec_command", input: { cmd: "sh", tty: true, yield_time_ms: 500 } },
          {
            name: "write_stdin",
            input: { session_id: "{{session}}", chars: "echo original > marker.txt; exit\n", yield_time_ms: 1000 },
          },
        ),
      },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          !hasFired(run, "PreToolUse") && "the command itself was not reported",
          run.calls.some(
            ({ native_event, payload }) =>
              native_event === "PreToolUse" && JSON.stringify(payload).includes("marker.txt"),
          ) && "the typed input was reported: the limit no longer applies; update the table",
          !hasMarker(run) && "nothing was typed",
        ),
    },
    {
      name: "limit: a web search is not reported to hooks",
      setup: {
        script: {
          main: [
            {
              text: "SEARCHED",
              calls: [
                {
                  name: "web_search",
                  input: {},
                  hosted: {
                    type: "web_search_call",
                    status: "completed",
                    action: { type: "search", query: "QUERY-TOKEN" },
                  },
                },
              ],
            },
            FINAL,
          ],
        },
        steps: [{ args: ["-c", 'web_search="live"'] }],
      },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          run.calls.some(({ payload }) => JSON.stringify(payload).includes("QUERY-TOKEN")) &&
            "the search was reported: the limit no longer applies; update the table",
          !run.sessions[0]?.stderr.includes("QUERY-TOKEN") && "no search took place",
        ),
    },
    {
      name: "limit: if the executable is missing, the call is allowed",
      setup: { ...base, executable: "/nonexistent/bridge-hooks" },
      judge: judgeSkippedHooks,
    },
  ],
};
