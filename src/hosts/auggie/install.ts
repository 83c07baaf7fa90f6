import type { ConfigFile, EntrySpec, Setup } from "../../protocol/host/install.ts";
import type { TimeGrants } from "../../protocol/host/time-grants.ts";
import { auggie } from "../entries.ts";
import { defineSetup, listConfigFolders, listToolNames } from "../setup/define-setup.ts";
import { buildEntryArguments, collectEntries } from "../setup/entries.ts";
import { buildTimeout } from "../setup/entry-time.ts";
import { capabilities } from "./capabilities.ts";
import { SUBAGENT_TOOL, TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

/** If a hook times out, Auggie runs the call anyway [shipped 0.36.0]. */
const timeGrants: TimeGrants = { default_s: 60, unit: "ms" };

/**
 * Builds an entry's handler. If a handler has `args`, Auggie starts the program without a shell and expands `${NAME}`
 * in each argument.
 */
function buildHandler(spec: EntrySpec) {
  if (spec.program.includes("${") || spec.program.startsWith("~"))
    throw new Error(`${spec.program} contains "\${" or starts with "~", which Auggie expands; use another path`);
  return {
    type: "command",
    command: spec.program,
    args: buildEntryArguments("auggie", spec, timeGrants),
    timeout: buildTimeout(timeGrants, spec),
  };
}

const createFile = (scope: ConfigFile["scope"], path: string): ConfigFile => ({
  scope,
  path,
  syntax: "json",
  target: true,
});

/** Installs the entries into settings.json, which Auggie parses as JSON5 [shipped 0.36.0]. */
export const setup: Setup = defineSetup({
  identity: auggie,
  capabilities,
  // MCP tools are named <tool>_<server>. Only patterns that start with "mcp:" match these names [shipped 0.36.0].
  tools: {
    ...listToolNames(TOOLS, UNMAPPED_TOOLS, ["mcp:.+"]),
    Task: [SUBAGENT_TOOL, `${SUBAGENT_TOOL}-.+`],
  },
  listConfigFiles: (machine): ConfigFile[] => [
    createFile("managed", `${auggie.folders.managed(machine)}/settings.json`),
    createFile("user", `${auggie.folders.user(machine)}/settings.json`),
    ...listConfigFolders(auggie, machine.roots).flatMap((folder) => [
      createFile("project", `${folder}/.augment/settings.json`),
      createFile("local", `${folder}/.augment/settings.local.json`),
    ]),
  ],
  parseEntries: (text) => collectEntries(Bun.JSON5.parse(text), "groups"),
  listDialects: (platform) => [platform === "win32" ? "cmd" : "sh"],
  // Auggie runs entries with the same matcher, command and arguments only once [shipped 0.36.0].
  isDeduplicated: true,
  layout: "groups",
  // Makes Auggie send the server and tool names of an MCP call separately [shipped 0.36.0].
  groupProperties: { metadata: { includeMCPMetadata: true } },
  timeGrants,
  buildHandler,
  listManualSteps: () => [
    "Auggie runs hooks only for accounts with hooks enabled; run /hooks in auggie and check that it lists the entries",
  ],
});
