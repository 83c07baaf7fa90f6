import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { buildUserScripts } from "../setup/pack.ts";

const NOTES = [
  "pi has no config and no extensions for all users of a machine [shipped 1.5.2]: what it loads is each user's own. So there is nothing here that a user can't take away again, and what there is is a script that has to be run as each user.",
  "`pi --no-extensions` loads no extension at all, this one included [seen 1.5.2, 2026-11-27]: pi has no setting that forbids it.",
];

export const buildPack = (order: PackSpec): PackFile[] =>
  buildUserScripts("pi", order, {
    notes: NOTES,
    loadedSign: "`bridge-hooks doctor --host pi`, as that user, is green",
  });
