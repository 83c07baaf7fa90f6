import { dirname, join } from "node:path";
import { claude as host } from "../../../src/hosts/claude/index.ts";
import {
  asked,
  type Case,
  type Driver,
  fed,
  file,
  fired,
  first,
  holds,
  marked,
  PRINTS_RESULT,
  rawDocument,
  RESULT,
  skipped,
  soundness,
  TOKEN,
  VARIABLE,
} from "../driver.ts";
import type { ToolUse } from "../model.ts";
import { RAW } from "../releases.ts";
import { installsItself, type Place, put, type Run, type Setup } from "../run.ts";
import {
  bash,
  MARK,
  says,
  BYPASS,
  MCP,
  write,
  read,
  agent,
  base,
  SHOWS,
  TASKS,
  typed,
  inAgent,
  permission,
  scenarios,
} from "./claude-scenarios.ts";
import type { IHookResponse } from "bridge-hooks";

const lines = (text: string) =>
  text.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line) as Record<string, unknown>];
    } catch {
      return [];
    }
  });

/** What the stream says a person would read: notices, results, and what local commands print; no hook's own output. */
function shown({ sessions }: Run): string {
  return sessions
    .flatMap(({ stdout, stderr }) => [
      stderr,
      // A line of a terminal is no JSON.
      ...stdout.split("\n").filter((line) => !line.startsWith("{")),
      ...lines(stdout).flatMap((line) => {
        if (line.type === "system" && line.subtype === "informational") return [String(line.content)];
        if (line.type === "result") return [String(line.result)];
        const { content } = (line.message ?? {}) as { content?: unknown };
        return typeof content === "string" && content.includes("<local-command-") ? [content] : [];
      }),
    ])
    .join("\n");
}

const ODD = `it's "two"\nlines of $HOME \`id\` \\ and ü`;
/** A call, what the model reads of it by itself, and what it is to read. */
const results: [
  what: string,
  call: ToolUse,
  original: string,
  output: NonNullable<IHookResponse["modified_output"]>,
][] = [
  ["Read", read("notes.txt"), "TEXT-OF-NOTES", TOKEN.modified_output],
  ["an MCP tool", { name: "mcp__tiny__echo", input: { text: "hello" } }, "echo: hello", TOKEN.modified_output],
  [
    "an MCP tool, as blocks,",
    { name: "mcp__tiny__echo", input: { text: "hello" } },
    "echo: hello",
    { content: [{ type: "text", text: TOKEN.modified_output }] },
  ],
  [
    "Bash, in its own form,",
    bash(PRINTS_RESULT),
    RESULT,
    { stdout: "", stderr: TOKEN.modified_output, interrupted: false, isImage: false, noOutputExpected: false },
  ],
  ["Bash that is long", bash(`seq 1 30000; ${PRINTS_RESULT}`), "29990", TOKEN.modified_output],
];

const events = Object.keys(host.capabilities).filter((event) => event !== "WorktreeCreate");

const denying: Pick<Setup, "plan"> = {
  plan: [{ event: "PreToolUse", answer: { decision: "deny", reason: "REASON-TOKEN" } }],
};
const DISABLING = { ".claude/settings.json": JSON.stringify({ disableAllHooks: true }) };

const KEY = "sk-ant-dummy-not-a-key";

/** What a person has answered before the first prompt of a terminal. */
const answered = (version: string, { project }: Place) => ({
  hasCompletedOnboarding: true,
  lastOnboardingVersion: version,
  theme: "dark",
  bypassPermissionsModeAccepted: true,
  customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
  projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true, allowedTools: [] } },
});

const program = (folder: string) =>
  join(
    folder,
    `node_modules/@anthropic-ai/claude-code-${process.platform}-${process.arch}`,
    process.platform === "win32" ? "claude.exe" : "claude",
  );

