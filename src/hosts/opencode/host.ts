import type { HookControls, HostFolders, HostIdentity } from "../../protocol/host/host.ts";

const folders = {
  /** The user's config directory has the same path on every system [shipped 1.18.33]. */
  user: ({ home, env }) => `${env.XDG_CONFIG_HOME || `${home}/.config`}/opencode`,
  /** The directory of the managed config [shipped 1.18.33]. */
  managed: ({ platform, env, system = "" }) =>
    platform === "darwin"
      ? `${system}/Library/Application Support/opencode`
      : `${system}${platform === "win32" ? `${env.ProgramData || "C:/ProgramData"}/opencode` : "/etc/opencode"}`,
} satisfies HostFolders;

/**
 * Config files and plugin directories. Config files can list plugins, and a plugin loaded after ours can change an
 * allowed call [seen 1.18.33, 2026-11-22].
 */
const FILE_NAMES = ["opencode.json", "opencode.jsonc", "plugin/", "plugins/"];

const hookControls: HookControls = {
  files: (machine) => [
    "**/opencode.json",
    "**/opencode.jsonc",
    "**/.opencode/plugin/",
    "**/.opencode/plugins/",
    ...["config.json", ...FILE_NAMES].map((name) => `**/.config/opencode/${name}`),
    ...(machine.env.XDG_CONFIG_HOME
      ? ["config.json", ...FILE_NAMES].map((name) => `${folders.user(machine)}/${name}`)
      : []),
    `${folders.managed(machine)}/`,
  ],
  // `--pure` disables plugins [seen 1.18.33, 2026-11-22].
  describeBypass: (args) =>
    args.includes("--pure") ? "starts OpenCode without plugins and therefore without hooks" : undefined,
  variables: [
    "OPENCODE_PURE",
    "OPENCODE_DISABLE_PROJECT_CONFIG",
    "OPENCODE_TEST_MANAGED_CONFIG_DIR",
    "OPENCODE_CONFIG_DIR",
  ],
};

export const hostIdentity = {
  id: "opencode",
  name: "OpenCode",
  options: {},
  // plugin.js adds the host's name to its payloads.
  signs: [{ label: '"host" and "event"', weight: 2, all: ["host", "event"], test: ({ host }) => host === "opencode" }],
  programs: ["opencode"],
  packages: ["opencode-ai"],
  // Variables that OpenCode sets for child processes [read in the program of 1.18.33, 2026-11-28].
  childVariables: ["OPENCODE", "OPENCODE_PID", "OPENCODE_TERMINAL"],
  folders,
  // Outside a repository, OpenCode reads config from all parent directories up to the file system root [seen 1.18.33,
  // 2026-11-28].
  project: { rootFields: ["workspace_roots"], configFolders: "parents" },
  preferences: { domain: "ai.opencode.managed" },
  hookControls,
} satisfies HostIdentity;
