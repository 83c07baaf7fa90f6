import { dirname, join } from "node:path";
import { gemini as host } from "../../../src/hosts/gemini/index.ts";
import { asked, type Driver, fed, file, fired, first, holds, marked, type Scenario, skipped, soundness, TOKEN } from "../driver.ts";
import type { Script, ToolUse, Turn } from "../model.ts";
import { installsItself, type Place, put, type Run, type Setup } from "../run.ts";

const bash = (command: string): ToolUse => ({ name: "run_shell_command", input: { command, description: "a step" } });
const MARK = bash("echo original > marker.txt");
const FINAL: Turn = { text: "FINAL" };
const says = (...calls: ToolUse[]): Script => ({ main: [...calls.map((call) => ({ calls: [call] })), FINAL] });
const base: Setup = { script: says(MARK) };

const toEnd = (run: Run) => run.sessions.at(-1)?.stdout.includes("FINAL") ?? false;
const ended = ({ sessions }: Run) => sessions.every(({ code }) => code === 0);
const rewrite = { patch: { command: "echo REWRITTEN > marker.txt" }, done: (run: Run) => file(run, "marker.txt") === "REWRITTEN\n" };

const scenarios: Record<string, Scenario> = {
  SessionStart: { setup: base, passed: toEnd },
  BeforeTool: { setup: base, passed: marked, rewrite },
  AfterTool: { setup: base, passed: (run) => fed(run, "Process Group PGID"), denied: (run) => !fed(run, "Process Group PGID") },
  BeforeAgent: { setup: base, passed: (run) => asked(run, "main") > 0, reader: "user" },
  AfterAgent: { setup: base, passed: (run) => asked(run, "main") === 2, denied: (run) => asked(run, "main") === 3 },
  SessionEnd: { setup: base, passed: toEnd },
  PreCompress: { setup: base, passed: toEnd },
  BeforeModel: { setup: base, passed: (run) => asked(run, "main") > 0, reader: "user" },
  AfterModel: { setup: base, passed: marked, reader: "user" },
  BeforeToolSelection: { setup: base, passed: toEnd },
};

/** The host's own words. */
const raw: Driver["raw"] = (field, hookEventName) => {
  switch (field) {
    case "deny":
      return { document: { decision: "deny", reason: TOKEN.reason }, stderr: TOKEN.reason, code: 2 };
    case "ask":
      return { document: { decision: "ask", reason: TOKEN.reason } };
    case "user_message":
      return { document: { systemMessage: TOKEN.user_message } };
    case "modified_input":
      return { document: { hookSpecificOutput: { hookEventName, tool_input: { command: "echo REWRITTEN > marker.txt" } } } };
    case "additional_context":
      return { document: { hookSpecificOutput: { hookEventName, additionalContext: TOKEN.additional_context } } };
  }
};

const shown = ({ sessions }: Run) => sessions.map(({ stdout, stderr }) => `${stdout}\n${stderr}`).join("\n");

const program = (folder: string) => join(folder, "node_modules/@google/gemini-cli/bundle/gemini.js");
const node = Bun.which("node") ?? "node";
const events = Object.keys(host.capabilities);
const QUIET = ["BeforeModel", "AfterModel", "BeforeToolSelection"];

/** Quiet settings: no update check, no telemetry, no second process for memory. */
const settings = ({ mcp }: Setup) => ({
  security: { auth: { selectedType: "gemini-api-key" } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
  ...(mcp && { mcpServers: { tiny: { command: process.execPath, args: [join(import.meta.dir, "../mcp.ts")] } } }),
});

/** Where each scope's settings lie. */
const fileIn = ({ home, project, etc }: Place, scope: NonNullable<Setup["scope"]>) =>
  ({ user: join(home, ".gemini/settings.json"), project: join(project, ".gemini/settings.json"), managed: join(etc, "gemini-cli/settings.json") })[scope];

const denying: Pick<Setup, "plan"> = { plan: [{ event: "BeforeTool", answer: { decision: "deny", reason: TOKEN.reason } }] };

export const gemini: Driver = {
  host,
  program,
  runner: (release, probe) => ({
    release,
    path: join(release.folder, "node_modules/.bin"),
    configure(setup, place) {
      const { scope = "user" } = setup;
      const command = (event: string) => `"${setup.executable ?? probe}" --host gemini --event ${event} ${setup.flags ?? ""}`.trim();
      const entry = (event: string) => ({
        hooks: [{ name: "bridge-hooks", type: "command", command: command(event), timeout: 20_000, ...setup.entry }],
      });
      // Model events come many times a turn.
      const planned = setup.plan?.map(({ event }) => event) ?? [];
      const wanted = setup.events ?? events.filter((event) => !QUIET.includes(event) || planned.includes(event));
      const hooks = Object.fromEntries(wanted.map((event) => [event, [entry(event)]]));
      const documents = { user: settings(setup) as object, project: undefined as object | undefined, managed: undefined as object | undefined };
      if (!installsItself(setup))
        documents[scope] = { ...documents[scope], hooks, ...(setup.pinned && { hooksConfig: { enabled: true } }) };
      for (const [where, document] of Object.entries(documents))
        if (document) put(fileIn(place, where as "user"), JSON.stringify(document));
      put(join(place.home, ".gemini/trustedFolders.json"), JSON.stringify({ [place.project]: "TRUST_FOLDER" }));
      // Else it takes the time to make one.
    },
    start({ args, prompt = "do it" }, _setup, { url }) {
      return {
        argv: [node, program(release.folder), ...(args ?? ["-m", "gemini-2.5-flash", "--yolo", "-p", prompt])],
        env: { GEMINI_API_KEY: "dummy", GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_NO_RELAUNCH: "true" },
      };
    },
  }),
  scenarios,
  unprovoked: { Notification: "it comes with a question to the person, and headless there is none" },
  raw,
  shown,
  bash,
  several: [{ scopes: ["user", "project", "managed"], times: 1 }],
  missing: { passes: "*" },
  projectEnv: (env) => ({
    ".gemini/.env": Object.entries({ NOTHING: "", ...env })
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
  }),
  actions: {
    run_shell_command: { calls: [MARK], tool: "run_shell_command", done: marked },
  },
  cases: [],
};
