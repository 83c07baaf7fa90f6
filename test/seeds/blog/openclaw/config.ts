import { expect } from "bun:test";
import type { ClaimSection } from "../../claim.ts";
import { getHost, installEntries } from "../checks.ts";
import { withOpenClawPlugin } from "../plugins.ts";

const [CONFIG, FOLDER] = [".openclaw/openclaw.json", ".openclaw/extensions/bridge-hooks"];
const into = (executable: string, before = {}) =>
  installEntries(executable, { host: "openclaw", events: ["PreToolUse"], before });

export const config: ClaimSection = {
  title: "OpenClaw: configuration",
  claims: [
    {
      says: "There are two systems: HOOK.md hooks for commands and lifecycle, and the plugin API for tool calls",
      check: (executable) =>
        withOpenClawPlugin(executable, {}, async ({ names }) =>
          expect(names).toEqual(
            expect.arrayContaining(["before_tool_call", "policy", "command:new", "gateway:startup", "agent:bootstrap"]),
          ),
        ),
    },
    {
      says: "A HOOK.md hook is a folder with `HOOK.md` and `handler.ts`",
      differs:
        "`install` writes one plugin, which gets the events of both systems; a HOOK.md hook can't stop anything [seen 2026.9.6, 2026-11-22]",
      check: async (executable) =>
        expect(Object.keys(await into(executable))).toEqual(
          expect.arrayContaining([`${FOLDER}/index.mjs`, `${FOLDER}/openclaw.plugin.json`, CONFIG]),
        ),
    },
    {
      says: "YAML front matter in `HOOK.md` gives name, description, events and requirements",
      missing:
        "a plugin has a JSON manifest instead; a hook's name, description and events are fields of `defineHook`, which `list` shows",
      check: async (executable) =>
        expect((await into(executable))[`${FOLDER}/openclaw.plugin.json`]).toMatchObject({
          id: "bridge-hooks",
          activation: { onStartup: true },
        }),
    },
    {
      says: "Hooks are enabled in `~/.openclaw/config.json`, under `hooks.internal`",
      differs:
        "the file is `openclaw.json`, and the plugin is listed there under `plugins.entries` [seen 2026.9.6, 2026-11-22]",
      check: async (executable) => {
        const files = await into(executable);
        expect(files[CONFIG]).toMatchObject({ plugins: { entries: { "bridge-hooks": { enabled: true } } } });
        expect(Object.keys(files)).not.toContain(".openclaw/config.json");
      },
    },
    {
      says: "OpenClaw's bundled hooks are enabled and disabled in its config, one by one",
      async check(executable) {
        const hooks = {
          internal: {
            enabled: true,
            entries: { "session-memory": { enabled: true }, "command-logger": { enabled: false } },
          },
        };
        expect((await into(executable, { [CONFIG]: { hooks } }))[CONFIG]).toMatchObject({
          hooks,
          plugins: { entries: expect.anything() },
        });
      },
    },
    {
      says: "Hooks are discovered in the workspace's `hooks/`, then in `~/.openclaw/hooks/`, then among the bundled ones",
      differs:
        "plugins are found in `~/.openclaw/extensions/`, where ours is; a workspace's plugin loads only if the user's config says so, so `install` writes none there [seen 2026.9.6, 2026-11-22]",
      check: async (executable) => expect(Object.keys(await into(executable))).toContain(`${FOLDER}/index.mjs`),
    },
    {
      says: "A hook is not loaded if its required programs, variables or operating system are missing",
      missing:
        "a hook that is not loaded can't stop anything: everything it needs is in the executable, and if that is missing, calls are denied and `doctor` reports it",
      async check() {
        const setup = await getHost("openclaw").setup();
        const order = {
          native_event: "before_tool_call",
          program: "/gone",
          on_error: "deny",
          scope: "user",
          platform: "linux",
        } as const;
        expect(setup.buildHandler(order)).toMatchObject({
          command: "/gone",
          args: expect.arrayContaining(["--on-error", "deny"]),
        });
      },
    },
    {
      says: "`openclaw hooks install` installs hook packs from npm",
      missing:
        "there is no npm package: `bridge-hooks install --host openclaw` writes the plugin, and `bridge-hooks mdm` packs it for a fleet",
    },
    {
      says: "A plugin can bundle HOOK.md hooks with `registerPluginHooksFromDir()`",
      differs:
        "it registers each with `api.registerHook` in its own code, since there are no HOOK.md files [seen 2026.9.6, 2026-11-22]",
      check: (executable) =>
        withOpenClawPlugin(executable, {}, async ({ names }) => expect(names).toContain("command:new")),
    },
    {
      says: "A plugin's hooks are enabled and disabled with the plugin",
      check: async (executable) => {
        const before = { [CONFIG]: { plugins: { entries: { "bridge-hooks": { enabled: false } } } } };
        expect((await into(executable, before))[CONFIG]).toMatchObject({
          plugins: { entries: { "bridge-hooks": { enabled: true } } },
        });
      },
    },
    {
      says: "`openclaw hooks list`, `enable` and `info` manage them",
      differs:
        "`bridge-hooks list`, `status` and `doctor` report the hooks on every host; OpenClaw itself shows the plugin with `openclaw plugins inspect bridge-hooks` [seen 2026.9.6, 2026-11-22]",
      async check() {
        const steps = (await getHost("openclaw").setup()).listManualSteps("user", { program: "/p", on_error: "deny" });
        expect(steps.join()).toContain("openclaw plugins inspect bridge-hooks");
      },
    },
  ],
};
