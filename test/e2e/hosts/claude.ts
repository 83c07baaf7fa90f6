import { dirname, join } from "node:path";
import { claude as host } from "../../../src/hosts/claude/index.ts";
import {
  countModelRequests,
  type HostCase,
  type HostDriver,
  hasReachedModel,
  readProjectFile,
  hasFired,
  findFirstProblem,
  judgeDenial,
  hasMarker,
  PRINT_RESULT_COMMAND,
  buildRawDocument,
  RESULT_TEXT,
  judgeSkippedHooks,
  findRunProblem,
  TOKENS,
  SESSION_VARIABLE,
} from "../driver.ts";
import type { ToolUse } from "../model.ts";
import type { RawAnswer } from "../plan.ts";
import { RAW_EXECUTABLE } from "../releases.ts";
import {
  buildTerminalCommand,
  isInstalledByExecutable,
  type RunFolders,
  writeRunFile,
  type HostRun,
  type RunSetup,
} from "../run.ts";
import {
  buildBashCall,
  MARK_CALL,
  scriptCalls,
  BYPASS_ARGUMENTS,
  MCP_ARGUMENTS,
  buildWriteCall,
  buildReadCall,
  agentCall,
  buildHelperCase,
  baseSetup,
  modSetup,
  SHOWING_RELEASES,
  SKILL_LINE_RELEASES,
  skillLineAndCallSetup,
  skillLineSetup,
  TASK_RELEASES,
  typeInTerminal,
  subagentSetup,
  writePolicyHelper,
  permissionSetup,
  scenarios,
} from "./claude-scenarios.ts";
import type { IHookResponse } from "bridge-hooks";
import { plugin } from "./claude-plugin.ts";

const parseJsonLines = (text: string) =>
  text.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line) as Record<string, unknown>];
    } catch {
      return [];
    }
  });

/** Extracts what a user would read in the stream: notices, results and output of local commands, but not of hooks. */
function getShownText({ sessions }: HostRun): string {
  return sessions
    .flatMap(({ stdout, stderr }) => [
      stderr,
      // Terminal output isn't JSON.
      ...stdout.split("\n").filter((line) => !line.startsWith("{")),
      ...parseJsonLines(stdout).flatMap((line) => {
        if (line.type === "system" && line.subtype === "informational") return [String(line.content)];
        if (line.type === "result") return [String(line.result)];
        const { content } = (line.message ?? {}) as { content?: unknown };
        return typeof content === "string" && content.includes("<local-command-") ? [content] : [];
      }),
    ])
    .join("\n");
}

const ODD = `it's "two"\nlines of $HOME \`id\` \\ and ü`;
/** A call, its original result as read by the model, and the replacement. */
const results: [
  what: string,
  call: ToolUse,
  original: string,
  output: NonNullable<IHookResponse["modified_output"]>,
][] = [
  ["Read", buildReadCall("notes.txt"), "TEXT-OF-NOTES", TOKENS.modified_output],
  ["an MCP tool", { name: "mcp__tiny__echo", input: { text: "hello" } }, "echo: hello", TOKENS.modified_output],
  [
    "an MCP tool, as blocks,",
    { name: "mcp__tiny__echo", input: { text: "hello" } },
    "echo: hello",
    { content: [{ type: "text", text: TOKENS.modified_output }] },
  ],
  [
    "Bash, in its own form,",
    buildBashCall(PRINT_RESULT_COMMAND),
    RESULT_TEXT,
    { stdout: "", stderr: TOKENS.modified_output, interrupted: false, isImage: false, noOutputExpected: false },
  ],
  ["Bash that is long", buildBashCall(`seq 1 30000; ${PRINT_RESULT_COMMAND}`), "29990", TOKENS.modified_output],
];

const events = Object.keys(host.capabilities).filter((event) => event !== "WorktreeCreate");

const denying: Pick<RunSetup, "plan"> = {
  plan: [{ event: "PreToolUse", answer: { decision: "deny", reason: "REASON-TOKEN" } }],
};
/** Judges a run in which the shell command of a slash command must not run. */
const judgeSkillLine = (run: HostRun) =>
  findFirstProblem(
    findRunProblem(run),
    !hasFired(run, "PreSkillShellCommand") && "our process did not run: the hook was skipped",
    hasMarker(run) && "the line ran",
  );
