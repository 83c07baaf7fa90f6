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

/** Extracts what users see in the stream: notices, results and the output of local commands, but not hook output. */
function getShownText({ sessions }: HostRun): string {
  return sessions
    .flatMap(({ stdout, stderr }) => [
      stderr,
      // Output in the terminal isn't JSON.
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
/** A call, the original result the model would read, and the replacement. */
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
    "Bash, in Bash's own format,",
    buildBashCall(PRINT_RESULT_COMMAND),
    RESULT_TEXT,
    { stdout: "", stderr: TOKENS.modified_output, interrupted: false, isImage: false, noOutputExpected: false },
  ],
  ["Bash with a long output", buildBashCall(`seq 1 30000; ${PRINT_RESULT_COMMAND}`), "29990", TOKENS.modified_output],
];

const events = Object.keys(host.capabilities).filter((event) => event !== "WorktreeCreate");

const denying: Pick<RunSetup, "plan"> = {
  plan: [{ event: "PreToolUse", answer: { decision: "deny", reason: "REASON-TOKEN" } }],
};
/** Judges a run in which a slash command's shell command must not be executed. */
const judgeSkillLine = (run: HostRun) =>
  findFirstProblem(
    findRunProblem(run),
    !hasFired(run, "PreSkillShellCommand") && "the executable did not run: the hook was skipped",
    hasMarker(run) && "the command ran",
  );
const skillLineCases: HostCase[] = [
  ...(["ask", "modified_input"] as const).map((field): HostCase => ({
    name: `PreSkillShellCommand ${field}, in the host's own format: the command does not run`,
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
    name: "a skill's command that the model loads: its shell command is denied",
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
        !run.calls.some(({ payload }) => payload.invoked_by === "claude") &&
          "the payload does not say who loaded the skill",
        !hasReachedModel(run, TOKENS.reason) && "the model did not get the reason",
      ),
  },
  {
    name: 'a missing executable with onFailure "block": the shell command of a slash command does not run',
    setup: {
      ...skillLineSetup,
      executable: "/nonexistent/bridge-hooks",
      events: ["PreSkillShellCommand"],
      entry: { onFailure: "block" },
    },
    releases: SKILL_LINE_RELEASES,
    judge: (run) => findFirstProblem(findRunProblem(run), hasMarker(run) && "the command ran"),
  },
  {
    name: "limit: before 2.1.332, shell commands of slash commands run without a hook; an entry for them does not disable other entries",
    setup: { ...skillLineAndCallSetup, plan: [{ event: "PreToolUse", answer: { decision: "deny" } }] },
    releases: "<2.1.332",
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        !hasMarker(run) && "the command did not run: the limit no longer applies",
        !hasFired(run, "PreToolUse") && "the executable did not run at PreToolUse",
        readProjectFile(run, "called.txt") !== undefined && "the denial of the call was not enforced",
      ),
  },
];
const DISABLING = { ".claude/settings.json": JSON.stringify({ disableAllHooks: true }) };

const KEY = "sk-ant-dummy-not-a-key";

/** Saved state of a user who has answered every question that precedes the first prompt in a terminal. */
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
  // Otherwise, MCP tools aren't offered right away.
  ENABLE_TOOL_SEARCH: "false",
  // Otherwise, Claude Code rejects bypassPermissions for root.
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
      // On this event, the matcher names the files to watch.
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
    TeammateIdle: "requires a team of agents",
    DirectoryAdded: "only a user at a terminal can add a directory",
    WorktreeRemove: "requires a worktree created by another hook",
    WorktreeCreate: "Claude Code refuses to start with our entry; covered by a separate case",
  },
  raw: (field, hookEventName) =>
    field === "modified_output"
      ? { document: { hookSpecificOutput: { hookEventName, updatedToolOutput: TOKENS.modified_output } } }
      : buildRawDocument(field, hookEventName),
  shown: getShownText,
  bash: buildBashCall,
  inAgent: subagentSetup,
  tells: SHOWING_RELEASES,
  // The executable runs once per distinct command line. Managed entries differ because they run without a shell [seen
  // 2.1.197 and 2.1.330, 2026-11-22].
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
      name: "a rewritten path: Write writes the other file",
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
      name: `a new result of ${what} replaces the original`,
      setup: {
        script: scriptCalls(call),
        mcp: true,
        files: { "notes.txt": "TEXT-OF-NOTES" },
        plan: [{ event: "PostToolUse", answer: { modified_output } }],
      },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          !hasFired(run, "PostToolUse", { tool: call.name }) && "the executable did not run",
          !hasReachedModel(run, TOKENS.modified_output) && "the model did not get the new result",
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
          !hasReachedModel(run, TOKENS.modified_output) && "the model did not get the new result",
          !hasReachedModel(run, TOKENS.reason) && "the model did not get the reason",
          hasReachedModel(run, RESULT_TEXT) && "the model read the original result",
        ),
    },
    {
      name: "limit: a text as the result of Write is ignored, and stderr says so",
      setup: {
        script: scriptCalls(buildWriteCall("written.txt")),
        plan: [{ event: "PostToolUse", answer: { modified_output: TOKENS.modified_output } }],
      },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          hasReachedModel(run, TOKENS.modified_output) &&
            "the text was used: the limit no longer applies; update the table",
          run.calls.length > 0 &&
            !getShownText(run).includes("the model reads the original") &&
            "the user was not told",
        ),
      releases: SHOWING_RELEASES,
    },
    {
      name: "session variables keep quotes, line breaks and dollar signs",
      setup: {
        script: scriptCalls(buildBashCall(`printf '%s' "$${SESSION_VARIABLE}" | od -An -tx1 | tr -d ' \\n'`)),
        plan: [{ event: "SessionStart", answer: { session_env: { [SESSION_VARIABLE]: ODD } } }],
      },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          !hasReachedModel(run, Buffer.from(ODD).toString("hex")) && "the variable has a different value",
        ),
    },
    {
      name: "without an answer, Claude Code decides on the permission itself, and no user is present to grant it",
      setup: permissionSetup,
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          !hasFired(run, "PreToolUse") && "the executable did not run",
          hasMarker(run) && "the call took place",
        ),
    },
    {
      name: "limit: PermissionRequest reads only the document: after exit code 2 without a document, a user's approval counts",
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
          !hasFired(run, "PermissionRequest") && "the executable did not run",
          !hasMarker(run) && "the call did not take place",
        ),
    },
    ...skillLineCases,
    {
      name: "limit: a mod answers in place of the user's hooks",
      setup: { ...modSetup, ...denying },
      releases: SHOWING_RELEASES,
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          hasFired(run, "PreToolUse") && "the executable ran: the limit no longer applies; update docs/hosts/claude.md",
          !hasMarker(run) && "the call did not take place",
        ),
    },
    {
      name: "managed settings: the denial is enforced against a mod",
      setup: { ...modSetup, ...denying, scope: "managed" },
      mounts: true,
      releases: SHOWING_RELEASES,
      judge: judgeDenial,
    },
    {
      name: "managed settings: the denial is enforced",
      setup: { ...baseSetup, ...denying, scope: "managed" },
      mounts: true,
      judge: judgeDenial,
    },
    buildHelperCase({ ...baseSetup, ...denying }),
    {
      name: "managed settings: the denial is enforced in a project with disableAllHooks",
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
      name: "project settings: the denial is enforced",
      setup: { ...baseSetup, ...denying, scope: "project" },
      judge: judgeDenial,
    },
    {
      name: "limit: --bare runs no hooks",
      setup: { ...baseSetup, ...denying, steps: [{ args: [...BYPASS_ARGUMENTS, "--bare"] }] },
      judge: judgeSkippedHooks,
    },
    {
      name: "limit: if the executable is missing, the call is allowed",
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
          countModelRequests(run, "main") !== 2 && "the model got no message",
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
          !hasFired(run, "WorktreeCreate") && "the executable did not run",
          !run.sessions[0]?.stderr.includes("worktree path") && "Claude Code did not ask for a path",
        ),
    },
  ],
};
