import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { buildUserScripts } from "../setup/pack.ts";

const NOTES = [
  "Cline has no hooks directory for administrators [shipped 3.0.65]. It runs only the scripts of users and projects.",
  "A user can remove these scripts. The installation script must run once as each user.",
  "`cline --config` and `CLINE_DIR` select another directory, whose scripts then run instead of these [seen 3.0.65, 2026-11-29, on Linux].",
];

export const buildPack = (spec: PackSpec): PackFile[] => buildUserScripts("cline", spec, { notes: NOTES });
