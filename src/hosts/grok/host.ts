import type { HookControls, HostFolders, HostIdentity } from "../../protocol/host/host.ts";

// Nothing in this folder was seen in a run: what the documentation does not say [docs https://docs.x.ai/build/features/hooks] follows
// reports of people who use it, and is unverified.

const folders = {
  /** [GROK_HOME unverified] */
  user: ({ home, env }) => env.GROK_HOME || `${home}/.grok`,
} satisfies HostFolders;

/** [docs https://docs.x.ai/build/features/hooks; config.toml and GROK_HOME unverified] */
const guarded: HookControls = {
  files: (place) => [
    "**/.grok/hooks/",
    "**/.grok/config.toml",
    // In a folder that is not trusted no project's hook runs.
    "**/.grok/trusted_folders.toml",
    ...(place.env.GROK_HOME
      ? ["hooks/", "config.toml", "trusted_folders.toml"].map((name) => `${folders.user(place)}/${name}`)
      : []),
  ],
  // None is known.
  describeBypass: () => undefined,
  variables: ["GROK_HOME"],
};

/** Grok Build as every call knows it. */
export const entry = {
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
  packages: [],
  folders,
  hookControls: guarded,
} satisfies HostIdentity;
