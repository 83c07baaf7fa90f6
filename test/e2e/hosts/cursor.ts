import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { cursor as host } from "../../../src/hosts/cursor/index.ts";
import {
  type HostDriver,
  hasReachedModel,
  readProjectFile,
  hasFired,
  findFirstProblem,
  hasMarker,
  PRINT_RESULT_COMMAND,
  PRINT_VARIABLE_COMMAND,
  RESULT_TEXT,
  judgeSkippedHooks,
  findRunProblem,
  TOKENS,
  SESSION_VARIABLE,
} from "../driver.ts";
import { buildInstallAction, nameStep } from "../install-cases.ts";
import type { ModelRequest } from "../model.ts";
import { PROBE_EXECUTABLE } from "../releases.ts";
import { isInstalledByExecutable, writeRunFile, type HostRun, type HostSession, type RunSetup } from "../run.ts";
import { parseJsonLines, PROGRAM } from "./cursor-release.ts";
import {
  buildShellCall,
  buildReadCall,
  buildWriteCall,
  echoCall,
  MARK_CALL,
  scriptCalls,
  baseSetup,
  notesSetup,
  rewrite,
  scenarios,
  mcpSetup,
} from "./cursor-scenarios.ts";

const events = Object.keys(host.capabilities).filter((event) => event !== "workspaceOpen");
/** A Claude Code entry that calls bridge-hooks. */
const CLAUDES = { type: "command", command: `"${PROBE_EXECUTABLE}" --host claude` };
const doubled: RunSetup = {
  script: scriptCalls(MARK_CALL, buildWriteCall("written.txt")),
  // Keep another tool's entry next to ours.
  files: {
    "../home/.claude/settings.json": JSON.stringify({
      hooks: { PreToolUse: [{ matcher: "*", hooks: [{ type: "command", command: "true" }] }] },
    }),
  },
  steps: [nameStep("installed", { before: [buildInstallAction("install", "user", ["claude", "cursor"])] })],
  plan: [
    { event: "preToolUse", tool: "Shell", answer: { decision: "deny", reason: TOKENS.reason } },
    { event: "preToolUse", tool: "Write", answer: { additional_context: "BEFORE-TOKEN" } },
    { event: "postToolUse", tool: "Write", answer: { additional_context: TOKENS.additional_context } },
  ],
};
/** Returns the calls the executable received before tools were used. */
const getCallsBefore = ({ calls }: HostRun) =>
  calls.filter(({ native_event }) => host.capabilities[native_event]?.().event === "PreToolUse");
const countMentions = ({ requests }: HostRun, text: string) =>
  requests.reduce((times, one) => times + one.text.split(text).length - 1, 0);

const LARGE = { "large.txt": "x".repeat(3_000_000) };
const deniedRead: Pick<RunSetup, "plan" | "files" | "script"> = {
  script: scriptCalls(buildReadCall("large.txt")),
  files: LARGE,
  plan: [{ event: "beforeReadFile", answer: { decision: "deny", reason: "REASON-TOKEN" } }],
};
const judgeRanAndHeld = (run: HostRun) =>
  findFirstProblem(
    findRunProblem(run),
    !hasFired(run, "beforeReadFile") && "the executable did not run",
    hasReachedModel(run, "xxxx") && "the file was read",
    !hasReachedModel(run, "REASON-TOKEN") && "the model did not get the reason",
  );

