import type { PackFile, PluginSpec } from "../../protocol/host/pack.ts";
import { buildPluginFolders, PLUGIN_FOLDER } from "../setup/plugin-folder.ts";
import { setup } from "./install.ts";

const ORGANIZATION_PLUGIN_DOCS = "docs https://code.claude.com/docs/en/plugins/org";

/**
 * Events that 2.1.197 doesn't support [shipped 2.1.332, not 2.1.197]. In a plugin, an unknown event disables the whole
 * hooks file [seen 2.1.197, 2026-11-29]; in settings, only that event is ignored.
 */
const NEWER_EVENTS = ["PreSkillShellCommand", "PreModelSwitch", "PostModelSwitch", "DirectoryAdded"];

/**
 * Builds the plugin's marketplace [format docs https://code.claude.com/docs/en/plugins/marketplace-reference; seen
 * 2.1.197 and 2.1.332, 2026-11-29].
 */
export function buildPlugin(spec: PluginSpec): PackFile[] {
  const { name, version, description } = spec;
  const id = `${name}@${name}`;
  return buildPluginFolders(
    {
      ...{ host: "claude", setup },
      marketplace: {
        path: ".claude-plugin/marketplace.json",
        document: {
          name,
          description,
          owner: { name },
          plugins: [{ name, source: PLUGIN_FOLDER, description, version }],
        },
      },
      laterEvents: NEWER_EVENTS,
      manifest: { path: ".claude-plugin/plugin.json", document: { name, version, description, author: { name } } },
      deployment: `copy the directory to a path that users can't write to; then name it in managed settings, or have each user run \`claude plugin marketplace add FOLDER\` and \`claude plugin install ${id}\``,
      loadedSign: "`claude plugin list`, and `/hooks` in a session",
      undo: `\`claude plugin uninstall ${id}\` and \`claude plugin marketplace remove ${name}\`, or remove both keys from the managed settings`,
      notes: [
        `To enable the plugin for everyone, add these managed settings: \`"extraKnownMarketplaces": {"${name}": {"source": {"source": "directory", "path": "FOLDER"}}}, "enabledPlugins": {"${id}": true}\`.`,
        "If managed settings enable the plugin, the plugin also runs with `allowManagedHooksOnly`, and a project's `enabledPlugins` and `disableAllHooks` don't disable it [seen 2.1.197 and 2.1.332, 2026-11-29].",
        "2.1.332 loads the plugin in the first session, 2.1.197 in the second [seen 2.1.197 and 2.1.332, 2026-11-29].",
        `To block other marketplaces, also set \`"strictKnownMarketplaces": [{"source": "directory", "path": "FOLDER"}]\` [${ORGANIZATION_PLUGIN_DOCS}; this plugin runs with this setting, seen 2.1.197 and 2.1.332, 2026-11-29].`,
        `If only a user enabled the plugin, a project's \`.claude/settings.json\` can disable it with \`"enabledPlugins": {"${id}": false}\` [seen 2.1.197 and 2.1.332, 2026-11-29]. To enforce a policy, use managed settings.`,
        "Claude Code reads the plugin directly from this directory and applies a change in the next session [seen 2.1.197 and 2.1.332, 2026-11-29].",
        "From a Git repository, Claude Code copies the plugin to the user's home directory, which the user and agents can write to.",
      ],
    },
    spec,
  );
}
