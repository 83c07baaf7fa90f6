import { expect } from "bun:test";
import { allow, ask, context, deny } from "bridge-hooks";
import { getCapabilityRow, type Payload } from "../../../src/protocol/host/host.ts";
import { getPayload } from "../../support/fixtures.ts";
import { getHost } from "../host.ts";
import { answered, buildPayload, gets, observes, sees } from "./calls.ts";
import { installs, row, rows, withPlugin } from "./hosts.ts";
import { anyAnswer, called, type Check, differs, inOpenClaw } from "./proofs.ts";
import { missing, oneProcess, recorded, section, shown } from "./proofs.ts";
import { OPENCLAW_EVENTS, OPENCLAW_PLACES, OPENCLAW_PLUGIN, PLUGIN_PROCESS, UNCHANGEABLE } from "../differences.ts";

const id = "openclaw";
const [CONFIG, FOLDER] = [".openclaw/openclaw.json", ".openclaw/extensions/bridge-hooks"];
const listed = (enabled = true) => ({ plugins: { entries: { "bridge-hooks": { enabled } } } });
/** The plugin, its manifest, and its entry in the config. */
const installed = installs(id, {
  [`${FOLDER}/index.mjs`]: /bridge-hooks/,
  [`${FOLDER}/openclaw.plugin.json`]: { id: "bridge-hooks", activation: { onStartup: true } },
  [CONFIG]: listed(),
});
const installedBeside = (before: object) =>
  installs(id, { [CONFIG]: { ...before, ...listed() } }, { before: { [CONFIG]: before } });
const own = { "session-memory": { enabled: true }, "command-logger": { enabled: false } };
const bundled = { hooks: { internal: { enabled: true, entries: own } } };
const shell = buildPayload(id, "before_tool_call", { toolName: "exec", toolCallId: "t", params: { command: "ls" } });
const shellSeen = { tool_name: "exec", input: { command: "ls" }, session_id: "s", tool_use_id: "t" };
const bootstrap = getPayload(id, "agent-bootstrap");
const FILES = { _native: { context: { bootstrapFiles: [{ name: "AGENTS.md" }, {}, {}, {}] } } };
/** A command typed by a user. */
const typed = { type: "command", action: "new", sessionKey: "agent:main:x", timestamp: "2026-11-22T08:42:21.062Z" };
const asker = { commandSource: "telegram", senderId: "7", workspaceDir: "/w", sessionId: "s" };
const command = buildPayload(id, "command:new", { ...typed, context: asker, ctx: {} });
const commandSeen = (_native: Payload) =>
  sees(id, command, { native_event: "command:new", session_id: "agent:main:x", cwd: "/w", _native });
const twoSystems = inOpenClaw(
  "registers handlers for all of its events, and does not throw if OpenClaw accepts none of them",
  "registers an internal event, and a family of them, as internal hooks",
);
const byName = (title: string) => shown("hosts/subscriptions.test.ts", `of … ${title}`);

/** Checks what the plugin passes to a hook for a user's command, and where the hook's message goes. */
const tellsOfCommand: Check = (executable) =>
  withPlugin(executable, id, { user_message: "Started anew." }, async ({ default: plugin }, event) => {
    const handlers: Record<string, (event: Payload) => Promise<void>> = {};
    const [messages, logged, ends]: [string[], string[], (() => void)[]] = [[], [], []];
    const on = (name: string, handler: (event: Payload) => Promise<void>) => (handlers[name] = handler);
    const lifecycle = { onDispose: (end: () => void) => ends.push(end) };
    const logger = { warn: (line: string) => logged.push(line) };
    plugin.register({ config: {}, on, registerHook: on, lifecycle, logger });
    const secrets = { cfg: { token: "x" }, sessionEntry: {}, senderId: "7" };
    await handlers["command:new"]?.({ ...typed, messages, context: secrets });
    for (const end of ends) end();
    expect([messages, logged.at(-1)]).toEqual([["Started anew."], "Started anew."]);
    expect(event()._native).toMatchObject({ action: "new", context: { senderId: "7" } });
    expect(JSON.stringify(event())).not.toMatch(/messages|token|sessionEntry/);
  });
