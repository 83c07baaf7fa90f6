import type { ConfigFile, MachineContext, Setup, EventRequirements } from "../../protocol/host/install.ts";
import type { TimeGrants } from "../../protocol/host/time-grants.ts";
import { quoteCommand } from "../../protocol/host/quote.ts";
import { findMainTree, findProject } from "../../system/project.ts";
import { claude } from "../entries.ts";
import { isSameFile } from "../follow-links.ts";
import { defineSetup, listFolder, listToolNames } from "../setup/define-setup.ts";
import { buildEntryArguments, buildSubscriptions, collectEntries } from "../setup/entries.ts";
import { buildTimeout } from "../setup/entry-time.ts";
import { capabilities } from "./capabilities.ts";
import { listPluginFiles } from "./installed-plugins.ts";
import { TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

/** MCP tools are named `mcp__<server>__<tool>`. */
const TOOL_NAMES = listToolNames(TOOLS, UNMAPPED_TOOLS, ["mcp__.*"]);

/** Our file in the managed drop-in directory; it contains only our settings. */
export const DROP_IN = "50-bridge-hooks.json";

/**
 * Lists the local settings files at the root of the main working tree. These settings also apply in subdirectories and
 * in linked working trees [seen 2.1.330, 2026-11-28; not 2.1.197].
 */
function listRepositoryFiles(root: string) {
  const project = findProject(root, claude.project.configFolders);
  const topFolder = findMainTree(project) ?? project.worktree;
  return topFolder === undefined || isSameFile(topFolder, root)
    ? []
    : [{ scope: "local" as const, path: `${topFolder}/.claude/settings.local.json` }];
}

/** Lists settings files that can contain hooks. */
function listSettingsFiles(machine: MachineContext): ConfigFile[] {
  const managed = claude.folders.managed(machine);
  return [
    ...listFolder(`${managed}/managed-settings.d`)
      .filter((name) => /^[^.].*\.json$/.test(name) && name !== DROP_IN)
      .map((name) => ({ scope: "managed" as const, path: `${managed}/managed-settings.d/${name}` })),
    { scope: "managed" as const, path: `${managed}/managed-settings.d/${DROP_IN}`, target: true as const },
    { scope: "managed" as const, path: `${managed}/managed-settings.json` },
    { scope: "user" as const, path: `${claude.folders.user(machine)}/settings.json`, target: true as const },
    ...machine.roots.flatMap((root) => [
      { scope: "project" as const, path: `${root}/.claude/settings.json`, target: true as const },
      { scope: "local" as const, path: `${root}/.claude/settings.local.json`, target: true as const },
      ...listRepositoryFiles(root),
    ]),
  ].map((file) => ({ ...file, syntax: "json" as const }));
}

/**
 * Time limits by event. An entry's `timeout` overrides the default. On SessionEnd, Claude Code waits at most 60 seconds
 * [docs https://code.claude.com/docs/en/hooks].
 */
const timeGrants: TimeGrants = {
  default_s: 600,
  events: {
    UserPromptSubmit: { default_s: 30 },
    MessageDisplay: { default_s: 10 },
    SessionEnd: { default_s: 1.5, max_s: 60 },
  },
};

/** Whether any hook handles shell commands in skills and slash commands, which have their own event [from 2.1.332]. */
const handlesSkillCommands = (wantedEvents: readonly EventRequirements[] | "all") =>
  wantedEvents === "all" ||
  wantedEvents.some(({ event, tools }) => event === "PreToolUse" && (tools?.includes("Bash") ?? true));

/**
 * Installs into the settings files that can contain hooks [docs https://code.claude.com/docs/en/settings; user, project
 * and managed seen 2.1.330].
 */
export const setup: Setup = defineSetup({
  identity: claude,
  capabilities,
  // Native tool names [seen 2.1.330, 2026-11-22; docs https://code.claude.com/docs/en/hooks].
  tools: TOOL_NAMES,
  listConfigFiles(machine): ConfigFile[] {
    const settings = listSettingsFiles(machine);
    return [...settings, ...listPluginFiles(machine, settings)];
  },
  parseEntries: (text) => collectEntries(Bun.JSONC.parse(text), "groups"),
  listDialects: (platform) => (platform === "win32" ? ["sh", "powershell"] : ["sh"]),
  harmlessProperties: ["statusMessage"],
  // The values that each event's matcher is tested against [docs https://code.claude.com/docs/en/hooks].
  matchedNames: {
    SessionStart: ["startup", "resume", "clear", "compact"],
    PreCompact: ["manual", "auto"],
    UserPromptSubmit: [],
    Stop: [],
  },
  // Blocks hooks in user, project and local settings [seen 2.1.197 and 2.1.330, 2026-11-22].
  isDeduplicated: true,
  layout: "groups",
  forbiddenEvents: {
    WorktreeCreate: "Claude Code requires a path from an entry for this event and doesn't start without one",
    FileChanged: "an entry for this event must name the file to watch as its matcher",
  },
  planSubscriptions: (wantedEvents) =>
    buildSubscriptions(wantedEvents, capabilities, TOOL_NAMES)
      .filter(({ native_event }) => !(native_event in setup.forbiddenEvents))
      .filter(({ native_event }) => native_event !== "PreSkillShellCommand" || handlesSkillCommands(wantedEvents))
      // Every group for these events needs a matcher. If one is missing, Cursor ignores the whole file, including hooks
      // that aren't ours [seen @cursor/sdk 1.0.22, 2026-11-22].
      .map((subscription) =>
        subscription.native_event === "PreToolUse" || subscription.native_event === "PostToolUse"
          ? { matcher: "*", ...subscription }
          : subscription,
      ),
  timeGrants,
  buildHandler(spec) {
    const { program, on_error, platform, scope } = spec;
    const args = buildEntryArguments("claude", spec, timeGrants);
    // Start the program without a shell where every host that reads the file supports `args`. Cursor doesn't, and it
    // reads all these files except the managed ones [seen @cursor/sdk 1.0.32, 2026-11-21]. On Windows, use `args`
    // anyway: the shell is either Git Bash or PowerShell, and no command line works the same in both.
    const startsDirectly = scope === "managed" || platform === "win32";
    return {
      type: "command",
      ...(startsDirectly ? { command: program, args } : { command: quoteCommand([program, ...args], "sh") }),
      timeout: buildTimeout(timeGrants, spec),
      // Since 2.1.295, a failing hook with this key blocks the call [shipped; seen 2.1.330]. 2.1.197 accepts the key
      // but runs the call [seen 2026-11-22].
      ...(on_error === "deny" && { onFailure: "block" }),
    };
  },
});
