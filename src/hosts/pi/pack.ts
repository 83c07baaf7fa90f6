import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { buildUserScripts } from "../setup/pack.ts";

const NOTES = [
  "pi has no machine-wide config or extensions [shipped 1.5.2]. It loads only the config and extensions of each user.",
  "A user can remove the extension. The installation script must run once as each user.",
  "`pi --no-extensions` loads no extensions, including this one [seen 1.5.2, 2026-11-27]. pi has no setting that forbids this option.",
];

export const buildPack = (spec: PackSpec): PackFile[] =>
  buildUserScripts("pi", spec, {
    notes: NOTES,
    loadedSign: "`bridge-hooks doctor --host pi` reports no problems when run as the user",
  });
