import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { buildConfigFiles, formatJsonFile } from "../setup/pack.ts";
import { PINNED_SETTINGS, setup } from "./install.ts";

const SHIPPED = "shipped 0.24.4";
const SEEN = "seen 0.24.4, 2026-11-29, on Linux";

const NOTES = [
  `There is only one such file. If you already ship one, add \`hooks\` and \`disableAllHooks\` to it. If the file is invalid, Qwen Code does not start [${SHIPPED}].`,
  `Keep \`disableAllHooks\`. With this key, neither a project nor a user can disable all hooks with that setting [seen 0.24.4, 2026-11-27].`,
  `Set \`QWEN_CODE_SAFE_MODE=0\` and \`QWEN_CODE_SIMPLE=0\` for everyone, in \`/etc/environment\` or by policy. Qwen Code keeps a variable that is already set [${SEEN}].`,
  `Without these variables, a project's \`.env\`, \`.qwen/.env\` or \`.qwen/settings.json\` can set one of them to 1, after which no hooks run, not even managed ones [${SEEN}].`,
  `A user can still bypass the entries with \`qwen --bare\`, with \`qwen --safe-mode\`, or with \`QWEN_CODE_SYSTEM_SETTINGS_PATH\`, which names another file [seen 0.24.4, 2026-11-27].`,
  `If a hook fails, is missing or times out, Qwen Code runs the call, regardless of what the entry says [seen 0.24.4, 2026-11-27].`,
];

export const buildPack = (spec: PackSpec): PackFile[] =>
  buildConfigFiles({ host: "qwen", setup }, spec, {
    file: "settings.json",
    source: SHIPPED,
    format: (hooks) => formatJsonFile({ ...PINNED_SETTINGS, hooks }),
    loadedSign: "`/hooks list` in Qwen Code lists the entries [unverified]",
    undo: "delete the file, or remove these entries from your own file",
    notes: NOTES,
  });
