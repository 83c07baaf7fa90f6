import assert from "node:assert/strict";
import { writeTestFile } from "../../support/homes.ts";
import { addition, BLOCK, blocks, context, sees, sends, testsIn } from "../answers.ts";
import type { Claim, ClaimSection } from "../claim.ts";
import { listConfigs, runDoctor, installEntries } from "../host.ts";
import { judged, native, TURN } from "./calls.ts";

const guarded = testsIn("hooks/protect-secrets/protect-secrets.test.ts");
const installed = testsIn("cli/install/install.test.ts");
const subscribed = testsIn("hosts/subscriptions.test.ts");

export const purpose: ClaimSection = {
  title: "What hooks are for",
  claims: [
    {
      says: "They log a conversation or build memories from it: prompt, transcript and last message arrive",
      cases: [
        ...sees("codex", "UserPromptSubmit", { event: "UserPromptSubmit", prompt: "do it" }),
        ...sees("codex", "Stop", { event: "Stop", last_message: "FINAL TEXT" }),
        ...sees("codex", "SessionEnd-other", { reason: "other", transcript_path: "/t" }, { transcript_path: "/t" }),
      ],
    },
    {
      says: "They keep pasted API keys out of prompts: the starter hook `protect-secrets`",
      shownBy: guarded("as hosts are told", "one with secrets is not sent, and the secrets are not repeated"),
    },
    {
      says: "They check the work when a turn stops, and can make the agent go on",
      cases: blocks("codex", "Stop", BLOCK, {}, { session_id: "go-on" }),
    },
    {
      says: "They adapt prompts to the folder: the event has `cwd`, and a prompt accepts context",
      cases: sends("codex", "UserPromptSubmit", context, addition("UserPromptSubmit"), {
        sees: { cwd: "/home/dev/app" },
      }),
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
      shownBy: judged("a user's switch"),
    },
    {
      says: "`codex_hooks` still works as a deprecated alias of the key",
      shownBy: judged(
        "the switch's older name",
        "the switch's older name beside the newer one, which counts",
        "a switch is named as it stands in the file, at its line",
      ),
    },
    {
      says: "Admins force hooks off with `[features] hooks = false` in requirements.toml",
      shownBy: judged("pinned off"),
    },
  ],
};

const location = (path: string, scope: string, syntax: string): Claim => ({
  says: `\`${path.replace("/home/dev", "~").replace("/repo", "<repo>")}\` is read`,
  async check() {
    const found = (await listConfigs("codex")).find((file) => file.path === path);
    assert.deepEqual([found?.scope, found?.syntax], [scope, syntax]);
  },
});

/** What is left to do by hand after an installation. */
const leftIn = async (scope: "user" | "project" | "managed") => (await installEntries("codex", scope)).by_hand;
const BESIDE = "entries go beside them, and away again: Codex warns of a layer with hooks in two files";

export const places: ClaimSection = {
  title: "Where Codex looks for hooks",
  claims: [
    {
      says: "A config layer has hooks in `hooks.json` or as `[hooks]` tables in `config.toml`; both are understood",
      shownBy: installed(BESIDE, "entries stay where they are: in another place they would have to be trusted again"),
    },
    location("/home/dev/.codex/hooks.json", "user", "json"),
    location("/home/dev/.codex/config.toml", "user", "toml"),
    location("/repo/.codex/hooks.json", "project", "json"),
    location("/repo/.codex/config.toml", "project", "toml"),
    {
      says: "Matching hooks of all sources run; a higher layer does not replace a lower one: `doctor` is red if our entries are in two layers",
      async check() {
        const layers = [["user"], ["user", "project"], ["user", "managed"]] as const;
        const found = await Promise.all(layers.map((scopes) => runDoctor("codex", scopes)));
        const doubled = found.map((one) => one.some(({ check }) => check === "duplicate"));
        assert.deepEqual(doubled, [false, true, true]);
      },
    },
    {
      says: "A layer with both files is merged, with a warning at startup; prefer one file",
      shownBy: [...judged("hooks in both files of a layer"), ...installed(BESIDE)],
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
        assert((await leftIn("project")).some((line) => line.includes("the project has to be a trusted one")));
        assert(!(await leftIn("user")).some((line) => line.includes("project")));
      },
    },
  ],
};

const UNTRUSTED = "no program, and no trust written down";

export const running: ClaimSection = {
  title: "Running and trusting hooks",
  claims: [
    {
      says: "Matching command hooks of an event start together; none can prevent another from starting",
      differs:
        "Codex starts the executable alongside other hooks [seen 0.169.0, 2026-11-21]; the hooks inside it run one after another, and each is asked whatever the earlier ones answered [docs docs/guide/matchers.md]",
      shownBy: testsIn("run/core.test.ts")(
        "a denial or question without a reason names its hook",
        "later hooks see the input as earlier ones changed it",
      ),
    },
    {
      says: "Hooks that are not managed have to be reviewed and trusted before they run",
      shownBy: judged(UNTRUSTED),
      async check() {
        for (const scope of ["user", "project"] as const)
          assert((await leftIn(scope)).some((line) => line.includes("before you trust them")));
      },
    },
    {
      says: "`/hooks` lists them, and is where each is trusted or disabled",
      shownBy: judged("no program, and disabled"),
      async check() {
        const found = await runDoctor("codex", ["user"]);
        assert(found.some(({ check, fix }) => check === "untrusted" && fix.includes("/hooks")));
      },
    },
    {
      says: "A changed hook has to be trusted again: our entries have no matcher that could change, and a second `install` changes nothing",
      shownBy: [
        ...subscribed("Codex trusts a command by its letters: these must not change"),
        ["cli/install/targets.test.ts", "a fresh machine"],
      ],
    },
    {
      says: "At startup Codex warns of hooks that need a review",
      differs:
        "`codex exec` skips them silently [seen 0.169.0, 2026-11-21], so `install` says what is left to do and `doctor` is red",
      shownBy: judged(UNTRUSTED),
    },
    {
      says: "Managed hooks are trusted by policy, and the user can't disable them",
      shownBy: judged("managed entries hold only if they are pinned", "a switch against a pin"),
      check: async () => assert.deepEqual(await leftIn("managed"), []),
    },
    {
      says: "PreToolUse, PermissionRequest, PostToolUse, UserPromptSubmit and Stop belong to a turn, whose id is in `_native.turn_id`",
      cases: native(TURN, { turn_id: "T" }),
    },
  ],
};
