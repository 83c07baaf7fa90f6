import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { buildUserScripts } from "../setup/pack.ts";

const NOTES = [
  "Kimi Code has no machine-wide config [seen 2.1.0, 2026-11-27]. Its hooks are in each user's `~/.kimi-code/config.toml`.",
  "A user can remove the hooks. The installation script must run once as each user.",
];

/** Builds scripts for each user to run, because Kimi Code has no managed config. */
export const buildPack = (spec: PackSpec): PackFile[] =>
  buildUserScripts("kimi", spec, {
    loadedSign:
      "`kimi doctor config` prints `OK`, and `bridge-hooks doctor --host kimi` reports that a denial takes effect",
    notes: NOTES,
  });
