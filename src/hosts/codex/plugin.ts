import type { PackFile, PluginSpec } from "../../protocol/host/pack.ts";
import { buildPluginFolders, PLUGIN_FOLDER } from "../setup/plugin-folder.ts";
import { setup } from "./install.ts";

/**
 * Builds the plugin's marketplace [format docs https://developers.openai.com/codex/plugins/build; seen 0.171.0,
 * 2026-11-29].
 */
export function buildPlugin(spec: PluginSpec): PackFile[] {
  const { name, version, description } = spec;
  const id = `${name}@${name}`;
  return buildPluginFolders(
    {
      ...{ host: "codex", setup },
      marketplace: {
        path: ".agents/plugins/marketplace.json",
        document: {
          name,
          interface: { displayName: name },
          plugins: [
            {
              name,
              source: { source: "local", path: PLUGIN_FOLDER },
              policy: { installation: "AVAILABLE", authentication: "ON_INSTALL" },
              category: "Security",
            },
          ],
        },
      },
      manifest: {
        path: ".codex-plugin/plugin.json",
        document: { name, version, description, hooks: "./hooks/hooks.json" },
      },
      deployment: `copy the directory to a permanent path; then each user runs \`codex plugin marketplace add FOLDER\` and \`codex plugin add ${id}\``,
      loadedSign: "`codex plugin list`, and `/hooks` in a session",
      undo: `\`codex plugin remove ${id}\` and \`codex plugin marketplace remove ${name}\``,
      notes: [
        "Codex runs the entries only after the user trusts them (`/hooks`, then t).",
        "Codex runs a copy of the plugin in the user's directory, which the user can write to. To enforce a policy, ship `requirements.toml`.",
      ],
    },
    spec,
  );
}
