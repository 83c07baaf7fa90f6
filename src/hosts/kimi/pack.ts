import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { buildUserScripts } from "../setup/pack.ts";

const NOTES = [
  "Kimi Code has no config for all users of a machine [seen 2.1.0, 2026-11-27]: its hooks are in each user's own `~/.kimi-code/config.toml`, beside their providers. So there is nothing here that a user can't take away again, and what there is is a script that has to be run as each user.",
];

/** Builds scripts that each user runs, because Kimi Code has no managed config. */
export const buildPack = (order: PackSpec): PackFile[] =>
  buildUserScripts("kimi", order, {
    loadedSign: "`kimi doctor config` says `OK`, and `bridge-hooks doctor --host kimi` that a denial holds",
    notes: NOTES,
  });
