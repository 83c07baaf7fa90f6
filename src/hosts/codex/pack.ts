import { stringify } from "smol-toml";
import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { codex } from "../entries.ts";
import { buildConfigFiles, buildHooksDocument, buildProfileFiles } from "../setup/pack.ts";
import { getCommandFolder, setup } from "./install.ts";

const DOCS = "docs https://learn.chatgpt.com/docs/enterprise/managed-configuration";
const LAYERS = "shipped github.com/openai/codex codex-rs/config/src/requirements_layers/hooks.rs at 72cdcc9";
const KEY = "requirements_toml_base64";

const NOTES = [
  `Codex takes each key from the requirements of the ChatGPT workspace first, then from the profile, then from the file [docs https://developers.openai.com/codex/enterprise/managed-configuration]; what the workspace sets, bridge-hooks doctor can't see.`,
  `On a Mac ship the profile or the file: hooks of all sources add up, so both make every call run twice. If two sources name different folders as \`managed_dir\`, Codex takes it for an error, which fails closed [${LAYERS}; in which releases is unverified].`,
  `\`[features] hooks = true\` has to stay: without it a project that is trusted turns managed hooks off with one line [seen 0.169.0, 2026-11-22].`,
  `If you already have requirements, put these tables into that file: \`[features]\`, \`[hooks]\` and the \`[[hooks.…]]\`. Codex reads one file and one profile value.`,
  `Managed hooks need no trust of the user [docs https://developers.openai.com/codex/hooks]. \`allow_managed_hooks_only = true\` above all tables would keep people's own hooks from running; it is not set here [${DOCS}].`,
  `The command on Windows is written so that cmd.exe and PowerShell take it alike [unverified].`,
  `Ordinary users may make folders in \`C:\\ProgramData\`: make \`OpenAI\\Codex\` as an administrator, let only administrators write there, and look who owns it if it is there already [unverified].`,
];

/**
 * Formats requirements.toml, including the feature pin, without which the requirements have no effect [seen 0.169.0,
 * 2026-11-22].
 */
function formatRequirements(hooks: ReturnType<typeof buildHooksDocument>, program: string): string {
  const { path, value } = getCommandFolder(program);
  return stringify({ features: { hooks: true }, hooks: { [path[1] as string]: value, ...hooks } });
}

export function buildPack(order: PackSpec): PackFile[] {
  const requirements = formatRequirements(buildHooksDocument(setup, order, "macos"), order.programs.macos);
  const payload = Buffer.from(requirements).toString("base64");
  const loadedSign = `\`/hooks\` in Codex lists the entries as managed [unverified]; it reads them when it starts`;
  return [
    ...buildConfigFiles({ host: "codex", setup }, order, {
      file: "requirements.toml",
      source: DOCS,
      format: (hooks, system) => formatRequirements(hooks, order.programs[system]),
      loadedSign,
      undo: "delete it, or take its tables out of yours",
      notes: NOTES,
    }),
    ...buildProfileFiles({
      ...{ host: "codex", name: "Codex", source: DOCS, notes: NOTES, loadedSign },
      domain: codex.preferences.domain,
      settings: { [KEY]: payload },
    }),
    {
      path: `codex/macos/${KEY}.txt`,
      text: payload,
      deployment: `the value of \`${KEY}\` alone, for a profile of yours; it is \`requirements.toml\` of this folder`,
      os: ["macos"],
      by: [],
    },
  ];
}
