import type { ConfigFile, EntrySpec, Setup, TimeGrants } from "../../protocol/host/install.ts";
import { quoteCommand } from "../../protocol/host/quote.ts";
import { grok } from "../entries.ts";
import {
  buildEntryLine,
  buildHookFiles,
  defineSetup,
  listConfigFolders,
  listFolder,
  listToolNames,
  parseJsonOrToml,
  quoteForWindowsShells,
} from "../setup/define-setup.ts";
import { collectEntries } from "../setup/entries.ts";
import { buildTimeout } from "../setup/entry-time.ts";
import { getEventName } from "./call.ts";
import { capabilities } from "./capabilities.ts";
import { TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

/** The hook files of a directory: Grok Build reads all JSON files in it [seen 1.0.41, 2026-11-27]. */
const listHookFiles = (scope: "user" | "project", folder: string) =>
  buildHookFiles(
    scope,
    folder,
    listFolder(folder).filter((name) => !name.startsWith(".")),
  );

/** When the time is up, the call passes [seen 1.0.41, 2026-11-27]. The defaults: [shipped 1.0.41]. */
const timeGrants: TimeGrants = {
  default_s: 5,
  events: {
    Stop: { default_s: 600 },
    SubagentStop: { default_s: 600 },
    PostToolUse: { default_s: 600 },
    UserPromptSubmit: { default_s: 30 },
  },
};

/**
 * Grok Build expands variables in a command before a shell sees it, even inside quotes [seen 1.0.41, 2026-11-27], so no
 * name follows a "$" here.
 */
function buildCommand(order: EntrySpec): string {
  const line = buildEntryLine("grok", order, timeGrants);
  if (order.platform !== "win32") return quoteCommand(line, "sh").replaceAll("$", () => "$''");
  if (order.program.includes("$"))
    throw new Error(`${order.program} has a "$", which Grok Build reads as a variable; use a path without it`);
  // Its shell on Windows is unverified.
  return quoteForWindowsShells(line);
}

/**
 * Hook files, and the [hooks] tables of TOML files [seen 1.0.41, 2026-11-27]. No matchers: Grok Build has tool sets with
 * other names than those of its table, and only one of these sets was seen.
 */
export const setup: Setup = defineSetup({
  identity: grok,
  capabilities,
  // A server's tool is called <server>__<tool> [seen 1.0.41, 2026-11-27].
  tools: listToolNames(TOOLS, UNMAPPED_TOOLS, [".+__.+"]),
  listConfigFiles(place): ConfigFile[] {
    const toml = (scope: ConfigFile["scope"], folder: string, name: string) =>
      ({ scope, path: `${folder}/${name}`, syntax: "toml" }) as const;
    const user = grok.folders.user(place);
    // Windows has no administrators' layer [shipped 1.0.41].
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
      ...listConfigFolders(grok, place.roots).flatMap((folder) => listHookFiles("project", `${folder}/.grok/hooks`)),
    ];
  },
  // The project's if the directory is trusted. Of Cursor's files Grok Build loads entries in this layout, and drops a
  // file that has one in Cursor's own [seen 1.0.41, 2026-11-28].
  listImportedFiles: ({ home, roots }) =>
    [home, ...listConfigFolders(grok, roots)].flatMap((root) => [
      `${root}/.claude/settings.json`,
      `${root}/.claude/settings.local.json`,
    ]),
  parseEntries: (text, file, parseToml) =>
    collectEntries(parseJsonOrToml(text, file, parseToml), "groups")
      // Grok Build starts the command without its arguments, and takes an event's name in any spelling
      // [seen 1.0.41, 2026-11-27].
      .map(({ args: _, ...entry }) => ({ ...entry, native_event: getEventName({}, entry.native_event) })),
  listDialects: (platform) => (platform === "win32" ? ["cmd", "powershell"] : ["sh"]),
  // The same command at the same event [seen 1.0.41, 2026-11-27].
  isDeduplicated: true,
  layout: "groups",
  timeGrants,
  buildHandler: (order) => ({
    type: "command",
    command: buildCommand(order),
    timeout: buildTimeout(timeGrants, order),
  }),
  listManualSteps: (scope) =>
    scope === "project"
      ? [
          "Grok Build runs a project's hooks only in a folder that you trust: say /hooks-trust there, or start it with --trust",
        ]
      : [],
});
