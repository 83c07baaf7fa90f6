import { posix, win32 } from "node:path";
import type { ConfigFile, Setup } from "../../protocol/host/install.ts";
import type { TimeGrants } from "../../protocol/host/time-grants.ts";
import { quoteCommand } from "../../protocol/host/quote.ts";
import { findMainTree, findProject, toMainTree } from "../../system/project.ts";
import { codex } from "../entries.ts";
import {
  buildEntryLine,
  defineSetup,
  listToolNames,
  parseJsonOrToml,
  quoteForWindowsShells,
} from "../setup/define-setup.ts";
import { collectEntries } from "../setup/entries.ts";
import { buildTimeout } from "../setup/entry-time.ts";
import { capabilities } from "./capabilities.ts";
import { listPluginFiles } from "./installed-plugins.ts";
import { TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

/**
 * Returns the setting for the directory that contains the commands. Each operating system reads its own key [docs
 * https://learn.chatgpt.com/docs/enterprise/managed-configuration].
 */
export const getCommandFolder = (program: string) =>
  /^([A-Za-z]:|\\\\)/.test(program)
    ? { path: ["hooks", "windows_managed_dir"], value: win32.dirname(program), any: true as const }
    : { path: ["hooks", "managed_dir"], value: posix.dirname(program), any: true as const };

/**
 * PowerShell turns exit code 2 into 0 or 1, so Codex would run the tool. JSON denies the call even with exit code 0.
 */
const JSON_DENIAL_FLAGS = ["--codex-deny", "json"];

/**
 * Time limits by event. On two events, Codex limits hooks to 3 seconds and warns about every entry with a longer
 * timeout [seen 0.169.0, 2026-11-22]. The default is the timeout that Codex lists for hooks that don't set one [seen
 * 0.169.0].
 */
const timeGrants: TimeGrants = {
  default_s: 600,
  events: { SessionEnd: { default_s: 3, max_s: 3 }, Interrupt: { default_s: 3, max_s: 3 } },
};

/**
 * Installs into hooks.json and the [hooks] tables of config.toml in each layer [user, project and requirements.toml
 * seen 0.169.0; system shipped 0.169.0]. The entries have no matchers: those would have to change whenever hooks need
 * other tools, and a changed entry silently loses the user's trust.
 */
export const setup: Setup = defineSetup({
  identity: codex,
  capabilities,
  // Native tool names [seen 0.169.0, 2026-11-22].
  tools: listToolNames(TOOLS, UNMAPPED_TOOLS, ["mcp__.*"]),
  listConfigFiles(machine): ConfigFile[] {
    const listLayerFiles = (scope: ConfigFile["scope"], folder: string, target?: true): ConfigFile[] => [
      { scope, path: `${folder}/hooks.json`, syntax: "json", target },
      // Codex warns if both files of a layer contain hooks [seen 0.169.0, 2026-11-22].
      { scope, path: `${folder}/config.toml`, syntax: "toml", ...(target && { instead: true }) },
    ];
    const system = codex.folders.managed(machine);
    return [
      { scope: "managed", path: `${system}/requirements.toml`, syntax: "toml", target: true },
      ...listLayerFiles("system", system),
      ...listLayerFiles("user", codex.folders.user(machine), true),
      ...machine.roots.flatMap((root) => {
        const project = findProject(root, codex.project.configFolders);
        const mainTree = findMainTree(project);
        // In a linked working tree, Codex reads hooks from the main working tree but all other settings from the linked
        // one [seen 0.169.0, 2026-11-28].
        return project.configFolders.flatMap((folder) => {
          const ownFiles = listLayerFiles("project", `${folder}/.codex`, true);
          if (mainTree === undefined) return ownFiles;
          const sharedFiles = listLayerFiles("project", `${toMainTree(folder, project, mainTree)}/.codex`, true);
          return [
            ...sharedFiles.map((file) => ({ ...file, only: "entries" as const })),
            ...ownFiles.slice(1).map(({ scope, path, syntax }) => ({ scope, path, syntax, only: "settings" as const })),
          ];
        });
      }),
      ...listPluginFiles(machine),
    ];
  },
  parseEntries: (text, file, parseToml) =>
    collectEntries(parseJsonOrToml(text, file, parseToml), "groups").map((entry) => {
      const { commandWindows } = entry.handler;
      return process.platform === "win32" && typeof commandWindows === "string"
        ? { ...entry, command: commandWindows }
        : entry;
    }),
  listDialects: (platform) => (platform === "win32" ? ["cmd", "powershell"] : ["sh"]),
  harmlessProperties: ["statusMessage", "additionalContextLimit", "commandWindows"],
  layout: "groups",
  listSettings: ({ scope, program }) =>
    scope === "managed"
      ? [
          // Without this pin, `[features] hooks = false` in a trusted project also disables managed hooks [seen
          // 0.169.0, 2026-11-22].
          { path: ["features", "hooks"], value: true },
          getCommandFolder(program),
        ]
      : [],
  timeGrants,
  buildHandler(spec) {
    const extraArguments = [...(spec.platform === "win32" ? JSON_DENIAL_FLAGS : []), ...(spec.more ?? [])];
    const line = buildEntryLine("codex", { ...spec, more: extraArguments }, timeGrants);
    // On Windows, some releases use PowerShell and others use cmd.exe [docs https://developers.openai.com/codex/hooks
    // does not say; unverified].
    const command = spec.platform === "win32" ? quoteForWindowsShells(line) : quoteCommand(line, "sh");
    return { type: "command", command, timeout: buildTimeout(timeGrants, spec) };
  },
  listManualSteps(scope) {
    if (scope === "managed") return [];
    const trust =
      "Codex runs these entries only after you trust them: start codex in a terminal, review the entries there (or in /hooks) and press t";
    return scope === "project" ? ["the project must be trusted in Codex", trust] : [trust];
  },
});
