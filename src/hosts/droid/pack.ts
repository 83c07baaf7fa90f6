import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { buildConfigFiles, formatJsonFile } from "../setup/pack.ts";
import { setup } from "./install.ts";

const SHIPPED = "shipped 0.215.0";
const SEEN = "seen 0.215.0, 2026-11-29, on Linux";

const NOTES = [
  `\`allowManagedHooksOnly\` keeps people's and projects' hooks from running [${SEEN}], plugins of theirs too [${SHIPPED}]; take it out if they may have their own.`,
  `\`hooks.hooksDisabled\` has to stay \`false\` then: without both, a \`.factory/hooks.json\` with \`"hooksDisabled": true\` in any project turns these hooks off [${SEEN}].`,
  `A machine with this file gets no settings from the organisation's console or from \`FACTORY_ORG_MANAGED_SETTINGS_LOCAL_PATH\` [${SHIPPED}]: put the hooks there instead if you use one. If you already ship this file, put \`hooks\` and \`allowManagedHooksOnly\` into it.`,
  `One wrong value in \`hooks\` silently drops all of them: \`"timeout": "5"\`, a \`null\`, a type other than \`command\` [${SEEN}]; \`bridge-hooks doctor\` finds it.`,
  `A hook that fails, is missing or takes too long lets the call go on, whatever the entry says [${SEEN}]. In a terminal no hook runs before the person trusts the folder [${SHIPPED}].`,
];

/** Builds the managed settings file, which every system has. */
export const buildPack = (order: PackSpec): PackFile[] =>
  buildConfigFiles({ host: "droid", setup }, order, {
    file: "settings.json",
    source: SHIPPED,
    format: (hooks) => formatJsonFile({ allowManagedHooksOnly: true, hooks: { hooksDisabled: false, ...hooks } }),
    loadedSign: "`/hooks` in Droid lists the entries [unverified]",
    undo: "delete it, or take its entries out of yours",
    notes: NOTES,
  });
