import type { ConfigFile, Setup } from "../../protocol/host/install.ts";
import type { TimeGrants } from "../../protocol/host/time-grants.ts";
import { quoteCommand } from "../../protocol/host/quote.ts";
import { crush } from "../entries.ts";
import { buildEntryLine, defineSetup, listConfigFolders, listToolNames } from "../setup/define-setup.ts";
import { collectEntries } from "../setup/entries.ts";
import { buildTimeout } from "../setup/entry-time.ts";
import { normalizeEventName } from "./call.ts";
import { capabilities } from "./capabilities.ts";
import { TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

/**
 * If a hook times out, Crush runs the call anyway [docs https://github.com/charmbracelet/crush/tree/main/docs/hooks].
 */
const timeGrants: TimeGrants = { default_s: 30 };

/** Lists a project's config files. Crush merges the two, and the hidden one takes precedence. */
const listProjectFiles = (folder: string): ConfigFile[] => [
  { scope: "project", path: `${folder}/crush.json`, syntax: "json", target: true },
  { scope: "project", path: `${folder}/.crush.json`, syntax: "json", instead: true },
];

/**
 * Installs into crush.json, which can contain comments [docs
 * https://github.com/charmbracelet/crush/tree/main/docs/hooks].
 */
export const setup: Setup = defineSetup({
  identity: crush,
  capabilities,
  tools: listToolNames(TOOLS, UNMAPPED_TOOLS, ["mcp_.+"]),
  listConfigFiles: (machine): ConfigFile[] => [
    { scope: "user", path: `${crush.folders.user(machine)}/crush.json`, syntax: "json", target: true },
    ...listConfigFolders(crush, machine.roots).flatMap(listProjectFiles),
  ],
  parseEntries: (text) =>
    collectEntries(Bun.JSONC.parse(text), "list").map((entry) => ({
      ...entry,
      native_event: normalizeEventName(entry.native_event),
    })),
  // Crush's built-in shell works the same on every operating system.
  listDialects: () => ["sh"],
  harmlessProperties: ["name"],
  isDeduplicated: true,
  layout: "list",
  timeGrants,
  buildHandler: (spec) => ({
    command: quoteCommand(buildEntryLine("crush", spec, timeGrants), "sh"),
    timeout: buildTimeout(timeGrants, spec),
  }),
  listManualSteps: () => [
    "Crush reports only its top-level agent's calls, so subagents are not guarded; to stop Crush from starting any, disable its tools `agent` and `agentic_fetch`",
  ],
});
