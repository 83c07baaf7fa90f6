import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { stringify } from "smol-toml";
import { grok as host } from "../../../src/hosts/grok/index.ts";
import {
  buildRawDocument,
  countModelRequests,
  findFirstProblem,
  findRunProblem,
  hasFired,
  hasMarker,
  hasReachedModel,
  type HostDriver,
  judgeDenial,
  judgeSkippedHooks,
  PRINT_RESULT_COMMAND,
  readProjectFile,
  TOKENS,
} from "../driver.ts";
import { buildLateHookCase, buildPushCase } from "../case-builders.ts";
import { buildInstallAction } from "../install-cases.ts";
import { PROBE_EXECUTABLE } from "../releases.ts";
import { type HostRun, isInstalledByExecutable, type RunFolders, type RunSetup, writeRunFile } from "../run.ts";
import {
  base,
  buildMcpCall,
  buildShellCall,
  DONE,
  EVERY,
  files,
  hasReachedEnd,
  inAgent,
  scenarios,
  scriptCalls,
  spawn,
  TEXTLESS,
} from "./grok-scenarios.ts";

const denial = { decision: "deny", reason: TOKENS.reason } as const;
const denying: Pick<RunSetup, "plan"> = { plan: [{ event: "PreToolUse", answer: denial }] };
const judgeHeldDenial = (run: HostRun) =>
  findFirstProblem(judgeDenial(run), !hasReachedModel(run, TOKENS.reason) && "the model did not get the reason");
/** Plans an answer in the host's own format, given by an executable without bridge-hooks. */
const answerRaw = (event: string, document: object): Pick<RunSetup, "plan"> => ({
  plan: [{ event, raw: { document } }],
});
const headless: Pick<RunSetup, "steps"> = { steps: [{ args: ["-p", "do it"] }] };
const asking = answerRaw("PreToolUse", { decision: "ask", reason: TOKENS.reason });
const doctor = { line: ["doctor", "--host", "grok"], code: "any" } as const;
const isRed = ({ executableOutput }: HostRun, words: string) => executableOutput.at(-1)?.includes(words) ?? false;

/** Judges a known limitation: the executable ran for doctor but not for the host's call. */
const judgeSilence = (run: HostRun, words: string) =>
  findFirstProblem(
    findRunProblem(run),
    run.sessions.at(-1)?.calls.some(({ native_event }) => native_event === "PreToolUse") &&
      "the executable ran: the limit no longer applies; update docs/hosts/grok.md",
    !hasMarker(run) && "the call did not take place",
    !isRed(run, words) && `doctor is not red: ${run.executableOutput.at(-1)}`,
  );

/** Builds a field in the host's own format. */
const buildRawAnswer: HostDriver["raw"] = (field, hookEventName) => {
  if (field !== "modified_output") return buildRawDocument(field, hookEventName);
  return { document: { hookSpecificOutput: { hookEventName, updatedToolOutput: TOKENS.modified_output } } };
};

/** Builds a config that uses the scripted model and turns off background features. */
const buildConfig = (url: string, { mcp }: RunSetup) =>
  stringify({
    cli: { auto_update: false },
    models: { default: "mock", web_search: "mock" },
    model: { mock: { model: "mock", base_url: `${url}/v1`, api_key: "x", context_window: 100_000 } },
    features: {
      telemetry: false,
      feedback: false,
      remote_fetch: false,
      codebase_indexing: false,
      managed_config: false,
    },
    telemetry: { trace_upload: false },
    ...(mcp && { mcp_servers: { tiny: { command: process.execPath, args: [join(import.meta.dir, "../mcp.ts")] } } }),
  });

/** Returns the hook file of each scope. */
const getHookFile = ({ home, project, etc }: RunFolders, scope: NonNullable<RunSetup["scope"]>) =>
  ({
    user: join(home, ".grok/hooks/bridge-hooks.json"),
    project: join(project, ".grok/hooks/bridge-hooks.json"),
    managed: join(etc, "grok/requirements.toml"),
  })[scope];

const getProgram = (folder: string) => join(folder, "grok");
const events = Object.keys(host.capabilities);

