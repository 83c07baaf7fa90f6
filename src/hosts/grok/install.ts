import type { ConfigFile, EntrySpec, Setup } from "../../protocol/host/install.ts";
import type { TimeGrants } from "../../protocol/host/time-grants.ts";
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

/** Lists a directory's hook files. Grok Build reads every JSON file in the directory [seen 1.0.41, 2026-11-27]. */
const listHookFiles = (scope: "user" | "project", folder: string) =>
  buildHookFiles(
    scope,
    folder,
    listFolder(folder).filter((name) => !name.startsWith(".")),
  );

/**
 * Time limits by event [defaults shipped 1.0.41]. When a hook times out, Grok Build runs the call anyway [seen 1.0.41,
 * 2026-11-27].
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
 * Builds an entry's command so that no "$" is followed by a variable name, because Grok Build expands variables before
 * the shell parses the command, even inside quotes [seen 1.0.41, 2026-11-27].
 */
function buildCommand(spec: EntrySpec): string {
  const line = buildEntryLine("grok", spec, timeGrants);
  if (spec.platform !== "win32") return quoteCommand(line, "sh").replaceAll("$", () => "$''");
  if (spec.program.includes("$"))
    throw new Error(`${spec.program} contains "$", which Grok Build reads as a variable; use another path`);
  // Which shell Grok Build uses on Windows is unverified.
  return quoteForWindowsShells(line);
}

/**
 * Installs into hook files and the [hooks] tables of TOML files [seen 1.0.41, 2026-11-27]. Entries have no matchers:
 * Grok Build has multiple tool sets with different names, and only one has been seen.
 */
export const setup: Setup = defineSetup({
  identity: grok,
  capabilities,
  // MCP tools are named <server>__<tool> [seen 1.0.41, 2026-11-27].
  tools: listToolNames(TOOLS, UNMAPPED_TOOLS, [".+__.+"]),
  listConfigFiles(machine): ConfigFile[] {
    const toml = (scope: ConfigFile["scope"], folder: string, name: string) =>
      ({ scope, path: `${folder}/${name}`, syntax: "toml" }) as const;
    const user = grok.folders.user(machine);
    // On Windows, Grok Build has no administrator-owned config [shipped 1.0.41].
    const system = machine.platform === "win32" ? undefined : grok.folders.managed(machine);
    return [
      ...(system
        ? [
            { ...toml("managed", system, "requirements.toml"), target: true as const },
            toml("managed", system, "managed_config.toml"),
          ]
        : []),
      ...listHookFiles("user", `${user}/hooks`),
      toml("user", user, "config.toml"),
      // The vendor's console writes these two files.
      toml("system", user, "requirements.toml"),
      toml("system", user, "managed_config.toml"),
      ...listConfigFolders(grok, machine.roots).flatMap((folder) => listHookFiles("project", `${folder}/.grok/hooks`)),
    ];
  },
  // Grok Build imports project files if the directory is trusted. From Cursor's files, it loads only entries in Claude
  // Code's layout. A file with an entry in Cursor's own layout is dropped [seen 1.0.41, 2026-11-28].
  listImportedFiles: ({ home, roots }) =>
    [home, ...listConfigFolders(grok, roots)].flatMap((root) => [
      `${root}/.claude/settings.json`,
      `${root}/.claude/settings.local.json`,
    ]),
  parseEntries: (text, file, parseToml) =>
    collectEntries(parseJsonOrToml(text, file, parseToml), "groups")
      // Grok Build ignores an entry's `args` and accepts event names in any spelling [seen 1.0.41, 2026-11-27].
      .map(({ args: _, ...entry }) => ({ ...entry, native_event: getEventName({}, entry.native_event) })),
  listDialects: (platform) => (platform === "win32" ? ["cmd", "powershell"] : ["sh"]),
  // On each event, Grok Build runs identical commands only once [seen 1.0.41, 2026-11-27].
  isDeduplicated: true,
  layout: "groups",
  timeGrants,
  buildHandler: (spec) => ({
    type: "command",
    command: buildCommand(spec),
    timeout: buildTimeout(timeGrants, spec),
  }),
  listManualSteps: (scope) =>
    scope === "project"
      ? ["Grok Build runs a project's hooks only in trusted folders: run /hooks-trust there, or start it with --trust"]
      : [],
});
