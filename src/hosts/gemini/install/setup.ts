import { quote } from "../../../protocol/host/quote.ts";
import type { ConfigFile, EntryOrder, Setup, ToolNames } from "../../../protocol/host/install.ts";
import { argumentsOf, commandsOf, subscriptionsOf, TIMEOUT_S, toolNames } from "../../setup.ts";
import { capabilities } from "../capabilities.ts";
import { gemini } from "../../entries.ts";
import { OTHERS, TOOLS } from "../tools.ts";

/** MCP tools are `mcp_<server>_<tool>` in 0.61.0, and had other names before [unverified]: they are told without a matcher. */
const TOOL_NAMES: ToolNames = toolNames(TOOLS);

/** Its patterns fit anywhere in a name, unlike other hosts' lists [shipped 0.61.0]. */
const whole = (matcher: string) => (matcher.startsWith("^") ? matcher : `^(${matcher})$`);

/** By which disabling an entry names it, and people see it. */
const NAME = "bridge-hooks";

/**
 * Variables by which a trusted project's .env would have the hook's bash load code, do nothing, or print: an entry's own win.
 * With a SHLVL below it, bash takes the socket that Gemini CLI gives it for a network login, and runs ~/.bashrc
 * [seen 0.61.0, 2026-11-22].
 */
export const SAFE: Readonly<Record<string, string>> = {
  BASH_ENV: "",
  SHELLOPTS: "",
  LD_PRELOAD: "",
  LD_AUDIT: "",
  LD_LIBRARY_PATH: "",
  DYLD_INSERT_LIBRARIES: "",
  SHLVL: "1",
};

/** Gemini CLI fills variables into its settings, between quotes too [shipped 0.61.0]: no "$" stands in front of a name here. */
function commandOf(order: EntryOrder): string {
  // A denial by the document alone: with exit code 2 the user reads that the hook "failed", and with SAFE no shell prints before it.
  const line = [
    order.program,
    ...argumentsOf("gemini", { ...order, more: ["--gemini-deny", "json", ...(order.more ?? [])] }),
  ];
  if (order.platform !== "win32") return quote(line, "sh").replaceAll("$", () => String.raw`'\$'`);
  if (order.program.includes("$"))
    throw new Error(`${order.program} has a "$", which Gemini CLI reads as a variable; use a path without it`);
  return `& ${quote(line, "powershell")}`;
}

/** settings.json, JSON with comments [user, project and Linux's system file seen 0.61.0; the other systems' shipped 0.61.0]. */
export const setup: Setup = {
  // Others [seen 0.61.0, 2026-11-22]; a server's tool is mcp_<server>_<tool>.
  tools: { ...TOOL_NAMES, MCP: ["mcp_.*"], Other: OTHERS },
  traces: (place) => [gemini.folders.user(place)],
  configs(place): ConfigFile[] {
    const system = gemini.folders.managed(place);
    return [
      { scope: "managed" as const, path: `${system}/settings.json`, target: true as const },
      { scope: "system" as const, path: `${system}/system-defaults.json` },
      { scope: "user" as const, path: `${gemini.folders.user(place)}/settings.json`, target: true as const },
      ...place.roots.map((root) => ({
        scope: "project" as const,
        path: `${root}/.gemini/settings.json`,
        target: true as const,
      })),
    ].map((file) => ({ ...file, syntax: "json" as const }));
  },
  entries: (text) => commandsOf(Bun.JSONC.parse(text), "groups").filter(({ handler }) => handler.type === "command"),
  dialects: (platform) => [platform === "win32" ? "powershell" : "sh"],
  harmless: ["description"],
  // By name and command [seen 0.61.0, 2026-11-22].
  once: true,
  layout: "groups",
  // The system's settings win: no project and no user can turn all hooks off then [seen 0.61.0, 2026-11-22].
  settings: ({ scope }) => (scope === "managed" ? [{ path: ["hooksConfig", "enabled"], value: true }] : []),
  subscriptions: (wanted) =>
    subscriptionsOf(wanted, capabilities, TOOL_NAMES).map(({ native_event, matcher }) => ({
      native_event,
      ...(matcher && { matcher: whole(matcher) }),
    })),
  never: {},
  handler: (order) => ({
    name: NAME,
    type: "command",
    command: commandOf(order),
    // Milliseconds.
    timeout: TIMEOUT_S * 1000,
    ...(order.platform !== "win32" && { env: SAFE }),
  }),
  by_hand: (scope) => [
    "Gemini CLI runs no hook, whoever configured it, in a folder that you do not trust: start gemini there and trust it",
    // [seen 0.61.0, 2026-11-22]
    ...(scope === "project"
      ? ["when it first runs a project's hooks it names them in a warning; nothing has to be done then"]
      : []),
  ],
};
