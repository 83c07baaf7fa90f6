import { basename } from "node:path";
import type { ConfigEntry, ConfigFile, Setup } from "../../protocol/host/install.ts";
import type { TimeGrants } from "../../protocol/host/time-grants.ts";
import { quoteCommand } from "../../protocol/host/quote.ts";
import { isObject } from "../../protocol/object.ts";
import { copilot } from "../entries.ts";
import {
  buildEntryLine,
  buildHookFiles,
  defineSetup,
  listFolder,
  listToolNames,
  quoteForWindowsShells,
} from "../setup/define-setup.ts";
import { buildSubscriptions, collectEntries } from "../setup/entries.ts";
import { buildTimeout } from "../setup/entry-time.ts";
import { EVENT_ALIASES, capabilities } from "./capabilities.ts";
import { TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

/** Whether a file is a settings file rather than a hook file. Copilot parses the two differently; see doctor.ts. */
export const isSettingsFile = (file: string) => /^settings(\.local)?\.json$/.test(basename(file.replaceAll("\\", "/")));

/**
 * Lists a directory's hook files, with ours first. Copilot also reads subdirectories, except in the policy directory
 * [seen 1.0.102, 2026-11-22].
 */
const listHookFiles = (scope: "managed" | "user" | "project", folder: string) =>
  buildHookFiles(scope, folder, listFolder(folder, scope !== "managed"));

const isWindows = process.platform === "win32";

/**
 * Returns an entry's command. A shell-specific command takes precedence over the general one [seen 1.0.102, 2026-11-22,
 * with bash].
 */
function addCommand(element: unknown): unknown {
  if (!isObject(element)) return element;
  const line = isWindows ? element.powershell : element.bash;
  return typeof line === "string" ? { ...element, command: line } : element;
}

/** Collects entries from lists and from groups with Claude Code's layout. */
function listEntries(document: unknown): ConfigEntry[] {
  const hooks = isObject(document) && isObject(document.hooks) ? document.hooks : {};
  const renamedEvents = Object.entries(hooks).map(([event, list]) => [
    event,
    Array.isArray(list) ? list.map(addCommand) : list,
  ]);
  return [
    ...collectEntries({ hooks: Object.fromEntries(renamedEvents) }, "list"),
    ...collectEntries(document, "groups"),
  ];
}

/**
 * Event names used by the CLI and the cloud agent, and also accepted by VS Code [docs
 * https://code.visualstudio.com/docs/agents/reference/hooks-reference].
 */
const OWN_NAMES = Object.fromEntries(
  Object.entries(capabilities).filter(([native_event]) => !Object.hasOwn(EVENT_ALIASES, native_event)),
);

/**
 * Default timeout, and an alternative name for the timeout field [docs
 * https://docs.github.com/en/copilot/reference/hooks-configuration].
 */
const timeGrants: TimeGrants = { default_s: 30, alias: "timeoutSec" };

/** Installs into hook files and settings [user, project, local and policy seen 1.0.102, 2026-11-22]. */
export const setup: Setup = defineSetup({
  identity: copilot,
  capabilities,
  // MCP tools are named <server>-<tool>, or <server>/<tool> in an approval payload [seen 1.0.102, 2026-11-22].
  tools: listToolNames(TOOLS, UNMAPPED_TOOLS, [".+[-/].+", "mcp_.*"]),
  listConfigFiles: (machine): ConfigFile[] => [
    ...listHookFiles("managed", `${copilot.folders.managed(machine)}/policy.d`),
    ...listHookFiles("user", `${copilot.folders.user(machine)}/hooks`),
    { scope: "user", path: `${copilot.folders.user(machine)}/settings.json`, syntax: "json" },
    ...machine.roots.flatMap((root): ConfigFile[] => [
      ...listHookFiles("project", `${root}/.github/hooks`),
      { scope: "project", path: `${root}/.github/copilot/settings.json`, syntax: "json" },
      { scope: "local", path: `${root}/.github/copilot/settings.local.json`, syntax: "json", target: true },
    ]),
  ],
  // Copilot imports project files only, and only in trusted directories [seen 1.0.102, 2026-11-22].
  listImportedFiles: ({ roots }) =>
    roots.flatMap((root) => [`${root}/.claude/settings.json`, `${root}/.claude/settings.local.json`]),
  parseEntries: (text, file) => listEntries(isSettingsFile(file) ? Bun.JSONC.parse(text) : JSON.parse(text)),
  listDialects: (platform) => (platform === "win32" ? ["cmd", "powershell"] : ["sh"]),
  layout: "list",
  // The version is optional but part of the documented format [seen 1.0.102, 2026-11-22].
  listSettings: ({ scope }) => (scope === "local" ? [] : [{ path: ["version"], value: 1, any: true }]),
  // Outside the policy directory, Copilot follows symbolic links [seen 1.0.102, 2026-11-22].
  explainLinkRefusal: ({ scope }) =>
    scope === "managed" ? "Copilot does not read a policy file that is a symbolic link" : undefined,
  // Entries have no matchers, because tool names differ: "bash" in camelCase entries is "Bash" in Claude Code's files
  // [seen 1.0.102, 2026-11-22], and VS Code has its own tool names.
  planSubscriptions: (wantedEvents) => buildSubscriptions(wantedEvents, OWN_NAMES),
  timeGrants,
  buildHandler(spec) {
    const line = buildEntryLine("copilot", spec, timeGrants);
    // `command` is used on every operating system. If it times out, Copilot runs the call [seen 1.0.102, 2026-11-21].
    return {
      type: "command",
      command: spec.platform === "win32" ? quoteForWindowsShells(line) : quoteCommand(line, "sh"),
      timeout: buildTimeout(timeGrants, spec),
    };
  },
  listManualSteps: (scope) =>
    scope === "project" || scope === "local"
      ? [
          "Copilot runs project hooks only in trusted folders; it asks on start (copilot -p needs --trust-folder or GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS=true)",
        ]
      : [],
});
