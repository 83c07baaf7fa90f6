import type { Guard } from "../../protocol/host/host.ts";

const SYSTEM: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "/Library/Application Support/GeminiCli/",
  win32: "C:/ProgramData/gemini-cli/",
};

export const guarded: Guard = {
  files: ({ platform, env }) => [
    "**/.gemini/settings.json",
    // In a folder that is not trusted no hook runs.
    "**/.gemini/trustedFolders.json",
    // It decides the environment of the hooks' shell.
    "**/.gemini/.env",
    SYSTEM[platform] ?? "/etc/gemini-cli/",
    ...[env.GEMINI_CLI_SYSTEM_SETTINGS_PATH, env.GEMINI_CLI_TRUSTED_FOLDERS_PATH].filter((path) => path !== undefined),
  ],
  programs: ["gemini", "@google/gemini-cli"],
  // None is known.
  off: () => undefined,
  variables: [
    "GEMINI_CLI_HOME",
    "GEMINI_CLI_SYSTEM_SETTINGS_PATH",
    "GEMINI_CLI_SYSTEM_DEFAULTS_PATH",
    "GEMINI_CLI_TRUSTED_FOLDERS_PATH",
    "GEMINI_CLI_TRUST_WORKSPACE",
    "GEMINI_RESTRICTED_MODE",
  ],
};
