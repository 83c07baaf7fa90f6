import type { CompanionFile, ConfigFile, MachineContext, Setup } from "../../protocol/host/install.ts";
import type { TimeGrants } from "../../protocol/host/time-grants.ts";
import { openclaw } from "../entries.ts";
import { definePluginSetup, listToolNames } from "../setup/define-setup.ts";
import { createPluginModule } from "../setup/plugin-module.ts";
import { capabilities } from "./capabilities.ts";
import { EXPLICIT_EVENTS } from "./events.ts";
import plugin from "./plugin.js" with { type: "text" };
import { TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

const ID = openclaw.plugin;

const PLUGIN_MODULE = createPluginModule("openclaw", plugin);

/**
 * Returns the path of OpenClaw's config. OpenClaw parses the config as JSON5, but bridge-hooks edits it as JSON with
 * comments. A new config contains only our entry. OpenClaw accepts such a config, and its onboarding adds the other
 * settings [seen 2026.9.6, 2026-11-22].
 */
export const getConfigPath = (machine: MachineContext): string =>
  machine.env.OPENCLAW_CONFIG_PATH || `${openclaw.folders.user(machine)}/openclaw.json`;

/**
 * The plugin's manifest. If it is missing, OpenClaw rejects not only the plugin but its own entire config [seen
 * 2026.9.6, 2026-11-22]. Without these contracts, OpenClaw accepts neither the policy nor the middleware.
 */
export const PLUGIN_MANIFEST = {
  id: ID,
  name: ID,
  description: "Calls the hooks of bridge-hooks.",
  activation: { onStartup: true, onCapabilities: ["hook"] },
  contracts: { trustedToolPolicies: [ID], agentToolResultMiddleware: ["openclaw"] },
  configSchema: { type: "object", additionalProperties: false, properties: {} },
};

/** plugin.js enforces the time limit and sets how long OpenClaw waits for the plugin. */
const timeGrants: TimeGrants = { default_s: 20 };

/**
 * Installs a plugin in the user's own directory. If the config has an entry for the plugin, the gateway loads it and
 * reports prompts to it [seen 2026.9.6, 2026-11-22]. An agent's workspace can also contain plugins, but only the user's
 * config enables them. OpenClaw has no machine-wide directory.
 */
export const setup: Setup = definePluginSetup({
  timeGrants,
  identity: openclaw,
  capabilities,
  explicitEvents: EXPLICIT_EVENTS,
  // Native tool names [seen 2026.9.6, 2026-11-22].
  tools: listToolNames(TOOLS, UNMAPPED_TOOLS, [".+__.+"]),
  listConfigFiles: (machine): ConfigFile[] => [
    {
      scope: "user",
      path: `${openclaw.folders.user(machine)}/extensions/${ID}/index.mjs`,
      syntax: PLUGIN_MODULE,
      target: true,
    },
  ],
  listCompanionFiles: (_file, machine): CompanionFile[] => [
    {
      path: `${openclaw.folders.user(machine)}/extensions/${ID}/openclaw.plugin.json`,
      text: `${JSON.stringify(PLUGIN_MANIFEST, null, 2)}\n`,
    },
    {
      path: getConfigPath(machine),
      settings: [
        { path: ["plugins", "entries", ID, "enabled"], value: true },
        { path: ["plugins", "entries", ID, "hooks", "allowConversationAccess"], value: true },
        // If this list exists, OpenClaw loads only the plugins in it.
        { path: ["plugins", "allow"], value: ID, listed: "if the list exists" },
      ],
    },
  ],
  // The file's real path must be inside the plugin's directory [seen 2026.9.6, 2026-11-22].
  explainLinkRefusal: (file) =>
    `OpenClaw rejects a plugin whose file is a symbolic link (${file.path}), along with its whole config`,
  listManualSteps: () => [
    'to load the plugin in a running gateway, run "openclaw gateway restart"',
    `a gateway ignores a plugin that fails to load; check that "openclaw plugins inspect ${ID} --runtime --json" reports "loaded"`,
    '"openclaw agent exec" calls hooks only for tool calls, and not at all with --isolated or --auth-env-only',
  ],
});
