import type { HookControls, HostFolders, HostIdentity, Payload } from "../../protocol/host/host.ts";

// Crush was never run. Its facts come from its repository, as stored in public copies and read on 2026-11-29: the pages
// docs/hooks/README.md and docs/config/README.md, and the code beside them, whose release is unknown.

const folders = {
  /** On every system [docs https://github.com/charmbracelet/crush/tree/main/docs/config]. */
  user: ({ home, env }) => env.CRUSH_GLOBAL_CONFIG || `${env.XDG_CONFIG_HOME || `${home}/.config`}/crush`,
} satisfies HostFolders;

/** A crushrc is a script that may define hooks, too, in releases that have it. */
const NAMES = ["crush.json", ".crush.json", "crushrc", ".crushrc"];

const hookControls: HookControls = {
  files: (place) => [...NAMES.map((name) => `**/${name}`), `${folders.user(place)}/`],
  // No bypass is known.
  describeBypass: () => undefined,
  variables: ["CRUSH_GLOBAL_CONFIG", "CRUSH_GLOBAL_DATA"],
};

/** Plugins of ours name their events in lower case, and other hosts name them in another field. */
const isOwnEvent = ({ event, hook_event_name, hookEventName }: Payload) =>
  typeof event === "string" && /^[A-Z]/.test(event) && hook_event_name === undefined && hookEventName === undefined;

/** Crush's host identity. */
export const hostIdentity = {
  id: "crush",
  name: "Crush",
  options: {},
  // [docs https://github.com/charmbracelet/crush/tree/main/docs/hooks]
  signs: [
    {
      label: '"event" and "session_id" without a "hook_event_name"',
      weight: 2,
      all: ["event", "session_id", "cwd"],
      test: isOwnEvent,
    },
    // Other hosts inherit the environment, so it counts only if it matches the payload.
    {
      label: "the session of CRUSH_SESSION_ID",
      all: ["session_id"],
      test: (payload, env) => isOwnEvent(payload) && env.CRUSH_SESSION_ID === payload.session_id,
    },
  ],
  programs: ["crush"],
  packages: ["@charmland/crush"],
  // [docs https://github.com/charmbracelet/crush/tree/main/docs/hooks]
  childVariables: ["CRUSH", "CRUSH_SESSION_ID"],
  folders,
  // Up to the root of the repository [unverified].
  project: { rootVariables: ["CRUSH_PROJECT_DIR"], configFolders: "repository" },
  hookControls,
} satisfies HostIdentity;
