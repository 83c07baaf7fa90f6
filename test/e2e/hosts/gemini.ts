import { join } from "node:path";
import { gemini as host } from "../../../src/hosts/gemini/index.ts";
import { LOADER_RESET_VARIABLES } from "../../../src/hosts/setup/loader-variables.ts";
import {
  type ToolAction,
  countModelRequests,
  type HostCase,
  type HostDriver,
  hasReachedModel,
  readProjectFile,
  hasFired,
  findFirstProblem,
  hasMarker,
  type HostScenario,
  judgeSkippedHooks,
  findRunProblem,
  TOKENS,
} from "../driver.ts";
import type { ModelScript, ToolUse, ModelTurn } from "../model.ts";
import { findNode } from "../releases.ts";
import {
  buildTerminalCommand,
  isInstalledByExecutable,
  listWantedEvents,
  type RunFolders,
  writeRunFile,
  type HostRun,
  type RunSetup,
} from "../run.ts";

const buildShellCall = (command: string): ToolUse => ({
  name: "run_shell_command",
  input: { command, description: "a step" },
});
const MARK = buildShellCall("echo original > marker.txt");
const FINAL: ModelTurn = { text: "FINAL" };
const scriptCalls = (...calls: ToolUse[]): ModelScript => ({
  main: [...calls.map((call) => ({ calls: [call] })), FINAL],
});
const base: RunSetup = { script: scriptCalls(MARK) };

const hasReachedEnd = (run: HostRun) => run.sessions.at(-1)?.stdout.includes("FINAL") ?? false;
const hasEndedWell = ({ sessions }: HostRun) => sessions.every(({ code }) => code === 0);
const hasCalled = (native_event: string) => (run: HostRun) =>
  run.calls.some((call) => call.native_event === native_event);
const rewrite = {
  patch: { command: "echo REWRITTEN > marker.txt" },
  done: (run: HostRun) => readProjectFile(run, "marker.txt") === "REWRITTEN\n",
};
/** Prints a string that no earlier request contains. */
const PRINTS: RunSetup = { script: scriptCalls(buildShellCall("printf OUTPUT-%s 42 | tee marker.txt")) };

const ASKS = JSON.stringify({ decision: "ask", reason: "another hook" });
const PROJECT = ".gemini/settings.json";
const writeProjectSettings = (settings: object): Pick<RunSetup, "files"> => ({
  files: { [PROJECT]: JSON.stringify(settings) },
});

const scenarios: Record<string, HostScenario> = {
  SessionStart: { setup: base, passed: hasReachedEnd },
  BeforeTool: {
    setup: base,
    passed: hasMarker,
    rewrite,
    unshown: { ask: "a question ends a headless run; covered by a separate case" },
  },
  AfterTool: { setup: PRINTS, passed: (run) => hasReachedModel(run, "OUTPUT-42"), original: "OUTPUT-42" },
  BeforeAgent: { setup: base, passed: (run) => countModelRequests(run, "main") > 0, reader: "user" },
  AfterAgent: {
    setup: base,
    passed: (run) => countModelRequests(run, "main") === 2,
    denied: (run) => countModelRequests(run, "main") === 3,
  },
  SessionEnd: { setup: base, passed: hasReachedEnd },
  PreCompress: { setup: base, passed: hasReachedEnd },
  Notification: {
    // Another hook makes the host ask the user, which ends an unattended run.
    setup: {
      ...base,
      ...writeProjectSettings({ hooks: { BeforeTool: [{ hooks: [{ type: "command", command: `echo '${ASKS}'` }] }] } }),
    },
    passed: hasCalled("Notification"),
    ended: hasEndedWell,
  },
  BeforeModel: { setup: base, passed: (run) => countModelRequests(run, "main") > 0, reader: "user" },
  AfterModel: { setup: base, passed: hasMarker, reader: "user" },
  BeforeToolSelection: { setup: base, passed: hasReachedEnd },
};

