import { join } from "node:path";
import { ALIASES } from "../../../src/hosts/copilot/capabilities.ts";
import { copilot as host } from "../../../src/hosts/copilot/index.ts";
import {
  asked,
  type Case,
  type Driver,
  fed,
  file,
  fired,
  first,
  marked,
  PRINTS_RESULT,
  type Scenario,
  skipped,
  soundness,
  TOKEN,
} from "../driver.ts";
import { does, named } from "../installs.ts";
import type { Script, ToolUse, Turn } from "../model.ts";
import { CACHE, PROBE } from "../releases.ts";
import { installsItself, type Place, put, type Run, type Setup } from "../run.ts";

const bash = (command: string): ToolUse => ({ name: "bash", input: { command, description: "d" } });
const MARK = bash("echo original > marker.txt");
const FINAL: Turn = { text: "FINAL" };
const says = (...calls: ToolUse[]): Script => ({ main: [...calls.map((call) => ({ calls: [call] })), FINAL] });
const base: Setup = { script: says(MARK) };
const echo: ToolUse = { name: "tiny-echo", input: { text: "hello" } };
const task: ToolUse = {
  name: "task",
  input: { prompt: "SUBAGENT, do it", description: "d", agent_type: "task", name: "n" },
};
const inAgent: Setup = { script: { ...says(task), subagent: [{ calls: [MARK] }, { text: "SUBDONE" }] } };
/** A large prompt makes it summarise, and go on. */
const compacting: Setup = {
  script: { main: [{ calls: [MARK], tokens: 190_000 }, { calls: [bash("true")] }, FINAL, FINAL] },
};

const rewrite = {
  patch: { command: "echo REWRITTEN > marker.txt" },
  done: (run: Run) => file(run, "marker.txt") === "REWRITTEN\n",
};
const toEnd = (run: Run) => run.sessions.at(-1)?.stdout.includes("FINAL") ?? false;
const observed = (setup: Setup, more: Partial<Scenario> = {}): Scenario => ({ setup, passed: toEnd, ...more });
/** A call that fails for Copilot: a shell command with another exit code does not. */
const failing: Setup = { script: says({ name: "view", input: { path: "nope.txt" } }) };

const scenarios: Record<string, Scenario> = {
  sessionStart: observed(base),
  preToolUse: { setup: base, passed: marked, rewrite },
  postToolUse: {
    setup: base,
    passed: (run) => !fed(run, TOKEN.reason),
    variants: { modified_output: { script: says(bash(PRINTS_RESULT)) } },
  },
  userPromptSubmitted: { setup: base, passed: (run) => asked(run, "main") > 0, reader: "user" },
  agentStop: { setup: base, passed: (run) => asked(run, "main") === 2, denied: (run) => asked(run, "main") === 3 },
  sessionEnd: observed(base),
  postToolUseFailure: { setup: failing, passed: (run) => !fed(run, TOKEN.reason), original: "does not exist" },
  permissionRequest: {
    setup: { ...base, steps: [{ args: [] }] },
    passed: marked,
    // Nobody is there to be asked.
    unanswered: (run) => !marked(run) && fed(run, "no interactive user response"),
  },
  subagentStart: observed(inAgent),
  subagentStop: {
    setup: inAgent,
    passed: (run) => asked(run, "subagent") === 2,
    denied: (run) => asked(run, "subagent") === 3,
  },
  preCompact: observed(compacting),
  // Nobody is there to let it read outside of the project.
  notification: observed({ script: says({ name: "view", input: { path: "/nonexistent" } }) }),
  errorOccurred: {
    setup: { script: { main: [{ status: 400 }] } },
    passed: (run) => fired(run, "errorOccurred") && asked(run, "main") === 1,
    ended: ({ sessions }) => sessions[0]?.code === 1,
  },
  userPromptTransformed: observed(base),
  preMcpToolCall: observed({ script: says(echo), mcp: true }, { passed: (run) => fed(run, "echo: hello") }),
};

/** With no entries but the event's: a run is quicker so. */
const alone = ([event, { setup, ...rest }]: [string, Scenario]): [string, Scenario] => [
  event,
  { setup: { ...setup, events: [event] }, ...rest },
];

/** Under Claude Code's names: the entries of such a file. */
const claudes = (native_event: string): Scenario => {
  const { setup, variants = {}, ...rest } = scenarios[ALIASES[native_event] as string] as Scenario;
  const events = [native_event];
  return {
    setup: { ...setup, events },
    variants: Object.fromEntries(Object.entries(variants).map(([field, variant]) => [field, { ...variant, events }])),
    ...rest,
    unseen: { user_message: "the CLI shows it to nobody; VS Code can't be run here" },
  };
};
const SHOWN = ["PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop"];

/** The names of which `install` makes entries. */
const events = Object.keys(host.capabilities).filter((event) => !Object.hasOwn(ALIASES, event));