export const driver: HostDriver = {
  host,
  program: getProgram,
  // The package contains the program in compressed form. Its install script would write to the home directory.
  prepare(folder) {
    const packed = join(folder, `node_modules/@xai-official/grok-${process.platform}-${process.arch}/bin/grok.br`);
    const program = getProgram(folder);
    if (existsSync(program) || !existsSync(packed)) return;
    writeFileSync(`${program}.part`, brotliDecompressSync(readFileSync(packed)), { mode: 0o755 });
    renameSync(`${program}.part`, program);
  },
  runner: (release, probe) => ({
    release,
    path: release.folder,
    configure(setup, place) {
      const { scope = "user" } = setup;
      writeRunFile(join(place.home, ".grok/config.toml"), buildConfig(place.url, setup));
      if (setup.managedOnly) writeRunFile(getHookFile(place, "managed"), "allow_managed_hooks_only = true\n");
      if (setup.disabled)
        writeRunFile(
          join(place.home, ".grok/disabled-hooks"),
          ["global/bridge-hooks", "requirements/system"].map((file) => `${file}:pre_tool_use[0].hooks[0]\n`).join(""),
        );
      if (isInstalledByExecutable(setup)) return;
      const command = (event: string) =>
        `"${setup.executable ?? probe}" --host grok --event ${event} ${setup.flags ?? ""}`.trim();
      const entry = (event: string) => ({
        hooks: [{ type: "command", command: command(event), timeout: 20, ...setup.entry }],
      });
      const hooks = Object.fromEntries((setup.events ?? events).map((event) => [event, [entry(event)]]));
      const managed = () => stringify({ ...(setup.managedOnly && { allow_managed_hooks_only: true }), hooks });
      writeRunFile(getHookFile(place, scope), scope === "managed" ? managed() : JSON.stringify({ hooks }));
    },
    start: ({ args, prompt = "do it" }, { trusting }) => ({
      argv: [
        getProgram(release.folder),
        ...(trusting ? ["--trust"] : []),
        ...(args ?? ["--always-approve", "-p", prompt]),
      ],
      env: { XAI_API_KEY: "x" },
    }),
  }),
  scenarios,
  unprovoked: {},
  raw: buildRawAnswer,
  shown: ({ sessions }) => sessions.map(({ stdout, stderr }) => `${stdout}\n${stderr}`).join("\n"),
  bash: buildShellCall,
  inAgent,
  waitsLong: true,
  several: [{ scopes: ["user", "project", "managed"], times: 1 }],
  missing: { passes: "*" },
  actions: {
    ...Object.fromEntries(
      Object.entries(DONE).map(([tool, done]) => [
        tool,
        { calls: EVERY.script.main.flatMap(({ calls = [] }) => calls), tool, done, setup: { mcp: true, files } },
      ]),
    ),
    spawn_subagent: {
      calls: [spawn],
      tool: "spawn_subagent",
      done: (run) => countModelRequests(run, "subagent") > 0,
    },
  },
  cases: [
    {
      name: "a denial of web_search is enforced",
      setup: { script: scriptCalls({ name: "web_search", input: { query: "a" } }), ...denying },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          !hasFired(run, "PreToolUse", { tool: "web_search" }) && "the executable did not run",
          !hasReachedModel(run, TOKENS.reason) && "the model did not get the reason",
        ),
    },
    {
      name: "a text replaces the result of every tool with a text result",
      setup: {
        ...EVERY,
        plan: Object.keys(DONE).map((tool) => ({
          event: "PostToolUse",
          tool,
          answer: { modified_output: `${TOKENS.modified_output}(${tool})` },
        })),
      },
      judge: (run) => {
        const told = Object.keys(DONE).filter((tool) => hasReachedModel(run, `${TOKENS.modified_output}(${tool})`));
        return findFirstProblem(
          findRunProblem(run),
          told.join() !==
            Object.keys(DONE)
              .filter((tool) => !TEXTLESS.includes(tool))
              .join() && `only these results were replaced: ${told.join()}`,
          hasReachedModel(run, "1→NOTES-TOKEN") && "the model read the original",
        );
      },
    },
    {
      name: "a text replaces the output of a background subagent",
      setup: {
        ...inAgent,
        plan: [
          {
            event: "PostToolUse",
            tool: "get_command_or_subagent_output",
            answer: { modified_output: TOKENS.modified_output },
          },
        ],
      },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          !hasReachedModel(run, TOKENS.modified_output) && "the model did not get the new result",
          run.requests.some(({ who, text }) => who === "main" && text.includes("SUBDONE")) &&
            "the model read the original",
        ),
    },
    {
      name: "a result, a context and a denial after the call reach the model together",
      setup: {
        script: scriptCalls(buildShellCall(PRINT_RESULT_COMMAND)),
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
        ),
    },
    {
      name: "rewritten arguments of an MCP tool reach the server",
      setup: {
        script: scriptCalls(buildMcpCall("tiny__echo", { text: "hello" })),
        mcp: true,
        plan: [{ event: "PreToolUse", answer: { modified_input: { arguments: { text: "bye" } } } }],
      },
      judge: (run) =>
        findFirstProblem(findRunProblem(run), !hasReachedModel(run, "echo: bye") && "the call was not changed"),
    },
    {
      name: "a rewrite of an edit: the new text is written, and the model gets the context",
      setup: {
        script: scriptCalls(
          { name: "read_file", input: { target_file: "notes.txt" } },
          { name: "search_replace", input: { file_path: "notes.txt", old_string: "one", new_string: "two" } },
        ),
        files,
        plan: [
          {
            event: "PreToolUse",
            tool: "search_replace",
            answer: {
              additional_context: TOKENS.additional_context,
              modified_input: {
                files: [
                  {
                    file_path: "notes.txt",
                    operation: "update",
                    edits: [{ old_string: "one", new_string: "three" }],
                  },
                ],
              },
            },
          },
        ],
      },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          readProjectFile(run, "notes.txt") !== "NOTES-TOKEN three\n" && "the call was not changed",
          !hasReachedModel(run, TOKENS.additional_context) && "the model did not get the context",
        ),
    },
    {
      name: "a rewrite replaces the whole input: a call that lacks a required field is denied",
      setup: {
        ...base,
        ...answerRaw("PreToolUse", {
          hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { command: "echo REWRITTEN > marker.txt" } },
        }),
      },
      executable: "raw",
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          hasMarker(run) && "the call took place: a partial input suffices",
          !hasReachedModel(run, "missing field `description`") && "the model did not get the reason",
        ),
    },
    {
      name: "limit: with all calls approved, an ask does not prompt, and the call takes place",
      setup: { ...base, ...asking },
      executable: "raw",
      judge: (run) => findFirstProblem(findRunProblem(run), !hasMarker(run) && "the call did not take place"),
    },
    {
      name: "limit: an ask without a user to answer: the call does not take place, and the run ends",
      setup: { ...base, ...asking, ...headless },
      executable: "raw",
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          hasMarker(run) && "the call took place",
          hasReachedEnd(run) && "the model got another turn: update the table",
        ),
    },
    {
      name: "a denial is enforced if nothing was approved in advance",
      setup: { ...base, ...denying, ...headless },
      judge: judgeHeldDenial,
    },
    {
      name: "a shell that prints before the executable starts: the exit code enforces the denial",
      setup: {
        ...base,
        ...denying,
        events: ["PreToolUse"],
        entry: { command: `echo noise; "${PROBE_EXECUTABLE}" --host grok --event PreToolUse` },
      },
      judge: judgeHeldDenial,
    },
    buildLateHookCase(buildShellCall),
    buildPushCase(buildShellCall),
    {
      name: "limit: in an untrusted directory, the project's hooks do not run",
      setup: { ...base, ...denying, scope: "project" },
      judge: judgeSkippedHooks,
    },
    {
      name: "entries managed through root's requirements: the denial is enforced",
      setup: { ...base, ...denying, scope: "managed" },
      mounts: true,
      judge: judgeHeldDenial,
    },
    {
      name: "managed hooks only: the managed entry runs even if the user disabled it",
      setup: { ...base, ...denying, scope: "managed", managedOnly: true, disabled: true },
      mounts: true,
      judge: judgeHeldDenial,
    },
    {
      name: "limit: with managed hooks only, the user's hooks do not run",
      setup: { ...base, ...denying, managedOnly: true },
      mounts: true,
      judge: judgeSkippedHooks,
    },
    {
      name: "limit: an entry in disabled-hooks does not run, and doctor is red",
      setup: {
        ...base,
        ...denying,
        disabled: true,
        steps: [{ before: [buildInstallAction("install", "user", ["grok"]), doctor] }],
      },
      judge: (run) => judgeSilence(run, "disabled-hooks"),
    },
    {
      name: "Claude Code's entries also run, and are answered in Grok Build's format",
      setup: { ...base, ...denying, steps: [{ before: [buildInstallAction("install", "user", ["claude"])] }] },
      judge: judgeHeldDenial,
    },
    {
      name: "limit: the entries of Cursor's own files do not run, even in a trusted directory",
      setup: {
        ...base,
        ...denying,
        trusting: true,
        steps: [
          {
            before: [
              buildInstallAction("install", "user", ["cursor"]),
              buildInstallAction("install", "project", ["cursor"]),
            ],
          },
        ],
      },
      judge: judgeSkippedHooks,
    },
    {
      name: "grok inspect lists the installed entries",
      setup: {
        ...base,
        steps: [{ before: [buildInstallAction("install", "user", ["grok"])], args: ["inspect", "--json"] }],
      },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          !/--event PreToolUse"/.test(run.sessions[0]?.stdout ?? "") && `grok inspect lists ${run.sessions[0]?.stdout}`,
        ),
    },
  ],
};