export const claude: Driver = {
  host,
  program,
  runner: (release, probe) => ({
    release,
    path: dirname(program(release.folder)),
    configure(setup, place) {
      const command = (event: string) =>
        `"${setup.executable ?? probe}" --host claude --event ${event} ${setup.flags ?? ""}`.trim();
      // The matcher of this event says which files to watch.
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
      if (!installsItself(setup)) put(files[setup.scope ?? "user"], settings);
      if (setup.steps?.some(({ terminal }) => terminal))
        put(join(place.home, ".claude.json"), JSON.stringify(answered(release.version, place)));
    },
    start: ({ prompt = "do it", prompts, terminal, args = BYPASS }, { mcp }, place) => ({
      argv: [
        ...(prompts ? [process.execPath, join(import.meta.dir, "claude-session.ts"), JSON.stringify(prompts)] : []),
        ...(terminal ? [process.execPath, join(import.meta.dir, "claude-terminal.ts"), JSON.stringify(terminal)] : []),
        program(release.folder),
        ...(terminal ? [] : ["-p", ...(prompts ? ["--input-format", "stream-json"] : [prompt])]),
        ...(terminal ? [] : ["--output-format", "stream-json", "--verbose"]),
        ...args,
        ...(mcp ? MCP : []),
      ],
      env: {
        ANTHROPIC_API_KEY: KEY,
        ANTHROPIC_BASE_URL: place.url,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        CLAUDE_CODE_TMPDIR: join(place.run, "tmp"),
        DISABLE_AUTOUPDATER: "1",
        DISABLE_TELEMETRY: "1",
        DISABLE_ERROR_REPORTING: "1",
        // Or MCP tools are not offered at once.
        ENABLE_TOOL_SEARCH: "false",
        // Or it refuses bypassPermissions to root.
        IS_SANDBOX: "1",
      },
    }),
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
      ? { document: { hookSpecificOutput: { hookEventName, updatedToolOutput: TOKEN.modified_output } } }
      : rawDocument(field, hookEventName),
  shown,
  bash,
  inAgent,
  tells: SHOWS,
  // Once for entries with the same words; managed ones have others, without a shell [seen 2.1.197 and 2.1.330, 2026-11-22].
  several: [
    { scopes: ["user", "project", "local"], times: 1 },
    { scopes: ["user", "managed"], times: 2 },
  ],
  missing: { blocks: SHOWS, passes: TASKS },
  projectEnv: (env) => ({ ".claude/settings.json": JSON.stringify({ env }) }),
  actions: {
    Bash: { calls: [MARK], tool: "Bash", done: marked },
    Write: { calls: [write("written.txt")], tool: "Write", done: (run) => file(run, "written.txt") !== undefined },
    Edit: {
      calls: [read("old.txt"), { name: "Edit", input: { file_path: "old.txt", old_string: "OLD", new_string: "NEW" } }],
      tool: "Edit",
      done: (run) => file(run, "old.txt") === "NEW text",
      setup: { files: { "old.txt": "OLD text" } },
    },
    Read: {
      calls: [read("notes.txt")],
      tool: "Read",
      done: (run) => fed(run, "TEXT-OF-NOTES"),
      setup: { files: { "notes.txt": "TEXT-OF-NOTES" } },
    },
    "an MCP tool": {
      calls: [{ name: "mcp__tiny__echo", input: { text: "hello" } }],
      tool: "mcp__tiny__echo",
      done: (run) => fed(run, "echo: hello"),
      setup: { mcp: true },
    },
    Agent: { calls: [agent], tool: "Agent", done: (run) => asked(run, "subagent") > 0 },
  },
  cases: [
    {
      name: "a rewrite of a path: Write goes to the other file",
      setup: {
        script: says(write("written.txt")),
        plan: [{ event: "PreToolUse", answer: { modified_input: { file_path: "other.txt" } } }],
      },
      judge: (run) =>
        first(
          soundness(run),
          file(run, "written.txt") !== undefined && "the first file was written",
          file(run, "other.txt") === undefined && "the other file was not written",
        ),
    },
    ...results.map(([what, call, original, modified_output]): Case => ({
      name: `a new result of ${what} takes the original's place`,
      setup: {
        script: says(call),
        mcp: true,
        files: { "notes.txt": "TEXT-OF-NOTES" },
        plan: [{ event: "PostToolUse", answer: { modified_output } }],
      },
      judge: (run) =>
        first(
          soundness(run),
          !fired(run, "PostToolUse", { tool: call.name }) && "our process did not run",
          !fed(run, TOKEN.modified_output) && "the model was not given the new result",
          fed(run, original) && "the model read the original result",
        ),
    })),
    {
      name: "a new result and a denial: the model reads both, and not the original",
      setup: {
        script: says(bash(PRINTS_RESULT)),
        plan: [
          {
            event: "PostToolUse",
            answer: { decision: "deny", reason: TOKEN.reason, modified_output: TOKEN.modified_output },
          },
        ],
      },
      judge: (run) =>
        first(
          soundness(run),
          !fed(run, TOKEN.modified_output) && "the model was not given the new result",
          !fed(run, TOKEN.reason) && "the model was not told why",
          fed(run, RESULT) && "the model read the original result",
        ),
    },
    {
      name: "limit: a text as the result of Write is not taken, and stderr says so",
      setup: {
        script: says(write("written.txt")),
        plan: [{ event: "PostToolUse", answer: { modified_output: TOKEN.modified_output } }],
      },
      judge: (run) =>
        first(
          soundness(run),
          fed(run, TOKEN.modified_output) && "it was taken: the limit is gone; tell the table",
          run.calls.length > 0 && !shown(run).includes("the model reads the original") && "the user was not told",
        ),
      releases: SHOWS,
    },
    {
      name: "a session's variables keep quotes, lines and dollars",
      setup: {
        script: says(bash(`printf '%s' "$${VARIABLE}" | od -An -tx1 | tr -d ' \\n'`)),
        plan: [{ event: "SessionStart", answer: { session_env: { [VARIABLE]: ODD } } }],
      },
      judge: (run) => first(soundness(run), !fed(run, Buffer.from(ODD).toString("hex")) && "the value is another one"),
    },
    {
      name: "without an answer the permission is Claude Code's own: nobody is there to give it",
      setup: permission,
      judge: (run) =>
        first(
          soundness(run),
          !fired(run, "PreToolUse") && "our process did not run",
          marked(run) && "the call took place",
        ),
    },
    {
      name: "limit: PermissionRequest reads the document alone: after exit code 2 without one, a person's yes counts",
      setup: {
        ...typed(
          { ...base, steps: [{ args: ["--permission-mode", "manual"] }] },
          "/Doyouwant/",
          "+1500",
          "\r",
          "/FINAL/",
        ),
        executable: RAW,
        plan: [{ event: "PermissionRequest", raw: { document: undefined, stderr: "REASON-TOKEN", code: 2 } }],
      },
      releases: SHOWS,
      judge: (run) =>
        first(
          soundness(run),
          !fired(run, "PermissionRequest") && "our process did not run",
          !marked(run) && "the call did not take place",
        ),
    },
    {
      name: "managed settings: the denial holds",
      setup: { ...base, ...denying, scope: "managed" },
      mounts: true,
      judge: holds,
    },
    {
      name: "managed settings: the denial holds in a project with disableAllHooks",
      setup: { ...base, ...denying, scope: "managed", files: DISABLING },
      mounts: true,
      judge: holds,
    },
    {
      name: "limit: a project with disableAllHooks turns off the user's hooks",
      setup: { ...base, ...denying, files: DISABLING },
      judge: skipped,
    },
    { name: "a project's settings: the denial holds", setup: { ...base, ...denying, scope: "project" }, judge: holds },
    {
      name: "limit: --bare calls no hooks",
      setup: { ...base, ...denying, steps: [{ args: [...BYPASS, "--bare"] }] },
      judge: skipped,
    },
    {
      name: "limit: a missing executable lets the call pass",
      setup: { ...base, executable: "/nonexistent/bridge-hooks" },
      judge: skipped,
    },
    {
      name: 'a missing executable with onFailure "block": the call does not take place',
      setup: {
        ...base,
        executable: "/nonexistent/bridge-hooks",
        events: ["PreToolUse"],
        entry: { onFailure: "block" },
      },
      releases: SHOWS,
      judge: (run) =>
        first(
          soundness(run),
          marked(run) && "the call took place",
          asked(run, "main") !== 2 && "the model was not told",
        ),
    },
    {
      name: "limit: Claude Code refuses to start with an entry on WorktreeCreate",
      cell: { native_event: "WorktreeCreate", field: "allow" },
      setup: { ...base, events: ["WorktreeCreate"], steps: [{ args: [...BYPASS, "--worktree", "tree"] }] },
      judge: (run) =>
        first(
          soundness(run),
          !fired(run, "WorktreeCreate") && "our process did not run",
          !run.sessions[0]?.stderr.includes("worktree path") && "it did not say that it wants a path",
        ),
    },
  ],
};
