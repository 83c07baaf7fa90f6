import { join } from "node:path";
import type { IHookResponse } from "bridge-hooks";
import { qwen as host } from "../../../src/hosts/qwen/index.ts";
import type { CapabilityField } from "../../../src/protocol/capability.ts";
import { LOADER_RESET_VARIABLES } from "../../../src/hosts/setup/loader-variables.ts";
import {
  buildRawDocument,
  findFirstProblem,
  findRunProblem,
  hasFired,
  hasMarker,
  hasReachedModel,
  type HostCase,
  type HostDriver,
  judgeDenial,
  judgeSkippedHooks,
  readProjectFile,
  TOKENS,
} from "../driver.ts";
import { buildLateHookCase, buildPushCase } from "../case-builders.ts";
import { buildInstallAction } from "../install-cases.ts";
import { WAIT_MS } from "../plan.ts";
import { findNode, PROBE_EXECUTABLE } from "../releases.ts";
import {
  buildTerminalCommand,
  type HostRun,
  isInstalledByExecutable,
  listWantedEvents,
  type RunFolders,
  type RunSetup,
  writeRunFile,
} from "../run.ts";
import {
  actions,
  base,
  buildShellCall,
  FINAL,
  files,
  hasReachedEnd,
  inAgent,
  PRINT_AND_WAIT,
  scenarios,
  scriptCalls,
} from "./qwen-scenarios.ts";

const denial = { decision: "deny", reason: TOKENS.reason } as const;
const denying: Pick<RunSetup, "plan"> = { plan: [{ event: "PreToolUse", answer: denial }] };
const judgeHeldDenial = (run: HostRun) =>
  findFirstProblem(judgeDenial(run), !hasReachedModel(run, TOKENS.reason) && "the model did not get the reason");
const doctor = { line: ["doctor", "--host", "qwen"], code: "any" } as const;
/** A user-scope installation, then a run of doctor. */
const examined: Pick<RunSetup, "steps"> = {
  steps: [{ before: [buildInstallAction("install", "user", ["qwen"]), doctor] }],
};

/** Judges a known limitation: the executable ran for doctor but not in the session. */
const judgeSilence = (run: HostRun, words: string) =>
  findFirstProblem(
    findRunProblem(run),
    (run.sessions.at(-1)?.calls.length ?? 0) > 0 &&
      "the executable ran: the limit no longer applies; update docs/hosts/qwen.md",
    !hasMarker(run) && "the call did not take place",
    !run.executableOutput.at(-1)?.includes(words) && `doctor is not red: ${run.executableOutput.at(-1)}`,
  );

/** Builds a field in the host's own format. */
const buildRawAnswer: HostDriver["raw"] = (field, hookEventName) => {
  if (field !== "modified_output") return buildRawDocument(field, hookEventName);
  return { document: { hookSpecificOutput: { hookEventName, updatedToolOutput: TOKENS.modified_output } } };
};