const program = (folder: string) =>
  join(
    folder,
    `node_modules/@github/copilot-${process.platform}-${process.arch}`,
    process.platform === "win32" ? "copilot.exe" : "copilot",
  );

const config = (setup: Setup, probe: string) => {
  const command = (event: string) =>
    `"${setup.executable ?? probe}" --host copilot --event ${event} ${setup.flags ?? ""}`.trim();
  const entry = (event: string) => ({ type: "command", command: command(event), timeout: 20, ...setup.entry });
  const hooks = Object.fromEntries((setup.events ?? events).map((event) => [event, [entry(event)]]));
  return setup.broken ? `{"version":1,"hooks":${JSON.stringify(hooks)},}` : JSON.stringify({ version: 1, hooks });
};

const folderOf = ({ scope }: Setup, { home, project, etc }: Place) =>
  scope === "managed"
    ? join(etc, "github-copilot/policy.d")
    : scope === "project"
      ? join(project, ".github/hooks")
      : join(home, ".copilot/hooks");

const MCP = JSON.stringify({
  mcpServers: {
    tiny: { type: "local", command: process.execPath, args: [join(import.meta.dir, "../mcp.ts")], tools: ["*"] },
  },
});

/** The denial at preToolUse, whoever's entry gives it. */
const denying: Pick<Setup, "plan"> = {
  plan: ["preToolUse", "PreToolUse"].map((event) => ({ event, answer: { decision: "deny", reason: TOKEN.reason } })),
};
const ranAndHeld = (run: Run): string | undefined =>
  first(
    soundness(run),
    !fired(run, "preToolUse") && !fired(run, "PreToolUse") && "our process did not run: the hook was skipped",
    marked(run) && "the denial did not hold",
    !fed(run, TOKEN.reason) && "the model was not told why",
  );
const DISABLING = { ".github/copilot/settings.json": JSON.stringify({ disableAllHooks: true }) };
/** An entry of Claude Code's that calls us. */
const CLAUDES = JSON.stringify({
  hooks: {
    PreToolUse: [
      { matcher: "*", hooks: [{ type: "command", command: `"${PROBE}" --host claude --event PreToolUse` }] },
    ],
  },
});

const limit = (name: string, setup: Partial<Setup>): Case => ({
  name: `limit: ${name}`,
  setup: { ...base, ...denying, ...setup },
  judge: skipped,
});

