import type { ConfigFile, EntrySpec, Setup } from "../../protocol/host/install.ts";
import type { TimeGrants } from "../../protocol/host/time-grants.ts";
import { quoteCommand } from "../../protocol/host/quote.ts";
import { qwen } from "../entries.ts";
import { buildEntryLine, defineSetup, listToolNames } from "../setup/define-setup.ts";
import { buildSubscriptions, collectEntries } from "../setup/entries.ts";
import { buildTimeout } from "../setup/entry-time.ts";
import { LOADER_RESET_VARIABLES } from "../setup/loader-variables.ts";
import { capabilities } from "./capabilities.ts";
import { TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

/** Native tool names, with a pattern for MCP tools [shipped 0.24.4]. */
const TOOL_NAMES = listToolNames(TOOLS, UNMAPPED_TOOLS, ["mcp__.*"]);

/**
 * Time limits by event [shipped 0.24.4]. When a hook times out, Qwen Code runs the call anyway [seen 0.24.4,
 * 2026-11-27]. Qwen Code waits at most 60 seconds, regardless of an entry's timeout. A timeout on Stop ends the turn
 * with an error [seen 0.24.4, 2026-11-29].
 */
const timeGrants: TimeGrants = {
  default_s: 60,
  max_s: 60,
  msFrom: 1_000,
  events: { PostToolBatch: { default_s: 15, max_s: 15 } },
};

/**
 * Builds an entry's command so that no "$" is followed by a variable name, because Qwen Code expands variables in its
 * settings, even inside quotes [shipped 0.24.4].
 */
function buildCommand(spec: EntrySpec): string {
  const line = buildEntryLine("qwen", spec, timeGrants);
  if (spec.platform !== "win32") return quoteCommand(line, "sh").replaceAll("$", () => String.raw`'\$'`);
  if (spec.program.includes("$"))
    throw new Error(`${spec.program} contains "$", which Qwen Code reads as a variable; use another path`);
  return `& ${quoteCommand(line, "powershell")}`;
}

/**
 * The switch that disables all hooks. If the system file sets the switch to false, no other file can override it [seen
 * 0.24.4, 2026-11-27].
 */
export const PINNED_SETTINGS = { disableAllHooks: false };

/**
 * Installs into settings.json, which is JSON with comments [Linux seen 0.24.4, 2026-11-27; the other systems shipped
 * 0.24.4].
 */
export const setup: Setup = defineSetup({
  identity: qwen,
  capabilities,
  tools: TOOL_NAMES,
  listConfigFiles(machine): ConfigFile[] {
    const system = qwen.folders.managed(machine);
    return [
      { scope: "managed" as const, path: `${system}/settings.json`, target: true as const },
      { scope: "system" as const, path: `${system}/system-defaults.json` },
      { scope: "user" as const, path: `${qwen.folders.user(machine)}/settings.json`, target: true as const },
      // Qwen Code ignores settings in parent directories [seen 0.24.4, 2026-11-29].
      ...machine.roots.map((root) => ({
        scope: "project" as const,
        path: `${root}/.qwen/settings.json`,
        target: true as const,
      })),
    ].map((file) => ({ ...file, syntax: "json" as const }));
  },
  parseEntries: (text) =>
    collectEntries(Bun.JSONC.parse(text), "groups").filter(({ handler }) => handler.type === "command"),
  listDialects: (platform) => [platform === "win32" ? "powershell" : "sh"],
  harmlessProperties: ["description", "statusMessage"],
  // Qwen Code runs entries with the same name and command only once [seen 0.24.4, 2026-11-27].
  isDeduplicated: true,
  layout: "groups",
  listSettings: ({ scope }) =>
    scope === "managed" ? Object.entries(PINNED_SETTINGS).map(([key, value]) => ({ path: [key], value })) : [],
  // Unless a matcher is a list of tool names, Qwen Code treats it as a pattern that can match anywhere in a name
  // [shipped 0.24.4].
  planSubscriptions: (wantedEvents) => buildSubscriptions(wantedEvents, capabilities, TOOL_NAMES),
  timeGrants,
  buildHandler: (spec) => ({
    type: "command",
    name: "bridge-hooks",
    command: buildCommand(spec),
    timeout: buildTimeout(timeGrants, spec),
    ...(spec.platform === "win32" ? { shell: "powershell" } : { env: LOADER_RESET_VARIABLES }),
  }),
  listManualSteps: () => [
    // Variables in the environment override a project's .env file [seen 0.24.4, 2026-11-29].
    "a project's .env can disable all hooks of Qwen Code: set QWEN_CODE_SAFE_MODE=0 and QWEN_CODE_SIMPLE=0 in Qwen Code's environment",
  ],
});
