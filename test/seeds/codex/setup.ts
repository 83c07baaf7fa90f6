import assert from "node:assert/strict";
import { buildMdmFiles } from "../../../src/operate/mdm/mdm.ts";
import { DEFAULT_PROGRAM_PATHS } from "../../../src/operate/mdm/programs.ts";
import { createPackOrder } from "../../support/pack-orders.ts";
import { readTestFile, writeTestFile } from "../../support/homes.ts";
import { addition, BLOCK, blocks, context, sees, sends, testsIn } from "../answers.ts";
import { createSection } from "../claim.ts";
import { getHost, installEntries, judgeAnswer, listConfigs, runDoctor } from "../host.ts";
import { arrives, judged, native, TURN } from "./calls.ts";

const guarded = testsIn("hooks/protect-secrets/protect-secrets.test.ts");
const installed = testsIn("cli/install/install.test.ts");
const targeted = testsIn("cli/install/targets.test.ts");
const subscribed = testsIn("hosts/subscriptions.test.ts");
const checked = testsIn("hosts/check.test.ts");
const packed = testsIn("operate/mdm/mdm.test.ts");

export const purpose = createSection("What hooks are for", {
  "They log a conversation or build memories from it: prompt, transcript and last message arrive": [
    sees("codex", "UserPromptSubmit", { event: "UserPromptSubmit", prompt: "do it" }),
    sees("codex", "Stop", { event: "Stop", last_message: "FINAL" }),
    [...sees("codex", "SessionEnd-other", { reason: "other" }), ...arrives("SessionEnd-other", "transcript_path")],
  ],
  "They keep pasted API keys out of prompts: the starter hook `protect-secrets`": [
    guarded("protect-secrets in a host's format", "denies a prompt with secrets, and does not repeat them"),
  ],
  "They check the work when a turn stops, and can make the agent go on": [
    blocks("codex", "Stop", BLOCK, {}, { session_id: "go-on" }),
  ],
  "They adapt prompts to the folder: the event has `cwd`, and a prompt accepts context": [
    sends("codex", "UserPromptSubmit", context, addition("UserPromptSubmit"), { sees: { cwd: "/home/dev/app" } }),
  ],
});

export const feature = createSection("The feature flag", {
  "Hooks are on by default: `install` for a user or a project sets no flag": async () => {
    for (const scope of ["user", "project"] as const) {
      const { path, text } = await installEntries("codex", scope);
      assert.deepEqual([path.endsWith("/.codex/hooks.json"), Object.keys(JSON.parse(text))], [true, ["hooks"]]);
    }
  },
  "`[features] hooks = false` in config.toml turns them off: `doctor` is red": [judged("a user's switch")],
  "`codex_hooks` still works as a deprecated alias of the key": [
    judged("the switch's older name", "the switch's older name next to the newer one"),
  ],
  "Admins force hooks off with `[features] hooks = false` in requirements.toml": [judged("hooks that are pinned off")],
});

const isRead = (path: string, scope: string, syntax: string) => async () => {
  const found = (await listConfigs("codex")).find((file) => file.path === path);
  assert.deepEqual([found?.scope, found?.syntax], [scope, syntax]);
};
/** Checks that an installation leaves a manual step. */
const isLeft = async (scope: "user" | "project" | "managed", words: string) =>
  (await installEntries("codex", scope)).by_hand.some((line) => line.includes(words));
const hasFinding = async (scopes: readonly ("user" | "project" | "managed")[], name: string) =>
  (await runDoctor("codex", scopes)).some(({ check }) => check === name);
const BESIDE =
  "adds entries to config.toml if it contains hooks, because Codex warns about a layer with hooks in two files";

export const places = createSection("Where Codex looks for hooks", {
  "A config layer has hooks in `hooks.json` or as `[hooks]` tables in `config.toml`; both are understood": [
    installed(BESIDE, "leaves entries where they are, because in another file they would have to be trusted again"),
  ],
  "`~/.codex/hooks.json` is read": isRead("/home/dev/.codex/hooks.json", "user", "json"),
  "`~/.codex/config.toml` is read": isRead("/home/dev/.codex/config.toml", "user", "toml"),
  "`<repo>/.codex/hooks.json` is read": isRead("/repo/.codex/hooks.json", "project", "json"),
  "`<repo>/.codex/config.toml` is read": isRead("/repo/.codex/config.toml", "project", "toml"),
  "Matching hooks of all sources run; a higher layer does not replace a lower one: `doctor` is red if our entries are in two layers":
    async () => {
      const layers = [["user"], ["user", "project"], ["user", "managed"]] as const;
      const doubled = await Promise.all(layers.map((scopes) => hasFinding(scopes, "duplicate")));
      assert.deepEqual(doubled, [false, true, true]);
    },
  "A layer with both files is merged, with a warning at startup; prefer one file": [
    [...judged("hooks in both files of a layer"), ...installed(BESIDE)],
  ],
  "Plugins can bundle hooks, in their manifest or `hooks/hooks.json`": [
    "missing: `install` doesn't write a plugin, but `bridge-hooks mdm --plugin` writes one for Codex",
  ],
  "Plugins' hooks are off unless `[features] plugin_hooks = true`": [
    "differs: Codex lists the hooks of every enabled plugin, and `doctor` adds a note about the option [seen 0.169.0, 2026-11-22]",
    judged("the switch of plugins' hooks"),
  ],
  "A project's hooks load only where the project is trusted; user and system hooks load all the same": async () => {
    assert(await isLeft("project", "the project must be trusted in Codex"));
    assert(!(await isLeft("user", "project")));
  },
});

