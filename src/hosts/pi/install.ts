import type { ConfigFile, Setup } from "../../protocol/host/install.ts";
import type { TimeGrants } from "../../protocol/host/time-grants.ts";
import { pi } from "../entries.ts";
import { definePluginSetup, listConfigFolders, listToolNames } from "../setup/define-setup.ts";
import { createPluginModule } from "../setup/plugin-module.ts";
import { capabilities } from "./capabilities.ts";
import { EXPLICIT_EVENTS } from "./events.ts";
import plugin from "./plugin.js" with { type: "text" };
import { TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

const EXTENSION_MODULE = createPluginModule("pi", plugin);

const EXTENSION_FILE = "extensions/bridge-hooks.js";

/** The plugin enforces the time limit, and pi waits for it [seen 1.5.2, 2026-11-27]. */
const timeGrants: TimeGrants = { default_s: 20 };

/**
 * Installs into the extension directories of the user and of a trusted project [seen 1.5.2, 2026-11-27]. pi has no
 * machine-wide directory.
 */
export const setup: Setup = definePluginSetup({
  timeGrants,
  identity: pi,
  capabilities,
  explicitEvents: EXPLICIT_EVENTS,
  tools: listToolNames(TOOLS, UNMAPPED_TOOLS, ["mcp__.+"]),
  listConfigFiles: (machine): ConfigFile[] => {
    const build = (scope: ConfigFile["scope"], folder: string): ConfigFile => ({
      scope,
      path: `${folder}/${EXTENSION_FILE}`,
      syntax: EXTENSION_MODULE,
      target: true,
    });
    return [
      build("user", pi.folders.user(machine)),
      ...listConfigFolders(pi, machine.roots).map((folder) => build("project", `${folder}/.pi`)),
    ];
  },
  listManualSteps: () => ["pi loads extensions when it starts: run /reload in a running session"],
});
