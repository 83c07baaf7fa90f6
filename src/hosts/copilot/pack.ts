import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { buildConfigFiles, formatJsonFile } from "../setup/pack.ts";
import { setup } from "./install.ts";

const DOCS = "docs https://docs.github.com/en/copilot/reference/hooks-reference";

const MANAGED_SETTINGS_DOCS =
  "docs https://docs.github.com/en/copilot/reference/enterprise-administrators/enterprise-managed-settings";

const NOTES = [
  `Policy hooks run in every folder, trusted or not, and a project's \`disableAllHooks\` does not disable them [seen 1.0.102, 2026-11-22; ${DOCS}].`,
  `Policy hooks run in addition to other hooks. If \`managed-settings.json\` sets \`allowManagedHooksOnly\`, other hooks don't run [seen 1.0.102, 2026-11-22].`,
  `Enterprise settings (from the server, device management or \`managed-settings.json\`) have no key for hooks, so use these files [${MANAGED_SETTINGS_DOCS}]. Enterprise settings can disable plugins and bypass modes.`,
  `If Copilot can't fetch the server's enterprise settings, it uses the last settings for a while, or no settings [docs https://github.com/github/copilot-cli/releases/tag/v1.0.81-7; unverified]. These files need no server.`,
  `With \`"forceRemoteSettingsRefresh": true\`, Copilot CLI restricts itself until it has new enterprise settings [docs https://github.com/github/copilot-cli/releases/tag/v1.0.81-7; unverified].`,
  `Copilot reads every file in the directory, so other teams' files are not affected. Let only root write to the directory.`,
  `On Linux and macOS, the file must belong to root, be writable only by root (\`chmod 644\`) and not be a symbolic link, or Copilot ignores it [seen 1.0.102 on Linux, 2026-11-22].`,
  `If the file contains a comment, a trailing comma or a byte order mark, Copilot silently ignores the whole file [seen 1.0.102, 2026-11-22].`,
  `Copilot CLI reads this file. The cloud agent reads only a repository's \`.github/hooks\`, and VS Code is not documented to read it [${DOCS}; unverified].`,
  `Any user can create a directory in \`C:\\ProgramData\`. Create \`GitHub\\Copilot\\policy.d\` as an administrator, or check the owner if it exists, and let only administrators write to it [unverified].`,
];

export const buildPack = (spec: PackSpec): PackFile[] =>
  buildConfigFiles({ host: "copilot", setup }, spec, {
    file: "policy.d/bridge-hooks.json",
    source: "shipped 1.0.102",
    format: (hooks) => formatJsonFile({ version: 1, hooks }),
    loadedSign: "`/env` in Copilot CLI shows the hooks and their files [unverified]",
    undo: "delete the file",
    notes: NOTES,
  });