const UNTRUSTED = judged("no codex program and no recorded trust");
const LETTERS = subscribed("an entry for Codex keeps the exact text that Codex trusts");

export const running = createSection("Running and trusting hooks", {
  "Hooks of an event start together": [
    "differs: Hooks in one executable run one after another [docs docs/guide/matchers.md]",
    testsIn("call/core.test.ts")(
      "when several hooks run on one event",
      "a denial or ask without a reason names its hook",
    ),
  ],
  "Hooks that are not managed have to be reviewed and trusted before they run": [
    UNTRUSTED,
    async () => assert(await isLeft("user", "only after you trust them")),
    async () => assert(await isLeft("project", "only after you trust them")),
  ],
  "`/hooks` lists them, and is where each is trusted or disabled": [
    judged("no codex program and a disabled entry"),
    async () => {
      const found = await runDoctor("codex", ["user"]);
      assert(found.some(({ check, fix }) => check === "untrusted" && fix.includes("/hooks")));
    },
  ],
  "A changed hook has to be trusted again: our entries have no matcher that could change, and a second `install` changes nothing":
    [[...LETTERS, ...targeted("writes every entry once on a fresh machine, and uninstall removes all")]],
  "At startup, Codex warns about hooks that need a review": [
    "differs: `codex exec` skips untrusted hooks silently [seen 0.169.0, 2026-11-21], which `doctor` reports as an error",
    UNTRUSTED,
  ],
  "Managed hooks are trusted by policy, and the user can't disable them": [
    judged("reports managed entries that are not pinned", "a switch that a pin overrides"),
    async () => assert(!(await isLeft("managed", ""))),
  ],
  "PreToolUse, PermissionRequest, PostToolUse, UserPromptSubmit and Stop belong to a turn, whose id is in `_native.turn_id`":
    [native(TURN, { turn_id: "T" })],
});

const PATH = { json: "/h/.codex/hooks.json", toml: "/h/.codex/config.toml" };
export const findFlaws = async (document: string | object, path = PATH.json) =>
  (await getHost("codex").loadDoctor()).findConfigProblems(
    typeof document === "string" ? document : JSON.stringify(document),
    path,
  );
/** Builds a hooks.json with one handler, by default a command. */
export const withHandler = (handler: object, event = "PreToolUse", matcher = "Bash") => ({
  hooks: { [event]: [{ matcher, hooks: [{ type: "command", command: "/opt/x", ...handler }] }] },
});
const countFlaws = async (...handlers: object[]) =>
  Promise.all(handlers.map(async (handler) => (await findFlaws(withHandler(handler))).length));

type Handler = { type: string; timeout?: number };
/** Returns the hooks written by an installation, by event. */
const written = async (): Promise<Record<string, { hooks: Handler[] }[]>> =>
  JSON.parse((await installEntries("codex", "user")).text).hooks;
/** Checks that all handlers written by an installation meet a condition. */
const areAll = async (test: (handler: Handler) => boolean) =>
  assert(Object.values(await written()).every((groups) => groups.every(({ hooks }) => hooks.every(test))));

const TOML = `[[hooks.PostToolUse]]\nmatcher = "^Bash$"\n[[hooks.PostToolUse.hooks]]\ntype = "command"\ncommand = 'x "$(pwd)"'\ntimeout = 30\nstatusMessage = "s"\n`;