export const copilot: Driver = {
  host,
  program,
  runner: (release, probe) => ({
    release,
    path: join(program(release.folder), ".."),
    configure(setup, place) {
      if (installsItself(setup)) return;
      put(join(folderOf(setup, place), "hooks.json"), config(setup, probe));
    },
    start({ args = ["--allow-all-tools"], prompt = "do it" }, setup, { url, home }) {
      // Policy and user hooks need no trust.
      const trusting = setup.trusting ? ["--trust-folder"] : [];
      const mcp = setup.mcp ? ["--additional-mcp-config", MCP] : [];
      return {
        argv: [program(release.folder), "--disable-client-telemetry", ...trusting, ...mcp, ...args, "-p", prompt],
        env: {
          COPILOT_HOME: join(home, ".copilot"),
          // What the executable unpacks, once for all runs.
          COPILOT_CACHE_HOME: join(CACHE, "copilot"),
          COPILOT_OFFLINE: "true",
          COPILOT_AUTO_UPDATE: "false",
          COPILOT_PROVIDER_TYPE: "anthropic",
          COPILOT_PROVIDER_BASE_URL: url,
          COPILOT_PROVIDER_API_KEY: "dummy",
          COPILOT_MODEL: setup.model ?? "fake-model",
        },
      };
    },
  }),
  scenarios: {
    ...Object.fromEntries(Object.entries(scenarios).map(alone)),
    ...Object.fromEntries(SHOWN.map((event) => [event, claudes(event)])),
  },
  unprovoked: {
    ...Object.fromEntries(
      Object.keys(ALIASES)
        .filter((event) => !SHOWN.includes(event))
        .map((event) => [event, "the same as under its other name"]),
    ),
  },
  raw(field, native_event) {
    const behavior = native_event.toLowerCase() === "permissionrequest";
    switch (field) {
      case "deny":
        return {
          document: behavior
            ? { behavior: "deny", message: TOKEN.reason }
            : {
                permissionDecision: "deny",
                permissionDecisionReason: TOKEN.reason,
                decision: "block",
                reason: TOKEN.reason,
                continue: false,
              },
        };
      case "ask":
        return {
          document: behavior
            ? { behavior: "ask", message: TOKEN.reason }
            : { permissionDecision: "ask", permissionDecisionReason: TOKEN.reason, decision: "ask" },
        };
      case "user_message":
        return { document: { systemMessage: TOKEN.user_message, userNotification: TOKEN.user_message } };
      case "modified_input": {
        const modifiedArgs = { command: "echo REWRITTEN > marker.txt", description: "d", text: "REWRITTEN" };
        return { document: { modifiedArgs, updatedInput: modifiedArgs } };
      }
      case "additional_context":
        return { document: { additionalContext: TOKEN.additional_context } };
      case "modified_output":
        return { document: { modifiedResult: { resultType: "success", textResultForLlm: TOKEN.modified_output } } };
    }
  },
  shown: ({ sessions }) => sessions.map(({ stdout, stderr }) => stdout + stderr).join("\n"),
  bash,
  inAgent,
  several: [{ scopes: ["user", "project", "local", "managed"], times: 4 }],
  missing: { blocks: "*" },
  closes: true,
  actions: {
    bash: { calls: [MARK], tool: "bash", done: marked },
    create: {
      calls: [{ name: "create", input: { path: "new.txt", file_text: "text" } }],
      tool: "create",
      done: (run) => file(run, "new.txt") !== undefined,
    },
    edit: {
      calls: [{ name: "edit", input: { path: "old.txt", old_str: "one", new_str: "two" } }],
      tool: "edit",
      done: (run) => file(run, "old.txt") === "two",
      setup: { files: { "old.txt": "one" } },
    },
    view: {
      calls: [{ name: "view", input: { path: "notes.txt" } }],
      tool: "view",
      done: (run) => fed(run, "TEXT-OF-NOTES"),
      setup: { files: { "notes.txt": "TEXT-OF-NOTES" } },
    },
    "an MCP tool": { calls: [echo], tool: "tiny-echo", done: (run) => fed(run, "echo: hello"), setup: { mcp: true } },
    task: { calls: [task], tool: "task", done: (run) => asked(run, "subagent") > 0 },
  },
  cases: [
    {
      name: "a trusted project's hooks: the denial holds",
      setup: { ...base, ...denying, scope: "project", trusting: true },
      judge: ranAndHeld,
    },
    limit("a project's hooks are skipped where the folder is not trusted", { scope: "project" }),
    {
      name: "a project's hooks, the folder not trusted, with GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS: the denial holds",
      setup: {
        ...base,
        ...denying,
        scope: "project",
        steps: [{ env: { GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS: "true" } }],
      },
      judge: ranAndHeld,
    },
    {
      name: "policy.d: the denial holds in a trusted project that turns hooks off",
      setup: { ...base, ...denying, scope: "managed", files: DISABLING, trusting: true },
      mounts: true,
      judge: ranAndHeld,
    },
    limit("a trusted project that turns hooks off turns off the user's", { files: DISABLING, trusting: true }),
    {
      name: "a project that turns hooks off and is not trusted: the user's hold",
      setup: { ...base, ...denying, files: DISABLING },
      judge: ranAndHeld,
    },
    limit("one trailing comma, and no hook runs", { broken: true }),
    {
      name: "Claude Code's settings of a trusted project: the denial of an entry with --host claude holds",
      setup: { ...base, ...denying, events: [], files: { ".claude/settings.json": CLAUDES }, trusting: true },
      judge: ranAndHeld,
    },
    {
      name: "install --host claude --host copilot in a project: the denial holds by both, and the model is told no context twice",
      setup: {
        script: says(MARK, { name: "create", input: { path: "written.txt", file_text: "text" } }),
        trusting: true,
        plan: [
          ...["preToolUse", "PreToolUse"].flatMap((event) => [
            {
              event,
              tool: event === "preToolUse" ? "bash" : "Bash",
              answer: { decision: "deny" as const, reason: TOKEN.reason },
            },
            {
              event,
              tool: event === "preToolUse" ? "create" : "Write",
              answer: { additional_context: "BEFORE-TOKEN" },
            },
          ]),
        ],
        steps: [named("installed", { before: [does("install", "project", ["claude", "copilot"])] })],
      },
      judge: (run) => {
        const times = run.requests.at(-1)?.text.split("BEFORE-TOKEN").length ?? 0;
        return first(
          ranAndHeld(run),
          !fired(run, "PreToolUse") && "the entry in Claude Code's settings did not run",
          file(run, "written.txt") === undefined && "the harmless call did not take place",
          times !== 2 && `the model was told the context ${times - 1} times`,
        );
      },
    },
    { ...limit("a hook that takes longer than its entry says lets the call pass", {}), ...slow() },
    {
      name: "a missing executable: the call does not take place",
      setup: { ...base, executable: "/nonexistent/bridge-hooks", events: ["preToolUse"] },
      judge: (run) =>
        first(
          soundness(run),
          marked(run) && "the call took place",
          !fed(run, "hook errored") && "the model was told nothing",
        ),
    },
  ],
};

/** The entry's time is up before the hook's. */
function slow(): Pick<Case, "setup" | "judge"> {
  return {
    setup: {
      ...base,
      entry: { timeout: 1 },
      events: ["preToolUse"],
      plan: [{ event: "preToolUse", way: "hang" }],
      flags: "--on-error deny",
    },
    judge: (run) =>
      first(
        soundness(run),
        !fired(run, "preToolUse") && "our process did not run",
        !marked(run) && "the call did not take place",
      ),
  };
}
