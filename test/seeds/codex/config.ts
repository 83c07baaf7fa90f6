import assert from "node:assert/strict";
import { buildMdmFiles, DEFAULT_PROGRAM_PATHS } from "../../../src/cli/mdm/mdm.ts";
import { writeTestFile, readTestFile } from "../../support/homes.ts";
import type { ClaimSection } from "../claim.ts";
import { listConfigs, runDoctor, getHost, installEntries, judgeAnswer } from "../host.ts";

const setupOf = () => getHost("codex").setup();
const flawsOf = async (document: string | object, file = "/h/.codex/hooks.json") =>
  (await getHost("codex").loadDoctor()).findConfigProblems(
    typeof document === "string" ? document : JSON.stringify(document),
    file,
  );
/** A hooks.json with one handler. */
const withHandler = (handler: object) => ({ hooks: { PreToolUse: [{ matcher: "Bash", hooks: [handler] }] } });
const command = { type: "command", command: "/opt/x" };

interface Group {
  matcher?: string;
  hooks: { type: string; command: string; timeout?: number }[];
}

/** The config that an installation writes. */
const written = async () =>
  JSON.parse((await installEntries("codex", "user")).text) as { hooks: Record<string, Group[]> };
const handlers = async () =>
  Object.values((await written()).hooks).flatMap((groups) => groups.flatMap(({ hooks }) => hooks));

export const shape: ClaimSection = {
  title: "Config shape",
  claims: [
    {
      says: "Three levels: an event, groups with a matcher, and their handlers",
      async check() {
        const { hooks } = await written();
        assert.deepEqual(
          hooks.PreToolUse?.map(({ hooks: list }) => list.map(({ type }) => type)),
          [["command"]],
        );
        assert.deepEqual(await flawsOf({ hooks }), []);
      },
    },
    {
      says: "PermissionRequest is one of the events",
      check: async () => assert("PermissionRequest" in (await written()).hooks),
    },
    {
      says: "`timeout` is in seconds",
      async check() {
        assert((await handlers()).every(({ timeout = 0 }) => timeout >= 3 && timeout <= 60));
        assert.equal((await flawsOf(withHandler({ ...command, timeout: 1.5 }))).length, 1);
      },
    },
    {
      says: "Without `timeout` it is 600 seconds",
      differs:
        "our entries set 20 seconds, more than the executable allows itself, and 3 at SessionEnd and Interrupt, where Codex allows no more [seen 0.169.0, 2026-11-22]",
      async check() {
        const { hooks } = await written();
        assert.deepEqual(
          ["PreToolUse", "SessionEnd"].map((event) => hooks[event]?.[0]?.hooks[0]?.timeout),
          [20, 3],
        );
        assert.deepEqual(await flawsOf(withHandler(command)), []);
      },
    },
    {
      says: "`statusMessage` is optional: our entries have none, and one that you add is kept",
      async check() {
        assert((await handlers()).every((handler) => !("statusMessage" in handler)));
        assert.deepEqual(await flawsOf(withHandler({ ...command, statusMessage: "checking" })), []);
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
        const denial = { stderr: "R", exit_code: 2 };
        assert.deepEqual(
          [
            await judgeAnswer("codex", "PreToolUse", denial),
            await judgeAnswer("codex", "PreToolUse", denial, { async: true }),
          ],
          ["denied", "passed"],
        );
      },
    },
    {
      says: "Only `command` handlers run; `prompt` and `agent` are parsed and skipped",
      async check() {
        assert((await handlers()).every(({ type }) => type === "command"));
        for (const type of ["prompt", "agent"]) assert.deepEqual(await flawsOf(withHandler({ type })), []);
        assert.equal((await flawsOf(withHandler({ type: "other" }))).length, 1);
      },
    },
    {
      says: "Commands run in the session's working directory",
      async check() {
        const { listLaunches } = await getHost("codex").loadDoctor();
        const file = (await listConfigs("codex")).find(({ scope }) => scope === "project");
        assert(file);
        const entry = { native_event: "PreToolUse", command: "x", handler: {}, path: [] };
        const place = { roots: ["/repo"], home: "/home/dev", platform: "linux", env: {} } as const;
        assert.deepEqual(
          listLaunches(entry, file, "{}", place).map(({ cwd }) => cwd),
          ["/repo"],
        );
      },
    },
    {
      says: "A project's command should not be a relative path: Codex may start in a subfolder",
      async check() {
        const { entries } = await installEntries("codex", "project");
        assert(entries.every(({ command: line }) => line.startsWith("/")));
      },
    },
    {
      says: "`[[hooks.<event>]]` and `[[hooks.<event>.hooks]]` in config.toml mean the same as hooks.json",
      async check() {
        const toml = `[[hooks.PostToolUse]]\nmatcher = "^Bash$"\n[[hooks.PostToolUse.hooks]]\ntype = "command"\ncommand = 'x "$(pwd)"'\ntimeout = 30\nstatusMessage = "s"\n`;
        const [entry] = (await setupOf()).parseEntries(toml, "/h/.codex/config.toml");
        assert.deepEqual(
          [entry?.native_event, entry?.matcher, entry?.command],
          ["PostToolUse", "^Bash$", 'x "$(pwd)"'],
        );
        assert.equal(entry?.handler.timeout, 30);
        assert.deepEqual(await flawsOf(toml, "/h/.codex/config.toml"), []);
      },
    },
  ],
};

