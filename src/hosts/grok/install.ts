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
import { capabilities } from "./capabilities.ts";
import { TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

/**
 * The hook files of a directory: Grok Build reads all JSON files in it
 * [docs https://docs.x.ai/build/features/hooks].
 */
const listHookFiles = (scope: "user" | "project", folder: string) =>
  buildHookFiles(
    scope,
    folder,
    listFolder(folder).filter((name) => !name.startsWith(".")),
  );

/**
 * When the time is up, the call passes [docs https://docs.x.ai/build/features/hooks]. The events that differ: [shipped
 * 1.0.41, read and not run].
 */
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
 * Grok Build expands variables in a command before a shell sees it, even inside quotes [unverified], so no name follows
 * a "$" here.
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
 * Hook files, and the [hooks] tables of TOML files
 * [docs https://docs.x.ai/build/features/hooks; TOML shipped 1.0.41; nothing was run]. No matchers: Grok Build has tool
 * sets with other names than those of its table, and none of these sets was seen.
 */
export const setup: Setup = defineSetup({
  identity: grok,
  capabilities,
  // A server's tool is called <server>__<tool> [shipped 1.0.41, read and not run].
  tools: listToolNames(TOOLS, UNMAPPED_TOOLS, [".+__.+"]),
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
      ...listConfigFolders(grok, place.roots).flatMap((folder) => listHookFiles("project", `${folder}/.grok/hooks`)),
    ];
  },
  // The project's if the directory is trusted; both by default
  // [docs https://docs.x.ai/build/features/hooks; the local file shipped 1.0.41].
  listImportedFiles: ({ home, roots }) =>
    [home, ...listConfigFolders(grok, roots)].flatMap((root) => [
      `${root}/.claude/settings.json`,
      `${root}/.claude/settings.local.json`,
      `${root}/.cursor/hooks.json`,
    ]),
  parseEntries: (text, file, parseToml) =>
    collectEntries(parseJsonOrToml(text, file, parseToml), "groups")
      // Grok Build starts the command without its arguments [unverified].
      .map(({ args: _, ...entry }) => entry),
  listDialects: (platform) => (platform === "win32" ? ["cmd", "powershell"] : ["sh"]),
  // The same command at the same event [shipped 1.0.41, read and not run].
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
