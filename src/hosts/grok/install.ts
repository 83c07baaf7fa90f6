import { readdirSync } from "node:fs";
import type { ConfigFile, EntrySpec, Setup } from "../../protocol/host/install.ts";
import { quoteCommand } from "../../protocol/host/quote.ts";
import { findProject } from "../../system/project.ts";
import { grok } from "../entries.ts";
import {
  buildEntryArguments,
  buildSubscriptions,
  collectEntries,
  ENTRY_TIMEOUT_S,
  groupToolNames,
} from "../setup/entries.ts";
import { capabilities } from "./capabilities.ts";
import { TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

/**
 * The file that `install` writes; Grok Build reads all JSON files of the directory
 * [docs https://docs.x.ai/build/features/hooks].
 */
const OWN = "bridge-hooks.json";

/** The hook files of a directory, ours first. */
function listHookFiles(scope: "user" | "project", folder: string): ConfigFile[] {
  const others = (() => {
    try {
      return readdirSync(folder).filter((name) => /^[^.].*\.json$/.test(name) && name !== OWN);
    } catch {
      return [];
    }
  })();
  return [
    { scope, path: `${folder}/${OWN}`, syntax: "json", target: true },
    ...others.sort().map((name) => ({ scope, path: `${folder}/${name}`, syntax: "json" as const })),
  ];
}

/**
 * Grok Build expands variables in a command before a shell sees it, even inside quotes [unverified], so no name follows
 * a "$" here.
 */
function buildCommand(order: EntrySpec): string {
  const line = [order.program, ...buildEntryArguments("grok", order)];
  if (order.platform !== "win32") return quoteCommand(line, "sh").replaceAll("$", () => "$''");
  if (order.program.includes("$"))
    throw new Error(`${order.program} has a "$", which Grok Build reads as a variable; use a path without it`);
  // Its shell on Windows is unverified: a plain path means the same to PowerShell and cmd.exe, and so does this form.
  const command = quoteCommand(line, "cmd");
  return command.startsWith('"') ? `cmd /d /c ${command}` : command;
}

/**
 * Hook files, and the [hooks] tables of TOML files
 * [docs https://docs.x.ai/build/features/hooks; TOML shipped 1.0.41; nothing was run].
 */
export const setup: Setup = {
  // A server's tool is called <server>__<tool> [shipped 1.0.41, read and not run].
  tools: { ...groupToolNames(TOOLS), MCP: [".+__.+"], Other: UNMAPPED_TOOLS },
  listTraceFolders: (place) => [grok.folders.user(place)],
  listConfigFiles(place): ConfigFile[] {
    const toml = (scope: ConfigFile["scope"], folder: string, name: string) =>
      ({ scope, path: `${folder}/${name}`, syntax: "toml" }) as const;
    const user = grok.folders.user(place);
    // Windows has no administrators' layer [shipped 1.0.41, read and not run].
    const system = place.platform === "win32" ? undefined : grok.folders.managed(place);
    return [
      ...(system
        ? [
            { ...toml("managed", system, "requirements.toml"), target: true as const },
            toml("managed", system, "managed_config.toml"),
          ]
        : []),
      ...listHookFiles("user", `${user}/hooks`),
      toml("user", user, "config.toml"),
      // The vendor's console writes these two.
      toml("system", user, "requirements.toml"),
      toml("system", user, "managed_config.toml"),
      ...place.roots.flatMap((root) =>
        findProject(root, grok.project.configFolders).configFolders.flatMap((folder) =>
          listHookFiles("project", `${folder}/.grok/hooks`),
        ),
      ),
    ];
  },
  // The project's if the directory is trusted; both by default
  // [docs https://docs.x.ai/build/features/hooks; the local file shipped 1.0.41].
  listImportedFiles: ({ home, roots }) =>
    [home, ...roots.flatMap((root) => findProject(root, grok.project.configFolders).configFolders)].flatMap((root) => [
      `${root}/.claude/settings.json`,
      `${root}/.claude/settings.local.json`,
      `${root}/.cursor/hooks.json`,
    ]),
  parseEntries: (text, file) =>
    collectEntries(file.endsWith(".toml") ? Bun.TOML.parse(text) : JSON.parse(text), "groups")
      // Grok Build starts the command without its arguments [unverified].
      .map(({ args: _, ...entry }) => entry),
  listDialects: (platform) => (platform === "win32" ? ["cmd", "powershell"] : ["sh"]),
  harmlessProperties: [],
  // The same command at the same event [shipped 1.0.41, read and not run].
  isDeduplicated: true,
  layout: "groups",
  listSettings: () => [],
  forbiddenEvents: {},
  // No matchers: Grok Build has tool sets with other names than those of its table, and none of these sets was seen.
  planSubscriptions: (wanted) => buildSubscriptions(wanted, capabilities),
  // The default timeout is 5 seconds; when it expires, the call passes [docs https://docs.x.ai/build/features/hooks].
  buildHandler: (order) => ({ type: "command", command: buildCommand(order), timeout: ENTRY_TIMEOUT_S }),
  listManualSteps: (scope) =>
    scope === "project"
      ? [
          "Grok Build runs a project's hooks only in a folder that you trust: say /hooks-trust there, or start it with --trust",
        ]
      : [],
};
