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
const EXAMPLES = "docs https://github.com/anthropics/claude-code/tree/main/examples/mdm";
const HELPER = "docs https://code.claude.com/docs/en/settings-reference#policyhelper";
const KEY = `HKEY_LOCAL_MACHINE\\${claude.preferences.registryKey}`;
const VALUE = "Settings";

const NOTES = [
  `Ship one of them to a machine: the profile or the registry value, or the file. By default Claude Code takes the first managed source that has a policy key (the claude.ai console or a gateway, then the profile or HKLM, then files, then HKCU) and ignores the others without a word: a profile makes files be ignored, other teams' \`managed-settings.json\` too, and settings from the console make all of this be ignored [${DOCS}; shipped 2.1.330]. \`"managedSourcesBehavior": "merge"\` in the first of them adds all but HKCU up [shipped 2.1.332]; all of these set it, so that a profile leaves files in force.`,
  `A source with \`policyHelper\`, or with \`policyHelpers\` that don't say \`"outputBehavior": "merge"\`, is replaced as a whole by what the helper prints, hooks included [shipped and seen 2.1.332, 2026-11-28]: let the helper print the hooks of this one, which \`policy-helper-output.json\` has. Settings without the key \`managedSettings\` around them count for nothing, and a helper that fails keeps Claude Code from starting [${HELPER}].`,
  `They keep mods (modules of plugins that run inside Claude Code) of anybody but you from loading: \`allowManagedModsOnly\`; take that out if people may have their own. Managed hooks' denials held against a mod without it, and with \`allowModsToOverrideDenyRules\` [seen 2.1.332, 2026-11-28].`,
  `Releases before 2.1.332 do not know the event \`PreSkillShellCommand\`: they say so at each start on stderr, and obey the rest [seen 2.1.197 and 2.1.330, 2026-11-28].`,
  `If you already ship a profile or a registry value for Claude Code, put the \`hooks\` of this one into it; there is one value only.`,
  `The file is a drop-in beside other people's [${DOCS}]: it is obeyed alone and beside a \`managed-settings.json\`, and a project's or a user's \`disableAllHooks\` does not turn it off [seen 2.1.197 and 2.1.330, 2026-11-22].`,
  `One managed file that is not valid JSON, whoever wrote it, keeps 2.1.330 from starting at all; 2.1.197 leaves that file out [seen 2026-11-22].`,
  `The entries start the executable without a shell (\`args\`) [seen 2.1.197 and 2.1.330, 2026-11-22]; releases before were not tried [unverified].`,
  `In the 32-bit PowerShell, which Intune takes for scripts unless told otherwise, %ProgramFiles% is a folder that Claude Code does not read [${EXAMPLES}].`,
  `Cloud sessions on Anthropic's machines read none of this [${DOCS}].`,
];

const describeVerification = (source: string) =>
  `\`/status\` in Claude Code, "Setting sources": Enterprise managed settings (${source}) [${EXAMPLES}]`;

export function buildPack(order: PackSpec): PackFile[] {
  const buildSettings = (system: PackSystem) => ({
    hooks: buildHooksDocument(setup, order, system),
    ...SAFE_SETTINGS,
  });
  return [
    ...buildConfigFiles({ host: "claude", setup }, order, {
      file: `managed-settings.d/${DROP_IN}`,
      format: (hooks) => formatJsonFile({ hooks, ...SAFE_SETTINGS }),
      loadedSign: `${describeVerification("file")}; where drop-ins are all there is, it may say (drop-ins) [unverified]`,
      undo: "delete it",
      notes: NOTES,
    }),
    ...buildProfileFiles({
      ...{ host: "claude", name: "Claude Code", source: EXAMPLES, notes: NOTES },
      domain: claude.preferences.domain,
      settings: buildSettings("macos"),
      loadedSign: describeVerification("plist"),
    }),
    ...buildRegistryFiles(JSON.stringify(buildSettings("windows"))),
    ...PACK_SYSTEMS.map((system) => buildHelperOutput(system, buildSettings(system))),
  ];
}

/**
 * Builds the output that an administrator's policy helper has to print; it nests the settings under `managedSettings`.
 */
const buildHelperOutput = (system: PackSystem, managedSettings: object): PackFile => ({
  path: `claude/${system}/policy-helper-output.json`,
  text: formatJsonFile({ managedSettings }),
  deployment: `only where a \`policyHelper\` of yours computes the managed settings: what it has to print, beside what it prints already [${HELPER}; seen 2.1.332, 2026-11-29, on Linux]`,
  loadedSign: describeVerification("helper"),
  undo: "let the helper print its own settings alone",
  notes: NOTES,
  os: [system],
  by: [],
});

/** Uses REG_SZ, because Windows would expand variables inside the JSON of a REG_EXPAND_SZ value. */
const buildRegistryFiles = (json: string): PackFile[] => [
  {
    path: "claude/windows/claude-code.reg",
    ...formatRegFile(KEY, VALUE, json),
    deployment: `\`reg import\` as an administrator or as SYSTEM; it sets \`${VALUE}\` (REG_SZ) in \`${KEY}\` [${DOCS}]. Group Policy and Intune's ADMX can set the same value`,
    loadedSign: describeVerification("HKLM"),
    undo: "`reg import claude-code-remove.reg`",
    notes: NOTES,
    os: ["windows"],
    by: ["intune", "files"],
  },
  {
    path: "claude/windows/claude-code-remove.reg",
    ...formatRegFile(KEY, VALUE),
    deployment: `only to take it back: it deletes the value, and with it whatever else \`${VALUE}\` holds by then`,
    os: ["windows"],
    by: [],
  },
];
