import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { buildUserScripts } from "../setup/pack.ts";

const NOTES = [
  "OpenClaw has no config and no plugins for all users of a machine [seen 2026.9.6, 2026-11-22]: what it loads is each user's own. So there is nothing here that a user can't take away again, and what there is is a script that has to be run as each user.",
  `A gateway that runs already has to load the plugin: \`openclaw gateway restart\`, as that user [seen 2026.9.6, 2026-11-22].`,
];

export const buildPack = (order: PackSpec): PackFile[] =>
  buildUserScripts("openclaw", order, {
    notes: NOTES,
    loadedSign: "`openclaw plugins inspect bridge-hooks --runtime --json` says `loaded`",
  });
