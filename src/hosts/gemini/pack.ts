import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { buildConfigFiles, formatJsonFile } from "../setup/pack.ts";
import { setup } from "./install.ts";

const DOCS = "docs https://geminicli.com/docs/cli/enterprise";

const NOTES = [
  `Gemini CLI has neither a preference domain nor a registry value, so use this file [${DOCS}; shipped 0.61.0].`,
  `There is only one such file. If you already ship one, add \`hooks\` and \`hooksConfig\` to it. If the file is invalid, Gemini CLI does not start [seen 0.61.0, 2026-11-22].`,
  `Keep \`hooksConfig.enabled\`. With this key, neither a project nor a user can disable all hooks [seen 0.61.0, 2026-11-22].`,
  `A trusted project and a user can still disable an entry by its name in \`hooksConfig.disabled\` [seen 0.61.0, 2026-11-22]. \`bridge-hooks doctor\` reports disabled entries.`,
  `Gemini CLI runs no hooks, not even managed ones, in a folder that the user does not trust; in headless mode it doesn't start there [seen 0.61.0, 2026-11-22].`,
  `Gemini CLI skips the file if the file or a parent directory doesn't belong to root (Windows: the administrators) or if other users can write to it [shipped 0.61.0].`,
  `On Windows, any user can create a directory in \`C:\\ProgramData\`. Create \`gemini-cli\` as an administrator, or check the owner if it exists [unverified].`,
  `If a user sets GEMINI_CLI_SYSTEM_SETTINGS_PATH, Gemini CLI reads a different file. Gemini CLI's documentation recommends a wrapper that sets this variable [${DOCS}].`,
];

export const buildPack = (spec: PackSpec): PackFile[] =>
  buildConfigFiles({ host: "gemini", setup }, spec, {
    file: "settings.json",
    source: DOCS,
    format: (hooks) => formatJsonFile({ hooksConfig: { enabled: true }, hooks }),
    loadedSign: "`/hooks panel` in Gemini CLI lists the entries [unverified]",
    undo: "delete the file, or remove these entries from your own file",
    notes: NOTES,
  });
