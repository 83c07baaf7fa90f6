import type { HookControls, HostFolders, HostIdentity } from "../../protocol/host/host.ts";

const folders = {
  /** On every system, in the releases of both packages [shipped 1.5.2, 0.73.1]. */
  user: ({ home, env }) => {
    const { PI_CODING_AGENT_DIR: folder } = env;
    if (!folder) return `${home}/.pi/agent`;
    return folder === "~" || folder.startsWith("~/") ? home + folder.slice(1) : folder;
  },
} satisfies HostFolders;

/**
 * Settings may exclude an extension or name others, and one that is loaded after ours may change a call that was allowed;
 * trust decides about a project's extensions [seen 1.5.2, 2026-11-29]. The last two have installed packages, whose
 * extensions load as well [shipped 1.5.2].
 */
const NAMES = ["extensions/", "settings.json", "trust.json", "npm/", "git/"];

const hookControls: HookControls = {
  files: (place) => [
    ...NAMES.map((name) => `**/.pi/${name}`),
    ...NAMES.map((name) => `**/.pi/agent/${name}`),
    ...(place.env.PI_CODING_AGENT_DIR ? NAMES.map((name) => `${folders.user(place)}/${name}`) : []),
  ],
  describeBypass(args) {
    // [seen 1.5.2, 2026-11-27]
    if (args.includes("-ne") || args.includes("--no-extensions"))
      return "starts pi without extensions, and so without hooks";
    // [shipped 1.5.2]
    return args.includes("-na") || args.includes("--no-approve")
      ? "starts pi without the project's extensions, and so without its hooks"
      : undefined;
  },
  // The last one moves pi's own package, which has the name of the config directory [shipped 1.5.2].
  variables: ["PI_CODING_AGENT_DIR", "PI_PACKAGE_DIR"],
};

/** pi's host identity. */
export const hostIdentity = {
  id: "pi",
  name: "pi",
  options: {},
  // The envelope is our own: plugin.js names its host in it.
  signs: [{ label: '"host" and "event"', weight: 2, all: ["host", "event"], test: ({ host }) => host === "pi" }],
  programs: ["pi"],
  packages: ["@earendil-works/pi-coding-agent", "@mariozechner/pi-coding-agent"],
  // [docs https://pi.dev: environment-variables.md in the package of 1.5.2]
  // It says "pi" in AI_AGENT, as other agents say their name [shipped 1.5.2].
  childVariables: ["PI_CODING_AGENT", "PI_SESSION_ID", "AI_AGENT"],
  folders,
  // It reads no config of a parent folder [shipped 1.5.2].
  project: { configFolders: "start" },
  hookControls,
} satisfies HostIdentity;