const skillLineCases: HostCase[] = [
  ...(["ask", "modified_input"] as const).map((field): HostCase => ({
    name: `PreSkillShellCommand ${field}, in the host's own words: the line does not run`,
    cell: { native_event: "PreSkillShellCommand", field },
    setup: {
      ...skillLineSetup,
      plan: [{ event: "PreSkillShellCommand", raw: buildRawDocument(field, "PreSkillShellCommand") as RawAnswer }],
    },
    executable: "raw",
    releases: SKILL_LINE_RELEASES,
    judge: judgeSkillLine,
  })),
  {
    name: "a command that the model loads as a skill: its line is denied",
    setup: {
      ...skillLineSetup,
      script: scriptCalls({ name: "Skill", input: { skill: "mark" } }),
      steps: [{}],
      plan: [{ event: "PreSkillShellCommand", answer: { decision: "deny", reason: TOKENS.reason } }],
    },
    releases: SKILL_LINE_RELEASES,
    judge: (run) =>
      findFirstProblem(
        judgeSkillLine(run),
        !run.calls.some(({ payload }) => payload.invoked_by === "claude") && "the payload does not say who loaded it",
        !hasReachedModel(run, TOKENS.reason) && "the model was not told why",
      ),
  },
  {
    name: 'a missing executable with onFailure "block": the line of a command does not run',
    setup: {
      ...skillLineSetup,
      executable: "/nonexistent/bridge-hooks",
      events: ["PreSkillShellCommand"],
      entry: { onFailure: "block" },
    },
    releases: SKILL_LINE_RELEASES,
    judge: (run) => findFirstProblem(findRunProblem(run), hasMarker(run) && "the line ran"),
  },
  {
    name: "limit: before 2.1.332 the line of a command runs unasked; an entry for it does not keep others from being obeyed",
    setup: { ...skillLineAndCallSetup, plan: [{ event: "PreToolUse", answer: { decision: "deny" } }] },
    releases: "<2.1.332",
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        !hasMarker(run) && "the line did not run: the limit is gone",
        !hasFired(run, "PreToolUse") && "our process did not run at PreToolUse",
        readProjectFile(run, "called.txt") !== undefined && "the denial of the call did not hold",
      ),
  },
];
const DISABLING = { ".claude/settings.json": JSON.stringify({ disableAllHooks: true }) };

const KEY = "sk-ant-dummy-not-a-key";

/** State after a user has answered all questions before the first prompt in a terminal. */
const buildAnsweredState = (version: string, { project }: RunFolders) => ({
  hasCompletedOnboarding: true,
  lastOnboardingVersion: version,
  theme: "dark",
  bypassPermissionsModeAccepted: true,
  customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
  projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true, allowedTools: [] } },
});

const getProgram = (folder: string) =>
  join(
    folder,
    `node_modules/@anthropic-ai/claude-code-${process.platform}-${process.arch}`,
    process.platform === "win32" ? "claude.exe" : "claude",
  );

const buildEnvironment = (place: RunFolders) => ({
  ANTHROPIC_API_KEY: KEY,
  ANTHROPIC_BASE_URL: place.url,
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  CLAUDE_CODE_TMPDIR: join(place.run, "tmp"),
  DISABLE_AUTOUPDATER: "1",
  DISABLE_TELEMETRY: "1",
  DISABLE_ERROR_REPORTING: "1",
  // Without this variable, MCP tools aren't offered immediately.
  ENABLE_TOOL_SEARCH: "false",
  // Without this variable, Claude Code rejects bypassPermissions for root.
  IS_SANDBOX: "1",
});