const requirements = async () =>
  Bun.TOML.parse((await installEntries("codex", "managed")).text) as Record<string, Record<string, unknown>>;

/** The requirements in the administrator's pack, by system. */
async function packed(system: "linux" | "macos" | "windows") {
  const files = await buildMdmFiles(
    { programs: DEFAULT_PROGRAM_PATHS, on_error: "deny", wanted: [{ event: "PreToolUse" }] },
    [getHost("codex")],
  );
  const file = files.find(({ path }) => path.endsWith(`codex/${system}/requirements.toml`));
  assert(file);
  const { hooks } = Bun.TOML.parse(file.text) as { hooks: Record<string, unknown> & { PreToolUse: Group[] } };
  return { hooks, command: hooks.PreToolUse[0]?.hooks[0]?.command ?? "", files };
}

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
      async check() {
        assert.deepEqual((await requirements()).features, { hooks: true });
        assert(!(await runDoctor("codex", ["managed"])).some(({ check }) => check === "managed-not-pinned"));
      },
    },
    {
      says: "`managed_dir` names the folder of the managed commands on macOS and Linux",
      async check() {
        for (const system of ["linux", "macos"] as const)
          assert.equal((await packed(system)).hooks.managed_dir, "/opt/bridge-hooks");
      },
    },
    {
      says: "`windows_managed_dir` names it on Windows",
      check: async () =>
        assert.equal((await packed("windows")).hooks.windows_managed_dir, "C:\\Program Files\\bridge-hooks"),
    },
    {
      says: "Codex does not distribute the program: the administrator's own tools install it",
      async check() {
        const { files } = await packed("linux");
        const readme = files.find(({ path }) => path === "README.md");
        assert(readme?.text.includes(DEFAULT_PROGRAM_PATHS.linux));
      },
    },
    {
      says: "Managed commands are absolute paths below the managed folder",
      async check() {
        for (const system of ["linux", "macos"] as const)
          assert((await packed(system)).command.startsWith("/opt/bridge-hooks/bridge-hooks "));
        assert((await packed("windows")).command.includes("C:\\Program Files\\bridge-hooks\\bridge-hooks.exe"));
      },
    },
  ],
};

export const plugins: ClaimSection = {
  title: "Hooks in plugins",
  claims: [
    {
      says: "A plugin has hooks in `hooks/hooks.json`, in the usual form",
      missing: `${inPlugin}. The file that \`install --dry-run\` shows has that form, so a plugin of your own can use it`,
      check: async () => assert.deepEqual(await flawsOf({ hooks: (await written()).hooks }), []),
    },
    {
      says: "The manifest `.codex-plugin/plugin.json` may name paths or contain the hooks instead of that file, inside the plugin's root",
      missing: inPlugin,
    },
    {
      says: "A plugin's commands get `PLUGIN_ROOT`, `PLUGIN_DATA` and their Claude Code names",
      missing: `${inPlugin}. A hook called from your own plugin finds them in \`process.env\`; they don't affect host detection`,
    },
    {
      says: "They have the same events as other hooks, and need the same trust",
      missing: inPlugin,
    },
  ],
};