/** Builds settings that select the scripted model, turn on optional tools and turn off background features. */
const buildSettings = ({ mcp }: RunSetup) => ({
  security: { auth: { selectedType: "openai" } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { enableAutoUpdate: false },
  tools: { todoWrite: { enabled: true }, listDirectory: { enabled: true } },
  ...(mcp && { mcpServers: { tiny: { command: process.execPath, args: [join(import.meta.dir, "../mcp.ts")] } } }),
});

/** Returns each scope's settings file. */
const getSettingsFile = ({ home, project, etc }: RunFolders, scope: NonNullable<RunSetup["scope"]>) =>
  ({
    user: join(home, ".qwen/settings.json"),
    project: join(project, ".qwen/settings.json"),
    managed: join(etc, "qwen-code/settings.json"),
  })[scope];

const getProgram = (folder: string) => join(folder, "node_modules/@qwen-code/qwen-code/cli-entry.js");
const events = Object.keys(host.capabilities);
/** MessageDisplay fires repeatedly while text from the model streams in. */
const QUIET = ["MessageDisplay"];

const ALLOWS = JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow" } });
/** A hook in the project that allows every call. */
const ALLOWING = {
  ".qwen/settings.json": JSON.stringify({
    hooks: { PreToolUse: [{ hooks: [{ type: "command", command: `echo '${ALLOWS}'` }] }] },
  }),
};
const HOOKLESS = { ".qwen/.env": "QWEN_CODE_SAFE_MODE=1\nQWEN_CODE_SIMPLE=1\n" };
const OFF = { ".qwen/settings.json": '{"disableAllHooks":true}' };
const headless = (...args: string[]): Pick<RunSetup, "steps"> => ({
  steps: [{ args: ["--yolo", ...args, "-p", "do it"] }],
});

/** Runs a session in a terminal, in which the user types more after the prompt. */
const typeInTerminal = (...more: string[]): Pick<RunSetup, "steps"> => ({
  steps: [{ terminal: ["/Typeyourmessage/", "do it\r", ...more, "/FINAL/", "/quit\r"] }],
});

const ownCases: readonly HostCase[] = [
  {
    name: "in a terminal: the user is asked, and hooks receive the question and the session's end",
    setup: { ...base, events, ...typeInTerminal("/Yes,allowonce/", "\r") },
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        !hasFired(run, "PermissionRequest") && "the executable did not run at PermissionRequest",
        !hasFired(run, "SessionEnd") && "the executable did not run at SessionEnd",
        !hasMarker(run) && "the call did not take place",
      ),
  },
  ...(
    [
      ["deny", denial, (run) => !hasMarker(run) && hasReachedModel(run, TOKENS.reason)],
      ["allow", { decision: "allow" }, hasMarker],
      [
        "modified_input",
        { decision: "allow", modified_input: { command: "echo REWRITTEN > marker.txt" } },
        (run) => readProjectFile(run, "marker.txt") === "REWRITTEN\n",
      ],
    ] as [CapabilityField, IHookResponse, (run: HostRun) => boolean][]
  ).map(([field, answer, holds]): HostCase => ({
    name: `in a terminal: PermissionRequest ${field}, and the user is not asked`,
    setup: { ...base, ...typeInTerminal(), plan: [{ event: "PermissionRequest", answer }] },
    cell: { native_event: "PermissionRequest", field },
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        !hasFired(run, "PermissionRequest") && "the executable did not run at PermissionRequest",
        run.sessions[0]?.stdout.includes("Yes, allow once") && "the user was asked",
        !holds(run) && "the answer had no effect",
      ),
  })),
  {
    name: "the approval of a project's hook does not override a denial",
    setup: { ...base, ...denying, files: ALLOWING },
    judge: judgeHeldDenial,
  },
  {
    name: "limit: another hook's approval overrides a denial that is text on stderr",
    setup: {
      ...base,
      files: ALLOWING,
      plan: [{ event: "PreToolUse", raw: { document: {}, stderr: TOKENS.reason, code: 2 } }],
    },
    executable: "raw",
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        !hasMarker(run) && "the call did not take place: the limit no longer applies",
      ),
  },
  {
    name: "a denial whose reason is a JSON object is enforced",
    setup: {
      ...base,
      plan: [{ event: "PreToolUse", answer: { decision: "deny", reason: '{"REASON-TOKEN":1}' } }],
    },
    judge: judgeHeldDenial,
  },
  {
    name: "limit: a JSON object as the text of a denial allows the call",
    setup: { ...base, plan: [{ event: "PreToolUse", raw: { document: {}, stderr: '{"a":1}', code: 2 } }] },
    executable: "raw",
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        !hasMarker(run) && "the call did not take place: the limit no longer applies",
      ),
  },
  {
    name: "a shell that prints before the executable starts: the denial is enforced",
    setup: {
      ...base,
      ...denying,
      events: ["PreToolUse"],
      entry: { command: `echo noise; "${PROBE_EXECUTABLE}" --host qwen --event PreToolUse` },
    },
    judge: judgeHeldDenial,
  },
  {
    name: "an ask together with an approving project hook: the call does not take place",
    setup: {
      ...base,
      files: ALLOWING,
      plan: [{ event: "PreToolUse", answer: { decision: "ask", reason: TOKENS.reason } }],
    },
    judge: judgeHeldDenial,
  },
  buildLateHookCase(buildShellCall),
  {
    name: "limit: after 60 seconds, the host no longer waits for hooks, whatever their timeout is; at Stop, the run ends with an error",
    setup: {
      ...base,
      events: ["Stop"],
      flags: `--timeout-ms ${WAIT_MS + 4_000}`,
      entry: { timeout: WAIT_MS / 1000 + 9 },
      plan: [{ event: "Stop", way: "wait", answer: denial }],
      idle: true,
    },
    judge: (run) =>
      findFirstProblem(
        run.sessions.at(-1)?.code !== 1 && "the host waited: the limit no longer applies",
        hasReachedModel(run, TOKENS.reason) && "the model got the reason",
      ),
  },
  buildPushCase(buildShellCall),
  {
    name: "a denial of web_fetch is enforced",
    setup: {
      script: scriptCalls({ name: "web_fetch", input: { url: "https://example.com/a", prompt: "read it" } }),
      ...denying,
    },
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        !hasFired(run, "PreToolUse", { tool: "web_fetch" }) && "the executable did not run",
        !hasReachedModel(run, TOKENS.reason) && "the model did not get the reason",
      ),
  },
  {
    name: "a result, a context and a denial after the call reach the model together, and the original result does not",
    setup: {
      script: scriptCalls(buildShellCall(PRINT_AND_WAIT)),
      plan: [
        {
          event: "PostToolUse",
          answer: {
            ...denial,
            additional_context: TOKENS.additional_context,
            modified_output: TOKENS.modified_output,
          },
        },
      ],
    },
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        ...([TOKENS.reason, TOKENS.additional_context, TOKENS.modified_output] as const).map(
          (text) => !hasReachedModel(run, text) && `the model did not get ${text}`,
        ),
        hasReachedModel(run, "RESULT-42") && "the model read the original",
      ),
  },
  {
    name: "limit: a file named with @ in the prompt is read without a call, but a prompt hook gets its name",
    setup: { script: { main: [FINAL] }, files, ...denying, steps: [{ prompt: "look at @notes.txt" }] },
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        hasFired(run, "PreToolUse") && "the read is a call: the limit no longer applies",
        !hasReachedModel(run, "NOTES-TOKEN") && "the file was not read",
        !run.calls.some(({ payload }) => String(payload.prompt).includes("\nContent from notes.txt:\n")) &&
          "the prompt hook did not get the file name",
      ),
  },
  ...(["claude", "gemini"] as const).map((named): HostCase => ({
    name: `an entry with --host ${named} answers in Qwen Code's format`,
    setup: {
      ...base,
      ...denying,
      files: ALLOWING,
      events: ["PreToolUse"],
      entry: { command: `"${PROBE_EXECUTABLE}" --host ${named} --event PreToolUse` },
    },
    judge: judgeHeldDenial,
  })),
  {
    name: "entries managed through the system settings: the denial is enforced",
    setup: { ...base, ...denying, scope: "managed" },
    mounts: true,
    judge: judgeHeldDenial,
  },
  {
    name: "managed and pinned hooks: the denial is enforced despite a project's disableAllHooks",
    setup: { ...base, ...denying, scope: "managed", pinned: true, files: OFF },
    mounts: true,
    judge: judgeHeldDenial,
  },
  {
    name: "limit: a project's disableAllHooks turns off a managed hook that is not pinned",
    setup: { ...base, ...denying, scope: "managed", files: OFF },
    mounts: true,
    judge: judgeSkippedHooks,
  },
  {
    name: "limit: if QWEN_CODE_SYSTEM_SETTINGS_PATH points elsewhere, a managed hook does not run",
    setup: {
      ...base,
      ...denying,
      scope: "managed",
      pinned: true,
      steps: [{ env: { QWEN_CODE_SYSTEM_SETTINGS_PATH: "/nonexistent.json" } }],
    },
    mounts: true,
    judge: judgeSkippedHooks,
  },
  {
    name: "limit: a project's .env turns off all hooks, including managed and pinned ones",
    setup: { ...base, ...denying, scope: "managed", pinned: true, files: HOOKLESS },
    mounts: true,
    judge: judgeSkippedHooks,
  },
  {
    name: "a project's .env turns off no hooks if the environment sets the variables to 0",
    setup: {
      ...base,
      ...denying,
      files: HOOKLESS,
      steps: [{ env: { QWEN_CODE_SAFE_MODE: "0", QWEN_CODE_SIMPLE: "0" } }],
    },
    judge: judgeHeldDenial,
  },
  {
    name: "limit: a project's .env turns the user's hooks off, and doctor is red",
    setup: { ...base, ...denying, ...examined, files: HOOKLESS },
    judge: (run) => judgeSilence(run, "QWEN_CODE_SAFE_MODE"),
  },
  {
    name: "limit: a project's settings turn the user's hooks off by a variable, and doctor is red",
    setup: {
      ...base,
      ...denying,
      ...examined,
      files: { ".qwen/settings.json": '{"env":{"QWEN_CODE_SIMPLE":"1"}}' },
    },
    judge: (run) => judgeSilence(run, "QWEN_CODE_SIMPLE"),
  },
  {
    name: "limit: a project's disableAllHooks turns the user's hooks off, and doctor is red",
    setup: { ...base, ...denying, ...examined, files: OFF },
    judge: (run) => judgeSilence(run, "disableAllHooks"),
  },
  ...["--bare", "--safe-mode"].map((flag): HostCase => ({
    name: `limit: with ${flag}, no hook runs`,
    setup: { ...base, ...denying, ...headless(flag) },
    judge: judgeSkippedHooks,
  })),
  {
    name: "limit: if nothing was approved in advance, a shell call is declined before its hook",
    setup: { ...base, ...denying, steps: [{ args: ["-p", "do it"] }] },
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        hasFired(run, "PreToolUse") && "the executable ran: update docs/hosts/qwen.md",
        hasMarker(run) && "the call took place",
        !hasReachedEnd(run) && "the run ended before the model's last turn",
      ),
  },
];

