import { stringify } from "smol-toml";
import type { PackFile, PackOrder } from "../../../protocol/host/install.ts";
import {
  CARRIERS,
  hooksDocument,
  managedPath,
  mobileconfig,
  PROFILES,
  propertyList,
  SYSTEMS,
  type System,
} from "../../pack.ts";
import { codex } from "../../entries.ts";
import { capabilities } from "../capabilities.ts";
import { managedDir, setup } from "./setup.ts";

const DOCS = "docs https://learn.chatgpt.com/docs/enterprise/managed-configuration";
const LAYERS = "shipped github.com/openai/codex codex-rs/config/src/requirements_layers/hooks.rs at 72cdcc9";
const DOMAIN = codex.preferences.domain;
const KEY = "requirements_toml_base64";

const NOTES = [
  `On a Mac ship the profile or the file: hooks of all sources add up, so both make every call run twice. If two sources name different folders as \`managed_dir\`, Codex takes it for an error, which fails closed [${LAYERS}; in which releases is unverified].`,
  `\`[features] hooks = true\` has to stay: without it a project that is trusted turns managed hooks off with one line [seen 0.169.0, 2026-11-22].`,
  `If you already have requirements, put these tables into that file: \`[features]\`, \`[hooks]\` and the \`[[hooks.…]]\`. Codex reads one file and one profile value.`,
  `Managed hooks need no trust of the user [docs https://developers.openai.com/codex/hooks]. \`allow_managed_hooks_only = true\` above all tables would keep people's own hooks from running; it is not set here [${DOCS}].`,
  `The command on Windows is written so that cmd.exe and PowerShell take it alike [unverified].`,
  `Ordinary users may make folders in \`C:\\ProgramData\`: make \`OpenAI\\Codex\` as an administrator, let only administrators write there, and look who owns it if it is there already [unverified].`,
];

/** Without the pin of the feature the requirements do not hold [seen 0.169.0, 2026-11-22]. */
function requirements(order: PackOrder, system: System): string {
  const { path, value } = managedDir(order.programs[system]);
  return stringify({
    features: { hooks: true },
    hooks: { [path[1] as string]: value, ...hooksDocument(setup, capabilities, order, system) },
  });
}

export function pack(order: PackOrder): PackFile[] {
  const payload = Buffer.from(requirements(order, "macos")).toString("base64");
  const preferences = { domain: DOMAIN, settings: { [KEY]: payload } };
  const shown = `\`/hooks\` in Codex lists the entries as managed [unverified]; it reads them when it starts`;
  const profile = {
    shown,
    notes: NOTES,
    os: ["macos"],
    undo: "take it out of the MDM's scope; the MDM removes it",
  } as const;
  return [
    ...SYSTEMS.map((system): PackFile => ({
      path: `codex/${system}/requirements.toml`,
      text: requirements(order, system),
      goes: `to \`${managedPath(setup, system)}\` [${DOCS}]`,
      shown,
      undo: "delete it, or take its tables out of yours",
      notes: NOTES,
      os: [system],
      by: CARRIERS[system],
    })),
    {
      path: `codex/macos/${DOMAIN}.mobileconfig`,
      text: mobileconfig(preferences, "Codex"),
      goes: "upload it as a configuration profile, for the device channel",
      ...profile,
      by: PROFILES,
    },
    {
      path: `codex/macos/${DOMAIN}.plist`,
      text: propertyList(preferences),
      goes: `instead of the profile, where the MDM makes its own: custom settings of the preference domain \`${DOMAIN}\` [${DOCS}]`,
      ...profile,
      by: ["jamf", "kandji"],
    },
    {
      path: `codex/macos/${KEY}.txt`,
      text: payload,
      goes: `the value of \`${KEY}\` alone, for a profile of yours; it is \`requirements.toml\` of this folder`,
      os: ["macos"],
      by: [],
    },
  ];
}
