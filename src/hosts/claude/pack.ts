import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { claude } from "../entries.ts";
import {
  buildConfigFiles,
  buildHooksDocument,
  buildProfileFiles,
  formatJsonFile,
  formatRegFile,
  PACK_SYSTEMS,
  type PackSystem,
} from "../setup/pack.ts";
import { DROP_IN, setup } from "./install.ts";
import { SAFE_SETTINGS } from "./mods.ts";

const DOCS = "docs https://code.claude.com/docs/en/managed-settings";
const MDM_EXAMPLES = "docs https://github.com/anthropics/claude-code/tree/main/examples/mdm";
const POLICY_HELPER_DOCS = "docs https://code.claude.com/docs/en/settings-reference#policyhelper";
const REGISTRY_KEY = `HKEY_LOCAL_MACHINE\\${claude.preferences.registryKey}`;
const REGISTRY_VALUE = "Settings";

const NOTES = [
  `Ship one source per machine: the profile, the registry value or the file.`,
  `By default Claude Code uses only the first managed source with a policy key [${DOCS}; shipped 2.1.330]. The order is claude.ai console or gateway, profile or HKLM, files, HKCU.`,
  `Claude Code silently ignores the other sources: a profile overrides all files, including other teams' \`managed-settings.json\`, and console settings override everything here [${DOCS}; shipped 2.1.330].`,
  `If the first source sets \`"managedSourcesBehavior": "merge"\`, all sources except HKCU are merged [shipped 2.1.332]. All sources in this pack set this value, so files still apply beside a profile.`,
  `The output of a \`policyHelper\` replaces its whole source, including the hooks [shipped and seen 2.1.332, 2026-11-28]. To merge the output instead, list the helper in \`policyHelpers\` with \`"outputBehavior": "merge"\`.`,
  `Make a \`policyHelper\` print these hooks, as in \`policy-helper-output.json\`. Settings outside a \`managedSettings\` key are ignored, and a failing helper prevents Claude Code from starting [${POLICY_HELPER_DOCS}].`,
  `\`allowManagedModsOnly\` blocks mods (plugin modules that run inside Claude Code) from anyone but you; remove this key if users may use their own mods.`,
  `In tests, a mod could not override denials from managed hooks, even without \`allowManagedModsOnly\` and with \`allowModsToOverrideDenyRules\` [seen 2.1.332, 2026-11-28].`,
  `Releases before 2.1.332 don't support the event \`PreSkillShellCommand\`. They report the event on stderr at each start and apply the other settings [seen 2.1.197 and 2.1.330, 2026-11-28].`,
  `If you already ship a profile or a registry value for Claude Code, add these \`hooks\` to it, because a machine can have only one value.`,
  `The file is a drop-in that leaves other files unchanged [${DOCS}]. The drop-in applies with or without a \`managed-settings.json\` [seen 2.1.197 and 2.1.330, 2026-11-22].`,
  `\`disableAllHooks\` in a project's or user's settings does not disable the hooks in this file [seen 2.1.197 and 2.1.330, 2026-11-22].`,
  `If any managed file is not valid JSON, 2.1.330 does not start; 2.1.197 ignores that file [seen 2026-11-22].`,
  `The entries start the executable without a shell (\`args\`) [seen 2.1.197 and 2.1.330, 2026-11-22]; earlier releases were not tested [unverified].`,
  `In 32-bit PowerShell, which Intune uses for scripts by default, %ProgramFiles% is a directory that Claude Code does not read [${MDM_EXAMPLES}].`,
  `Cloud sessions on Anthropic's machines ignore these files [${DOCS}].`,
];

const describeVerification = (source: string) =>
  `\`/status\` in Claude Code, "Setting sources": Enterprise managed settings (${source}) [${MDM_EXAMPLES}]`;

export function buildPack(spec: PackSpec): PackFile[] {
  const buildSettings = (system: PackSystem) => ({
    hooks: buildHooksDocument(setup, spec, system),
    ...SAFE_SETTINGS,
  });
  return [
    ...buildConfigFiles({ host: "claude", setup }, spec, {
      file: `managed-settings.d/${DROP_IN}`,
      format: (hooks) => formatJsonFile({ hooks, ...SAFE_SETTINGS }),
      loadedSign: `${describeVerification("file")}; with drop-ins only, it may show "(drop-ins)" [unverified]`,
      undo: "delete the file",
      notes: NOTES,
    }),
    ...buildProfileFiles({
      ...{ host: "claude", name: "Claude Code", source: MDM_EXAMPLES, notes: NOTES },
      domain: claude.preferences.domain,
      settings: buildSettings("macos"),
      loadedSign: describeVerification("plist"),
    }),
    ...buildRegistryFiles(JSON.stringify(buildSettings("windows"))),
    ...PACK_SYSTEMS.map((system) => buildHelperOutput(system, buildSettings(system))),
  ];
}

/**
 * Builds the output that an administrator's policy helper must print, with the settings nested under `managedSettings`.
 */
const buildHelperOutput = (system: PackSystem, managedSettings: object): PackFile => ({
  path: `claude/${system}/policy-helper-output.json`,
  text: formatJsonFile({ managedSettings }),
  deployment: `use this file only if your own \`policyHelper\` computes the managed settings: the helper must print the file's content in addition to its own output [${POLICY_HELPER_DOCS}; seen 2.1.332, 2026-11-29, on Linux]`,
  loadedSign: describeVerification("helper"),
  undo: "make the helper print only its own settings",
  notes: NOTES,
  os: [system],
  by: [],
});

/** Use REG_SZ, because Windows would expand variables inside the JSON of a REG_EXPAND_SZ value. */
const buildRegistryFiles = (json: string): PackFile[] => [
  {
    path: "claude/windows/claude-code.reg",
    ...formatRegFile(REGISTRY_KEY, REGISTRY_VALUE, json),
    deployment: `run \`reg import\` as an administrator or SYSTEM; it sets \`${REGISTRY_VALUE}\` (REG_SZ) in \`${REGISTRY_KEY}\` [${DOCS}]. Group Policy and Intune's ADMX can set the same value`,
    loadedSign: describeVerification("HKLM"),
    undo: "`reg import claude-code-remove.reg`",
    notes: NOTES,
    os: ["windows"],
    by: ["intune", "files"],
  },
  {
    path: "claude/windows/claude-code-remove.reg",
    ...formatRegFile(REGISTRY_KEY, REGISTRY_VALUE),
    deployment: `use it only to undo the installation; it deletes the whole value \`${REGISTRY_VALUE}\`, including any other settings in it`,
    os: ["windows"],
    by: [],
  },
];
