import { dirname, join } from "node:path";
import { droid as host } from "../../../src/hosts/droid/index.ts";
import { buildRawDocument, countModelRequests, type HostDriver, TOKENS } from "../driver.ts";
import { isInstalledByExecutable, listWantedEvents, type RunFolders, type RunSetup, writeRunFile } from "../run.ts";
import { callCases } from "./droid-cases.ts";
import { configCases } from "./droid-config-cases.ts";
import { buildShellCall, buildTask, DONE, EVERY, files, inAgent, scenarios, specific } from "./droid-scenarios.ts";

/** Builds a field in the host's own format. */
const buildRawAnswer: HostDriver["raw"] = (field, hookEventName) => {
  if (field === "deny") {
    const { stderr, code } = buildRawDocument(field, hookEventName) ?? {};
    const document = specific({ permissionDecision: "deny", permissionDecisionReason: TOKENS.reason });
    return { document, ...(stderr && { stderr }), ...(code && { code }) };
  }
  if (field !== "modified_output") return buildRawDocument(field, hookEventName);
  return { document: { hookSpecificOutput: { hookEventName, updatedToolOutput: TOKENS.modified_output } } };
};

/** Builds settings for the scripted model, which doesn't need an account. */
const buildSettings = (url: string) => ({
  customModels: [
    {
      model: "mock",
      displayName: "mock",
      baseUrl: `${url}/v1`,
      apiKey: "x",
      provider: "generic-chat-completion-api",
      maxOutputTokens: 1000,
    },
  ],
});

/** Returns each scope's hooks file. */
const getHookFile = ({ home, project, etc }: RunFolders, scope: NonNullable<RunSetup["scope"]>) =>
  ({
    user: join(home, ".factory/hooks.json"),
    project: join(project, ".factory/hooks.json"),
    managed: join(etc, "factory/settings.json"),
  })[scope];

const getProgram = (folder: string) =>
  join(folder, `node_modules/@factory/cli-${process.platform}-${process.arch}/bin/droid`);
const events = Object.keys(host.capabilities);
/** Events that don't get an entry, because a hook that denies them would keep Droid running forever. */
const UNLIMITED = ["Stop"];
export const driver: HostDriver = {
  host,
  program: getProgram,
  runner: (release, probe) => ({
    release,
    path: dirname(getProgram(release.folder)),
    configure(setup, place) {
      const { scope = "user" } = setup;
      writeRunFile(join(place.home, ".factory/settings.json"), JSON.stringify(buildSettings(place.url)));
      if (setup.mcp)
        writeRunFile(
          join(place.home, ".factory/mcp.json"),
          JSON.stringify({
            mcpServers: {
              tiny: { type: "stdio", command: process.execPath, args: [join(import.meta.dir, "../mcp.ts")] },
            },
          }),
        );
      if (setup.managedOnly)
        writeRunFile(getHookFile(place, "managed"), JSON.stringify({ allowManagedHooksOnly: true }));
      if (isInstalledByExecutable(setup)) return;
      const command = (event: string) =>
        `"${setup.executable ?? probe}" --host droid --event ${event} ${setup.flags ?? ""}`.trim();
      const entry = (event: string) => ({
        hooks: [{ type: "command", command: command(event), timeout: 20, ...setup.entry }],
      });
      const hooks = Object.fromEntries(
        listWantedEvents(setup, events, UNLIMITED).map((event) => [event, [entry(event)]]),
      );
      const managed = {
        ...(setup.managedOnly && { allowManagedHooksOnly: true }),
        hooks: { ...(setup.pinned && { hooksDisabled: false }), ...hooks },
      };
      writeRunFile(getHookFile(place, scope), JSON.stringify(scope === "managed" ? managed : hooks));
    },
    start: ({ args, prompt = "do it" }) => ({
      argv: [
        getProgram(release.folder),
        ...(args ?? ["exec", "--skip-permissions-unsafe", "-m", "custom:mock-0", prompt]),
      ],
      env: { FACTORY_AIRGAP_ENABLED: "1", FACTORY_DISABLE_KEYRING: "1", CI: "1" },
    }),
  }),
  scenarios,
  unprovoked: {
    PreCompact: "no number of tokens makes a headless run compact",
    Notification: "a headless run doesn't ask for permission or wait for an answer",
  },
  raw: buildRawAnswer,
  shown: ({ sessions }) => sessions.map(({ stdout, stderr }) => `${stdout}\n${stderr}`).join("\n"),
  bash: buildShellCall,
  waitsLong: true,
  several: [{ scopes: ["user", "project", "managed"], times: 3 }],
  missing: { passes: "*" },
  // A SessionStart hook in the project writes variables to the environment of other hooks.
  projectEnv: (env) => ({
    ".factory/hooks.json": JSON.stringify({
      SessionStart: [
        {
          hooks: Object.entries(env).map(([name, value]) => ({
            type: "command",
            command: `echo 'export ${name}=${value}' >> "$CLAUDE_ENV_FILE"`,
          })),
        },
      ],
    }),
  }),
  actions: {
    ...Object.fromEntries(
      Object.entries(DONE).map(([tool, done]) => [
        tool,
        { calls: EVERY.script.main.flatMap(({ calls = [] }) => calls), tool, done, setup: { mcp: true, files } },
      ]),
    ),
    Task: {
      calls: [buildTask("SUBAGENT do it")],
      tool: "Task",
      done: (run) => countModelRequests(run, "subagent") > 0,
      setup: inAgent,
    },
  },
  cases: [...callCases, ...configCases],
};