const TOOLS = ["exec", "web_fetch", "write", "edit", "read", "apply_patch"];
const anyTool = recorded(id, ...TOOLS.map((name) => `before_tool_call-${name}`));
const offered = { description: "Push?", allowedDecisions: ["allow-once", "deny"] };
const asksUser = (fields: object) => [
  gets(id, shell, ask("Push?"), { requireApproval: expect.objectContaining(fields) }, { exit_code: 0 }),
  inOpenClaw("makes OpenClaw ask for approval if the answer is an ask"),
];

const config = section("OpenClaw: configuration", {
  "There are two systems: HOOK.md hooks for commands and lifecycle, and the plugin API for tool calls": [
    twoSystems,
    byName('that stream or repeat are excluded from "all" and Native'),
  ],
  "A HOOK.md hook is a directory with `HOOK.md` and `handler.ts`": differs(OPENCLAW_PLUGIN).by(installed),
  "YAML front matter in `HOOK.md` gives name, description, events and requirements": missing(
    "The fields of `defineHook` contain a hook's name, description and events",
  ).by(installed),
  "Hooks are enabled in `~/.openclaw/config.json`, under `hooks.internal`": differs(OPENCLAW_PLACES).by(installed),
  "OpenClaw's bundled hooks are enabled and disabled in its config, one by one": installedBeside(bundled),
  "Hooks are discovered in the workspace's `hooks/`, then in `~/.openclaw/hooks/`, then among the bundled ones":
    differs(OPENCLAW_PLACES).by(installed),
  "A hook is not loaded if a required program or variable is missing": missing(
    "The executable contains everything that a hook needs. If it is missing, calls are denied and `doctor` reports it",
  ).by(
    inOpenClaw("with --on-error deny blocks calls and prompts, and suggests doctor, if the executable …"),
    shown(
      "cli/doctor/executables.test.ts",
      "doctor reports that the executable is missing, and how to replace its entries",
    ),
  ),
  "`openclaw hooks install` installs hook packs from npm": missing(
    "There is no npm package. `install` writes the plugin, and `mdm` packs it for a fleet",
  ),
  "A plugin can bundle HOOK.md hooks with `registerPluginHooksFromDir()`": differs(OPENCLAW_PLUGIN).by(twoSystems),
  "A plugin's hooks are enabled and disabled with the plugin": installedBeside(listed(false)),
  "`openclaw hooks list`, `enable` and `info` manage hooks": differs(
    "`bridge-hooks list` shows the hooks, and `openclaw plugins inspect bridge-hooks` shows the plugin [seen 2026.9.6, 2026-11-22]",
  ).by(async () => {
    const { listManualSteps } = await getHost(id).setup();
    const steps = listManualSteps("user", { program: "/p", on_error: "deny" });
    expect(steps.join()).toContain("openclaw plugins inspect bridge-hooks");
  }),
});

