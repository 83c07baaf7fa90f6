import type { HookControls, HostFolders, HostIdentity } from "../../protocol/host/host.ts";

const folders = {
  /**
   * Path of the user's config directory, which is the same on every system and in both packages' releases [shipped
   * 1.5.2, 0.73.1].
   */
  user: ({ home, env }) => {
    const { PI_CODING_AGENT_DIR: folder } = env;
    if (!folder) return `${home}/.pi/agent`;
    return folder === "~" || folder.startsWith("~/") ? home + folder.slice(1) : folder;
  },
} satisfies HostFolders;

/**
 * Files that determine which extensions pi loads. Settings can list or exclude extensions, an extension loaded after
 * ours can change an allowed call, and a project's extensions load only if the project is trusted [seen 1.5.2,
 * 2026-11-29]. The last two directories contain installed packages, from which pi also loads extensions [shipped
 * 1.5.2].
 */
const FILE_NAMES = ["extensions/", "settings.json", "trust.json", "npm/", "git/"];

const hookControls: HookControls = {
  files: (machine) => [
    ...FILE_NAMES.map((name) => `**/.pi/${name}`),
    ...FILE_NAMES.map((name) => `**/.pi/agent/${name}`),
    ...(machine.env.PI_CODING_AGENT_DIR ? FILE_NAMES.map((name) => `${folders.user(machine)}/${name}`) : []),
  ],
  describeBypass(args) {
    // `--no-extensions` disables all extensions [seen 1.5.2, 2026-11-27].
    if (args.includes("-ne") || args.includes("--no-extensions"))
      return "starts pi without extensions and therefore without hooks";
    // `--no-approve` disables a project's extensions [shipped 1.5.2].
    return args.includes("-na") || args.includes("--no-approve")
      ? "starts pi without the project's extensions and therefore without the project's hooks"
      : undefined;
  },
  // PI_PACKAGE_DIR selects another copy of pi's own package, which determines the name of the config directory [shipped
  // 1.5.2].
  variables: ["PI_CODING_AGENT_DIR", "PI_PACKAGE_DIR"],
};

export const hostIdentity = {
  id: "pi",
  name: "pi",
  options: {},
  // plugin.js adds the host's name to its payloads.
  signs: [{ label: '"host" and "event"', weight: 2, all: ["host", "event"], test: ({ host }) => host === "pi" }],
  programs: ["pi"],
  packages: ["@earendil-works/pi-coding-agent", "@mariozechner/pi-coding-agent"],
  // Variables that pi sets for child processes [docs https://pi.dev: environment-variables.md in the package of 1.5.2].
  // AI_AGENT contains "pi"; other agents put their own names there [shipped 1.5.2].
  childVariables: ["PI_CODING_AGENT", "PI_SESSION_ID", "AI_AGENT"],
  folders,
  // pi reads no config from parent directories [shipped 1.5.2].
  project: { configFolders: "start" },
  hookControls,
} satisfies HostIdentity;
