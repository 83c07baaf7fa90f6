import type { HookControls, HostFolders, HostIdentity } from "../../protocol/host/host.ts";
import { hasPathPart } from "../codec/value-tests.ts";

const MANAGED: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "/Library/Application Support/Factory",
  win32: "C:/Program Files/Factory",
};

const folders = {
  user: ({ home, env }) => `${env.FACTORY_HOME_OVERRIDE || home}/.factory`,
  managed: ({ platform, system = "" }) => `${system}${MANAGED[platform] ?? "/etc/factory"}`,
} satisfies HostFolders;

/** Files that decide which hooks Droid calls, in a `.factory` directory. */
const NAMES = [
  "hooks.json",
  // `hooks/hooks.json` counts where there is no `hooks.json` [seen 0.215.0, 2026-11-29]; hooks' scripts may lie there.
  "hooks/",
  "settings.json",
  // A plugin's hooks, and its switch for all hooks [shipped 0.215.0].
  "plugins/",
  // A copy of the organisation's settings [shipped 0.215.0].
  "cache/org-managed-settings.json",
  "cache/org-managed-settings.json.backup",
];

/** Variables that name settings, and the path of a file as their value. */
const SETTINGS_FILES = ["FACTORY_RUNTIME_SETTINGS_PATH", "FACTORY_ORG_MANAGED_SETTINGS_LOCAL_PATH"];

/** The file of settings that `--settings` names in addition. */
const findOverlay = (args: readonly string[]): string | undefined => {
  const at = args.findIndex((word) => /^--settings(=|$)/.test(word));
  return at < 0 ? undefined : (/^--settings=([^]*)/.exec(args[at] ?? "")?.[1] ?? args[at + 1] ?? "");
};

const hookControls: HookControls = {
  files: (place) => [
    ...NAMES.map((name) => `**/.factory/${name}`),
    `${folders.managed(place)}/`,
    ...SETTINGS_FILES.flatMap((name) => place.env[name] ?? []),
  ],
  // [seen 0.215.0, 2026-11-29]
  describeBypass(args, readText) {
    const overlay = findOverlay(args);
    if (overlay === undefined) return undefined;
    const text = readText(overlay);
    if (text === undefined) return "starts Droid with settings that can't be read here";
    // A comment or an escape may be inside.
    return /hooksDisabled(?!"\s*:\s*false)|\\u/.test(text) ? "starts Droid with its hooks turned off" : undefined;
  },
  // They choose the folder, settings, or the organisation's settings [the first three seen 0.215.0, 2026-11-29; the
  // others shipped 0.215.0].
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

/** Droid's host identity. */
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
  // The first two of hooks, the third of the shell in `droid exec` [seen 0.215.0, 2026-11-29].
  childVariables: ["FACTORY_PROJECT_DIR", "DROID_PROJECT_DIR", "FACTORY_EXEC_TARGET_AUTONOMY"],
  folders,
  // Each `.factory` from the session's directory up to the root [seen 0.215.0, 2026-11-29].
  project: { rootVariables: ["FACTORY_PROJECT_DIR"], configFolders: "repository" },
  hookControls,
} satisfies HostIdentity;
