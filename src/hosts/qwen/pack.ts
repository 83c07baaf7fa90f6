import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { buildConfigFiles, formatJsonFile } from "../setup/pack.ts";
import { PINNED, setup } from "./install.ts";

const SHIPPED = "shipped 0.24.4";
const SEEN = "seen 0.24.4, 2026-11-29, on Linux";

const NOTES = [
  `There is one such file: if you already ship one, put \`hooks\` and \`disableAllHooks\` into it. It has to parse: Qwen Code does not start with one that does not [${SHIPPED}].`,
  `\`disableAllHooks\` has to stay: with it no project and no user can turn all hooks off by that setting [seen 0.24.4, 2026-11-27].`,
  `Set \`QWEN_CODE_SAFE_MODE=0\` and \`QWEN_CODE_SIMPLE=0\` for everybody, in \`/etc/environment\` or by policy: a project's \`.env\`, \`.qwen/.env\` or \`.qwen/settings.json\` can set them to 1, and then no hook runs, a managed one neither; a variable that is set already stays [${SEEN}].`,
  `It is not a lock against the user: \`qwen --bare\`, \`qwen --safe-mode\`, and \`QWEN_CODE_SYSTEM_SETTINGS_PATH\`, which names another file, leave the entries out [seen 0.24.4, 2026-11-27].`,
  `A hook that fails, is missing or takes too long lets the call go on, whatever the entry says [seen 0.24.4, 2026-11-27].`,
];

export const buildPack = (order: PackSpec): PackFile[] =>
  buildConfigFiles({ host: "qwen", setup }, order, {
    file: "settings.json",
    source: SHIPPED,
    format: (hooks) => formatJsonFile({ ...PINNED, hooks }),
    loadedSign: "`/hooks list` in Qwen Code lists the entries [unverified]",
    undo: "delete it, or take its entries out of yours",
    notes: NOTES,
  });
