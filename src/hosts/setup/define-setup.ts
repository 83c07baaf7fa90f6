import { readdirSync } from "node:fs";
import type { Capabilities } from "../../protocol/capability.ts";
import type { HostIdentity } from "../../protocol/host/host.ts";
import type { ConfigFile, EntrySpec, InstallScope, ParseToml, Setup, ToolNames } from "../../protocol/host/install.ts";
import type { TimeGrants } from "../../protocol/host/time-grants.ts";
import { quoteCommand } from "../../protocol/host/quote.ts";
import { findProject } from "../../system/project.ts";
import type { ToolTable } from "../codec/tool-table.ts";
import {
  buildEntryArguments,
  buildSubscriptions,
  collectEntries,
  getFailurePolicyAt,
  groupToolNames,
} from "./entries.ts";
import { buildTimeout } from "./entry-time.ts";
import { extractEntriesJson } from "./plugin-module.ts";

/** The parts of a setup that have defaults. */
type SharedParts =
  | "listTraceFolders"
  | "parseEntries"
  | "harmlessProperties"
  | "listSettings"
  | "forbiddenEvents"
  | "planSubscriptions"
  | "listManualSteps";

interface SetupSpec extends Omit<Setup, SharedParts>, Partial<Pick<Setup, SharedParts>> {
  identity: Pick<HostIdentity, "folders">;
  capabilities: Capabilities;
}

/**
 * Completes a setup with defaults that suit most hosts: TOML or plain JSON files, a single user directory, no matchers,
 * no extra settings and no manual steps.
 */
export const defineSetup = ({ identity, capabilities, ...ownParts }: SetupSpec): Setup => ({
  listTraceFolders: (machine) => [identity.folders.user(machine)],
  parseEntries: (text, file, parseToml) => collectEntries(parseJsonOrToml(text, file, parseToml), ownParts.layout),
  harmlessProperties: [],
  listSettings: () => [],
  forbiddenEvents: {},
  planSubscriptions: (wantedEvents) => buildSubscriptions(wantedEvents, capabilities),
  listManualSteps: () => [],
  ...ownParts,
});

interface PluginSpec extends Omit<SetupSpec, "identity" | "layout" | "listDialects" | "buildHandler"> {
  identity: Pick<HostIdentity, "id" | "folders">;
  /** Events that get an entry only when named explicitly. */
  explicitEvents: readonly string[];
}

/** Completes the setup of a host that loads our plugin. The plugin starts the executable without a shell. */
export const definePluginSetup = ({ explicitEvents, ...spec }: PluginSpec): Setup =>
  defineSetup({
    parseEntries: (text) => collectEntries(JSON.parse(extractEntriesJson(text) ?? "{}"), "list"),
    listDialects: () => ["sh"],
    layout: "list",
    // Plugin entries have no matchers: the host runs our plugin for every call anyway, and a call without a matching
    // hook costs almost nothing.
    planSubscriptions: (wantedEvents) =>
      buildSubscriptions(wantedEvents, spec.capabilities).filter(
        ({ native_event }) => !explicitEvents.includes(native_event),
      ),
    buildHandler(entry) {
      const on_error = getFailurePolicyAt(spec.capabilities[entry.native_event]?.(), entry.on_error);
      const args = buildEntryArguments(spec.identity.id, { ...entry, on_error }, spec.timeGrants);
      return { command: entry.program, args, timeout: buildTimeout(spec.timeGrants, entry) };
    },
    ...spec,
  });

/**
 * Parses a config file according to its extension.
 * @param parseToml see `Setup.parseEntries`.
 */
export const parseJsonOrToml = (text: string, file: string, parseToml: ParseToml = Bun.TOML.parse): unknown =>
  file.endsWith(".toml") ? parseToml(text) : JSON.parse(text);

/**
 * Returns the host's names for each unified tool, patterns for MCP tools, and the names of tools without a unified
 * equivalent.
 */
export const listToolNames = (
  tools: ToolTable,
  unmappedTools: readonly string[],
  mcp?: readonly string[],
): ToolNames => ({
  ...groupToolNames(tools),
  ...(mcp && { MCP: mcp }),
  Other: unmappedTools,
});

/**
 * Quotes a command line for hosts that run it in PowerShell in some releases and in cmd.exe in others. Both shells read
 * a plain path the same way, and likewise a quoted path after `cmd /d /c`.
 */
export function quoteForWindowsShells(line: readonly string[]): string {
  const command = quoteCommand(line, "cmd");
  return command.startsWith('"') ? `cmd /d /c ${command}` : command;
}

/** Lists the directories whose config the host reads in a session. */
export const listConfigFolders = ({ project }: Pick<HostIdentity, "project">, roots: readonly string[]): string[] =>
  roots.flatMap((root) => findProject(root, project.configFolders).configFolders);

/** Builds the argument list of an entry's command. */
export const buildEntryLine = (host: string, spec: EntrySpec, grants: TimeGrants): string[] => [
  spec.program,
  ...buildEntryArguments(host, spec, grants),
];

/** Lists a directory's files; returns an empty list if the directory can't be read. */
export function listFolder(folder: string, recursive = false): string[] {
  try {
    return readdirSync(folder, { recursive, encoding: "utf8" });
  } catch {
    return [];
  }
}

/** The file that `install` writes on hosts that read every JSON file in a directory. */
const OWN_FILE = "bridge-hooks.json";

/** Lists the hook files in a directory, for hosts that read every JSON file in it. Our file comes first. */
export const buildHookFiles = (scope: InstallScope, folder: string, names: readonly string[]): ConfigFile[] => [
  { scope, path: `${folder}/${OWN_FILE}`, syntax: "json", target: true },
  ...names
    .filter((name) => name.endsWith(".json") && name !== OWN_FILE)
    .sort()
    .map((name): ConfigFile => ({ scope, path: `${folder}/${name.replaceAll("\\", "/")}`, syntax: "json" })),
];
