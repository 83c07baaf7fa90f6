import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { quote } from "../../../protocol/host/quote.ts";
import type { ConfigEntry, ConfigFile, Setup } from "../../../protocol/host/install.ts";
import { argumentsOf, commandsOf, subscriptionsOf, TIMEOUT_S, toolNames } from "../../setup.ts";
import { ALIASES, capabilities } from "../capabilities.ts";
import { copilot } from "../../entries.ts";
import { OTHERS, TOOLS } from "../tools.ts";
import { isObject } from "../../../protocol/object.ts";

/** The file that `install` writes; all files of the folder are read. */
const OWN = "bridge-hooks.json";

/** Settings hold other things as well as hooks, and other rules for what a host can read; see flaws.ts. */
export const isSettings = (file: string) => /^settings(\.local)?\.json$/.test(basename(file.replaceAll("\\", "/")));

/** The hook files of a folder, ours first, and of the folders in it, but for the policy's [seen 1.0.102, 2026-11-22]. */
function filesIn(scope: ConfigFile["scope"], folder: string): ConfigFile[] {
  const others = (() => {
    try {
      return readdirSync(folder, { recursive: scope !== "managed", encoding: "utf8" });
    } catch {
      return [];
    }
  })();
  const names = others.filter((name) => name.endsWith(".json") && name !== OWN).sort();
  return [
    { scope, path: `${folder}/${OWN}`, syntax: "json", target: true },
    ...names.map((name) => ({ scope, path: `${folder}/${name.replaceAll("\\", "/")}`, syntax: "json" as const })),
  ];
}

const isWindows = process.platform === "win32";

/** The line of the system's own shell comes before the one for every system [seen 1.0.102, 2026-11-22, with bash]. */
function withCommand(element: unknown): unknown {
  if (!isObject(element)) return element;
  const line = isWindows ? element.powershell : element.bash;
  return typeof line === "string" ? { ...element, command: line } : element;
}

/** Entries stand in a list, or in Claude Code's groups. */
function entriesOf(document: unknown): ConfigEntry[] {
  const hooks = isObject(document) && isObject(document.hooks) ? document.hooks : {};
  const named = Object.entries(hooks).map(([event, list]) => [
    event,
    Array.isArray(list) ? list.map(withCommand) : list,
  ]);
  return [...commandsOf({ hooks: Object.fromEntries(named) }, "list"), ...commandsOf(document, "groups")];
}

/** PowerShell takes a quoted path for a text: what starts with one goes through cmd.exe [unverified]. */
const onWindows = (line: readonly string[]) => {
  const command = quote(line, "cmd");
  return command.startsWith('"') ? `cmd /d /c ${command}` : command;
};

/** The names of the CLI and the cloud agent: VS Code takes them too [docs https://code.visualstudio.com/docs/agents/reference/hooks-reference]. */
const OWN_NAMES = Object.fromEntries(
  Object.entries(capabilities).filter(([native_event]) => !Object.hasOwn(ALIASES, native_event)),
);

/** Hook files and settings [user, project, local and policy seen 1.0.102, 2026-11-22]. */
export const setup: Setup = {
  // A server's tool is <server>-<tool>, in an approval <server>/<tool> [seen 1.0.102, 2026-11-22].
  tools: { ...toolNames(TOOLS), MCP: [".+[-/].+", "mcp_.*"], Other: OTHERS },
  traces: (place) => [copilot.folders.user(place)],
  configs: (place): ConfigFile[] => [
    ...filesIn("managed", `${copilot.folders.managed(place)}/policy.d`),
    ...filesIn("user", `${copilot.folders.user(place)}/hooks`),
    { scope: "user", path: `${copilot.folders.user(place)}/settings.json`, syntax: "json" },
    ...place.roots.flatMap((root): ConfigFile[] => [
      ...filesIn("project", `${root}/.github/hooks`),
      { scope: "project", path: `${root}/.github/copilot/settings.json`, syntax: "json" },
      { scope: "local", path: `${root}/.github/copilot/settings.local.json`, syntax: "json", target: true },
    ]),
  ],
  // The project's alone, where the folder is trusted [seen 1.0.102, 2026-11-22].
  imports: ({ roots }) =>
    roots.flatMap((root) => [`${root}/.claude/settings.json`, `${root}/.claude/settings.local.json`]),
  entries: (text, file) => entriesOf(isSettings(file) ? Bun.JSONC.parse(text) : JSON.parse(text)),
  dialects: (platform) => (platform === "win32" ? ["cmd", "powershell"] : ["sh"]),
  harmless: [],
  layout: "list",
  // It may be missing, but is documented [seen 1.0.102, 2026-11-22].
  settings: ({ scope }) => (scope === "local" ? [] : [{ path: ["version"], value: 1, any: true }]),
  never: {},
  // Others it reads [seen 1.0.102, 2026-11-22].
  refuses_links: ({ scope }) =>
    scope === "managed" ? "Copilot does not read a policy file that is a link" : undefined,
  // No matchers: the one spelling of a name that fits in camelCase (bash) is not the one that the same call has in Claude Code's
  // files (Bash) [seen 1.0.102, 2026-11-22], and VS Code has names of its own.
  subscriptions: (wanted) => subscriptionsOf(wanted, OWN_NAMES),
  handler(order) {
    const line = [order.program, ...argumentsOf("copilot", order)];
    // `command` for every system; when the time is up, the call goes on [seen 1.0.102, 2026-11-21].
    return {
      type: "command",
      command: order.platform === "win32" ? onWindows(line) : quote(line, "sh"),
      timeout: TIMEOUT_S,
    };
  },
  by_hand: (scope) =>
    scope === "project" || scope === "local"
      ? [
          "Copilot runs a project's hooks only in a folder that you trust: copilot asks when it starts there; for copilot -p add --trust-folder, or set GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS=true",
        ]
      : [],
};
