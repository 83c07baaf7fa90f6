import { readdirSync } from "node:fs";
import type { Capabilities } from "../../protocol/capability.ts";
import type { HostIdentity } from "../../protocol/host/host.ts";
import type {
  ConfigFile,
  EntrySpec,
  InstallScope,
  ParseToml,
  Setup,
  TimeGrants,
  ToolNames,
} from "../../protocol/host/install.ts";
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

/** What most hosts' setups share. */
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
 * Completes a setup with what most hosts share: TOML files or plain JSON, one user's directory, and entries without
 * matchers, settings or manual steps.
 */
export const defineSetup = ({ identity, capabilities, ...own }: SetupSpec): Setup => ({
  listTraceFolders: (place) => [identity.folders.user(place)],
  parseEntries: (text, file, parseToml) => collectEntries(parseJsonOrToml(text, file, parseToml), own.layout),
  harmlessProperties: [],
  listSettings: () => [],
  forbiddenEvents: {},
  planSubscriptions: (wanted) => buildSubscriptions(wanted, capabilities),
  listManualSteps: () => [],
  ...own,
});

interface PluginSpec extends Omit<SetupSpec, "identity" | "layout" | "listDialects" | "buildHandler"> {
  identity: Pick<HostIdentity, "id" | "folders">;
  /** Events that get an entry only if named explicitly. */
  explicitEvents: readonly string[];
}

/** Completes the setup of a host that loads a plugin of ours, which starts the executable without a shell. */
export const definePluginSetup = ({ explicitEvents, ...spec }: PluginSpec): Setup =>
  defineSetup({
    parseEntries: (text) => collectEntries(JSON.parse(extractEntriesJson(text) ?? "{}"), "list"),
    listDialects: () => ["sh"],
    layout: "list",
    // No matchers: the process runs already, so a call without a matching hook costs next to nothing.
    planSubscriptions: (wanted) =>
      buildSubscriptions(wanted, spec.capabilities).filter(
        ({ native_event }) => !explicitEvents.includes(native_event),
      ),
    buildHandler(order) {
      const on_error = getFailurePolicyAt(spec.capabilities[order.native_event]?.(), order.on_error);
      const args = buildEntryArguments(spec.identity.id, { ...order, on_error }, spec.timeGrants);
      return { command: order.program, args, timeout: buildTimeout(spec.timeGrants, order) };
    },
    ...spec,
  });

/** @param parseToml see `Setup.parseEntries`. */
export const parseJsonOrToml = (text: string, file: string, parseToml: ParseToml = Bun.TOML.parse): unknown =>
  file.endsWith(".toml") ? parseToml(text) : JSON.parse(text);

/** The host's names for each unified tool, those of MCP tools as patterns, and the tools without a unified one. */
export const listToolNames = (tools: ToolTable, others: readonly string[], mcp?: readonly string[]): ToolNames => ({
  ...groupToolNames(tools),
  ...(mcp && { MCP: mcp }),
  Other: others,
});

/**
 * Quotes a command line for Windows where the host's shell is PowerShell or cmd.exe, depending on its release: a plain
 * path means the same to both, and so does a quoted one after `cmd /d /c`.
 */
export function quoteForWindowsShells(line: readonly string[]): string {
  const command = quoteCommand(line, "cmd");
  return command.startsWith('"') ? `cmd /d /c ${command}` : command;
}

/** The folders from which the host reads the config of a session's projects. */
export const listConfigFolders = ({ project }: Pick<HostIdentity, "project">, roots: readonly string[]): string[] =>
  roots.flatMap((root) => findProject(root, project.configFolders).configFolders);

/** The words of an entry's command line. */
export const buildEntryLine = (host: string, order: EntrySpec, grants: TimeGrants): string[] => [
  order.program,
  ...buildEntryArguments(host, order, grants),
];

/** The files of a directory; empty if it can't be listed. */
export function listFolder(folder: string, recursive = false): string[] {
  try {
    return readdirSync(folder, { recursive, encoding: "utf8" });
  } catch {
    return [];
  }
}

/** The file that `install` writes on hosts that read all JSON files of a directory. */
const OWN_FILE = "bridge-hooks.json";

/** The hook files of such a directory, ours first. */
export const buildHookFiles = (scope: InstallScope, folder: string, names: readonly string[]): ConfigFile[] => [
  { scope, path: `${folder}/${OWN_FILE}`, syntax: "json", target: true },
  ...names
    .filter((name) => name.endsWith(".json") && name !== OWN_FILE)
    .sort()
    .map((name): ConfigFile => ({ scope, path: `${folder}/${name.replaceAll("\\", "/")}`, syntax: "json" })),
];
