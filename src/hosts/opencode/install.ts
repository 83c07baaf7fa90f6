import { pathToFileURL } from "node:url";
import type { CompanionFile, ConfigFile, MachineContext, Setup } from "../../protocol/host/install.ts";
import type { TimeGrants } from "../../protocol/host/time-grants.ts";
import { findProject } from "../../system/project.ts";
import { opencode } from "../entries.ts";
import { definePluginSetup, listToolNames } from "../setup/define-setup.ts";
import { createPluginModule } from "../setup/plugin-module.ts";
import { capabilities } from "./capabilities.ts";
import { EXPLICIT_EVENTS } from "./events.ts";
import plugin from "./plugin.js" with { type: "text" };
import { TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

/** The plugin module that `install` writes, including the entries. */
export const PLUGIN_MODULE = createPluginModule("opencode", plugin);

const PLUGIN_FILE = "plugins/bridge-hooks.js";

/**
 * Returns the plugin's URL for the managed opencode.json. OpenCode doesn't automatically load plugins from the managed
 * directory. The URL must encode spaces as "%20" [seen 1.18.33, 2026-11-22].
 */
export const getPluginUrl = (machine: Pick<MachineContext, "platform" | "env">): string =>
  pathToFileURL(`${opencode.folders.managed({ ...machine, system: "" })}/${PLUGIN_FILE}`, {
    windows: machine.platform === "win32",
  }).href;

/** The plugin enforces the time limit, and OpenCode waits for it [seen 1.18.33, 2026-11-21]. */
const timeGrants: TimeGrants = { default_s: 20 };

/**
 * Installs into the plugin directories of the user and the project, from which OpenCode loads plugins automatically
 * [seen 1.18.33, 2026-11-22].
 */
export const setup: Setup = definePluginSetup({
  timeGrants,
  identity: opencode,
  capabilities,
  explicitEvents: EXPLICIT_EVENTS,
  // Native tool names [seen 1.18.33, 2026-11-22]. MCP tools are named <server>_<tool>.
  tools: listToolNames(TOOLS, UNMAPPED_TOOLS),
  listTraceFolders: (machine) => [opencode.folders.user(machine), `${machine.home}/.local/share/opencode`],
  listConfigFiles: (machine): ConfigFile[] => {
    const file = (scope: ConfigFile["scope"], folder: string): ConfigFile => ({
      scope,
      path: `${folder}/${PLUGIN_FILE}`,
      syntax: PLUGIN_MODULE,
      target: true,
    });
    return [
      file("managed", opencode.folders.managed(machine)),
      file("user", opencode.folders.user(machine)),
      ...machine.roots.flatMap((root) =>
        findProject(root, opencode.project.configFolders).configFolders.map((folder) => ({
          ...file("project", `${folder}/.opencode`),
          ...(folder !== root && { target: undefined }),
        })),
      ),
    ];
  },
  listCompanionFiles: ({ scope }, machine): CompanionFile[] =>
    scope === "managed"
      ? [
          {
            path: `${opencode.folders.managed(machine)}/opencode.json`,
            settings: [{ path: ["plugin"], value: getPluginUrl(machine), listed: "always" }],
          },
        ]
      : [],
  listManualSteps: () => ["OpenCode loads plugins when it starts: restart it if it is running"],
});
