import { posix } from "node:path";
import type { Payload } from "../../protocol/host/host.ts";
import type { ConfigFile, MachineContext } from "../../protocol/host/install.ts";
import { toObject } from "../../protocol/object.ts";
import { claude } from "../entries.ts";
import { readConfigText } from "../setup/entries.ts";

function readJson(path: string): Payload {
  try {
    return toObject(Bun.JSONC.parse(readConfigText(path)));
  } catch {
    return {};
  }
}

const toNonEmptyString = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/**
 * Config scopes in order of precedence, highest first [seen 2.1.197 and 2.1.332, 2026-11-29: managed, project, user].
 */
const SCOPE_PRECEDENCE = ["managed", "local", "project", "user"] as const;

/**
 * Finds a plugin's directory. Claude Code reads the plugin from its marketplace if that is on disk, otherwise from the
 * installed copy [seen 2.1.197 and 2.1.332, 2026-11-29].
 */
function findPluginFolder(id: string, settings: readonly Payload[], folder: string): string | undefined {
  const at = id.lastIndexOf("@");
  const [name, market] = [id.slice(0, at), id.slice(at + 1)];
  const knownMarketplace = toObject(readJson(`${folder}/known_marketplaces.json`)[market]);
  const configuredMarketplaces = settings.map(({ extraKnownMarketplaces }) =>
    toObject(toObject(extraKnownMarketplaces)[market]),
  );
  const source = toObject(
    [knownMarketplace, ...configuredMarketplaces].find((marketplace) => "source" in marketplace)?.source,
  );
  const root = source.source === "directory" ? toNonEmptyString(source.path) : undefined;
  if (root !== undefined) {
    const { plugins, metadata } = readJson(`${root}/.claude-plugin/marketplace.json`);
    const listedPlugin = (Array.isArray(plugins) ? plugins : []).map(toObject).find((plugin) => plugin.name === name);
    const path = toNonEmptyString(listedPlugin?.source);
    if (path !== undefined) return posix.join(root, toNonEmptyString(toObject(metadata).pluginRoot) ?? "", path);
  }
  const { plugins } = readJson(`${folder}/installed_plugins.json`);
  const installedCopies = toObject(plugins)[id];
  return toNonEmptyString(toObject(Array.isArray(installedCopies) ? installedCopies[0] : installedCopies).installPath);
}

/** Collects the plugins that each settings file enables or disables, in order of precedence. */
function collectPluginStates(settings: readonly ConfigFile[]) {
  const documents = SCOPE_PRECEDENCE.flatMap((scope) =>
    settings.filter((file) => file.scope === scope).map(({ path }) => ({ scope, path, document: readJson(path) })),
  );
  const switches = documents.flatMap(({ document, ...file }) =>
    Object.entries(toObject(document.enabledPlugins)).map(([id, value]) => ({ ...file, id, isOn: value !== false })),
  );
  return { documents: documents.map(({ document }) => document), byPlugin: Map.groupBy(switches, ({ id }) => id) };
}

/** Finds a plugin's directory and hooks files: the default file and any that the manifest names. */
function findHooksFiles(id: string, settings: readonly Payload[], machine: MachineContext) {
  const folder = findPluginFolder(id, settings, `${claude.folders.user(machine)}/plugins`);
  if (folder === undefined) return undefined;
  const manifestFiles = [readJson(`${folder}/.claude-plugin/plugin.json`).hooks]
    .flat()
    .flatMap((hooksFile) => toNonEmptyString(hooksFile) ?? []);
  return {
    folder,
    paths: [...new Set(["hooks/hooks.json", ...manifestFiles].map((path) => posix.join(folder, path)))],
  };
}

export function listPluginFiles(machine: MachineContext, settings: readonly ConfigFile[]): ConfigFile[] {
  const { documents, byPlugin } = collectPluginStates(settings);
  return [...byPlugin].flatMap(([id, [effective]]): ConfigFile[] => {
    const hooksFiles = effective?.isOn ? findHooksFiles(id, documents, machine) : undefined;
    if (!effective || !hooksFiles) return [];
    const { paths, folder } = hooksFiles;
    const isManaged = effective.scope === "managed";
    const removal = isManaged
      ? `remove ${id} from enabledPlugins in ${effective.path}`
      : `claude plugin uninstall ${id}`;
    const plugin = { id, isManaged, folder, folderVariables: ["CLAUDE_PLUGIN_ROOT"], removal };
    return paths.map((path) => ({ scope: "system", path, syntax: "json", plugin }));
  });
}

/** Lists plugins that one settings file enables but the effective settings disable, each with its hooks files. */
export const listDisabledPlugins = (machine: MachineContext, settings: readonly ConfigFile[]) => {
  const { documents, byPlugin } = collectPluginStates(settings);
  return [...byPlugin].flatMap(([id, [effective, ...overridden]]) => {
    if (!effective || effective.isOn || !overridden.some(({ isOn }) => isOn)) return [];
    const { paths = [] } = findHooksFiles(id, documents, machine) ?? {};
    return [{ id, by: effective.path, documents: paths.map(readJson) }];
  });
};
