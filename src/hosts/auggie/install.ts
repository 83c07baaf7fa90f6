import type { ConfigFile, EntrySpec, Setup, TimeGrants } from "../../protocol/host/install.ts";
import { auggie } from "../entries.ts";
import { defineSetup, listConfigFolders, listToolNames } from "../setup/define-setup.ts";
import { buildEntryArguments, collectEntries } from "../setup/entries.ts";
import { buildTimeout } from "../setup/entry-time.ts";
import { capabilities } from "./capabilities.ts";
import { SUBAGENT, TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

/** When the time is up, the call passes [shipped 0.36.0]. */
const timeGrants: TimeGrants = { default_s: 60, unit: "ms" };

/** Auggie starts the program without a shell where there are arguments, and expands `${NAME}` in each of them. */
function buildHandler(order: EntrySpec) {
  if (order.program.includes("${") || order.program.startsWith("~"))
    throw new Error(`${order.program} has a "\${" or a "~", which Auggie expands; use a path without it`);
  return {
    type: "command",
    command: order.program,
    args: buildEntryArguments("auggie", order, timeGrants),
    timeout: buildTimeout(timeGrants, order),
  };
}

const createFile = (scope: ConfigFile["scope"], path: string): ConfigFile => ({
  scope,
  path,
  syntax: "json",
  target: true,
});

/** settings.json, in JSON5 [shipped 0.36.0]. */
export const setup: Setup = defineSetup({
  identity: auggie,
  capabilities,
  // A server's tool is called <tool>_<server>, and only patterns that begin with "mcp:" match it [shipped 0.36.0].
  tools: {
    ...listToolNames(TOOLS, UNMAPPED_TOOLS, ["mcp:.+"]),
    Task: [SUBAGENT, `${SUBAGENT}-.+`],
  },
  listConfigFiles: (place): ConfigFile[] => [
    createFile("managed", `${auggie.folders.managed(place)}/settings.json`),
    createFile("user", `${auggie.folders.user(place)}/settings.json`),
    ...listConfigFolders(auggie, place.roots).flatMap((folder) => [
      createFile("project", `${folder}/.augment/settings.json`),
      createFile("local", `${folder}/.augment/settings.local.json`),
    ]),
  ],
  parseEntries: (text) => collectEntries(Bun.JSON5.parse(text), "groups"),
  listDialects: (platform) => [platform === "win32" ? "cmd" : "sh"],
  // By matcher, command and arguments [shipped 0.36.0].
  isDeduplicated: true,
  layout: "groups",
  // With it Auggie names the server and the tool of an MCP call, which are one name otherwise [shipped 0.36.0].
  groupProperties: { metadata: { includeMCPMetadata: true } },
  timeGrants,
  buildHandler,
  listManualSteps: () => [
    "Auggie runs hooks only for accounts that have them: /hooks in auggie lists the entries if yours does",
  ],
});