const lifecycle = section("OpenClaw: commands and lifecycle", {
  "A handler is an async function that gets a typed event": differs(
    "A hook gets a HOOK.md event as `Native`, with the entire event in `event._native` [seen 2026.9.6, 2026-11-22]",
  ).by(sees(id, bootstrap, { event: "Native", native_event: "agent:bootstrap", _native: { type: "agent" } })),
  "The event has `type`, `action`, `sessionKey` and `timestamp`": commandSeen(typed),
  "The event has `messages`, to which a hook pushes text for the user": tellsOfCommand,
  "The event's `context` has `sessionId`, `commandSource`, `senderId`, `workspaceDir`": commandSeen({ context: asker }),
  "The event's `context` has `bootstrapFiles`": sees(id, bootstrap, FILES),
  "The event's `context` has `sessionEntry` and the config, `cfg`": missing(
    "Hooks get neither, because both are long and contain secrets",
  ).by(tellsOfCommand),
  "Everything happens in one process, without stdin and exit codes": differs(PLUGIN_PROCESS).by(oneProcess),
  "HOOK.md hooks neither block nor allow anything": [
    observes(id, "command:new", typed, {}),
    gets(id, command, deny("No."), expect.not.objectContaining({ block: true })),
  ],
  "`command:new`, when somebody types `/new`": recorded(id, "command-new"),
  "`command:reset` and `command:stop`, and `command` for all commands": [
    byName("can each be installed by name"),
    rows(id, "Native", "command command:reset command:stop"),
  ],
  "`agent:bootstrap` may change the list of bootstrap files": missing(UNCHANGEABLE).by(
    answered(id, bootstrap, context("It is Monday."), { stderr: /doesn't accept context on this event/, exit_code: 0 }),
  ),
  "`gateway:startup`, after the channels have started": recorded(id, "gateway-startup"),
  "`session:start` and `session:end` are planned": differs(OPENCLAW_EVENTS).by(
    recorded(id, "session_start", "session_end-new"),
    inOpenClaw("prepends the session start's context only to its first prompt"),
  ),
  "`message:sent` and `message:received` are planned": differs(OPENCLAW_EVENTS).by(
    recorded(id, "message_received", "message-received"),
    sees(id, buildPayload(id, "message:sent"), { event: "Native", native_event: "message:sent" }),
  ),
  "`agent:error` is planned": differs(OPENCLAW_EVENTS).by(recorded(id, "agent_end", "tool_failure")),
});

const plugin = section("OpenClaw: the plugin API", {
  "`before_tool_call` fires before any tool call: exec, web_fetch, write, edit, read, apply_patch": anyTool,
  "`before_tool_call` gets the tool's name, its input and the session": sees(id, shell, shellSeen),
  "`before_tool_call` can allow a call": [
    answered(id, shell, allow(), { exit_code: 0 }),
    inOpenClaw("asks again about every call except those that the policy allowed"),
  ],
  "`before_tool_call` can block a call, with a reason": [
    called("gets the host's denial if a hook denies"),
    inOpenClaw("blocks a denied call with its reason, in the tool policy and in the hook"),
  ],
  "`before_tool_call` can demand an approval, with `requireApproval`": asksUser(offered),
  "Approvals appear as buttons in Telegram, components in Discord, or `/approve`": differs(
    "OpenClaw denies the call if no client can show the request (`agent --local`, `agent exec`, cron) [seen 2026.9.6, 2026-11-22]",
  ).by(asksUser({ pluginId: "bridge-hooks", severity: "warning" })),
  "`tool_result_persist` changes a result before it is written into the transcript": differs(
    "The running turn doesn't see such changes. A result middleware passes a hook's `modified_output` and `additional_context` to the model [seen 2026.9.6, 2026-11-22]",
  ).by(
    inOpenClaw(
      "appends the context for a call, and for its result or failure, to the result",
      "replaces a result, including that of a nested call",
    ),
    shown("call/fields.test.ts", "plugins get a new result as text and variables as an object"),
    gets(id, getPayload(id, "tool_result-exec"), context("Two are new."), { append: "Two are new." }),
    row(id, "tool_result_persist", "Native", { deny: "unenforceable" }),
  ),
  "`before_model_resolve` and `before_prompt_build` replace `before_agent_start`": differs(OPENCLAW_EVENTS).by(
    () => expect(getCapabilityRow(getHost(id), "before_agent_start").unreportedCalls).toHaveLength(1),
    rows(id, "Native", "before_model_resolve before_prompt_build"),
  ),
  "`before_model_resolve` intercepts the choice of a model": missing(UNCHANGEABLE).by(
    recorded(id, "before_model_resolve"),
    observes(id, "before_model_resolve", {}, {}),
  ),
  "`before_prompt_build` changes the prompt": [
    gets(id, getPayload(id, "before_agent_run"), context("It is Monday."), { prependContext: "It is Monday." }),
    inOpenClaw("asks once about a prompt, prepends its context, and blocks the run on a denial"),
  ],
  "`commandSource` and `senderId` say who asked, and on which channel": commandSeen({ context: asker }),
  "A paranoid mode turns every `ask` into a denial": differs(
    "There is no such mode. If nobody can answer a question, the call is denied [shipped 2026.9.6]",
  ).by(row(id, "before_tool_call", "PreToolUse", { ask: "native", deny: "native" })),
  "Inputs can be changed only at `agent:bootstrap` and `before_prompt_build`": differs(
    "A call's parameters can also be changed on `before_tool_call` [seen 2026.9.6, 2026-11-22]",
  ).by(inOpenClaw("sets the parameters that a rewrite lacks to undefined"), anyAnswer),
});

export const openclaw = [config, lifecycle, plugin];
