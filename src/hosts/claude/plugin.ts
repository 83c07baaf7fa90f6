import type { PackFile, PluginSpec } from "../../protocol/host/pack.ts";
import { buildPluginFolders, PLUGIN_FOLDER } from "../setup/plugin-folder.ts";
import { setup } from "./install.ts";

const ORG = "docs https://code.claude.com/docs/en/plugins/org";

/**
 * Events unknown to 2.1.197 [shipped 2.1.332, not 2.1.197]. In a plugin's hooks file, an unknown event disables the
 * whole file [seen 2.1.197, 2026-11-29]; in settings, only that event is ignored.
 */
const LATER_EVENTS = ["PreSkillShellCommand", "PreModelSwitch", "PostModelSwitch", "DirectoryAdded"];

/**
 * Builds the plugin's marketplace [format docs https://code.claude.com/docs/en/plugins/marketplace-reference; seen
 * 2.1.197 and 2.1.332, 2026-11-29].
 */
export function buildPlugin(order: PluginSpec): PackFile[] {
  const { name, version, description } = order;
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
      later: LATER_EVENTS,
      manifest: { path: ".claude-plugin/plugin.json", document: { name, version, description, author: { name } } },
      deployment: `the folder to a path that users can't write to; then managed settings name it, or each user runs \`claude plugin marketplace add FOLDER\` and \`claude plugin install ${id}\``,
      loadedSign: "`claude plugin list`, and `/hooks` in a session",
      undo: `\`claude plugin uninstall ${id}\` and \`claude plugin marketplace remove ${name}\`, or take both keys out of the managed settings`,
      notes: [
        `Managed settings that turn it on for everybody: \`"extraKnownMarketplaces": {"${name}": {"source": {"source": "directory", "path": "FOLDER"}}}, "enabledPlugins": {"${id}": true}\`. A project's \`enabledPlugins\` and \`disableAllHooks\` don't turn it off then, and it runs beside \`allowManagedHooksOnly\`; 2.1.332 has it from the first session on, 2.1.197 from the second [seen 2.1.197 and 2.1.332, 2026-11-29].`,
        `\`"strictKnownMarketplaces": [{"source": "directory", "path": "FOLDER"}]\` beside them keeps other marketplaces out [${ORG}; this folder runs with it, seen 2.1.197 and 2.1.332, 2026-11-29].`,
        `Where only a user turned it on, a project's \`.claude/settings.json\` turns it off with \`"enabledPlugins": {"${id}": false}\` [seen 2.1.197 and 2.1.332, 2026-11-29]: for a policy, use managed settings.`,
        "Claude Code reads the plugin in the folder itself, and obeys a change there in the next session [seen 2.1.197 and 2.1.332, 2026-11-29]. From a Git repository it makes a copy in the user's home, which the user, and an agent, can write to.",
      ],
    },
    order,
  );
}
