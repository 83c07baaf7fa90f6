import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { buildUserScripts } from "../setup/pack.ts";

const NOTES = [
  "OpenClaw has no machine-wide config or plugins [seen 2026.9.6, 2026-11-22]. It loads only the config and plugins of each user.",
  "A user can remove the plugin. The installation script must run once as each user.",
  "To load the plugin in a running gateway, run `openclaw gateway restart` as that user [seen 2026.9.6, 2026-11-22].",
];

export const buildPack = (spec: PackSpec): PackFile[] =>
  buildUserScripts("openclaw", spec, {
    notes: NOTES,
    loadedSign: "`openclaw plugins inspect bridge-hooks --runtime --json` reports `loaded`",
  });