export const driver: HostDriver = {
  host,
  program: getProgram,
  runner: (release, probe) => ({
    release,
    path: join(release.folder, "node_modules/.bin"),
    configure(setup, place) {
      const { scope = "user" } = setup;
      const command = (event: string) =>
        `"${setup.executable ?? probe}" --host qwen --event ${event} ${setup.flags ?? ""}`.trim();
      const entry = (event: string) => ({
        hooks: [{ type: "command", command: command(event), timeout: 20, env: LOADER_RESET_VARIABLES, ...setup.entry }],
      });
      const hooks = Object.fromEntries(listWantedEvents(setup, events, QUIET).map((event) => [event, [entry(event)]]));
      const documents = {
        user: buildSettings(setup) as object,
        project: undefined as object | undefined,
        managed: undefined as object | undefined,
      };
      if (!isInstalledByExecutable(setup))
        documents[scope] = { ...documents[scope], hooks, ...(setup.pinned && { disableAllHooks: false }) };
      for (const [where, document] of Object.entries(documents))
        if (document) writeRunFile(getSettingsFile(place, where as "user"), JSON.stringify(document));
    },
    start: ({ args, prompt = "do it", terminal }, _setup, { url }) => ({
      argv: [
        ...(terminal ? buildTerminalCommand(terminal) : []),
        ...[findNode(release.folder), getProgram(release.folder)],
        ...(terminal ? [] : (args ?? ["--yolo", "-p", prompt])),
      ],
      env: {
        ...(terminal && { TERM: "xterm-256color" }),
        OPENAI_API_KEY: "x",
        OPENAI_BASE_URL: `${url}/v1`,
        OPENAI_MODEL: "mock",
        QWEN_CODE_NO_RELAUNCH: "true",
        // With the compile cache, Qwen Code starts three times as fast.
        NODE_COMPILE_CACHE: join(release.folder, "compiled"),
      },
    }),
  }),
  scenarios,
  unprovoked: {
    PermissionRequest: "only a terminal prompts; covered by separate cases",
    PostCompact: "the scripted summary is not shorter than the text that it replaces",
    SessionEnd: "does not fire in a headless run; covered by a separate case",
  },
  raw: buildRawAnswer,
  shown: ({ sessions }) => sessions.map(({ stdout, stderr }) => `${stdout}\n${stderr}`).join("\n"),
  bash: buildShellCall,
  inAgent,
  several: [{ scopes: ["user", "project", "managed"], times: 1 }],
  missing: { passes: "*" },
  projectEnv: (env) => ({
    ".qwen/.env": Object.entries({ NOTHING: "x", ...env })
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
  }),
  actions,
  sharesCalls: true,
  cases: ownCases,
};
