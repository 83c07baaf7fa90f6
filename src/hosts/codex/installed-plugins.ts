import type { ConfigFile, MachineContext } from "../../protocol/host/install.ts";
import { toObject } from "../../protocol/object.ts";
import { codex } from "../entries.ts";
import { listFolder, parseJsonOrToml } from "../setup/define-setup.ts";
import { readConfigText } from "../setup/entries.ts";

function readDocument(path: string) {
  try {
    return toObject(parseJsonOrToml(readConfigText(path), path));
  } catch {
    return {};
  }
}

/**
 * Lists the hooks files of all plugins that the user has enabled. Codex runs copies of the plugins in the user's
 * directory, one per version [seen 0.171.0, 2026-11-29].
 */
export function listPluginFiles(machine: MachineContext): ConfigFile[] {
  const userFolder = codex.folders.user(machine);
  const { plugins } = readDocument(`${userFolder}/config.toml`);
  return Object.entries(toObject(plugins)).flatMap(([id, settings]): ConfigFile[] => {
    if (toObject(settings).enabled === false) return [];
    const at = id.lastIndexOf("@");
    const copiesFolder = `${userFolder}/plugins/cache/${id.slice(at + 1)}/${id.slice(0, at)}`;
    const version = listFolder(copiesFolder).sort().at(-1);
    if (at < 0 || version === undefined) return [];
    const folder = `${copiesFolder}/${version}`;
    const { hooks } = readDocument(`${folder}/.codex-plugin/plugin.json`);
    const path = `${folder}/${typeof hooks === "string" ? hooks.replace(/^\.\//, "") : "hooks/hooks.json"}`;
    const folderVariables = ["PLUGIN_ROOT", "CLAUDE_PLUGIN_ROOT"];
    const plugin = { id, isManaged: false, folder, folderVariables, removal: `codex plugin remove ${id}` };
    return [{ scope: "system", path, syntax: "json", plugin }];
  });
}
