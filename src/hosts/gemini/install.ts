import type { ConfigFile, EntrySpec, Setup } from "../../protocol/host/install.ts";
import type { TimeGrants } from "../../protocol/host/time-grants.ts";
import { quoteCommand } from "../../protocol/host/quote.ts";
import { gemini } from "../entries.ts";
import { buildEntryLine, defineSetup } from "../setup/define-setup.ts";
import { buildSubscriptions, collectEntries, groupToolNames } from "../setup/entries.ts";
import { buildTimeout } from "../setup/entry-time.ts";
import { LOADER_RESET_VARIABLES } from "../setup/loader-variables.ts";
import { capabilities } from "./capabilities.ts";
import { TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

/**
 * In 0.61.0, MCP tools are named `mcp_<server>_<tool>`. Earlier releases used other names [unverified], so entries for
 * MCP tools have no matcher.
 */
const TOOL_NAMES = groupToolNames(TOOLS);

/**
 * Anchors a matcher. In Gemini CLI, an unanchored matcher can match anywhere in a tool name, unlike the lists that
 * other hosts use [shipped 0.61.0].
 */
const anchorMatcher = (matcher: string) => (matcher.startsWith("^") ? matcher : `^(${matcher})$`);

/** Name of the entry. Users see this name and can use it to disable the entry. */
const ENTRY_NAME = "bridge-hooks";

/** The default timeout [shipped 0.61.0]. */
const timeGrants: TimeGrants = { default_s: 60, unit: "ms" };

/**
 * Builds an entry's command so that no "$" is followed by a variable name, because Gemini CLI expands variables in its
 * settings, even inside quotes [shipped 0.61.0].
 */
function buildCommand(spec: EntrySpec): string {
  // Denies with the document alone, because exit code 2 makes Gemini CLI tell the user that the hook "failed". The
  // entry resets variables that could make the shell print anything before the document.
  const line = buildEntryLine("gemini", { ...spec, more: ["--gemini-deny", "json", ...(spec.more ?? [])] }, timeGrants);
  if (spec.platform !== "win32") return quoteCommand(line, "sh").replaceAll("$", () => String.raw`'\$'`);
  if (spec.program.includes("$"))
    throw new Error(`${spec.program} contains "$", which Gemini CLI reads as a variable; use another path`);
  return `& ${quoteCommand(line, "powershell")}`;
}

/**
 * Installs into settings.json, which is JSON with comments [user, project and Linux's system file seen 0.61.0; system
 * files on macOS and Windows shipped 0.61.0].
 */
export const setup: Setup = defineSetup({
  identity: gemini,
  capabilities,
  // Native tool names [seen 0.61.0, 2026-11-22]. MCP tools are named mcp_<server>_<tool>.
  tools: { ...TOOL_NAMES, MCP: ["mcp_.*"], Other: UNMAPPED_TOOLS },
  listConfigFiles(machine): ConfigFile[] {
    const system = gemini.folders.managed(machine);
    return [
      { scope: "managed" as const, path: `${system}/settings.json`, target: true as const },
      { scope: "system" as const, path: `${system}/system-defaults.json` },
      { scope: "user" as const, path: `${gemini.folders.user(machine)}/settings.json`, target: true as const },
      ...machine.roots.map((root) => ({
        scope: "project" as const,
        path: `${root}/.gemini/settings.json`,
        target: true as const,
      })),
    ].map((file) => ({ ...file, syntax: "json" as const }));
  },
  parseEntries: (text) =>
    collectEntries(Bun.JSONC.parse(text), "groups").filter(({ handler }) => handler.type === "command"),
  listDialects: (platform) => [platform === "win32" ? "powershell" : "sh"],
  harmlessProperties: ["description"],
  // Gemini CLI runs entries with the same name and command only once [seen 0.61.0, 2026-11-22].
  isDeduplicated: true,
  layout: "groups",
  // System settings take precedence. With this key, neither a project nor a user can disable all hooks [seen 0.61.0,
  // 2026-11-22].
  listSettings: ({ scope }) => (scope === "managed" ? [{ path: ["hooksConfig", "enabled"], value: true }] : []),
  planSubscriptions: (wantedEvents) =>
    buildSubscriptions(wantedEvents, capabilities, TOOL_NAMES).map(({ native_event, matcher }) => ({
      native_event,
      ...(matcher && { matcher: anchorMatcher(matcher) }),
    })),
  timeGrants,
  buildHandler: (spec) => ({
    name: ENTRY_NAME,
    type: "command",
    command: buildCommand(spec),
    timeout: buildTimeout(timeGrants, spec),
    ...(spec.platform !== "win32" && { env: LOADER_RESET_VARIABLES }),
  }),
  listManualSteps: (scope) => [
    "Gemini CLI runs no hooks, not even managed ones, in a folder that you don't trust: start gemini there and trust it",
    // Gemini CLI shows a warning about project hooks [seen 0.61.0, 2026-11-22].
    ...(scope === "project"
      ? ["before Gemini CLI first runs a project's hooks, a warning lists the hooks; no action is needed"]
      : []),
  ],
});
