import type { HookControls, HostFolders, HostIdentity } from "../../protocol/host/host.ts";

const folders = {
  user: ({ home, env }) => env.GROK_HOME || `${home}/.grok`,
  /** Windows has no directory that only administrators can write to [shipped 1.0.41]. */
  managed: ({ system = "" }) => `${system}/etc/grok`,
} satisfies HostFolders;

/** Files that decide which hooks Grok Build calls, in its directory [shipped 1.0.41]. */
const NAMES = [
  "hooks/",
  // Further hook files, and disabled hooks.
  "hooks-paths",
  "disabled-hooks",
  "config.toml",
  "managed_config.toml",
  "requirements.toml",
  // In an untrusted directory no project hook runs.
  "trusted_folders.toml",
];

const hookControls: HookControls = {
  files: (place) => [
    ...NAMES.map((name) => `**/.grok/${name}`),
    ...(place.env.GROK_HOME ? NAMES.map((name) => `${folders.user(place)}/${name}`) : []),
    ...(place.platform === "win32" ? [] : [`${folders.managed(place)}/`]),
  ],
  // No bypass is known.
  describeBypass: () => undefined,
  variables: [
    "GROK_HOME",
    "GROK_CLAUDE_HOOKS_ENABLED",
    "GROK_CURSOR_HOOKS_ENABLED",
    "GROK_CONFIG",
    "GROK_CONFIG_PATH",
    "GROK_FOLDER_TRUST",
  ],
};

/** Grok Build's host identity. */
export const hostIdentity = {
  id: "grok",
  name: "Grok Build",
  options: {},
  signs: [
    { label: '"hookEventName" and "workspaceRoot"', weight: 2, all: ["hookEventName", "workspaceRoot"] },
    // Copilot has "toolArgs" there, except for approvals, and milliseconds.
    {
      label: '"sessionId" and "toolInput"',
      weight: 2,
      all: ["sessionId", "toolName", "toolInput"],
      test: ({ timestamp }) => typeof timestamp !== "number",
    },
    // Of other releases: 1.0.41 sends the time [seen 1.0.41, 2026-11-27].
    {
      label: '"hookEventName" without a "timestamp"',
      weight: 2,
      all: ["hookEventName", "sessionId"],
      test: ({ timestamp }) => timestamp === undefined,
    },
    // Other hosts inherit the environment, so it counts only if it matches the payload.
    {
      label: "the session of GROK_SESSION_ID",
      weight: 2,
      test: ({ sessionId, session_id = sessionId }, env) =>
        session_id !== undefined && env.GROK_SESSION_ID === session_id,
    },
  ],
  loadHints: async () => (await import("./hints.ts")).hints,
  programs: ["grok"],
  packages: ["@xai-official/grok"],
  // [seen 1.0.41, 2026-11-27]
  childVariables: ["GROK_SESSION_ID", "GROK_HOOK_EVENT", "GROK_WORKSPACE_ROOT"],
  folders,
  // Of these folders it reads the root's [seen 1.0.41, 2026-11-28].
  project: { rootFields: ["workspaceRoot"], rootVariables: ["GROK_WORKSPACE_ROOT"], configFolders: "repository" },
  preferences: { domain: "ai.x.grok" },
  hookControls,
} satisfies HostIdentity;
