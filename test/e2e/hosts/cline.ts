import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { cline as host } from "../../../src/hosts/cline/index.ts";
import {
  countModelRequests,
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
import { PUSHED, readRemote } from "../case-builders.ts";
import type { ToolUse } from "../model.ts";
import { PROBE_EXECUTABLE } from "../releases.ts";
import {
  type HostRun,
  isInstalledByExecutable,
  listWantedEvents,
  type RunFolders,
  type RunSetup,
  writeRunFile,
} from "../run.ts";
import {
  base,
  buildCommandsCall,
  buildShellCall,
  DONE,
  EVERY,
  files,
  hasReachedEnd,
  inAgent,
  mistaken,
  isAborted,
  scenarios,
  scriptCalls,
  spawn,
} from "./cline-scenarios.ts";

const denial = { decision: "deny", reason: TOKENS.reason } as const;
const denying: Pick<RunSetup, "plan"> = { plan: [{ event: "PreToolUse", answer: denial }] };
const judgeHeldDenial = (run: HostRun) =>
  findFirstProblem(
    judgeDenial(run),
    !hasReachedModel(run, TOKENS.reason) && "the model did not get the reason",
    !hasReachedEnd(run) && "the model did not continue",
  );
/** Judges a denial that ends the run: no tool runs, and the model doesn't get another turn. */
const judgeCancelled = (run: HostRun) =>
  findFirstProblem(
    judgeDenial(run),
    !isAborted(run) && "the run continued",
    hasReachedModel(run, TOKENS.reason) && "the model got the reason: update the table",
  );
const echo: ToolUse = { name: "tiny__echo", input: { text: "hello" } };

/** Builds a field in the host's own format. */
const buildRawAnswer: HostDriver["raw"] = (field) => {
  switch (field) {
    case "deny":
      return { document: { cancel: true, errorMessage: TOKENS.reason } };
    case "additional_context":
      return { document: { contextModification: TOKENS.additional_context } };
    case "modified_input":
      return { document: { overrideInput: { commands: ["echo REWRITTEN > marker.txt"] } } };
    default:
      return undefined;
  }
};

/** Writes settings that select the scripted model and turn off background features. */
function writeSettings({ home, url }: RunFolders, { mcp, model = "mock" }: RunSetup): void {
  const settings = join(home, ".cline/data/settings");
  const provider = { provider: "openai-compatible", apiKey: "x", model, baseUrl: `${url}/v1` };
  writeRunFile(
    join(settings, "providers.json"),
    JSON.stringify({
      version: 1,
      lastUsedProvider: "openai-compatible",
      modes: {},
      providers: {
        "openai-compatible": { settings: provider, updatedAt: "2026-11-29T00:00:00.000Z", tokenSource: "manual" },
      },
    }),
  );
  const tiny = { command: process.execPath, args: [join(import.meta.dir, "../mcp.ts")] };
  if (mcp) writeRunFile(join(settings, "cline_mcp_settings.json"), JSON.stringify({ mcpServers: { tiny } }));
}

/** Returns each scope's hooks directory. */
const getScripts = ({ home, project }: RunFolders, scope: RunSetup["scope"]) =>
  scope === "project" ? join(project, ".clinerules/hooks") : join(home, ".cline/hooks");

const events = Object.keys(host.capabilities);
const unprovoked = {
  TaskResume: "a session is resumed only in a terminal",
  TaskCancel: "no way of ending a headless run fires this event",
  TaskError: "the run retries a failing provider again and again",
  UserPromptSubmit: "does not fire for the prompt of a run",
};

const getProgram = (folder: string) =>
  join(folder, `node_modules/@cline/cli-${process.platform}-${process.arch}/bin/cline`);

/** Builds a case that runs a hook script with its own setup. */
const ofScript = (name: string, script: string, judge: HostCase["judge"], more: Partial<RunSetup> = {}): HostCase => ({
  name,
  setup: { ...base, ...denying, events: ["PreToolUse"], entry: { script }, ...more },
  judge,
});
const ours = `"${PROBE_EXECUTABLE}" --host cline --event PreToolUse`;

export const driver: HostDriver = {
  host,
  program: getProgram,
  runner: (release, probe) => ({
    release,
    configure(setup, place) {
      writeSettings(place, setup);
      if (isInstalledByExecutable(setup)) return;
      const folder = getScripts(place, setup.scope);
      for (const event of listWantedEvents(setup, events, Object.keys(unprovoked))) {
        const command = `"${setup.executable ?? probe}" --host cline --event ${event} ${setup.flags ?? ""}`.trim();
        const script = setup.entry?.script ?? `#!/bin/sh\nexec ${command}\n`;
        const path = join(folder, `${event}.sh`);
        writeRunFile(setup.entry?.linked ? join(place.run, event) : path, String(script));
        if (setup.entry?.linked) writeRunFile(join(folder, "README"), "");
        if (setup.entry?.linked) symlinkSync(join(place.run, event), path);
      }
    },
    start: ({ args, prompt = "do it now" }, { model = "mock" }) => ({
      argv: [getProgram(release.folder), ...(args ?? ["--json", "-P", "openai-compatible", "-m", model, prompt])],
      // Local mode avoids starting the daemon, which would outlive the run.
      env: { CI: "1", CLINE_TELEMETRY: "0", CLINE_NO_AUTO_UPDATE: "1", CLINE_SESSION_BACKEND_MODE: "local" },
    }),
  }),
  ending: mistaken,
  scenarios,
  unprovoked,
  raw: buildRawAnswer,
  shown: ({ sessions }) => sessions.map(({ stdout, stderr }) => `${stdout}\n${stderr}`).join("\n"),
  bash: buildShellCall,
  inAgent,
  several: [{ scopes: ["user", "project"], times: 2 }],
  missing: { passes: "*" },
  sharesCalls: true,
  obeysAttacks: true,
  actions: {
    ...Object.fromEntries(
      Object.entries(DONE).map(([tool, done]) => [
        tool,
        { calls: EVERY.filter(({ name }) => name === tool), tool, done, setup: { files } },
      ]),
    ),
    spawn_agent: {
      calls: [spawn],
      tool: "spawn_agent",
      setup: { script: inAgent.script },
      done: (run) => countModelRequests(run, "subagent") > 0,
    },
  },
  cases: [
    {
      name: "a denial is enforced on tools that don't run here, and the model gets the reason",
      setup: {
        ...denying,
        script: scriptCalls(
          { name: "fetch_web_content", input: { requests: [{ url: "https://example.com/a", prompt: "what" }] } },
          { name: "ask_question", input: { question: "Why?", options: ["a", "b"] } },
          { name: "editor", input: { path: "added.txt", new_text: "text\n" } },
          { name: "editor", input: { path: "notes.txt", insert_line: 1, new_text: "zero" } },
        ),
        files,
      },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          run.calls.filter(({ native_event }) => native_event === "PreToolUse").length !== 4 &&
            "the executable did not run",
          readProjectFile(run, "added.txt") !== undefined && "a file was created",
          readProjectFile(run, "notes.txt") !== files["notes.txt"] && "a file was changed",
          !hasReachedModel(run, "denied:") && "the address was fetched",
          !hasReachedModel(run, TOKENS.reason) && "the model did not get the reason",
          !hasReachedEnd(run) && "the model did not continue",
        ),
    },
    {
      name: "a denial is enforced on apply_patch, which some models get instead of the editor",
      setup: {
        ...denying,
        model: "gpt-mock",
        script: scriptCalls({
          name: "apply_patch",
          input: { input: "*** Begin Patch\n*** Add File: marker.txt\n+hello\n*** End Patch" },
        }),
      },
      judge: judgeHeldDenial,
    },
    {
      name: "a denied call of an MCP tool ends the run",
      setup: { ...denying, script: scriptCalls(echo), mcp: true },
      judge: (run) => findFirstProblem(judgeCancelled(run), hasReachedModel(run, "echo: hello") && "the tool ran"),
    },
    {
      name: "rewritten arguments of an MCP tool reach the server",
      setup: {
        script: scriptCalls(echo),
        mcp: true,
        plan: [{ event: "PreToolUse", answer: { modified_input: { arguments: { text: "bye" } } } }],
      },
      judge: (run) =>
        findFirstProblem(findRunProblem(run), !hasReachedModel(run, "echo: bye") && "the call was not changed"),
    },
    {
      name: "rewrites of an edit and a read: Cline applies them, and the model gets the context",
      setup: {
        script: scriptCalls(
          { name: "editor", input: { path: "notes.txt", old_text: "one", new_text: "two" } },
          { name: "read_files", input: { files: [{ path: "none.txt" }] } },
        ),
        files,
        plan: [
          {
            event: "PreToolUse",
            tool: "editor",
            answer: {
              additional_context: TOKENS.additional_context,
              modified_input: {
                files: [
                  { file_path: "notes.txt", operation: "update", edits: [{ old_string: "one", new_string: "three" }] },
                ],
              },
            },
          },
          { event: "PreToolUse", tool: "read_files", answer: { modified_input: { file_path: "notes.txt" } } },
        ],
      },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          readProjectFile(run, "notes.txt") !== "NOTES-TOKEN three\n" && "the edit was not changed",
          !hasReachedModel(run, "1 | NOTES-TOKEN three") && "the read was not changed",
          !hasReachedModel(run, TOKENS.additional_context) && "the model did not get the context",
        ),
    },
    {
      name: "the starter hooks prevent a forced push to a real remote and keep secrets from the model, among other commands and files",
      setup: {
        script: scriptCalls(
          buildShellCall("sh push.sh"),
          buildCommandsCall("touch side.txt", "git push --force ../remote.git HEAD:refs/heads/topic"),
          buildCommandsCall("touch side.txt", {
            command: "git",
            args: ["push", "--force", "../remote.git", "HEAD:refs/heads/topic"],
          }),
          { name: "read_files", input: { files: [{ path: "notes.txt" }, { path: ".env" }] } },
        ),
        files: { ...files, "push.sh": PUSHED, ".env": "TOKEN=SECRET-42\n" },
      },
      executable: "product",
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          readRemote(run) !== "one\n" && `the remote has ${readRemote(run) || "nothing"}`,
          readProjectFile(run, "side.txt") !== undefined && "another command of a denied call ran",
          !hasReachedModel(run, "--force-with-lease") && "the model did not get the suggestion",
          hasReachedModel(run, "SECRET-42") && "the model read a secret",
          hasReachedModel(run, "1 | NOTES-TOKEN") && "another file of a denied call was read",
          !hasReachedEnd(run) && "the model did not continue",
        ),
    },
    ofScript(
      "a shell that prints before and after the executable: the denial is enforced",
      `#!/bin/sh\necho noise\n${ours}\necho noise\nexit 3\n`,
      judgeHeldDenial,
    ),
    ofScript(
      "an entry for Claude Code in a Cline script is answered in Cline's format",
      `#!/bin/sh\nexec "${PROBE_EXECUTABLE}" --host claude --event PreToolUse\n`,
      judgeHeldDenial,
    ),
    ofScript(
      "an entry without a host: the payload identifies the host, and the denial is enforced",
      `#!/bin/sh\nexec "${PROBE_EXECUTABLE}"\n`,
      judgeHeldDenial,
    ),
    ofScript(
      "another script at the same event restores the call's input: the denial is enforced, and ends the run",
      `#!/bin/sh\nexec ${ours}\n`,
      judgeCancelled,
      {
        files: {
          ".clinerules/hooks/PreToolUse": `#!/bin/sh\necho '{"overrideInput":{"commands":["echo original > marker.txt"]}}'\n`,
        },
      },
    ),
    ofScript("limit: a script that is a link does not run", `#!/bin/sh\nexec ${ours}\n`, judgeSkippedHooks, {
      entry: { script: `#!/bin/sh\nexec ${ours}\n`, linked: true },
    }),
    {
      name: "limit: with another config directory, the user's scripts do not run",
      setup: {
        ...base,
        ...denying,
        steps: [
          {
            args: ["--json", "--config", "../config", "-P", "openai-compatible", "-k", "x", "-m", "mock", "do it now"],
          },
        ],
      },
      judge: (run) => findFirstProblem(findRunProblem(run), run.calls.length > 0 && "the executable ran"),
    },
    {
      name: "limit: a project's bunfig.toml runs its code in Cline itself, before any call",
      setup: {
        ...base,
        ...denying,
        files: {
          "evil.js": `require("node:fs").writeFileSync("pwned.txt", "loaded"); process.exit(0);\n`,
          "bunfig.toml": `preload = ["./evil.js"]\n`,
        },
      },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          readProjectFile(run, "pwned.txt") === undefined &&
            "the file was not loaded: the limit no longer applies; update docs/hosts/cline.md",
          run.requests.length > 0 && "the model got a request",
        ),
    },
    {
      name: "a project's scripts run in a directory without asking for trust",
      setup: { ...base, ...denying, scope: "project" },
      judge: judgeHeldDenial,
    },
    {
      name: "the start and end of a subagent are reported with its agent",
      setup: inAgent,
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          !hasMarker(run) && "the call did not take place",
          (["TaskStart", "TaskComplete"] as const)
            .map((event) => !hasFired(run, event, { agent: true }) && `${event} was not reported with its agent`)
            .find(Boolean),
        ),
    },
  ],
};
