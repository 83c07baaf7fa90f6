import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { buildConfigFiles, formatJsonFile } from "../setup/pack.ts";
import { setup } from "./install.ts";

const SHIPPED = "shipped 0.215.0";
const SEEN = "seen 0.215.0, 2026-11-29, on Linux";

const NOTES = [
  `\`allowManagedHooksOnly\` blocks hooks of users and projects [${SEEN}], including hooks of their plugins [${SHIPPED}]. Remove this key if users and projects may have their own hooks.`,
  `If you remove \`allowManagedHooksOnly\`, keep \`hooks.hooksDisabled\` set to \`false\`. Without both keys, a \`.factory/hooks.json\` with \`"hooksDisabled": true\` in any project disables these hooks [${SEEN}].`,
  `A machine with this file gets no settings from the organization's console or from \`FACTORY_ORG_MANAGED_SETTINGS_LOCAL_PATH\` [${SHIPPED}]. If you use one of these sources, add the hooks there instead.`,
  `If you already ship this file, add \`hooks\` and \`allowManagedHooksOnly\` to it.`,
  `One invalid value in \`hooks\`, such as \`"timeout": "5"\`, \`null\` or a type other than \`command\`, silently disables all hooks [${SEEN}]. \`bridge-hooks doctor\` reports such values.`,
  `If a hook fails, is missing or times out, Droid runs the call, regardless of what the entry says [${SEEN}].`,
  `In a terminal, no hooks run before the user trusts the folder [${SHIPPED}].`,
];

/** Builds the managed settings file, which is supported on every operating system. */
export const buildPack = (spec: PackSpec): PackFile[] =>
  buildConfigFiles({ host: "droid", setup }, spec, {
    file: "settings.json",
    source: SHIPPED,
    format: (hooks) => formatJsonFile({ allowManagedHooksOnly: true, hooks: { hooksDisabled: false, ...hooks } }),
    loadedSign: "`/hooks` in Droid lists the entries [unverified]",
    undo: "delete the file, or remove these entries from your own file",
    notes: NOTES,
  });
