import assert from "node:assert/strict";
import protectSecrets from "../../../hooks/protect-secrets.ts";
import { simulate } from "../../../src/author/testing/index.ts";
import { writeTestFile } from "../../support/homes.ts";
import { MADE_UP_SECRETS } from "../../support/made-up-secrets.ts";
import type { ClaimSection } from "../claim.ts";
import { listConfigs, runDoctor, getHost, installEntries, createRecordedCase } from "../host.ts";

/** An entry in config.toml, as a person would write it. */
const inline = (command: string) =>
  `[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\ntype = "command"\ncommand = '${command}'\ntimeout = 20\n`;

/** Whether a feature in the user's config turns hooks off. */
const turnsOff = async (name: string, value: boolean) => {
  const found = await runDoctor("codex", ["user"], ({ place }) =>
    writeTestFile(`${place.home}/.codex/config.toml`, `[features]\n${name} = ${value}\n`),
  );
  return found.some(({ check, what }) => check === "hooks-disabled" && what.includes(`${name} = ${value}`));
};

export const purpose: ClaimSection = {
  title: "What hooks are for",
  claims: [
    {
      says: "They log a conversation or build memories from it: prompt, transcript and last message arrive",
      cases: [
        createRecordedCase("codex", "UserPromptSubmit", { sees: { event: "UserPromptSubmit", prompt: "do it" } }),
        createRecordedCase("codex", "Stop", { sees: { event: "Stop", last_message: "FINAL TEXT" } }),
        createRecordedCase(
          "codex",
          "SessionEnd-other",
          { sees: { event: "SessionEnd", reason: "other", transcript_path: "/t.jsonl" } },
          { transcript_path: "/t.jsonl" },
        ),
      ],
    },
    {
      says: "They keep pasted API keys out of prompts: the starter hook `protect-secrets`",
      async check() {
        const [, secret] = MADE_UP_SECRETS[0] as (typeof MADE_UP_SECRETS)[number];
        const { answer } = await simulate(
          protectSecrets,
          { event: "UserPromptSubmit", prompt: `use ${secret}` },
          { host: "codex" },
        );
        assert.equal(answer?.exit_code, 2);
        const { decision } = await simulate(
          protectSecrets,
          { event: "UserPromptSubmit", prompt: "use it" },
          { host: "codex" },
        );
        assert.equal(decision, undefined);
      },
    },
    {
      says: "They check the work when a turn stops, and can make the agent go on",
      cases: [
        createRecordedCase(
          "codex",
          "Stop",
          { answer: { decision: "deny", reason: "R" }, stdout: { decision: "block", reason: "R" }, exit_code: 2 },
          { session_id: "go-on" },
        ),
      ],
    },
    {
      says: "They adapt prompts to the folder: the event has `cwd`, and a prompt accepts context",
      cases: [
        createRecordedCase("codex", "UserPromptSubmit", {
          answer: { additional_context: "C" },
          sees: { cwd: "/home/dev/app" },
          stdout: { hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "C" } },
        }),
      ],
    },
  ],
};

export const feature: ClaimSection = {
  title: "The feature flag",
  claims: [
    {
      says: "Hooks are on by default: `install` for a user or a project sets no flag",
      async check() {
        for (const scope of ["user", "project"] as const) {
          const { path, text } = await installEntries("codex", scope);
          assert(path.endsWith("/.codex/hooks.json"));
          assert.deepEqual(Object.keys(JSON.parse(text)), ["hooks"]);
        }
      },
    },
    {
      says: "`[features] hooks = false` in config.toml turns them off: `doctor` is red",
      check: async () =>
        assert.deepEqual([await turnsOff("hooks", false), await turnsOff("hooks", true)], [true, false]),
    },
    {
      says: "`codex_hooks` still works as a deprecated alias of the key",
      check: async () =>
        assert.deepEqual([await turnsOff("codex_hooks", false), await turnsOff("codex_hooks", true)], [true, false]),
    },
    {
      says: "Admins force hooks off with `[features] hooks = false` in requirements.toml",
      async check() {
        const found = await runDoctor("codex", ["user"], ({ place }) =>
          writeTestFile(`${place.system}/etc/codex/requirements.toml`, "[features]\nhooks = false\n"),
        );
        assert(found.some(({ check, what }) => check === "hooks-disabled" && what.includes("requirements.toml")));
      },
    },
  ],
};

const location = (path: string, scope: string, syntax: string) => ({
  says: `\`${path.replace("/home/dev", "~").replace("/repo", "<repo>")}\` is read`,
  async check() {
    const found = (await listConfigs("codex")).find((file) => file.path === path);
    assert.deepEqual([found?.scope, found?.syntax], [scope, syntax]);
  },
});

