import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { buildConfigFiles, formatJsonFile } from "../setup/pack.ts";
import { setup } from "./install.ts";

const DOCS = "docs https://docs.github.com/en/copilot/reference/hooks-reference";

const MANAGED =
  "docs https://docs.github.com/en/copilot/reference/enterprise-administrators/enterprise-managed-settings";

const NOTES = [
  `Policy hooks run in every folder, trusted or not, and a project's \`disableAllHooks\` does not turn them off [seen 1.0.102, 2026-11-22; ${DOCS}]. They run beside other hooks; with \`allowManagedHooksOnly\` in \`managed-settings.json\` they run alone [seen 1.0.102, 2026-11-22].`,
  `The settings of the enterprise (by the server, by device management or by \`managed-settings.json\`) have no key for hooks, so that these files are the way [${MANAGED}]. They can switch plugins and bypass modes off. Where the server's can't be fetched, the last ones count for a while, or none; \`"forceRemoteSettingsRefresh": true\` has Copilot CLI restrict itself until it has fresh ones [docs https://github.com/github/copilot-cli/releases/tag/v1.0.81-7; unverified]. These files need no server.`,
  `The folder is read file by file: other teams' files stay as they are. On Linux and macOS the file has to be root's, writable for nobody else (\`chmod 644\`), and no link, or Copilot does not read it [seen 1.0.102 on Linux, 2026-11-22]; keep others from writing in the folder too.`,
  `A comment, a trailing comma or a byte order mark in the file, and Copilot silently drops all of it [seen 1.0.102, 2026-11-22].`,
  `Copilot CLI reads this; the cloud agent reads a repository's \`.github/hooks\` alone, and VS Code is not documented to read it [${DOCS}; unverified].`,
  `Ordinary users may make folders in \`C:\\ProgramData\`: make \`GitHub\\Copilot\\policy.d\` as an administrator, let only administrators write there, and look who owns it if it is there already [unverified].`,
];

export const buildPack = (order: PackSpec): PackFile[] =>
  buildConfigFiles({ host: "copilot", setup }, order, {
    file: "policy.d/bridge-hooks.json",
    source: "shipped 1.0.102",
    format: (hooks) => formatJsonFile({ version: 1, hooks }),
    loadedSign: "`/env` in Copilot CLI shows the hooks and their files [unverified]",
    undo: "delete it",
    notes: NOTES,
  });