export const shape = createSection("Config shape", {
  "Three levels: an event, groups with a matcher, and their handlers": [
    checked("findConfigProblems finds none in what install writes"),
    async () => assert.equal((await written()).PreToolUse?.[0]?.hooks[0]?.type, "command"),
  ],
  "PermissionRequest is one of the events": async () => assert((await written()).PermissionRequest),
  "`timeout` is in seconds": [
    () => areAll(({ timeout = 0 }) => timeout >= 3 && timeout <= 60),
    async () => assert.deepEqual(await countFlaws({ timeout: 1.5 }), [1]),
  ],
  "The default `timeout` is 600 seconds": [
    "differs: Entries set 20 seconds, or 3 seconds on SessionEnd and Interrupt, where Codex allows no more [seen 0.169.0, 2026-11-22]",
    async () => {
      const { PreToolUse, SessionEnd } = await written();
      assert.deepEqual([PreToolUse?.[0]?.hooks[0]?.timeout, SessionEnd?.[0]?.hooks[0]?.timeout], [20, 3]);
      assert.deepEqual(await countFlaws({}), [0]);
    },
  ],
  "`statusMessage` is optional: our entries have none, and one that you add is kept": [
    () => areAll((handler) => !("statusMessage" in handler)),
    async () => {
      const found = await runDoctor("codex", ["user"], ({ machine }) => {
        const path = `${machine.home}/.codex/hooks.json`;
        writeTestFile(path, readTestFile(path).replaceAll('"type"', '"statusMessage": "checking", "type"'));
      });
      assert(!found.some(({ check }) => check === "drift" || check === "config-flaw"));
    },
  ],
  "Handlers with `async: true` can't decide: our entries don't set it, and `doctor` does not count their denial": [
    () => areAll((handler) => !("async" in handler)),
    async () => {
      const denial = { stderr: "R", exit_code: 2 };
      assert.equal(await judgeAnswer("codex", "PreToolUse", denial), "denied");
      assert.equal(await judgeAnswer("codex", "PreToolUse", denial, { async: true }), "passed");
    },
  ],
  "Only `command` handlers run; `prompt` and `agent` are parsed and skipped": [
    () => areAll(({ type }) => type === "command"),
    async () => {
      const types = ["prompt", "agent", "other"].map((type) => ({ type, command: undefined }));
      assert.deepEqual(await countFlaws(...types), [0, 0, 1]);
    },
  ],
  "Commands run in the session's working directory": [
    checked("of codex runs the user's shell in the project, without a line feed"),
  ],
  "A project's command should not be a relative path: Codex may start in a subfolder": async () => {
    const { entries } = await installEntries("codex", "project");
    assert(entries.every(({ command }) => command.startsWith("/")));
  },
  "`[[hooks.<event>]]` and `[[hooks.<event>.hooks]]` in config.toml mean the same as hooks.json": async () => {
    const [entry] = (await getHost("codex").setup()).parseEntries(TOML, PATH.toml);
    const { native_event, matcher, command, handler } = entry ?? assert.fail();
    assert.deepEqual([native_event, matcher, command, handler.timeout], ["PostToolUse", "^Bash$", 'x "$(pwd)"', 30]);
    assert.deepEqual(await findFlaws(TOML, PATH.toml), []);
  },
});

/** Reads a file of the administrator's pack. */
const readPack = async (end: string) => {
  const pack = createPackOrder([{ events: ["PreToolUse"] }]);
  return (await buildMdmFiles(pack, [getHost("codex")])).find(({ path }) => path.endsWith(end))?.text ?? assert.fail();
};
const PINNED = packed("requirements.toml pins Codex's hooks feature and names the folder of the managed commands");

export const managed = createSection("Managed hooks", {
  "requirements.toml has hooks inline under `[hooks]`: `install --scope managed` writes them there": async () => {
    const { path, entries } = await installEntries("codex", "managed");
    assert(path.endsWith("/etc/codex/requirements.toml"));
    assert(entries.some(({ native_event }) => native_event === "PreToolUse"));
  },
  "`[features] hooks = true` beside it overrides users who turned hooks off; `doctor` is red without it": [
    judged("a switch that a pin overrides", "reports managed entries that are not pinned"),
    testsIn("cli/doctor/doctor.test.ts")("finds that denials are enforced in … after install --scope …"),
  ],
  "`managed_dir` names the folder of the managed commands on macOS and Linux": [
    PINNED,
    async () => assert.match(await readPack("codex/macos/requirements.toml"), /^managed_dir = "\/opt\/bridge-hooks"$/m),
  ],
  "`windows_managed_dir` names it on Windows": [PINNED],
  "Codex does not distribute the program: the administrator's own tools install it": async () =>
    assert((await readPack("README.md")).includes(DEFAULT_PROGRAM_PATHS.linux)),
  "Managed commands are absolute paths below the managed folder": [
    [...packed("every config in the pack has exactly the planned entries"), ...PINNED],
  ],
});

const inPlugin =
  "missing: `install` doesn't write a plugin, but `bridge-hooks mdm --plugin` writes one for Codex" as const;

export const plugins = createSection("Hooks in plugins", {
  "A plugin has hooks in `hooks/hooks.json`, in the usual form": [
    inPlugin,
    checked("findConfigProblems finds none in what install writes"),
  ],
  "The manifest `.codex-plugin/plugin.json` may name paths inside the plugin's root, or contain the hooks": [inPlugin],
  "A plugin's commands get `PLUGIN_ROOT`, `PLUGIN_DATA` and their Claude Code names": [inPlugin],
  "Plugin hooks have the same events as other hooks, and need the same trust": [inPlugin],
});
