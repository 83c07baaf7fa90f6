import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { buildConfigFiles, formatJsonFile } from "../setup/pack.ts";
import { setup } from "./install.ts";

const DOCS = "docs https://geminicli.com/docs/cli/enterprise";

const NOTES = [
  `Gemini CLI has no preference domain and no registry value: this file is the way that it has [${DOCS}; shipped 0.61.0].`,
  `There is one such file: if you already ship one, put \`hooks\` and \`hooksConfig\` into it. It has to parse: Gemini CLI does not start with one that does not [seen 0.61.0, 2026-11-22].`,
  `\`hooksConfig.enabled\` has to stay: with it no project and no user can turn all hooks off [seen 0.61.0, 2026-11-22]. A trusted project and a user can still disable an entry by its name, in \`hooksConfig.disabled\`; \`bridge-hooks doctor\` tells it [seen 0.61.0, 2026-11-22].`,
  `Gemini CLI runs no hook, a managed one neither, in a folder that the user does not trust; headless it does not start there at all [seen 0.61.0, 2026-11-22].`,
  `It skips the file where it, or a folder above it, is not root's (Windows: the administrators') or others may write to it [shipped 0.61.0]. On Windows ordinary users may make folders in \`C:\\ProgramData\`: make \`gemini-cli\` as an administrator, and look who owns it if it is there already [unverified].`,
  `A user who sets GEMINI_CLI_SYSTEM_SETTINGS_PATH has Gemini CLI read another file; a wrapper that sets it is the documents' advice [${DOCS}].`,
];

export const buildPack = (order: PackSpec): PackFile[] =>
  buildConfigFiles({ host: "gemini", setup }, order, {
    file: "settings.json",
    source: DOCS,
    format: (hooks) => formatJsonFile({ hooksConfig: { enabled: true }, hooks }),
    loadedSign: "`/hooks panel` in Gemini CLI lists the entries [unverified]",
    undo: "delete it, or take its entries out of yours",
    notes: NOTES,
  });
