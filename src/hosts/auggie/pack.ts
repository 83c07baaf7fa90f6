import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { buildConfigFiles, formatJsonFile } from "../setup/pack.ts";
import { setup } from "./install.ts";

const SHIPPED = "shipped 0.36.0";

const NOTES = [
  `Auggie has never been run with this file; all facts here come from its package [${SHIPPED}].`,
  `Auggie runs hooks, including these, only for accounts with hooks enabled by the vendor [${SHIPPED}]. Ask the vendor, and run \`/hooks\` on one machine to check.`,
  `If you already ship a settings.json, add these \`hooks\` to it.`,
  `One invalid value makes Auggie ignore all entries of the same event in the file [${SHIPPED}].`,
  `If the file contains one of Cursor's events, such as \`stop\`, Auggie ignores the whole file [${SHIPPED}].`,
  `Users and projects can't remove these entries. Entries from users and projects also run [${SHIPPED}].`,
  `If a hook fails, is missing or times out, Auggie runs the call, regardless of what the entry says [${SHIPPED}].`,
  `On Windows, any user can create a directory in \`C:\\ProgramData\`. Create \`augment\` as an administrator, or check the owner if it exists [unverified].`,
];

export const buildPack = (spec: PackSpec): PackFile[] =>
  buildConfigFiles({ host: "auggie", setup }, spec, {
    file: "settings.json",
    source: SHIPPED,
    format: (hooks) => formatJsonFile({ hooks }),
    loadedSign: `\`/hooks\` in auggie lists the entries [${SHIPPED}]`,
    undo: "delete the file, or remove these entries from your own file",
    notes: NOTES,
  });
