import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { opencode } from "../entries.ts";
import {
  buildHooksDocument,
  FILE_CARRIERS,
  findManagedPath,
  formatJsonFile,
  NODE_PLATFORMS,
  PACK_SYSTEMS,
  type PackSystem,
} from "../setup/pack.ts";
import { getPluginUrl, PLUGIN_MODULE, setup } from "./install.ts";

const SEEN = "seen 1.18.33, 2026-11-22";

const NOTES = [
  `Ship both files. From this directory, OpenCode loads only files that the \`opencode.json\` there names [${SEEN}].`,
  `If you already have an \`opencode.json\` there, add the \`plugin\` entry to it instead.`,
  `A user's or project's own \`plugin\` list is added to the managed list and can't remove anything [${SEEN}].`,
  `\`opencode --pure\` and OPENCODE_PURE disable all plugins, including this one [${SEEN}]. OpenCode has no setting that forbids this.`,
  `On a Mac, OpenCode also reads the preference domain \`${opencode.preferences.domain}\` [shipped 1.18.33]. The pack has no profile, because a profile can't deliver the plugin's file.`,
];

function listSystemFiles(spec: PackSpec, system: PackSystem): PackFile[] {
  const machine = { platform: NODE_PLATFORMS[system], env: {} };
  const path = `${opencode.folders.managed(machine)}/opencode.json`;
  const target = system === "windows" ? path.replaceAll("/", "\\") : path;
  const entries = formatJsonFile({ hooks: buildHooksDocument(setup, spec, system) }).trimEnd();
  const common = { notes: NOTES, os: [system], by: FILE_CARRIERS[system] };
  return [
    {
      path: `opencode/${system}/plugins/bridge-hooks.js`,
      text: PLUGIN_MODULE.write(entries),
      target: findManagedPath(setup, system),
      deployment: `to \`${findManagedPath(setup, system)}\``,
      undo: "delete the file and its entry in `opencode.json`",
      ...common,
    },
    {
      path: `opencode/${system}/opencode.json`,
      text: formatJsonFile({ $schema: "https://opencode.ai/config.json", plugin: [getPluginUrl(machine)] }),
      target,
      deployment: `to \`${target}\` [${SEEN}, on Linux]`,
      loadedSign: "`opencode debug config` lists the plugin [unverified]",
      undo: "delete the file, or remove the entry from your own file",
      ...common,
    },
  ];
}

export const buildPack = (spec: PackSpec): PackFile[] =>
  PACK_SYSTEMS.flatMap((system) => listSystemFiles(spec, system));
