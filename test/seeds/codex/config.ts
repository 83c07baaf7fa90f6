import assert from "node:assert/strict";
import { buildMdmFiles, DEFAULT_PROGRAM_PATHS } from "../../../src/cli/mdm/mdm.ts";
import { writeTestFile, readTestFile } from "../../support/homes.ts";
import { testsIn } from "../answers.ts";
import type { ClaimSection } from "../claim.ts";
import { runDoctor, getHost, installEntries, judgeAnswer } from "../host.ts";
import { judged } from "./calls.ts";

export const findFlaws = async (document: string | object, file = "/h/.codex/hooks.json") =>
  (await getHost("codex").loadDoctor()).findConfigProblems(
    typeof document === "string" ? document : JSON.stringify(document),
    file,
  );
/** A hooks.json with one handler, a command unless it says otherwise. */
export const withHandler = (handler: object, event = "PreToolUse", matcher = "Bash") => ({
  hooks: { [event]: [{ matcher, hooks: [{ type: "command", command: "/opt/x", ...handler }] }] },
});
const countFlaws = async (handler: object) => (await findFlaws(withHandler(handler))).length;

interface Handler {
  type: string;
  command: string;
  timeout?: number;
}
type Groups = Record<string, { matcher?: string; hooks: Handler[] }[]>;

/** The hooks that an installation writes, by event. */
const written = async () => (JSON.parse((await installEntries("codex", "user")).text) as { hooks: Groups }).hooks;
const handlers = async () => Object.values(await written()).flatMap((groups) => groups.flatMap(({ hooks }) => hooks));

const TOML = `[[hooks.PostToolUse]]\nmatcher = "^Bash$"\n[[hooks.PostToolUse.hooks]]\ntype = "command"\ncommand = 'x "$(pwd)"'\ntimeout = 30\nstatusMessage = "s"\n`;
const configured = testsIn("hosts/check.test.ts");

export const shape: ClaimSection = {
  title: "Config shape",
  claims: [
    {
      says: "Three levels: an event, groups with a matcher, and their handlers",
      shownBy: configured("what `install` writes has none"),
      async check() {
        const groups = (await written()).PreToolUse?.map(({ hooks }) => hooks.map(({ type }) => type));
        assert.deepEqual(groups, [["command"]]);
      },
    },
    { says: "PermissionRequest is one of the events", check: async () => assert((await written()).PermissionRequest) },
    {
      says: "`timeout` is in seconds",
      async check() {
        assert((await handlers()).every(({ timeout = 0 }) => timeout >= 3 && timeout <= 60));
        assert.equal(await countFlaws({ timeout: 1.5 }), 1);
      },
    },
    {
      says: "Without `timeout` it is 600 seconds",
      differs:
        "our entries set 20 seconds, more than the executable allows itself, and 3 at SessionEnd and Interrupt, where Codex allows no more [seen 0.169.0, 2026-11-22]",
      async check() {
        const { PreToolUse, SessionEnd } = await written();
        assert.deepEqual([PreToolUse?.[0]?.hooks[0]?.timeout, SessionEnd?.[0]?.hooks[0]?.timeout], [20, 3]);
        assert.equal(await countFlaws({}), 0);
      },
    },
    {
      says: "`statusMessage` is optional: our entries have none, and one that you add is kept",
      async check() {
        assert((await handlers()).every((handler) => !("statusMessage" in handler)));
        assert.equal(await countFlaws({ statusMessage: "checking" }), 0);
        const found = await runDoctor("codex", ["user"], ({ place }) => {
          const path = `${place.home}/.codex/hooks.json`;
          writeTestFile(path, readTestFile(path).replaceAll('"type"', '"statusMessage": "checking", "type"'));
        });
        assert(!found.some(({ check }) => check === "drift" || check === "config-flaw"));
      },
    },
    {
      says: "Handlers with `async: true` can't decide: our entries don't set it, and `doctor` does not count their denial",
      async check() {
        assert((await handlers()).every((handler) => !("async" in handler)));
        const judge = (handler: object) =>
          judgeAnswer("codex", "PreToolUse", { stderr: "R", exit_code: 2 }, { ...handler });
        assert.deepEqual([await judge({}), await judge({ async: true })], ["denied", "passed"]);
      },
    },
    {
      says: "Only `command` handlers run; `prompt` and `agent` are parsed and skipped",
      async check() {
        assert((await handlers()).every(({ type }) => type === "command"));
        const flaws = ["prompt", "agent", "other"].map((type) => countFlaws({ type, command: undefined }));
        assert.deepEqual(await Promise.all(flaws), [0, 0, 1]);
      },
    },
    {
      says: "Commands run in the session's working directory",
      shownBy: configured("codex: the user's shell in the project, without a line feed"),
    },
    {
      says: "A project's command should not be a relative path: Codex may start in a subfolder",
      async check() {
        const { entries } = await installEntries("codex", "project");
        assert(entries.every(({ command }) => command.startsWith("/")));
      },
    },
    {
      says: "`[[hooks.<event>]]` and `[[hooks.<event>.hooks]]` in config.toml mean the same as hooks.json",
      async check() {
        const [entry] = (await getHost("codex").setup()).parseEntries(TOML, "/h/.codex/config.toml");
        const { native_event, matcher, command, handler } = entry ?? assert.fail();
        assert.deepEqual(
          [native_event, matcher, command, handler.timeout],
          ["PostToolUse", "^Bash$", 'x "$(pwd)"', 30],
        );
        assert.deepEqual(await findFlaws(TOML, "/h/.codex/config.toml"), []);
      },
    },
  ],
};

