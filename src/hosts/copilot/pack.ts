import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { buildConfigFiles, formatJsonFile } from "../setup/pack.ts";
import { setup } from "./install.ts";

const DOCS = "docs https://docs.github.com/en/copilot/reference/hooks-reference";

const MANAGED =
  "docs https://docs.github.com/en/copilot/reference/enterprise-administrators/enterprise-managed-settings";

const NOTES = [
  `Policy hooks run in every folder, trusted or not, and a project's \`disableAllHooks\` does not disable them [seen 1.0.102, 2026-11-22; ${DOCS}]. They run in addition to other hooks, or exclusively if \`managed-settings.json\` sets \`allowManagedHooksOnly\` [seen 1.0.102, 2026-11-22].`,
  `Enterprise settings (from the server, device management or \`managed-settings.json\`) have no key for hooks, so use these files [${MANAGED}]. Those settings can disable plugins and bypass modes. If the server's settings can't be fetched, the last ones apply for a while, or none; with \`"forceRemoteSettingsRefresh": true\`, Copilot CLI restricts itself until it has new ones [docs https://github.com/github/copilot-cli/releases/tag/v1.0.81-7; unverified]. These files need no server.`,
  `Copilot reads every file in the directory, so other teams' files are not affected. On Linux and macOS, the file must belong to root, be writable only by root (\`chmod 644\`) and not be a symbolic link, or Copilot ignores it [seen 1.0.102 on Linux, 2026-11-22]. Let only root write to the directory.`,
  `If the file contains a comment, a trailing comma or a byte order mark, Copilot silently ignores all of it [seen 1.0.102, 2026-11-22].`,
  `Copilot CLI reads this file. The cloud agent reads only a repository's \`.github/hooks\`, and VS Code is not documented to read it [${DOCS}; unverified].`,
  `Any user can create a directory in \`C:\\ProgramData\`: create \`GitHub\\Copilot\\policy.d\` as an administrator, let only administrators write to it, and check the owner of an existing one [unverified].`,
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
