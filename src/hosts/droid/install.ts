import type { ConfigFile, Setup } from "../../protocol/host/install.ts";
import type { TimeGrants } from "../../protocol/host/time-grants.ts";
import { quoteCommand } from "../../protocol/host/quote.ts";
import { droid } from "../entries.ts";
import {
  buildEntryLine,
  defineSetup,
  listConfigFolders,
  listToolNames,
  quoteForWindowsShells,
} from "../setup/define-setup.ts";
import { buildSubscriptions, collectEntries } from "../setup/entries.ts";
import { buildTimeout } from "../setup/entry-time.ts";
import { MCP_SEPARATOR } from "./call.ts";
import { capabilities } from "./capabilities.ts";
import { TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

const TOOL_NAMES = listToolNames(TOOLS, UNMAPPED_TOOLS, [`.+${MCP_SEPARATOR}.+`]);

/** Anchors a matcher, because Droid would otherwise match it anywhere in a tool name [seen 0.215.0, 2026-11-27]. */
const anchorMatcher = (matcher: string) => (matcher.startsWith("^") ? matcher : `^(${matcher})$`);

/**
 * If a hook times out, Droid runs the call anyway [seen 0.215.0, 2026-11-27]. On SessionStart, it waits 30 seconds
 * [shipped 0.215.0].
 */
const timeGrants: TimeGrants = { default_s: 60, events: { SessionStart: { default_s: 30, max_s: 30 } } };

/** Managed setting that overrides a project's `hooksDisabled` [seen 0.215.0, 2026-11-29]. */
export const PINNED_SETTING = { path: ["hooks", "hooksDisabled"], value: false } as const;

/** Whether the file is a hooks.json, which has the events at its top level. */
export const isHooksFile = (path: string) => path.endsWith("/hooks.json");

/**
 * Lists the config files in a `.factory` directory. An event in hooks.json overrides the same event in settings.json,
 * even if its list is empty [seen 0.215.0, 2026-11-29].
 */
const listFolderFiles = (scope: "user" | "project", folder: string): ConfigFile[] => [
  { scope, path: `${folder}/hooks.json`, syntax: "json", bare: true, target: true },
  // Droid reads this file only if hooks.json is missing [seen 0.215.0, 2026-11-29].
  { scope, path: `${folder}/hooks/hooks.json`, syntax: "json", bare: true },
  { scope, path: `${folder}/settings.json`, syntax: "json", instead: true },
];

/**
 * Installs into hook files and settings, which are JSON with comments [seen 0.215.0, 2026-11-27; macOS and Windows
 * shipped].
 */
export const setup: Setup = defineSetup({
  identity: droid,
  capabilities,
  tools: TOOL_NAMES,
  listConfigFiles: (machine): ConfigFile[] => [
    { scope: "managed", path: `${droid.folders.managed(machine)}/settings.json`, syntax: "json", target: true },
    ...listFolderFiles("user", droid.folders.user(machine)),
    ...listConfigFolders(droid, machine.roots).flatMap((folder) => listFolderFiles("project", `${folder}/.factory`)),
  ],
  parseEntries(text, file) {
    const document: unknown = Bun.JSONC.parse(text);
    return collectEntries(isHooksFile(file) ? { hooks: document } : document, "groups");
  },
  // Droid's shell on Windows is unverified.
  listDialects: (platform) => (platform === "win32" ? ["cmd", "powershell"] : ["sh"]),
  // Droid ignores unknown keys [seen 0.215.0, 2026-11-29].
  harmlessProperties: ["statusMessage"],
  layout: "groups",
  listSettings: ({ scope }) => (scope === "managed" ? [PINNED_SETTING] : []),
  planSubscriptions: (wantedEvents) =>
    buildSubscriptions(wantedEvents, capabilities, TOOL_NAMES).map(({ native_event, matcher }) => ({
      native_event,
      ...(matcher && { matcher: anchorMatcher(matcher) }),
    })),
  timeGrants,
  buildHandler(spec) {
    const line = buildEntryLine("droid", spec, timeGrants);
    return {
      type: "command",
      command: spec.platform === "win32" ? quoteForWindowsShells(line) : quoteCommand(line, "sh"),
      timeout: buildTimeout(timeGrants, spec),
    };
  },
  listManualSteps: (scope) =>
    scope === "managed"
      ? []
      : ["in a terminal, Droid runs no hooks until you trust the folder; droid exec requires no trust"],
});
