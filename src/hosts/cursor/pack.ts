import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { buildConfigFiles, formatJsonFile } from "../setup/pack.ts";
import { setup } from "./install.ts";

const DOCS = "docs https://cursor.com/docs/hooks.md";

const NOTES = [
  `Cursor has neither a preference domain nor a registry value for hooks. Use this file, or the dashboard of Cursor's Enterprise plan [${DOCS}].`,
  `There is only one enterprise file. If you already ship one, add these entries to its lists.`,
  `The enterprise file must be valid and contain its version, because Cursor silently ignores a broken file [seen @cursor/sdk 1.0.32, 2026-11-21].`,
  `Cursor must be 2.4 or newer [docs https://cursor.com/changelog/2-4]. An older release does not support preToolUse and ignores a file that contains this event [seen with a made-up event @cursor/sdk 1.0.22 and 1.0.32, 2026-11-22].`,
  `The entries run in addition to project and user entries [seen @cursor/sdk 1.0.22 and 1.0.32, 2026-11-22].`,
  `We did not test which Cursor programs (editor, command line) and which releases read the enterprise file [unverified].`,
  `Any user can create a directory in \`C:\\ProgramData\`. Create \`Cursor\` as an administrator, or check the owner if it exists, and let only administrators write to it [unverified].`,
];

export const buildPack = (spec: PackSpec): PackFile[] =>
  buildConfigFiles({ host: "cursor", setup }, spec, {
    file: "hooks.json",
    source: DOCS,
    format: (hooks) => formatJsonFile({ version: 1, hooks }),
    loadedSign: "Cursor Settings, Hooks, shows the entries [unverified]",
    undo: "delete the file, or remove these entries from your own file",
    notes: NOTES,
  });
