import type { HookControls, HostFolders, HostIdentity } from "../../protocol/host/host.ts";

/** ID of our plugin in OpenClaw. */
const ID = "bridge-hooks";

const folders = {
  /** OpenClaw's state directory [docs help/environment; seen 2026.9.6, 2026-11-22]. */
  user: ({ home, env }) => env.OPENCLAW_STATE_DIR || `${env.OPENCLAW_HOME || home}/.openclaw`,
} satisfies HostFolders;

const hookControls: HookControls = {
  files: (machine) => {
    const folder = folders.user(machine);
    return [
      "**/.openclaw/openclaw.json",
      `**/.openclaw/extensions/${ID}/`,
      `${folder}/openclaw.json`,
      `${folder}/extensions/${ID}/`,
      ...(machine.env.OPENCLAW_CONFIG_PATH ? [machine.env.OPENCLAW_CONFIG_PATH] : []),
    ];
  },
  describeBypass(args) {
    const [group, verb] = args.filter((arg) => !arg.startsWith("-"));
    // Options that disable plugins [seen 2026.9.6, 2026-11-22].
    if (args.includes("--isolated") || args.includes("--auth-env-only"))
      return "runs an OpenClaw agent without plugins";
    if (args.some((arg) => /^--(profile|dev)\b/.test(arg))) return "starts OpenClaw with a different config";
    if (group === "plugins" && /^(disable|uninstall|remove)$/.test(verb ?? "") && args.includes(ID))
      return `removes the ${ID} plugin from OpenClaw`;
    return group === "config" && /^(set|unset)$/.test(verb ?? "") && args.some((arg) => /^plugins\b/.test(arg))
      ? "changes the plugins in OpenClaw's config"
      : undefined;
  },
  variables: ["OPENCLAW_HOME", "OPENCLAW_STATE_DIR", "OPENCLAW_CONFIG_PATH", "OPENCLAW_PROFILE"],
};

export const hostIdentity = {
  id: "openclaw",
  name: "OpenClaw",
  options: {},
  // The plugin adds the host's name to its payloads.
  signs: [{ label: '"host" and "event"', weight: 2, all: ["host", "event"], test: ({ host }) => host === "openclaw" }],
  programs: ["openclaw"],
  packages: [],
  // Variables that OpenClaw sets for child processes [read in the program of 2026.9.6, 2026-11-28].
  childVariables: ["OPENCLAW_SHELL", "OPENCLAW_CLI"],
  folders,
  // OpenClaw reads no project config [seen 2026.9.6, 2026-11-22].
  project: { configFolders: "start" },
  plugin: ID,
  hookControls,
} satisfies HostIdentity;