/** A file of the administrator's pack. */
const packed = async (end: string) => {
  const wanted = [{ event: "PreToolUse" }] as const;
  const pack = { programs: DEFAULT_PROGRAM_PATHS, on_error: "deny", wanted } as const;
  const file = (await buildMdmFiles(pack, [getHost("codex")])).find(({ path }) => path.endsWith(end));
  return file?.text ?? assert.fail(end);
};
const shipped = testsIn("cli/mdm/mdm.test.ts");
const PINNED = "requirements pin the feature and name the folder of the commands";

const inPlugin =
  "bridge-hooks does not ship as a Codex plugin; install it for the user, the project or the machine instead";

export const managed: ClaimSection = {
  title: "Managed hooks",
  claims: [
    {
      says: "requirements.toml has hooks inline under `[hooks]`: `install --scope managed` writes them there",
      async check() {
        const { path, entries } = await installEntries("codex", "managed");
        assert(path.endsWith("/etc/codex/requirements.toml"));
        assert(entries.some(({ native_event }) => native_event === "PreToolUse"));
      },
    },
    {
      says: "`[features] hooks = true` beside it overrides users who turned hooks off; `doctor` is red without it",
      shownBy: [
        ...judged("a switch against a pin", "managed entries hold only if they are pinned"),
        ["cli/doctor/doctor.test.ts", "…, …: a denial holds"],
      ],
    },
    {
      says: "`managed_dir` names the folder of the managed commands on macOS and Linux",
      shownBy: shipped(PINNED),
      check: async () =>
        assert.match(await packed("codex/macos/requirements.toml"), /^managed_dir = "\/opt\/bridge-hooks"$/m),
    },
    { says: "`windows_managed_dir` names it on Windows", shownBy: shipped(PINNED) },
    {
      says: "Codex does not distribute the program: the administrator's own tools install it",
      check: async () => assert((await packed("README.md")).includes(DEFAULT_PROGRAM_PATHS.linux)),
    },
    {
      says: "Managed commands are absolute paths below the managed folder",
      shownBy: shipped("every document", PINNED),
    },
  ],
};

export const plugins: ClaimSection = {
  title: "Hooks in plugins",
  claims: [
    {
      says: "A plugin has hooks in `hooks/hooks.json`, in the usual form",
      missing: `${inPlugin}. The file that \`install --dry-run\` shows has that form, so a plugin of your own can use it`,
      shownBy: configured("what `install` writes has none"),
    },
    {
      says: "The manifest `.codex-plugin/plugin.json` may name paths or contain the hooks instead of that file, inside the plugin's root",
      missing: inPlugin,
    },
    {
      says: "A plugin's commands get `PLUGIN_ROOT`, `PLUGIN_DATA` and their Claude Code names",
      missing: `${inPlugin}. A hook called from your own plugin finds them in \`process.env\`; they don't affect host detection`,
    },
    { says: "They have the same events as other hooks, and need the same trust", missing: inPlugin },
  ],
};