/** Builds a field in the host's own format. */
const buildRawAnswer: HostDriver["raw"] = (field, hookEventName) => {
  switch (field) {
    case "deny":
      return { document: { decision: "deny", reason: TOKENS.reason }, stderr: TOKENS.reason, code: 2 };
    case "ask":
      return { document: { decision: "ask", reason: TOKENS.reason } };
    case "user_message":
      return { document: { systemMessage: TOKENS.user_message } };
    case "modified_input":
      return {
        document: { hookSpecificOutput: { hookEventName, tool_input: { command: "echo REWRITTEN > marker.txt" } } },
      };
    case "additional_context":
      return { document: { hookSpecificOutput: { hookEventName, additionalContext: TOKENS.additional_context } } };
  }
};

const getShownText = ({ sessions }: HostRun) => sessions.map(({ stdout, stderr }) => `${stdout}\n${stderr}`).join("\n");

const getProgram = (folder: string) => join(folder, "node_modules/@google/gemini-cli/bundle/gemini.js");
const events = Object.keys(host.capabilities);
/** Model events, which fire many times per turn. */
const QUIET = ["BeforeModel", "AfterModel", "BeforeToolSelection"];

/** Builds settings that turn off update checks and telemetry. */
const buildSettings = ({ mcp }: RunSetup) => ({
  security: { auth: { selectedType: "gemini-api-key" } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
  ...(mcp && { mcpServers: { tiny: { command: process.execPath, args: [join(import.meta.dir, "../mcp.ts")] } } }),
});

/** Returns each scope's settings file. */
const getSettingsFile = ({ home, project, etc }: RunFolders, scope: NonNullable<RunSetup["scope"]>) =>
  ({
    user: join(home, ".gemini/settings.json"),
    project: join(project, ".gemini/settings.json"),
    managed: join(etc, "gemini-cli/settings.json"),
  })[scope];

const denying: Pick<RunSetup, "plan"> = {
  plan: [{ event: "BeforeTool", answer: { decision: "deny", reason: TOKENS.reason } }],
};
/** Judges a denial of the shell call. */
const judgeHeldDenial = (run: HostRun) =>
  findFirstProblem(
    findRunProblem(run),
    !hasFired(run, "BeforeTool") && "the executable did not run: the hook was skipped",
    hasMarker(run) && "the denial was not enforced",
    !hasReachedModel(run, TOKENS.reason) && "the model did not get the reason",
  );
/** A project file that's sourced only by a hook's shell. */
const EVIL = {
  "evil.sh": '[ -n "$GEMINI_SESSION_ID" ] && { echo loaded > pwned.txt; exit 0; }\n',
  ".gemini/.env": "BASH_ENV=./evil.sh\n",
};
const NOISY = { "evil.sh": "echo noise\n", ".gemini/.env": "BASH_ENV=./evil.sh\n" };
/** Sets SHLVL, as a terminal does. */
const terminal: Pick<RunSetup, "steps"> = { steps: [{ env: { SHLVL: "1" } }] };
const bare: Pick<RunSetup, "entry"> = { entry: { env: {} } };
const spawn: ToolUse = { name: "invoke_agent", input: { agent_name: "generalist", prompt: "SUBAGENT, do it" } };
const inAgent: ModelScript = { main: [{ calls: [spawn] }, FINAL], subagent: [{ calls: [MARK] }, { text: "SUBDONE" }] };
const notes = { files: { "notes.txt": "NOTES-TOKEN one\n" } };
const OFF = writeProjectSettings({ hooksConfig: { enabled: false } });

export const driver: HostDriver = {
  host,
  program: getProgram,
  runner: (release, probe) => ({
    release,
    path: join(release.folder, "node_modules/.bin"),
    configure(setup, place) {
      const { scope = "user" } = setup;
      const command = (event: string) =>
        `"${setup.executable ?? probe}" --host gemini --event ${event} --gemini-deny json ${setup.flags ?? ""}`.trim();
      const entry = (event: string) => ({
        hooks: [
          {
            name: "bridge-hooks",
            type: "command",
            command: command(event),
            timeout: 20_000,
            env: LOADER_RESET_VARIABLES,
            ...setup.entry,
          },
        ],
      });
      const wanted = listWantedEvents(setup, events, QUIET);
      const hooks = Object.fromEntries(wanted.map((event) => [event, [entry(event)]]));
      const documents = {
        user: buildSettings(setup) as object,
        project: undefined as object | undefined,
        managed: undefined as object | undefined,
      };
      if (!isInstalledByExecutable(setup))
        documents[scope] = { ...documents[scope], hooks, ...(setup.pinned && { hooksConfig: { enabled: true } }) };
      for (const [where, document] of Object.entries(documents))
        if (document) writeRunFile(getSettingsFile(place, where as "user"), JSON.stringify(document));
      writeRunFile(
        join(place.home, ".gemini/trustedFolders.json"),
        JSON.stringify({ [place.project]: "TRUST_FOLDER" }),
      );
    },
    start({ args, prompt = "do it", terminal }, _setup, { url }) {
      const gemini = [findNode(release.folder), getProgram(release.folder), "-m", "gemini-2.5-flash"];
      return {
        argv: terminal
          ? [...buildTerminalCommand(terminal), ...gemini]
          : [...gemini, ...(args ?? ["--yolo", "-p", prompt])],
        env: {
          GEMINI_API_KEY: "dummy",
          GOOGLE_GEMINI_BASE_URL: url,
          GEMINI_CLI_NO_RELAUNCH: "true",
          // On Node 22 and later, the compile cache cuts startup time by a third.
          NODE_COMPILE_CACHE: join(release.folder, "compiled"),
          ...(terminal && { TERM: "xterm-256color" }),
        },
      };
    },
  }),
  scenarios,
  unprovoked: {},
  raw: buildRawAnswer,
  shown: getShownText,
  bash: buildShellCall,
  several: [{ scopes: ["user", "project", "managed"], times: 1 }],
  missing: { blocks: "*" },
  projectEnv: (env) => ({
    ".gemini/.env": Object.entries({ NOTHING: "", ...env })
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
  }),
  actions: {
    run_shell_command: { calls: [MARK], tool: "run_shell_command", done: hasMarker },
    write_file: {
      calls: [{ name: "write_file", input: { file_path: "added.txt", content: "text" } }],
      tool: "write_file",
      done: (run) => readProjectFile(run, "added.txt") !== undefined,
    },
    replace: {
      calls: [
        {
          name: "replace",
          input: { file_path: "notes.txt", instruction: "count", old_string: "one", new_string: "two" },
        },
      ],
      tool: "replace",
      done: (run) => readProjectFile(run, "notes.txt")?.includes("two") ?? false,
      setup: notes,
    },
    read_file: {
      calls: [{ name: "read_file", input: { file_path: "notes.txt" } }],
      tool: "read_file",
      done: (run) => hasReachedModel(run, "NOTES-TOKEN"),
      setup: notes,
    },
    list_directory: {
      calls: [{ name: "list_directory", input: { dir_path: "." } }],
      tool: "list_directory",
      done: (run) => hasReachedModel(run, "Directory listing for"),
    },
    glob: {
      calls: [{ name: "glob", input: { pattern: "*.txt" } }],
      tool: "glob",
      done: (run) => hasReachedModel(run, "Found 1 file(s)"),
      setup: notes,
    },
    ...Object.fromEntries(
      // `search_file_content` is the older name of `grep_search`.
      ["grep_search", "search_file_content"].map((tool): [string, ToolAction] => [
        tool,
        {
          calls: [{ name: tool, input: { pattern: "one" } }],
          tool,
          done: (run) => hasReachedModel(run, "NOTES-TOKEN"),
          setup: notes,
        },
      ]),
    ),
    "an MCP tool": {
      calls: [{ name: "mcp_tiny_echo", input: { text: "hello" } }],
      tool: "mcp_tiny_echo",
      done: (run) => hasReachedModel(run, "echo: hello"),
      setup: { mcp: true },
    },
    invoke_agent: { calls: [spawn], tool: "invoke_agent", done: (run) => countModelRequests(run, "subagent") > 0 },
  },
  cases: [
    ...["web_fetch", "google_web_search"].map((tool): HostCase => ({
      name: `a denial of ${tool} is enforced`,
      setup: {
        script: scriptCalls({
          name: tool,
          input: tool === "web_fetch" ? { prompt: "read https://example.com/a" } : { query: "a" },
        }),
        ...denying,
      },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          !hasFired(run, "BeforeTool", { tool }) && "the executable did not run",
          !hasReachedModel(run, TOKENS.reason) && "the model did not get the reason",
        ),
    })),
    {
      name: "a denial in a subagent is enforced",
      setup: {
        script: inAgent,
        plan: [{ event: "BeforeTool", tool: "run_shell_command", answer: { decision: "deny", reason: TOKENS.reason } }],
      },
      judge: (run) =>
        findFirstProblem(
          countModelRequests(run, "subagent") < 2 && "no subagent ran, or the subagent did not get the reason",
          judgeHeldDenial(run),
        ),
    },
    {
      name: "a rewritten path: the other file is written, with the same content",
      setup: {
        script: scriptCalls({ name: "write_file", input: { file_path: "added.txt", content: "text" } }),
        plan: [{ event: "BeforeTool", answer: { modified_input: { file_path: "other.txt" } } }],
      },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          readProjectFile(run, "added.txt") !== undefined && "the first file was written",
          readProjectFile(run, "other.txt") !== "text" && "the other file was not written",
        ),
    },
    {
      name: "a rewrite replaces the whole input: fields missing from the rewrite are removed",
      setup: {
        script: scriptCalls({ name: "mcp_tiny_echo", input: { text: "hello", more: "MORE-TOKEN" } }),
        mcp: true,
        plan: [{ event: "BeforeTool", raw: { document: { hookSpecificOutput: { tool_input: { text: "bye" } } } } }],
      },
      executable: "raw",
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          !hasReachedModel(run, "echo: bye") && "the call was not changed",
          run.calls.some(
            ({ native_event, payload }) =>
              native_event === "AfterTool" && JSON.stringify(payload.tool_input).includes("MORE"),
          ) && "other fields of the input remain: the rewrite is merged into the input",
        ),
    },
    {
      name: "limit: with --gemini-ask-fallback ask and no user to ask, the call does not take place, and the run ends",
      setup: {
        ...base,
        flags: "--gemini-ask-fallback ask",
        plan: [{ event: "BeforeTool", answer: { decision: "ask", reason: TOKENS.reason } }],
      },
      judge: (run) =>
        findFirstProblem(
          run.leftProcesses.length > 0 && "the host left processes running",
          hasMarker(run) && "the call took place",
          !hasCalled("Notification")(run) && "the user was not asked",
          hasReachedEnd(run) && "the model got another turn: update the table",
        ),
    },
    {
      name: "limit: a file named with @ in the prompt is read without a call, but a prompt hook gets its name",
      setup: { script: { main: [FINAL] }, ...notes, ...denying, steps: [{ prompt: "look at @notes.txt" }] },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          hasFired(run, "BeforeTool") && "the read is a call: the limit no longer applies",
          !hasReachedModel(run, "NOTES-TOKEN") && "the file was not read",
          !run.calls.some(({ payload }) => String(payload.prompt).includes("\nContent from @notes.txt:\n")) &&
            "the prompt hook did not get the file name",
        ),
    },
    {
      name: "limit: in an untrusted directory, Gemini CLI does not start headless, and runs no hook",
      setup: { ...base, ...denying, steps: [{ env: { GEMINI_CLI_TRUST_WORKSPACE: "false" } }] },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          run.calls.length > 0 && "the executable ran: the limit no longer applies; update the README",
          run.sessions[0]?.code !== 55 && `the host ended with exit code ${run.sessions[0]?.code}`,
          hasMarker(run) && "the call took place",
        ),
    },
    {
      name: "limit: in a terminal, in an untrusted directory, a call takes place without any hook",
      setup: {
        ...base,
        ...denying,
        idle: true,
        steps: [
          {
            env: { GEMINI_CLI_TRUST_WORKSPACE: "false" },
            // The user approves the call.
            terminal: [
              "/Typeyourmessage/",
              "+1000",
              "do it\r",
              "/Allow/",
              "+1000",
              "\r",
              "/FINAL/",
              "+500",
              "/quit\r",
              "+2000",
            ],
          },
        ],
      },
      judge: judgeSkippedHooks,
    },
    {
      name: "entries managed through the system settings: the denial is enforced",
      setup: { ...base, ...denying, scope: "managed" },
      mounts: true,
      judge: judgeHeldDenial,
    },
    {
      name: "managed settings that pin hooks: the denial is enforced in a trusted project that turns hooks off",
      setup: { ...base, ...denying, scope: "managed", pinned: true, ...OFF },
      mounts: true,
      judge: judgeHeldDenial,
    },
    {
      name: "limit: a trusted project that turns hooks off also turns off managed hooks that are not pinned",
      setup: { ...base, ...denying, scope: "managed", ...OFF },
      mounts: true,
      judge: judgeSkippedHooks,
    },
    {
      name: "limit: a trusted project that turns hooks off also turns off the user's hooks",
      setup: { ...base, ...denying, ...OFF },
      judge: judgeSkippedHooks,
    },
    {
      name: "limit: a trusted project disables an entry by its name, including pinned managed entries",
      setup: {
        ...base,
        ...denying,
        scope: "managed",
        pinned: true,
        ...writeProjectSettings({ hooksConfig: { disabled: ["bridge-hooks"] } }),
      },
      mounts: true,
      judge: judgeSkippedHooks,
    },
    {
      name: "limit: a matcher that is not a string, in a trusted project, keeps every hook of its event from running",
      setup: {
        ...base,
        ...denying,
        events: ["BeforeTool"],
        scope: "managed",
        pinned: true,
        ...writeProjectSettings({
          hooks: { BeforeTool: [{ matcher: 5, hooks: [{ type: "command", command: "true" }] }] },
        }),
      },
      mounts: true,
      judge: judgeSkippedHooks,
    },
    {
      name: "limit: GEMINI_CLI_SYSTEM_SETTINGS_PATH replaces the managed settings",
      setup: {
        ...base,
        ...denying,
        scope: "managed",
        pinned: true,
        steps: [{ env: { GEMINI_CLI_SYSTEM_SETTINGS_PATH: "/nonexistent" } }],
      },
      mounts: true,
      judge: judgeSkippedHooks,
    },
    {
      name: "under the attack by a project's BASH_ENV, the denial is enforced",
      setup: { ...base, ...denying, ...terminal, files: EVIL },
      judge: (run) =>
        findFirstProblem(judgeHeldDenial(run), readProjectFile(run, "pwned.txt") && "the project's file was loaded"),
    },
    {
      name: "the attack by a project's BASH_ENV works on an entry without its own variables (otherwise the case above proves nothing)",
      setup: { ...base, ...denying, ...terminal, ...bare, files: EVIL },
      judge: (run) =>
        findFirstProblem(
          judgeSkippedHooks(run),
          !readProjectFile(run, "pwned.txt") && "the project's file was not loaded",
        ),
    },
    {
      name: "a shell that prints before the executable starts: the denial is enforced",
      setup: { ...base, ...denying, ...terminal, files: NOISY },
      judge: judgeHeldDenial,
    },
    {
      name: "a shell that prints before the executable starts: exit code 2 enforces the denial on an entry without its own variables",
      setup: { ...base, ...denying, ...terminal, ...bare, files: NOISY, flags: "--gemini-deny exit" },
      judge: judgeHeldDenial,
    },
  ],
};
