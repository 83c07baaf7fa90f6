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

/** The plugin module that `install` writes, with the entries inside. */
export const PLUGIN_MODULE = createPluginModule("opencode", plugin);

const FILE = "plugins/bridge-hooks.js";

/**
 * Returns the plugin's URL for the managed opencode.json. OpenCode loads nothing from that directory automatically, and
 * the URL must encode spaces as "%20" [seen 1.18.33, 2026-11-22].
 */
export const getPluginUrl = (place: Pick<MachineContext, "platform" | "env">): string =>
  pathToFileURL(`${opencode.folders.managed({ ...place, system: "" })}/${FILE}`, {
    windows: place.platform === "win32",
  }).href;

/** The plugin enforces the time limit, and OpenCode waits for it [seen 1.18.33, 2026-11-21]. */
const timeGrants: TimeGrants = { default_s: 20 };

/**
 * Installs into the plugin directories of the user and the project. OpenCode loads these plugins automatically [seen
 * 1.18.33, 2026-11-22].
 */
export const setup: Setup = definePluginSetup({
  timeGrants,
  identity: opencode,
  capabilities,
  explicitEvents: EXPLICIT_EVENTS,
  // MCP tools are named <server>_<tool>. The other tool names are [seen 1.18.33, 2026-11-22].
  tools: listToolNames(TOOLS, UNMAPPED_TOOLS),
  listTraceFolders: (place) => [opencode.folders.user(place), `${place.home}/.local/share/opencode`],
  listConfigFiles: (place): ConfigFile[] => {
    const file = (scope: ConfigFile["scope"], folder: string): ConfigFile => ({
      scope,
      path: `${folder}/${FILE}`,
      syntax: PLUGIN_MODULE,
      target: true,
    });
    return [
      file("managed", opencode.folders.managed(place)),
      file("user", opencode.folders.user(place)),
      ...place.roots.flatMap((root) =>
        findProject(root, opencode.project.configFolders).configFolders.map((folder) => ({
          ...file("project", `${folder}/.opencode`),
          ...(folder !== root && { target: undefined }),
        })),
      ),
    ];
  },
  listCompanionFiles: ({ scope }, place): CompanionFile[] =>
    scope === "managed"
      ? [
          {
            path: `${opencode.folders.managed(place)}/opencode.json`,
            settings: [{ path: ["plugin"], value: getPluginUrl(place), listed: "always" }],
          },
        ]
      : [],
  listManualSteps: () => ["OpenCode loads plugins when it starts: restart it if it is running"],
});