/** Runs the runtime in the npm package. Releases are directories that the user supplies (`--cursor-sdk`). */
export const driver: HostDriver = {
  host,
  // All releases report the same version.
  says: "1.0.0",
  program: (folder) => join(folder, "package.json"),
  versions: ["@cursor/sdk 1.0.32"],
  runner: (release, probe) => ({
    release,
    configure(setup, place) {
      if (isInstalledByExecutable(setup)) return;
      const command = (event: string) =>
        `"${setup.executable ?? probe}" --host cursor --event ${event} ${setup.flags ?? ""}`.trim();
      const hooks = Object.fromEntries(
        (setup.events ?? events).map((event) => [event, [{ command: command(event), timeout: 20, ...setup.entry }]]),
      );
      writeRunFile(
        join(setup.scope === "user" ? place.home : place.project, ".cursor/hooks.json"),
        setup.broken ? `{"version":1,"hooks":${JSON.stringify(hooks)},}` : JSON.stringify({ version: 1, hooks }),
      );
    },
    start: (_step, { script, mcp }, { project }) => {
      const calls = script.main.flatMap(({ calls = [] }) =>
        calls.map(({ name, input }) => {
          const { path } = input as { path?: string };
          return { name, input: path ? { ...(input as object), path: join(project, path) } : input };
        }),
      );
      const mcpServers = mcp ? { tiny: { command: process.execPath, args: [join(import.meta.dir, "../mcp.ts")] } } : {};
      return {
        argv: ["node", PROGRAM, release.folder, JSON.stringify({ calls, mcpServers })],
        env: {
          SHELL: "/bin/bash",
          PATH: `${join(Bun.which("node") ?? "/usr/bin/node", "..")}:/usr/local/bin:/usr/bin:/bin`,
        },
      };
    },
    requests: (sessions: readonly HostSession[]): ModelRequest[] =>
      sessions.flatMap(({ stdout }) =>
        parseJsonLines(stdout).flatMap(({ asked: run, told }): ModelRequest[] => {
          const body = (run ?? told) as Record<string, unknown> | undefined;
          return body ? [{ who: run ? "main" : "side", body, text: JSON.stringify(body) }] : [];
        }),
      ),
  }),
  scenarios,
  unprovoked: {
    beforeTabFileRead: "the package does not include Tab",
    afterTabFileEdit: "the package does not include Tab",
    workspaceOpen: "the package has no workspace to open",
  },
  raw(field) {
    const text = { deny: TOKENS.reason, ask: TOKENS.reason, user_message: TOKENS.user_message }[field as string];
    switch (field) {
      case "deny":
        return {
          document: { permission: "deny", continue: false, user_message: text },
          stderr: TOKENS.reason,
          code: 2,
        };
      case "ask":
        return { document: { permission: "ask", user_message: text } };
      case "user_message":
        return { document: { user_message: text } };
      case "modified_input":
        return {
          document: {
            permission: "allow",
            updated_input: { command: "echo REWRITTEN > marker.txt", text: "REWRITTEN", file_path: "rewritten.txt" },
          },
        };
      case "additional_context":
        return { document: { additional_context: TOKENS.additional_context } };
      case "modified_output":
        return { document: { updated_mcp_tool_output: TOKENS.modified_output } };
      case "session_env":
        return { document: { env: { [SESSION_VARIABLE]: TOKENS.session_env } } };
    }
  },
  shown: ({ sessions }) => sessions.map(({ stdout, stderr }) => stdout + stderr).join("\n"),
  bash: buildShellCall,
  turns: 1,
  // The executable runs once per file that Cursor reads [seen 1.0.22 and 1.0.32, 2026-11-22].
  several: [{ scopes: ["user", "project", "managed"], times: 3 }],
  missing: { blocks: "*" },
  sharesCalls: true,
  actions: {
    Shell: { calls: [MARK_CALL], tool: "Shell", done: hasMarker },
    Write: {
      calls: [buildWriteCall("written.txt")],
      tool: "Write",
      done: (run) => readProjectFile(run, "written.txt") !== undefined,
    },
    Read: {
      calls: [buildReadCall("notes.txt")],
      tool: "Read",
      done: (run) => hasReachedModel(run, "TEXT-OF-NOTES"),
      setup: { files: { "notes.txt": "TEXT-OF-NOTES" } },
    },
    Delete: {
      calls: [{ name: "deleteArgs", input: { path: "old.txt" } }],
      tool: "Delete",
      done: (run) => readProjectFile(run, "old.txt") === undefined,
      setup: { files: { "old.txt": "text" } },
    },
    "an MCP tool": {
      calls: [echoCall],
      tool: "MCP:echo",
      done: (run) => hasReachedModel(run, "echo: hello"),
      setup: { mcp: true },
    },
  },
  cases: [
    {
      name: "beforeReadFile with 3 MB on stdin: the denial is enforced",
      setup: deniedRead,
      releases: ">=1.0.26",
      judge: judgeRanAndHeld,
    },
    {
      name: "limit: beforeReadFile with 3 MB in a here-document never starts the hook, and the file is read",
      setup: { ...deniedRead, events: ["beforeReadFile"] },
      releases: "<1.0.26",
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          run.calls.length > 0 && "the executable ran: the limit no longer applies; update the README",
          !hasReachedModel(run, "xxxx") && "the file was not read",
        ),
    },
    {
      name: "beforeReadFile with 3 MB in a here-document and failClosed: the file is not read",
      setup: { ...deniedRead, events: ["beforeReadFile"], entry: { failClosed: true } },
      releases: "<1.0.26",
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          hasReachedModel(run, "xxxx") && "the file was read",
          !hasReachedModel(run, "rejected") && "the model got no message",
        ),
    },
    {
      name: "a rewritten path: Write writes the other file",
      setup: {
        script: scriptCalls(buildWriteCall("written.txt")),
        plan: [{ event: "preToolUse", answer: { modified_input: { file_path: "other.txt" } } }],
      },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          readProjectFile(run, "written.txt") !== undefined && "the first file was written",
          readProjectFile(run, "other.txt") === undefined && "the other file was not written",
        ),
    },
    {
      name: "limit: a session variable reaches neither the shell nor tool hooks",
      setup: {
        script: scriptCalls(buildShellCall(PRINT_VARIABLE_COMMAND)),
        plan: [{ event: "sessionStart", answer: { session_env: { [SESSION_VARIABLE]: TOKENS.session_env } } }],
      },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          hasReachedModel(run, TOKENS.session_env) &&
            "the shell has the variable: the limit no longer applies; update the table",
          run.calls.some(({ native_event, variable }) => native_event === "preToolUse" && variable !== undefined) &&
            "tool hooks have the variable",
        ),
    },
    {
      name: "a new result of a shell call is ignored: the model reads the original",
      setup: {
        script: scriptCalls(buildShellCall(PRINT_RESULT_COMMAND)),
        plan: [{ event: "postToolUse", answer: { modified_output: TOKENS.modified_output } }],
      },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          hasReachedModel(run, TOKENS.modified_output) && "the new result was used",
          !hasReachedModel(run, RESULT_TEXT) && "the original result is missing",
        ),
    },
    {
      name: "a new result of 20,000 characters is used completely",
      setup: {
        ...mcpSetup,
        plan: [{ event: "postToolUse", answer: { modified_output: "x".repeat(20_000) + TOKENS.modified_output } }],
      },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          !hasReachedModel(run, "x".repeat(20_000) + TOKENS.modified_output) && "the new result was not used",
        ),
    },
    {
      name: "failClosed: the model gets the denial's reason as plain text",
      setup: {
        ...baseSetup,
        flags: "--on-error deny",
        entry: { failClosed: true },
        plan: [{ event: "preToolUse", answer: { decision: "deny", reason: "REASON-TOKEN" } }],
      },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          hasMarker(run) && "the denial was not enforced",
          !hasReachedModel(run, "REASON-TOKEN") && "the model did not get the reason",
          hasReachedModel(run, 'permission\\":') && "the model got the raw document",
        ),
    },
    {
      name: "failClosed: harmless calls run",
      setup: { ...baseSetup, flags: "--on-error deny", entry: { failClosed: true } },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          !hasFired(run, "preToolUse") && "the executable did not run",
          !hasMarker(run) && "the call did not take place",
        ),
    },
    {
      name: "a missing executable with failClosed: the call does not take place",
      // An entry for sessionStart would end the run before the call.
      setup: {
        ...baseSetup,
        executable: "/nonexistent/bridge-hooks",
        events: ["preToolUse"],
        entry: { failClosed: true },
      },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          hasMarker(run) && "the call took place",
          !hasReachedModel(run, "rejected") && "the model got no message",
        ),
    },
    {
      name: "limit: if the executable is missing, the call is allowed",
      setup: { ...baseSetup, executable: "/nonexistent/bridge-hooks" },
      judge: (run) => findFirstProblem(findRunProblem(run), !hasMarker(run) && "the call did not take place"),
    },
    {
      name: "limit: with a trailing comma in the config, no hook runs",
      setup: {
        ...baseSetup,
        broken: true,
        plan: [{ event: "preToolUse", answer: { decision: "deny", reason: "REASON-TOKEN" } }],
      },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          run.calls.length > 0 && "the executable ran: the limit no longer applies; update the README",
          !hasMarker(run) && "the call did not take place",
        ),
    },
    {
      name: "install: a call rewritten at preToolUse is not denied at beforeShellExecution, where it would be rewritten again",
      setup: {
        ...baseSetup,
        steps: [nameStep("installed", { before: [buildInstallAction("install", "user", ["cursor"])] })],
        plan: [
          { event: "preToolUse", tool: "Shell", answer: { modified_input: rewrite.patch } },
          { event: "beforeShellExecution", answer: { modified_input: { command: "echo AGAIN > marker.txt" } } },
        ],
      },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          !hasFired(run, "beforeShellExecution") && "the executable did not run at the second event",
          !rewrite.done(run) && "the rewritten call did not take place",
        ),
    },
    {
      name: "install: a denial at beforeShellExecution only is enforced, for front ends that have no other event",
      setup: {
        ...baseSetup,
        steps: [nameStep("installed", { before: [buildInstallAction("install", "user", ["cursor"])] })],
        plan: [{ event: "beforeShellExecution", answer: { decision: "deny", reason: "REASON-TOKEN" } }],
      },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          hasMarker(run) && "the denial was not enforced",
          !hasReachedModel(run, "REASON-TOKEN") && "the model did not get the reason",
          countMentions(run, "REASON-TOKEN") > 1 && "the model got the reason more than once",
        ),
    },
    {
      name: "install in a project: one event precedes each call, and a second one precedes shell calls and reads",
      setup: {
        ...mcpSetup,
        files: notesSetup.files,
        script: scriptCalls(MARK_CALL, buildReadCall("notes.txt"), buildWriteCall("written.txt"), echoCall),
        steps: [nameStep("installed", { before: [buildInstallAction("install", "project", ["cursor"])] })],
      },
      judge: (run) => {
        const seen = getCallsBefore(run).map(({ native_event, tool }) => `${native_event} ${tool}`);
        const shell = ["preToolUse Shell", "beforeShellExecution Shell"];
        const expected = [
          ...shell,
          "preToolUse Read",
          "beforeReadFile Read",
          "preToolUse Write",
          "preToolUse MCP:echo",
        ];
        return findFirstProblem(
          findRunProblem(run),
          !isDeepStrictEqual(seen, expected) && `the executable ran at ${seen.join(", ")}`,
        );
      },
    },
    {
      name: "install --event all: Cursor accepts 21 entries, and calls with several events are answered once",
      setup: {
        ...mcpSetup,
        script: scriptCalls(MARK_CALL, buildWriteCall("written.txt"), echoCall),
        steps: [
          nameStep("installed", { before: [buildInstallAction("install", "user", ["cursor"], "--event", "all")] }),
        ],
        plan: [
          { event: "preToolUse", tool: "Shell", answer: { decision: "deny", reason: TOKENS.reason } },
          ...["postToolUse", "afterFileEdit"].map((event) => ({
            event,
            answer: { additional_context: TOKENS.additional_context },
          })),
        ],
      },
      judge: (run) => {
        const here = new Set(run.calls.map(({ native_event }) => native_event));
        const unseen = ["beforeMCPExecution", "afterMCPExecution", "afterFileEdit", "sessionEnd"].find(
          (event) => !here.has(event),
        );
        const times = countMentions(run, TOKENS.additional_context);
        return findFirstProblem(
          findRunProblem(run),
          hasMarker(run) && "the denial was not enforced",
          unseen && `the executable did not run at ${unseen}`,
          // One context comes from the file and one from the server.
          times !== 2 && `the model got the context ${times} times`,
        );
      },
    },
    {
      name: "install --host claude --host cursor: the denial is enforced, and the model gets no context twice",
      setup: doubled,
      judge: (run) => {
        const told = ["BEFORE-TOKEN", TOKENS.additional_context].map((token) => countMentions(run, token));
        return findFirstProblem(
          findRunProblem(run),
          hasMarker(run) && "the denial was not enforced",
          !hasReachedModel(run, TOKENS.reason) && "the model did not get the reason",
          readProjectFile(run, "written.txt") === undefined && "the harmless call did not take place",
          told.some((times) => times !== 1) && `the model got the contexts ${told.join(" and ")} times`,
        );
      },
    },
    {
      name: "install --host claude --host cursor: the executable runs once for each of the two files before a call",
      setup: doubled,
      judge: (run) => {
        const whose = (name: string) =>
          getCallsBefore(run).flatMap(({ tool, argv }) =>
            tool === name ? [argv[argv.indexOf("--host") + 1] ?? ""] : [],
          );
        const wrong = ["Shell", "Write"].find((tool) => whose(tool).sort().join() !== "claude,cursor");
        return findFirstProblem(
          findRunProblem(run),
          wrong && `at ${wrong}, the executable ran for: ${whose(wrong).join(", ") || "none"}`,
        );
      },
    },
    {
      name: "install --host claude --host cursor: the model reads a denial's reason, and no raw document",
      setup: doubled,
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          !hasReachedModel(run, TOKENS.reason) && "the model did not get the reason",
          hasReachedModel(run, 'permission\\":') && "the model reads the document",
        ),
    },
    {
      name: "limit: Cursor ignores Claude Code's settings if no group has a matcher",
      setup: {
        ...baseSetup,
        events: [],
        files: { ".claude/settings.json": JSON.stringify({ hooks: { PreToolUse: [{ hooks: [CLAUDES] }] } }) },
      },
      judge: judgeSkippedHooks,
    },
    {
      name: "limit: Cursor drops Claude Code's settings if a group at PreToolUse has no matcher",
      setup: {
        ...baseSetup,
        events: [],
        files: {
          ".claude/settings.json": JSON.stringify({
            hooks: {
              PreToolUse: [{ matcher: "*", hooks: [CLAUDES] }, { hooks: [{ type: "command", command: "true" }] }],
            },
          }),
        },
      },
      releases: "<=1.0.22",
      judge: judgeSkippedHooks,
    },
    {
      name: "Claude Code's settings, imported by Cursor: the denial of an entry with --host claude is enforced",
      setup: {
        ...baseSetup,
        events: [],
        files: {
          ".claude/settings.json": JSON.stringify({ hooks: { PreToolUse: [{ matcher: "*", hooks: [CLAUDES] }] } }),
        },
        plan: [{ event: "preToolUse", answer: { decision: "deny", reason: "REASON-TOKEN" } }],
      },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          !hasFired(run, "preToolUse") && "the executable did not run",
          hasMarker(run) && "the denial was not enforced",
        ),
    },
  ],
};
