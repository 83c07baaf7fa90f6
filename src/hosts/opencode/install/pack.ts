import type { PackFile, PackOrder } from "../../../protocol/host/install.ts";
import { asFile, CARRIERS, hooksDocument, managedPath, PLATFORM, SYSTEMS, type System } from "../../pack.ts";
import { capabilities } from "../capabilities.ts";
import { opencode } from "../../entries.ts";
import { MODULE, pluginUrl, setup } from "./setup.ts";

const SEEN = "seen 1.18.33, 2026-11-22";

const NOTES = [
  `Ship both files: OpenCode loads nothing from this folder that its \`opencode.json\` there does not name [${SEEN}].`,
  `If you already have an \`opencode.json\` there, add the entry of \`plugin\` to yours instead. A user's or a project's own \`plugin\` list adds to it, and takes nothing away [${SEEN}].`,
  `\`opencode --pure\` and OPENCODE_PURE load no plugin at all, this one included [${SEEN}]: OpenCode has no setting that forbids them.`,
  `On a Mac OpenCode also reads the preference domain \`${opencode.preferences.domain}\` [shipped 1.18.33]; a profile can't bring the plugin's own file, so none is made here.`,
];

function filesFor(order: PackOrder, system: System): PackFile[] {
  const place = { platform: PLATFORM[system], env: {} };
  const folder = opencode.folders.managed(place);
  const entries = asFile({ hooks: hooksDocument(setup, capabilities, order, system) }).trimEnd();
  const common = { notes: NOTES, os: [system], by: CARRIERS[system] };
  return [
    {
      path: `opencode/${system}/plugins/bridge-hooks.js`,
      text: MODULE.before + entries + MODULE.after,
      goes: `to \`${managedPath(setup, system)}\``,
      undo: "delete it, and its entry in `opencode.json`",
      ...common,
    },
    {
      path: `opencode/${system}/opencode.json`,
      text: asFile({ $schema: "https://opencode.ai/config.json", plugin: [pluginUrl(place)] }),
      goes: `to \`${system === "windows" ? `${folder}/opencode.json`.replaceAll("/", "\\") : `${folder}/opencode.json`}\` [${SEEN}, on Linux]`,
      shown: "`opencode debug config` lists the plugin [unverified]",
      undo: "delete it, or take the entry out of yours",
      ...common,
    },
  ];
}

export const pack = (order: PackOrder): PackFile[] => SYSTEMS.flatMap((system) => filesFor(order, system));