export const driver: HostDriver = {
  host,
  program: getProgram,
  runner: (release, probe) => ({
    release,
    path: dirname(getProgram(release.folder)),
    configure(setup, place) {
      const command = (event: string) =>
        `"${setup.executable ?? probe}" --host claude --event ${event} ${setup.flags ?? ""}`.trim();
      // The matcher of this event names the files to watch.
      const matcher = (event: string) => event === "FileChanged" && { matcher: "watched.txt" };
      const entry = (event: string) => ({
        ...matcher(event),
        hooks: [{ type: "command", command: command(event), timeout: 20, ...setup.entry }],
      });
      const settings = JSON.stringify({
        hooks: Object.fromEntries((setup.events ?? events).map((event) => [event, [entry(event)]])),
      });
      const files = {
        user: join(place.home, ".claude/settings.json"),
        project: join(place.project, ".claude/settings.json"),
        managed: join(place.etc, "claude-code/managed-settings.json"),
      };
      if (setup.computed) writePolicyHelper(files.managed, join(place.home, "policy-helper"), settings);
      else if (!isInstalledByExecutable(setup)) writeRunFile(files[setup.scope ?? "user"], settings);
      if (setup.steps?.some(({ terminal }) => terminal))
        writeRunFile(join(place.home, ".claude.json"), JSON.stringify(buildAnsweredState(release.version, place)));
    },
    start: ({ prompt = "do it", prompts, terminal, args = BYPASS_ARGUMENTS }, { mcp }, place) => ({
      argv: [
        ...(prompts ? [process.execPath, join(import.meta.dir, "claude-session.ts"), JSON.stringify(prompts)] : []),
        ...(terminal ? buildTerminalCommand(terminal) : []),
        getProgram(release.folder),
        ...(terminal ? [] : ["-p", ...(prompts ? ["--input-format", "stream-json"] : [prompt])]),
        ...(terminal ? [] : ["--output-format", "stream-json", "--verbose"]),
        ...args,
        ...(mcp ? MCP_ARGUMENTS : []),
      ],
      env: buildEnvironment(place),
    }),
    command: (words, place) => ({ argv: [getProgram(release.folder), ...words], env: buildEnvironment(place) }),
  }),
  scenarios,
  unprovoked: {
    TeammateIdle: "it takes a team of agents",
    DirectoryAdded: "only a person at a terminal can add a directory",
    WorktreeRemove: "it takes a worktree that a foreign hook has made",
    WorktreeCreate: "Claude Code refuses to start with an entry of ours; that is a case of its own",
  },
  raw: (field, hookEventName) =>
    field === "modified_output"
      ? { document: { hookSpecificOutput: { hookEventName, updatedToolOutput: TOKENS.modified_output } } }
      : buildRawDocument(field, hookEventName),
  shown: getShownText,
  bash: buildBashCall,
  inAgent: subagentSetup,
  tells: SHOWING_RELEASES,
  // The executable runs once for identical command lines. Managed entries differ, because they run without a shell
  // [seen 2.1.197 and 2.1.330, 2026-11-22].
  several: [
    { scopes: ["user", "project", "local"], times: 1 },
    { scopes: ["user", "managed"], times: 2 },
  ],
  missing: { blocks: SHOWING_RELEASES, passes: TASK_RELEASES },
  projectEnv: (env) => ({ ".claude/settings.json": JSON.stringify({ env }) }),
  sharesCalls: true,
  plugin,
  actions: {
    Bash: { calls: [MARK_CALL], tool: "Bash", done: hasMarker },
    Write: {
      calls: [buildWriteCall("written.txt")],
      tool: "Write",
      done: (run) => readProjectFile(run, "written.txt") !== undefined,
    },
    Edit: {
      calls: [
        buildReadCall("old.txt"),
        { name: "Edit", input: { file_path: "old.txt", old_string: "OLD", new_string: "NEW" } },
      ],
      tool: "Edit",
      done: (run) => readProjectFile(run, "old.txt") === "NEW text",
      setup: { files: { "old.txt": "OLD text" } },
    },
    Read: {
      calls: [buildReadCall("notes.txt")],
      tool: "Read",
      done: (run) => hasReachedModel(run, "TEXT-OF-NOTES"),
      setup: { files: { "notes.txt": "TEXT-OF-NOTES" } },
    },
    "an MCP tool": {
      calls: [{ name: "mcp__tiny__echo", input: { text: "hello" } }],
      tool: "mcp__tiny__echo",
      done: (run) => hasReachedModel(run, "echo: hello"),
      setup: { mcp: true },
    },
    Agent: { calls: [agentCall], tool: "Agent", done: (run) => countModelRequests(run, "subagent") > 0 },
  },
  waitsLong: true,
  cases: [
    {
      name: "a rewrite of a path: Write goes to the other file",
      setup: {
        script: scriptCalls(buildWriteCall("written.txt")),
        plan: [{ event: "PreToolUse", answer: { modified_input: { file_path: "other.txt" } } }],
      },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          readProjectFile(run, "written.txt") !== undefined && "the first file was written",
          readProjectFile(run, "other.txt") === undefined && "the other file was not written",
        ),
    },
    ...results.map(([what, call, original, modified_output]): HostCase => ({
      name: `a new result of ${what} takes the original's place`,
      setup: {
        script: scriptCalls(call),
        mcp: true,
        files: { "notes.txt": "TEXT-OF-NOTES" },
        plan: [{ event: "PostToolUse", answer: { modified_output } }],
      },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          !hasFired(run, "PostToolUse", { tool: call.name }) && "our process did not run",
          !hasReachedModel(run, TOKENS.modified_output) && "the model was not given the new result",
          hasReachedModel(run, original) && "the model read the original result",
        ),
    })),
    {
      name: "a new result and a denial: the model reads both, and not the original",
      setup: {
        script: scriptCalls(buildBashCall(PRINT_RESULT_COMMAND)),
        plan: [
          {
            event: "PostToolUse",
            answer: { decision: "deny", reason: TOKENS.reason, modified_output: TOKENS.modified_output },
          },
        ],
      },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          !hasReachedModel(run, TOKENS.modified_output) && "the model was not given the new result",
          !hasReachedModel(run, TOKENS.reason) && "the model was not told why",
          hasReachedModel(run, RESULT_TEXT) && "the model read the original result",
        ),
    },
    {
      name: "limit: a text as the result of Write is not taken, and stderr says so",
      setup: {
        script: scriptCalls(buildWriteCall("written.txt")),
        plan: [{ event: "PostToolUse", answer: { modified_output: TOKENS.modified_output } }],
      },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          hasReachedModel(run, TOKENS.modified_output) && "it was taken: the limit is gone; tell the table",
          run.calls.length > 0 &&
            !getShownText(run).includes("the model reads the original") &&
            "the user was not told",
        ),
      releases: SHOWING_RELEASES,
    },
    {
      name: "a session's variables keep quotes, lines and dollars",
      setup: {
        script: scriptCalls(buildBashCall(`printf '%s' "$${SESSION_VARIABLE}" | od -An -tx1 | tr -d ' \\n'`)),
        plan: [{ event: "SessionStart", answer: { session_env: { [SESSION_VARIABLE]: ODD } } }],
      },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          !hasReachedModel(run, Buffer.from(ODD).toString("hex")) && "the value is another one",
        ),
    },
    {
      name: "without an answer the permission is Claude Code's own: nobody is there to give it",
      setup: permissionSetup,
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          !hasFired(run, "PreToolUse") && "our process did not run",
          hasMarker(run) && "the call took place",
        ),
    },
    {
      name: "limit: PermissionRequest reads the document alone: after exit code 2 without one, a person's yes counts",
      setup: {
        ...typeInTerminal(
          { ...baseSetup, steps: [{ args: ["--permission-mode", "manual"] }] },
          "/Doyouwant/",
          "+1500",
          "\r",
          "/FINAL/",
        ),
        executable: RAW_EXECUTABLE,
        plan: [{ event: "PermissionRequest", raw: { document: undefined, stderr: "REASON-TOKEN", code: 2 } }],
      },
      releases: SHOWING_RELEASES,
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          !hasFired(run, "PermissionRequest") && "our process did not run",
          !hasMarker(run) && "the call did not take place",
        ),
    },
    ...skillLineCases,
    {
      name: "limit: a mod answers in the place of the user's hooks",
      setup: { ...modSetup, ...denying },
      releases: SHOWING_RELEASES,
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          hasFired(run, "PreToolUse") && "our process ran: the limit is gone; tell docs/hosts/claude.md",
          !hasMarker(run) && "the call did not take place",
        ),
    },
    {
      name: "managed settings: the denial holds against a mod",
      setup: { ...modSetup, ...denying, scope: "managed" },
      mounts: true,
      releases: SHOWING_RELEASES,
      judge: judgeDenial,
    },
    {
      name: "managed settings: the denial holds",
      setup: { ...baseSetup, ...denying, scope: "managed" },
      mounts: true,
      judge: judgeDenial,
    },
    buildHelperCase({ ...baseSetup, ...denying }),
    {
      name: "managed settings: the denial holds in a project with disableAllHooks",
      setup: { ...baseSetup, ...denying, scope: "managed", files: DISABLING },
      mounts: true,
      judge: judgeDenial,
    },
    {
      name: "limit: a project with disableAllHooks turns off the user's hooks",
      setup: { ...baseSetup, ...denying, files: DISABLING },
      judge: judgeSkippedHooks,
    },
    {
      name: "a project's settings: the denial holds",
      setup: { ...baseSetup, ...denying, scope: "project" },
      judge: judgeDenial,
    },
    {
      name: "limit: --bare calls no hooks",
      setup: { ...baseSetup, ...denying, steps: [{ args: [...BYPASS_ARGUMENTS, "--bare"] }] },
      judge: judgeSkippedHooks,
    },
    {
      name: "limit: a missing executable lets the call pass",
      setup: { ...baseSetup, executable: "/nonexistent/bridge-hooks" },
      judge: judgeSkippedHooks,
    },
    {
      name: 'a missing executable with onFailure "block": the call does not take place',
      setup: {
        ...baseSetup,
        executable: "/nonexistent/bridge-hooks",
        events: ["PreToolUse"],
        entry: { onFailure: "block" },
      },
      releases: SHOWING_RELEASES,
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          hasMarker(run) && "the call took place",
          countModelRequests(run, "main") !== 2 && "the model was not told",
        ),
    },
    {
      name: "limit: Claude Code refuses to start with an entry on WorktreeCreate",
      cell: { native_event: "WorktreeCreate", field: "allow" },
      setup: {
        ...baseSetup,
        events: ["WorktreeCreate"],
        steps: [{ args: [...BYPASS_ARGUMENTS, "--worktree", "tree"] }],
      },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          !hasFired(run, "WorktreeCreate") && "our process did not run",
          !run.sessions[0]?.stderr.includes("worktree path") && "it did not say that it wants a path",
        ),
    },
  ],
};
