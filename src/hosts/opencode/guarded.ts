import type { Guard } from "../../protocol/host/host.ts";

const MANAGED: Partial<Record<NodeJS.Platform, string>> = { darwin: "/Library/Application Support/opencode/" };

/** A config may name plugins, and a plugin that is loaded behind ours may change what was allowed [seen 1.18.33, 2026-11-22]. */
const NAMES = ["opencode.json", "opencode.jsonc", "plugin/", "plugins/"];

export const guarded: Guard = {
  files: ({ platform, env }) => [
    "**/opencode.json",
    "**/opencode.jsonc",
    "**/.opencode/plugin/",
    "**/.opencode/plugins/",
    ...["config.json", ...NAMES].map((name) => `**/.config/opencode/${name}`),
    ...(env.XDG_CONFIG_HOME ? ["config.json", ...NAMES].map((name) => `${env.XDG_CONFIG_HOME}/opencode/${name}`) : []),
    MANAGED[platform] ?? (platform === "win32" ? `${env.ProgramData || "C:/ProgramData"}/opencode/` : "/etc/opencode/"),
  ],
  programs: ["opencode", "opencode-ai"],
  // [seen 1.18.33, 2026-11-22]
  off: (args) => (args.includes("--pure") ? "starts OpenCode without plugins, and so without hooks" : undefined),
  variables: [
    "OPENCODE_PURE",
    "OPENCODE_DISABLE_PROJECT_CONFIG",
    "OPENCODE_TEST_MANAGED_CONFIG_DIR",
    "OPENCODE_CONFIG_DIR",
  ],
  managed: ["ai.opencode.managed"],
};
