import type { ConfigFile, EntrySpec, Setup, TimeGrants } from "../../protocol/host/install.ts";
import { quoteCommand } from "../../protocol/host/quote.ts";
import { qwen } from "../entries.ts";
import { buildEntryLine, defineSetup, listToolNames } from "../setup/define-setup.ts";
import { buildSubscriptions, collectEntries } from "../setup/entries.ts";
import { buildTimeout } from "../setup/entry-time.ts";
import { LOADER_RESET_VARIABLES } from "../setup/loader-variables.ts";
import { capabilities } from "./capabilities.ts";
import { TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

/** [shipped 0.24.4] */
const TOOL_NAMES = listToolNames(TOOLS, UNMAPPED_TOOLS, ["mcp__.*"]);

/**
 * When the time is up, the call passes [seen 0.24.4, 2026-11-27]. Whatever an entry says, Qwen Code waits for 60
 * seconds, and at Stop it then ends with an error [seen 0.24.4, 2026-11-29]. The other numbers: [shipped 0.24.4].
 */
const timeGrants: TimeGrants = {
  default_s: 60,
  max_s: 60,
  msFrom: 1_000,
  events: { PostToolBatch: { default_s: 15, max_s: 15 } },
};

/**
 * Qwen Code expands variables in its settings, even inside quotes [shipped 0.24.4], so no "$" may precede a name here.
 */
function buildCommand(order: EntrySpec): string {
  const line = buildEntryLine("qwen", order, timeGrants);
  if (order.platform !== "win32") return quoteCommand(line, "sh").replaceAll("$", () => String.raw`'\$'`);
  if (order.program.includes("$"))
    throw new Error(`${order.program} has a "$", which Qwen Code reads as a variable; use a path without it`);
  return `& ${quoteCommand(line, "powershell")}`;
}

/** The setting that turns all hooks off; a system file with `false` can't be outvoted [seen 0.24.4, 2026-11-27]. */
export const PINNED = { disableAllHooks: false };

/** settings.json, JSON with comments [Linux seen 0.24.4, 2026-11-27; the other systems shipped 0.24.4]. */
export const setup: Setup = defineSetup({
  identity: qwen,
  capabilities,
  tools: TOOL_NAMES,
  listConfigFiles(place): ConfigFile[] {
    const system = qwen.folders.managed(place);
    return [
      { scope: "managed" as const, path: `${system}/settings.json`, target: true as const },
      { scope: "system" as const, path: `${system}/system-defaults.json` },
      { scope: "user" as const, path: `${qwen.folders.user(place)}/settings.json`, target: true as const },
      // Those of the folders above do not count [seen 0.24.4, 2026-11-29].
      ...place.roots.map((root) => ({
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
  // By name and command [seen 0.24.4, 2026-11-27].
  isDeduplicated: true,
  layout: "groups",
  listSettings: ({ scope }) =>
    scope === "managed" ? Object.entries(PINNED).map(([key, value]) => ({ path: [key], value })) : [],
  // Names of tools that are not a list are patterns that match anywhere [shipped 0.24.4].
  planSubscriptions: (wanted) => buildSubscriptions(wanted, capabilities, TOOL_NAMES),
  timeGrants,
  buildHandler: (order) => ({
    type: "command",
    name: "bridge-hooks",
    command: buildCommand(order),
    timeout: buildTimeout(timeGrants, order),
    ...(order.platform === "win32" ? { shell: "powershell" } : { env: LOADER_RESET_VARIABLES }),
  }),
  listManualSteps: () => [
    // [seen 0.24.4, 2026-11-29]
    "a project's .env can turn off all hooks of Qwen Code: set QWEN_CODE_SAFE_MODE=0 and QWEN_CODE_SIMPLE=0 where it is started",
  ],
});
