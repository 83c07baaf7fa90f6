import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { buildUserScripts } from "../setup/pack.ts";

const NOTES = [
  "Cline has no folder for administrators' hooks [shipped 3.0.65]: the scripts that it runs are each user's own, or a project's. So there is nothing here that a user can't take away again, and what there is is a script that has to be run as each user.",
  "`cline --config` and `CLINE_DIR` name another folder, whose scripts then run in place of these [seen 3.0.65, 2026-11-29, on Linux].",
];

export const buildPack = (order: PackSpec): PackFile[] => buildUserScripts("cline", order, { notes: NOTES });
