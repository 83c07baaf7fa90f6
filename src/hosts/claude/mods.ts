import { readdirSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { Payload } from "../../protocol/host/host.ts";
import type { DoctorContext, Finding, MachineContext } from "../../protocol/host/install.ts";
import { toObject } from "../../protocol/object.ts";
import { claude } from "../entries.ts";
import { formatManagedInstall, listManagedFiles, listUnmanagedFiles, readSettings } from "../setup/checks.ts";
import { createNote, createRedFinding, formatPaths } from "../setup/findings.ts";

/** First release that loads mods, which are plugin modules that run inside Claude Code [docs; unverified]. */
const FIRST_RELEASE_WITH_MODS = "2.1.287";

/**
 * Built-in plugin that keeps third-party mods from answering in place of hooks. Claude Code runs it on machines with
 * managed settings [shipped 2.1.332; seen 2026-11-28].
 */
const GUARD_PLUGIN = "cc-plugin-sec-default@builtin";
/** All names of the guard plugin, current and former. */
const GUARD_NAMES = [GUARD_PLUGIN, "sec-default@builtin"];

/**
 * Managed settings that block third-party mods and allow other managed sources to be merged. Hooks in the same file
 * still run [keys and their meaning shipped 2.1.332; running hooks seen 2.1.197, 2.1.330 and 2.1.332, 2026-11-28].
 */
export const SAFE_SETTINGS = {
  managedSourcesBehavior: "merge",
  pluginConfigs: { [GUARD_PLUGIN]: { options: { allowManagedModsOnly: true, allowModsToOverrideDenyRules: false } } },
};

const hasGuardOption = ({ pluginConfigs }: Payload, name: string): boolean =>
  GUARD_NAMES.some((id) => toObject(toObject(toObject(pluginConfigs)[id]).options)[name] === true);

/** Returns the managed setting, if any, that prevents the guard plugin from running. */
function findGuardDisablingKey({ prependPlugins, enabledPlugins }: Payload): string | undefined {
  if (Array.isArray(prependPlugins) && !prependPlugins.some((id) => GUARD_NAMES.includes(String(id))))
    return `prependPlugins without ${GUARD_PLUGIN}`;
  return GUARD_NAMES.map((id) => (toObject(enabledPlugins)[id] === false ? `${id}: false` : undefined)).find(Boolean);
}

const listFolders = (path: string): string[] => {
  try {
    return readdirSync(path).map((name) => `${path}/${name}`);
  } catch {
    return [];
  }
};

/** Returns the directories of installed plugins that contain a mod [paths and format shipped 2.1.332]. */
function listMods(machine: MachineContext): string[] {
  const userFolder = claude.folders.user(machine);
  const { plugins } = readSettings(`${userFolder}/plugins/installed_plugins.json`);
  const pluginFolders = Object.values(toObject(plugins))
    .flat()
    .map((plugin) => toObject(plugin).installPath)
    .filter((path): path is string => typeof path === "string" && isAbsolute(path));
  return [...new Set([...pluginFolders, ...listFolders(`${userFolder}/dev-mods`)])].filter((path) => {
    const { modules } = readSettings(`${path}/hooks/hooks.json`);
    return Array.isArray(modules) && modules.length > 0;
  });
}

const IMPACT =
  "a mod can answer in place of unmanaged hooks and void their denials; denials from managed hooks still take effect";

/**
 * Finds mods that could override a denial, and managed settings that let mods do so. Without managed settings, a mod
 * can keep the user's hooks from being called and can turn their denials into approvals. Any managed settings prevent
 * this, unless they turn the guard plugin off or configure it to allow mods. Managed hooks are always enforced [seen
 * 2.1.332, 2026-11-28].
 * @param documents the effective managed settings; `name` lists their files.
 */
export function findModProblems(
  { machine, files, version }: DoctorContext,
  { documents, name }: { documents: readonly Payload[]; name: string },
): Finding[] {
  const unmanagedFiles = listUnmanagedFiles(files);
  if (unmanagedFiles.length === 0 || listManagedFiles(files).length > 0) return [];
  if (version && Bun.semver.order(version, FIRST_RELEASE_WITH_MODS) < 0) return [];
  const disablingKey = documents.map(findGuardDisablingKey).find(Boolean);
  const allowsOverride = documents.some((document) => hasGuardOption(document, "allowModsToOverrideDenyRules"));
  const blocksForeignMods = documents.some((document) => hasGuardOption(document, "allowManagedModsOnly"));
  if (disablingKey ?? (allowsOverride && !blocksForeignMods)) {
    const problem = `${name} sets ${disablingKey ?? "allowModsToOverrideDenyRules"}, and bridge-hooks' entries are in ${formatPaths(unmanagedFiles)}`;
    return [
      createRedFinding(
        "mods-lift-denials",
        problem,
        IMPACT,
        `remove that setting, or run ${formatManagedInstall("claude")}`,
      ),
    ];
  }
  const mods = documents.length > 0 ? [] : listMods(machine);
  if (mods.length === 0) return [];
  const fix = `inspect the mods with claude plugin validate FOLDER, or run ${formatManagedInstall("claude")}`;
  return [createNote("mods-lift-denials", `mods are installed: ${mods.join(", ")}`, IMPACT, fix)];
}
