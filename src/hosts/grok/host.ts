import type { HookControls, HostFolders, HostIdentity } from "../../protocol/host/host.ts";

// Nothing in this folder was seen in a run. It follows the page on the web [docs https://docs.x.ai/build/features/hooks] and the guide
// inside the package, which was read and not started [shipped 1.0.41]; the rest follows reports of people who use it, and is unverified.

const folders = {
  user: ({ home, env }) => env.GROK_HOME || `${home}/.grok`,
  /** Windows has none that only administrators can write to [shipped 1.0.41, read and not run]. */
  managed: ({ system = "" }) => `${system}/etc/grok`,
} satisfies HostFolders;

/** What decides which hooks Grok Build calls, in its folder [shipped 1.0.41, read and not run]. */
const NAMES = [
  "hooks/",
  // Further files with hooks, and hooks that are turned off.
  "hooks-paths",
  "disabled-hooks",
  "config.toml",
  "managed_config.toml",
  "requirements.toml",
  // In a folder that is not trusted no project's hook runs.
  "trusted_folders.toml",
];

const hookControls: HookControls = {
  files: (place) => [
    ...NAMES.map((name) => `**/.grok/${name}`),
    ...(place.env.GROK_HOME ? NAMES.map((name) => `${folders.user(place)}/${name}`) : []),
    ...(place.platform === "win32" ? [] : [`${folders.managed(place)}/`]),
  ],
  // None is known.
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

/** Grok Build as every call knows it. */
export const hostIdentity = {
  id: "grok",
  name: "Grok Build",
  options: {},
  signs: [
    { label: '"hookEventName" and "workspaceRoot"', weight: 2, all: ["hookEventName", "workspaceRoot"] },
    // Copilot has "toolArgs" there, but for approvals, and milliseconds.
    {
      label: '"sessionId" and "toolInput"',
      weight: 2,
      all: ["sessionId", "toolName", "toolInput"],
      test: ({ timestamp }) => typeof timestamp !== "number",
    },
    // Copilot and VS Code say the time.
    {
      label: '"hookEventName" without a "timestamp"',
      weight: 2,
      all: ["hookEventName", "sessionId"],
      test: ({ timestamp }) => timestamp === undefined,
    },
    // The environment is inherited by other hosts, so it counts only where it agrees with the payload.
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
  folders,
  preferences: { domain: "ai.x.grok" },
  hookControls,
} satisfies HostIdentity;
