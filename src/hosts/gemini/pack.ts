import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { buildConfigFiles, formatJsonFile } from "../setup/pack.ts";
import { setup } from "./install.ts";

const DOCS = "docs https://geminicli.com/docs/cli/enterprise";

const NOTES = [
  `Gemini CLI has neither a preference domain nor a registry value, so use this file [${DOCS}; shipped 0.61.0].`,
  `There is only one such file; if you already ship one, add \`hooks\` and \`hooksConfig\` to it. It must be valid: otherwise Gemini CLI does not start [seen 0.61.0, 2026-11-22].`,
  `Keep \`hooksConfig.enabled\`: with it, neither a project nor a user can disable all hooks [seen 0.61.0, 2026-11-22]. A trusted project and a user can still disable an entry by its name in \`hooksConfig.disabled\`, which \`bridge-hooks doctor\` reports [seen 0.61.0, 2026-11-22].`,
  `Gemini CLI runs no hooks, not even managed ones, in a folder that the user does not trust; in headless mode it doesn't start there [seen 0.61.0, 2026-11-22].`,
  `It skips the file if the file or a parent directory doesn't belong to root (Windows: the administrators) or others can write to it [shipped 0.61.0]. On Windows, any user can create a directory in \`C:\\ProgramData\`: create \`gemini-cli\` as an administrator, and check the owner of an existing one [unverified].`,
  `A user who sets GEMINI_CLI_SYSTEM_SETTINGS_PATH makes Gemini CLI read another file; its documentation recommends a wrapper that sets it [${DOCS}].`,
];

export const buildPack = (order: PackSpec): PackFile[] =>
  buildConfigFiles({ host: "gemini", setup }, order, {
    file: "settings.json",
    source: DOCS,
    format: (hooks) => formatJsonFile({ hooksConfig: { enabled: true }, hooks }),
    loadedSign: "`/hooks panel` in Gemini CLI lists the entries [unverified]",
    undo: "delete it, or remove its entries from yours",
    notes: NOTES,
  });
