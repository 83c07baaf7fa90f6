import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { buildConfigFiles, formatJsonFile } from "../setup/pack.ts";
import { setup } from "./install.ts";

const DOCS = "docs https://cursor.com/docs/hooks.md";

const NOTES = [
  `Cursor has no preference domain and no registry value for hooks: a file is the only way that its own settings have, besides the dashboard of its Enterprise plan [${DOCS}].`,
  `There is one enterprise file: if you already ship one, put these entries into its lists. It has to parse and to say its version: Cursor drops a broken file whole, without a word [seen @cursor/sdk 1.0.32, 2026-11-21].`,
  `Cursor has to be 2.4 or newer [docs https://cursor.com/changelog/2-4]: an older release does not know preToolUse, and drops the file for it [seen with a made-up event @cursor/sdk 1.0.22 and 1.0.32, 2026-11-22].`,
  `The entries run beside those of project and user [seen @cursor/sdk 1.0.22 and 1.0.32, 2026-11-22]. Whether every Cursor on a machine (editor, command line) reads the enterprise file, and in which release, was not tried here [unverified].`,
  `Ordinary users may make folders in \`C:\\ProgramData\`: make \`Cursor\` as an administrator, let only administrators write there, and look who owns it if it is there already [unverified].`,
];

export const buildPack = (order: PackSpec): PackFile[] =>
  buildConfigFiles({ host: "cursor", setup }, order, {
    file: "hooks.json",
    source: DOCS,
    format: (hooks) => formatJsonFile({ version: 1, hooks }),
    loadedSign: "Cursor Settings, Hooks, lists the entries [unverified]",
    undo: "delete it, or take its entries out of yours",
    notes: NOTES,
  });
