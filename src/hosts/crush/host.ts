import type { HookControls, HostFolders, HostIdentity, Payload } from "../../protocol/host/host.ts";

// Crush was never run. These facts come from public copies of its repository, read on 2026-11-29: the pages
// docs/hooks/README.md and docs/config/README.md, and the related code. Which release they describe is unknown.

const folders = {
  /**
   * The path of the user's config directory is the same on every operating system [docs
   * https://github.com/charmbracelet/crush/tree/main/docs/config].
   */
  user: ({ home, env }) => env.CRUSH_GLOBAL_CONFIG || `${env.XDG_CONFIG_HOME || `${home}/.config`}/crush`,
} satisfies HostFolders;

/** In some releases, crushrc is a config script, which can also define hooks. */
const FILE_NAMES = ["crush.json", ".crush.json", "crushrc", ".crushrc"];

const hookControls: HookControls = {
  files: (machine) => [...FILE_NAMES.map((name) => `**/${name}`), `${folders.user(machine)}/`],
  // Crush has no known option that bypasses hooks.
  describeBypass: () => undefined,
  variables: ["CRUSH_GLOBAL_CONFIG", "CRUSH_GLOBAL_DATA"],
};

/**
 * Whether a payload comes from Crush. Payloads from our own plugins have lowercase event names, and other hosts send
 * the name in another field.
 */
const isOwnEvent = ({ event, hook_event_name, hookEventName }: Payload) =>
  typeof event === "string" && /^[A-Z]/.test(event) && hook_event_name === undefined && hookEventName === undefined;

export const hostIdentity = {
  id: "crush",
  name: "Crush",
  options: {},
  // Payload fields and environment variables that identify Crush [docs
  // https://github.com/charmbracelet/crush/tree/main/docs/hooks].
  signs: [
    {
      label: '"event" and "session_id" without a "hook_event_name"',
      weight: 2,
      all: ["event", "session_id", "cwd"],
      test: isOwnEvent,
    },
    // Hosts started by Crush inherit this variable, so it identifies the host only if its value matches the payload.
    {
      label: "the session id in CRUSH_SESSION_ID",
      all: ["session_id"],
      test: (payload, env) => isOwnEvent(payload) && env.CRUSH_SESSION_ID === payload.session_id,
    },
  ],
  programs: ["crush"],
  packages: ["@charmland/crush"],
  // Variables that Crush sets for child processes [docs https://github.com/charmbracelet/crush/tree/main/docs/hooks].
  childVariables: ["CRUSH", "CRUSH_SESSION_ID"],
  folders,
  // Crush reads every config directory up to the repository root [unverified].
  project: { rootVariables: ["CRUSH_PROJECT_DIR"], configFolders: "repository" },
  hookControls,
} satisfies HostIdentity;
