import type { HookControls, HostFolders, HostIdentity } from "../../protocol/host/host.ts";

const folders = {
  user: ({ home, env }) => env.GROK_HOME || `${home}/.grok`,
  /** Windows has no config directory that only administrators can write to [shipped 1.0.41]. */
  managed: ({ system = "" }) => `${system}/etc/grok`,
} satisfies HostFolders;

/** Files in Grok Build's directory that determine which hooks it calls [shipped 1.0.41]. */
const FILE_NAMES = [
  "hooks/",
  // These files list additional hook files and disabled hooks.
  "hooks-paths",
  "disabled-hooks",
  "config.toml",
  "managed_config.toml",
  "requirements.toml",
  // Project hooks don't run in an untrusted directory.
  "trusted_folders.toml",
];

const hookControls: HookControls = {
  files: (machine) => [
    ...FILE_NAMES.map((name) => `**/.grok/${name}`),
    ...(machine.env.GROK_HOME ? FILE_NAMES.map((name) => `${folders.user(machine)}/${name}`) : []),
    ...(machine.platform === "win32" ? [] : [`${folders.managed(machine)}/`]),
  ],
  // Grok Build has no known option that bypasses hooks.
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

export const hostIdentity = {
  id: "grok",
  name: "Grok Build",
  options: {},
  signs: [
    { label: '"hookEventName" and "workspaceRoot"', weight: 2, all: ["hookEventName", "workspaceRoot"] },
    // Copilot sends "toolArgs" instead of "toolInput", except in approval payloads. Its timestamps are in milliseconds.
    {
      label: '"sessionId" and "toolInput"',
      weight: 2,
      all: ["sessionId", "toolName", "toolInput"],
      test: ({ timestamp }) => typeof timestamp !== "number",
    },
    // This marker is for releases other than 1.0.41, which always sends a timestamp [seen 1.0.41, 2026-11-27].
    {
      label: '"hookEventName" without a "timestamp"',
      weight: 2,
      all: ["hookEventName", "sessionId"],
      test: ({ timestamp }) => timestamp === undefined,
    },
    // Hosts started by Grok Build inherit this variable, so it identifies the host only if its value matches the
    // payload.
    {
      label: "the session id in GROK_SESSION_ID",
      weight: 2,
      test: ({ sessionId, session_id = sessionId }, env) =>
        session_id !== undefined && env.GROK_SESSION_ID === session_id,
    },
  ],
  loadHints: async () => (await import("./hints.ts")).hints,
  programs: ["grok"],
  packages: ["@xai-official/grok"],
  // Variables that Grok Build sets for child processes [seen 1.0.41, 2026-11-27].
  childVariables: ["GROK_SESSION_ID", "GROK_HOOK_EVENT", "GROK_WORKSPACE_ROOT"],
  folders,
  // Grok Build reads config from the repository root, but not from the directories below it [seen 1.0.41, 2026-11-28].
  project: { rootFields: ["workspaceRoot"], rootVariables: ["GROK_WORKSPACE_ROOT"], configFolders: "repository" },
  preferences: { domain: "ai.x.grok" },
  hookControls,
} satisfies HostIdentity;
