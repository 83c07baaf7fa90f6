import type { HookControls, HostFolders, HostIdentity } from "../../protocol/host/host.ts";
import { hasPathPart } from "../codec/value-tests.ts";

const MANAGED_FOLDERS: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "/Library/Application Support/Factory",
  win32: "C:/Program Files/Factory",
};

const folders = {
  user: ({ home, env }) => `${env.FACTORY_HOME_OVERRIDE || home}/.factory`,
  managed: ({ platform, system = "" }) => `${system}${MANAGED_FOLDERS[platform] ?? "/etc/factory"}`,
} satisfies HostFolders;

/** Files in a `.factory` directory that determine which hooks Droid calls. */
const FILE_NAMES = [
  "hooks.json",
  // Droid reads `hooks/hooks.json` if `hooks.json` is missing [seen 0.215.0, 2026-11-29]. The directory can also
  // contain hook scripts.
  "hooks/",
  "settings.json",
  // A plugin can contain hooks and a setting that disables all hooks [shipped 0.215.0].
  "plugins/",
  // A copy of the organization's settings [shipped 0.215.0].
  "cache/org-managed-settings.json",
  "cache/org-managed-settings.json.backup",
];

/** Environment variables that contain the path of a settings file. */
const SETTINGS_FILES = ["FACTORY_RUNTIME_SETTINGS_PATH", "FACTORY_ORG_MANAGED_SETTINGS_LOCAL_PATH"];

/** Returns the path passed to `--settings`. */
const findSettingsOverlay = (args: readonly string[]): string | undefined => {
  const at = args.findIndex((arg) => /^--settings(=|$)/.test(arg));
  return at < 0 ? undefined : (/^--settings=([^]*)/.exec(args[at] ?? "")?.[1] ?? args[at + 1] ?? "");
};

const hookControls: HookControls = {
  files: (machine) => [
    ...FILE_NAMES.map((name) => `**/.factory/${name}`),
    `${folders.managed(machine)}/`,
    ...SETTINGS_FILES.flatMap((name) => machine.env[name] ?? []),
  ],
  // `--settings` can disable hooks [seen 0.215.0, 2026-11-29].
  describeBypass(args, readText) {
    const overlay = findSettingsOverlay(args);
    if (overlay === undefined) return undefined;
    const text = readText(overlay);
    if (text === undefined) return "starts Droid with settings that can't be checked";
    // The settings can contain comments or escapes, so search the text instead of parsing it.
    return /hooksDisabled(?!"\s*:\s*false)|\\u/.test(text) ? "starts Droid with hooks disabled" : undefined;
  },
  // Environment variables that select the config directory, the settings or the organization's settings [the first
  // three seen 0.215.0, 2026-11-29; the others shipped 0.215.0].
  variables: [
    "FACTORY_HOME_OVERRIDE",
    "FACTORY_ENV",
    "FACTORY_RUNTIME_SETTINGS_PATH",
    "FACTORY_ORG_MANAGED_SETTINGS_LOCAL_PATH",
    "FACTORY_ORG_MANAGED_SETTINGS_URL",
    "FACTORY_API_BASE_URL",
    "FACTORY_AIRGAP_ENABLED",
    "E2E_MOCK_LLM",
  ],
};

export const hostIdentity = {
  id: "droid",
  name: "Factory Droid",
  options: {},
  signs: [
    {
      label: 'a "transcript_path" below .factory/sessions',
      all: ["transcript_path", "hook_event_name"],
      test: ({ transcript_path }) => hasPathPart(transcript_path, "/.factory/sessions/"),
    },
  ],
  loadHints: async () => (await import("./hints.ts")).hints,
  programs: ["droid"],
  packages: ["droid", "@factory/cli"],
  // Variables that Droid sets for hooks; the last one is set for the shell by `droid exec` [seen 0.215.0, 2026-11-29].
  childVariables: ["FACTORY_PROJECT_DIR", "DROID_PROJECT_DIR", "FACTORY_EXEC_TARGET_AUTONOMY"],
  folders,
  // Droid reads every `.factory` directory from the session's directory up to the repository root [seen 0.215.0,
  // 2026-11-29].
  project: { rootVariables: ["FACTORY_PROJECT_DIR"], configFolders: "repository" },
  hookControls,
} satisfies HostIdentity;
