import { expect } from "bun:test";
import { ask, context, defineHook } from "bridge-hooks";
import secrets from "../../../hooks/protect-secrets.ts";
import { type GivenEvent, simulate } from "../../../src/author/testing/index.ts";
import { getPayload } from "../../support/fixtures.ts";
import { answered, gets, sees, shell } from "./calls.ts";
import { installs, listEvents, row, rows, withPlugin } from "./hosts.ts";
import { answers, called, type Check, differs, inOpenCode } from "./proofs.ts";
import { missing, oneProcess, recorded, section, shown } from "./proofs.ts";
import {
  OPENCODE_CALL,
  OPENCODE_CONTEXT,
  OPENCODE_DENIAL,
  OPENCODE_EVENTS,
  OPENCODE_PLUGIN,
  PLUGIN_PROCESS,
  UNCHANGEABLE,
} from "../differences.ts";

const id = "opencode";
const USER = ".config/opencode/plugins/bridge-hooks.js";
const read = (file_path: string): GivenEvent => ({ event: "PreToolUse", tool: "Read", input: { file_path } });
const before = getPayload(id, "tool.execute.before.bash");
const result = { event: "PostToolUse", tool: "Bash", output: { text: "(no output)", exit_code: 0 } };
const request = { event: "Notification", message: "OpenCode asks for permission: bash: echo hi > marker.txt" };
const failure = { event: "PostToolUseFailure", error: "File not found: /home/dev/app/none.txt", duration_ms: 45 };
const questionLost = { stderr: /which OpenCode can't ask for here/, exit_code: 2 };
const GATE = { deny: "native", modified_input: "native", additional_context: "native" } as const;
const UNTOLD = { deny: "unenforceable", additional_context: "drop" } as const;
/** Events on the bus. An entry can be written for each event, and the plugin passes every event on unchanged. */
const heard = (names: string) => [
  rows(id, "Native", names),
  shown("hosts/subscriptions.test.ts", "of … can each be installed by name"),
  inOpenCode("reports other events by their native names, without waiting for an answer"),
];
const compacts: Check = (executable) =>
  withPlugin(executable, id, context("Keep the plan."), async ({ BridgeHooks }) => {
    const plugin = await BridgeHooks({ directory: "/" });
    const output: { context: string[] } = { context: [] };
    await plugin["experimental.session.compacting"]({ sessionID: "ses_1" }, output);
    await plugin.dispose();
    expect(output.context).toEqual(["Keep the plan."]);
  });

const config = section("OpenCode: configuration", {
  "Hooks are methods of a plugin in TypeScript or JavaScript, in OpenCode's own process": inOpenCode(
    "denies what the built executable denies, and allows its other calls",
  ),
  "Hooks run in OpenCode's process": differs(PLUGIN_PROCESS).by(
    oneProcess,
    inOpenCode("with --on-error deny blocks calls and prompts if the executable …"),
  ),
  "A plugin's types come from the package `@anthropic-ai/opencode-plugin`": differs(OPENCODE_PLUGIN).by(
    installs(id, { [USER]: /^(?!.*(from "|require\(|import\("(?!node:)))/s }),
  ),
  "A plugin is a default export, an object of handlers": differs(OPENCODE_PLUGIN).by(
    inOpenCode("exports one function, and starts no process before an event"),
  ),
  "`tool.execute.before` gets the call as `input.call.name` and `input.call.input`": differs(OPENCODE_CALL).by(
    recorded(id, "tool.execute.before.bash"),
  ),
  "To block, the handler sets `output.abort` to a reason": differs(OPENCODE_DENIAL).by(
    inOpenCode("throws the reason of a denial unchanged, followed by the context"),
  ),
  "A hook can keep the agent from reading `.env` files": [
    async () => {
      const simulated = { host: id, files: { ".env": "A=1", "a.ts": "1" } };
      expect((await simulate(secrets, read(".env"), simulated)).decision).toBe("deny");
      expect((await simulate(secrets, read("a.ts"), simulated)).decision).toBeUndefined();
    },
    recorded(id, "tool.execute.before.read"),
    called("gets the host's denial if a hook denies"),
  ],
  "`tool.execute.after` sees a call's result": sees(id, getPayload(id, "tool.execute.after.bash"), result),
  "A project's plugins are in `.opencode/plugin/`": differs(
    "`install` uses `plugins/` instead; OpenCode loads both directories [seen 1.18.33, 2026-11-22]",
  ).by(installs(id, { ".opencode/plugins/bridge-hooks.js": /BridgeHooks/ }, { scope: "project" })),
  "The user's plugins are in `~/.config/opencode/plugin/`": differs(
    "`install` uses `plugins/` instead; OpenCode loads both directories [seen 1.18.33, 2026-11-22]",
  ).by(installs(id, { [USER]: /BridgeHooks/ })),
  "Other plugins are listed in `opencode.json`, under `plugin`": shown(
    "operate/mdm/mdm.test.ts",
    "OpenCode's managed config names the plugin next to it",
  ),
  "Plugins are distributed as npm packages": missing(
    "There is no npm package. `install` writes the plugin, and `mdm` packs it for a fleet",
  ),
});

const events = section("OpenCode: events", {
  "Tool events: `tool.execute.before`, `tool.execute.after`": [
    row(id, "tool.execute.before", "PreToolUse", GATE),
    row(id, "tool.execute.after", "PostToolUse", { deny: "emulated", additional_context: "native" }),
  ],
  "`session.created`": [
    recorded(id, "session.created"),
    gets(id, getPayload(id, "session.created"), context("It is Monday."), { context: "It is Monday." }),
  ],
  "`session.idle`, when the agent has stopped": [recorded(id, "session.idle"), answers],
  "`session.deleted`": recorded(id, "session.deleted"),
  "`session.compacted`": recorded(id, "session.compacted"),
  "There is an event `permission.updated`": differs(OPENCODE_EVENTS).by(
    sees(id, getPayload(id, "permission.asked"), request),
  ),
  "There is an event `lsp.client.diagnostics`": differs(OPENCODE_EVENTS).by(
    row(id, "lsp.client.diagnostics", "Native"),
    heard("lsp.updated"),
  ),
  "Session events: `session.updated`, `session.status`": heard("session.updated session.status"),
  "Message events: `message.updated`, `message.removed`, `message.part.removed`": heard(
    "message.updated message.removed message.part.removed",
  ),
  "File events: `file.edited`, `file.watcher.updated`": heard("file.edited file.watcher.updated"),
  "`permission.replied`": heard("permission.replied"),
  "`command.executed`": heard("command.executed"),
  "There are more than twenty events": () => expect(listEvents(id).length).toBeGreaterThan(20),
  "There is an event `message.part.updated`": differs(OPENCODE_EVENTS).by(
    sees(id, getPayload(id, "message.part.updated.read"), failure),
  ),
  "`experimental.session.compacting` observes or controls compaction": [
    recorded(id, "experimental.session.compacting"),
    compacts,
  ],
  "`experimental.chat.messages.transform` changes all messages": missing(UNCHANGEABLE).by(
    row(id, "experimental.chat.messages.transform", "Native", UNTOLD),
  ),
  "`experimental.chat.system.transform` changes the system prompt": differs(OPENCODE_CONTEXT).by(
    row(id, "experimental.chat.system.transform", "Native", { ...UNTOLD, additional_context: "native" }),
    inOpenCode("adds the context for a request's system prompt to the prompt"),
  ),
  "The config option `experimental.hook` runs commands": differs(
    "Current releases have no such option. Use PostToolUse and Stop hooks [shipped 1.18.33]",
  ).by(recorded(id, "tool.execute.after.write", "tool.execute.after.edit", "session.idle")),
});

const inProcess = section("OpenCode: what its own process allows", {
  "A hook can use SDK objects, such as the session and its messages": missing(
    "A hook gets only data. `event._native` contains everything that OpenCode sent",
  ).by(sees(id, before, { _native: before })),
  "A hook can wait for a database or the network": shown(
    "call/core.test.ts",
    "a looping hook leaves time for other hooks",
  ),
  "A hook changes data in place instead of printing a result": differs(OPENCODE_CALL).by(
    inOpenCode("rewrites the arguments in place, and removes arguments that the rewrite lacks"),
    answers,
  ),
  "One module can subscribe to several unrelated events": async () => {
    const seen: string[] = [];
    const hook = defineHook({ event: ["PreToolUse", "Stop"], handler: ({ event }) => void seen.push(event) });
    for (const event of [shell("ls"), { event: "Stop" }] as const) await simulate(hook, event, { host: id });
    expect(seen).toEqual(["PreToolUse", "Stop"]);
  },
  "A module's variables last from call to call": oneProcess,
  "Plugins can share state through modules": missing(
    "Only hooks in one executable can share a module. Data in `state(event)` lasts for a session",
  ),
  "A plugin has no way to ask the user": [answers, answered(id, before, ask("Push?"), questionLost)],
});

export const opencode = [config, events, inProcess];