export const places: ClaimSection = {
  title: "Where Codex looks for hooks",
  claims: [
    {
      says: "A config layer has hooks in `hooks.json` or as `[hooks]` tables in `config.toml`; both are understood",
      async check() {
        const setup = await getHost("codex").setup();
        const [entry] = setup.parseEntries(inline("/opt/x --host codex"), "/h/.codex/config.toml");
        assert.deepEqual([entry?.native_event, entry?.command], ["PreToolUse", "/opt/x --host codex"]);
        assert((await installEntries("codex", "user")).entries.length > 5);
      },
    },
    location("/home/dev/.codex/hooks.json", "user", "json"),
    location("/home/dev/.codex/config.toml", "user", "toml"),
    location("/repo/.codex/hooks.json", "project", "json"),
    location("/repo/.codex/config.toml", "project", "toml"),
    {
      says: "Matching hooks of all sources run; a higher layer does not replace a lower one: `doctor` is red if our entries are in two layers",
      async check() {
        const checks = async (scopes: readonly ("user" | "project" | "managed")[]) =>
          (await runDoctor("codex", scopes)).map(({ check }) => check).includes("duplicate");
        assert.deepEqual(
          [await checks(["user"]), await checks(["user", "project"]), await checks(["user", "managed"])],
          [false, true, true],
        );
      },
    },
    {
      says: "A layer with both files is merged, with a warning at startup; prefer one file",
      async check() {
        const found = await runDoctor("codex", ["user"], ({ place }) =>
          writeTestFile(`${place.home}/.codex/config.toml`, inline("./guard.sh")),
        );
        assert(found.some(({ check }) => check === "two-representations"));
        const { path } = await installEntries("codex", "user", {}, ({ place }) =>
          writeTestFile(`${place.home}/.codex/config.toml`, inline("./guard.sh")),
        );
        assert(path.endsWith("/.codex/config.toml"));
      },
    },
    {
      says: "Plugins can bundle hooks, in their manifest or `hooks/hooks.json`",
      missing:
        "bridge-hooks does not ship as a Codex plugin, whose hooks would need the same trust: install it for the user, the project or the machine. A plugin of your own can include the entries that `install --dry-run` shows",
    },
    {
      says: "Plugins' hooks are off unless `[features] plugin_hooks = true`",
      differs:
        "Codex lists the hooks of every enabled plugin, whatever the key says [seen 0.169.0, 2026-11-22]; `doctor` notes the key where it is set",
      async check() {
        const found = await runDoctor("codex", ["user"], ({ place }) =>
          writeTestFile(`${place.home}/.codex/config.toml`, "[features]\nplugin_hooks = true\n"),
        );
        assert(found.some(({ check, level }) => check === "plugin-hooks" && level === "note"));
      },
    },
    {
      says: "A project's hooks load only where the project is trusted; user and system hooks load all the same",
      async check() {
        const { by_hand } = await installEntries("codex", "project");
        assert(by_hand.some((line) => line.includes("the project has to be a trusted one")));
        assert(!(await installEntries("codex", "user")).by_hand.some((line) => line.includes("project")));
      },
    },
  ],
};

export const running: ClaimSection = {
  title: "Running and trusting hooks",
  claims: [
    {
      says: "Matching command hooks of an event start together; none can prevent another from starting",
      differs:
        "Codex starts the executable alongside other hooks [seen 0.169.0, 2026-11-21]; the hooks inside it run one after another, and each is asked whatever the earlier ones answered [docs docs/guide/matchers.md]",
      async check() {
        const { hooks } = await simulate(
          [
            { event: "PreToolUse", name: "first", handler: () => ({ decision: "deny", reason: "first" }) },
            { event: "PreToolUse", name: "second", handler: () => ({ decision: "deny", reason: "second" }) },
          ],
          { event: "PreToolUse", tool: "Bash", input: { command: "ls" } },
          { host: "codex" },
        );
        assert.deepEqual(
          hooks.map(({ name, reason }) => [name, reason]),
          [
            ["first", "first"],
            ["second", "second"],
          ],
        );
      },
    },
    {
      says: "Hooks that are not managed have to be reviewed and trusted before they run",
      async check() {
        for (const scope of ["user", "project"] as const)
          assert((await installEntries("codex", scope)).by_hand.some((line) => line.includes("before you trust them")));
        assert((await runDoctor("codex", ["user"])).some(({ check }) => check === "untrusted"));
      },
    },
    {
      says: "`/hooks` lists them, and is where each is trusted or disabled",
      async check() {
        const found = await runDoctor("codex", ["user"]);
        assert(found.some(({ check, fix }) => check === "untrusted" && fix.includes("/hooks")));
        const disabled = await runDoctor("codex", ["user"], ({ place }) => {
          const key = `${place.home}/.codex/hooks.json:pre_tool_use:0:0`;
          writeTestFile(
            `${place.home}/.codex/config.toml`,
            `[hooks.state."${key}"]\ntrusted_hash = "x"\nenabled = false\n`,
          );
        });
        assert(disabled.some(({ check }) => check === "entry-disabled"));
      },
    },
    {
      says: "A changed hook has to be trusted again: our entries have no matcher that could change, and a second `install` changes nothing",
      async check() {
        const { entries } = await installEntries("codex", "user");
        assert(entries.every(({ matcher }) => matcher === undefined));
      },
    },
    {
      says: "At startup Codex warns of hooks that need a review",
      differs:
        "`codex exec` skips them silently [seen 0.169.0, 2026-11-21], so `install` says what is left to do and `doctor` is red",
      check: async () =>
        assert(
          (await runDoctor("codex", ["user"])).some(({ check, level }) => check === "untrusted" && level === "red"),
        ),
    },
    {
      says: "Managed hooks are trusted by policy, and the user can't disable them",
      async check() {
        assert.deepEqual((await installEntries("codex", "managed")).by_hand, []);
        assert(!(await runDoctor("codex", ["managed"])).some(({ check }) => check === "untrusted"));
      },
    },
    {
      says: "PreToolUse, PermissionRequest, PostToolUse, UserPromptSubmit and Stop belong to a turn, whose id is in `_native.turn_id`",
      cases: [
        "PreToolUse-Bash",
        "PermissionRequest-Bash-mode-default",
        "PostToolUse-Bash",
        "UserPromptSubmit",
        "Stop",
      ].map((recording) =>
        createRecordedCase("codex", recording, { sees: { _native: { turn_id: "T" } } }, { turn_id: "T" }),
      ),
    },
  ],
};
