import { stringify } from "smol-toml";
import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { codex } from "../entries.ts";
import { buildConfigFiles, buildHooksDocument, buildProfileFiles } from "../setup/pack.ts";
import { getCommandFolder, setup } from "./install.ts";

const DOCS = "docs https://learn.chatgpt.com/docs/enterprise/managed-configuration";
const LAYERS_SOURCE = "shipped github.com/openai/codex codex-rs/config/src/requirements_layers/hooks.rs at 72cdcc9";
const REQUIREMENTS_KEY = "requirements_toml_base64";

const NOTES = [
  `Codex reads each key from the ChatGPT workspace's requirements first, then from the profile, then from the file [docs https://developers.openai.com/codex/enterprise/managed-configuration].`,
  `\`bridge-hooks doctor\` can't read the requirements of the ChatGPT workspace.`,
  `On a Mac, ship either the profile or the file. Codex combines the hooks of all sources, so with both, the hooks would run twice for every call.`,
  `If two sources set different \`managed_dir\` directories, Codex reports an error and fails closed [${LAYERS_SOURCE}; releases unverified].`,
  `Keep \`[features] hooks = true\`. Without this key, a trusted project can disable managed hooks with one line [seen 0.169.0, 2026-11-22].`,
  `If you already have requirements, add the tables \`[features]\`, \`[hooks]\` and \`[[hooks.…]]\` to that file. Codex reads only one file and one profile value.`,
  `Managed hooks don't need the user's trust [docs https://developers.openai.com/codex/hooks].`,
  `\`allow_managed_hooks_only = true\` above all tables would block users' own hooks [${DOCS}]; this file does not set it.`,
  `The Windows command works the same in cmd.exe and PowerShell [unverified].`,
  `Any user can create a directory in \`C:\\ProgramData\`. Create \`OpenAI\\Codex\` as an administrator, or check the owner if it exists, and let only administrators write to it [unverified].`,
];

/**
 * Formats requirements.toml, including the pin for the hooks feature, without which the requirements have no effect
 * [seen 0.169.0, 2026-11-22].
 */
function formatRequirements(hooks: ReturnType<typeof buildHooksDocument>, program: string): string {
  const { path, value } = getCommandFolder(program);
  return stringify({ features: { hooks: true }, hooks: { [path[1] as string]: value, ...hooks } });
}

export function buildPack(spec: PackSpec): PackFile[] {
  const requirements = formatRequirements(buildHooksDocument(setup, spec, "macos"), spec.programs.macos);
  const payload = Buffer.from(requirements).toString("base64");
  const loadedSign = `\`/hooks\` in Codex lists the entries as managed [unverified]; Codex reads the entries when it starts`;
  return [
    ...buildConfigFiles({ host: "codex", setup }, spec, {
      file: "requirements.toml",
      source: DOCS,
      format: (hooks, system) => formatRequirements(hooks, spec.programs[system]),
      loadedSign,
      undo: "delete the file, or remove these tables from your own file",
      notes: NOTES,
    }),
    ...buildProfileFiles({
      ...{ host: "codex", name: "Codex", source: DOCS, notes: NOTES, loadedSign },
      domain: codex.preferences.domain,
      settings: { [REQUIREMENTS_KEY]: payload },
    }),
    {
      path: `codex/macos/${REQUIREMENTS_KEY}.txt`,
      text: payload,
      deployment: `only the value of \`${REQUIREMENTS_KEY}\`, for use in your own profile; the value contains this directory's \`requirements.toml\``,
      os: ["macos"],
      by: [],
    },
  ];
}
