import type { Guard } from "../../protocol/host/host.ts";

const MANAGED: Partial<Record<NodeJS.Platform, (env: Readonly<Record<string, string | undefined>>) => string[]>> = {
  darwin: () => ["/etc/github-copilot/", "/Library/Application Support/GitHubCopilot/"],
  win32: (env) => ["C:/ProgramData/GitHub/Copilot/", `${env.ProgramFiles ?? "C:/Program Files"}/GitHubCopilot/`],
};

export const guarded: Guard = {
  files: ({ platform, env }) => [
    "**/.github/hooks/",
    "**/.github/copilot/settings.json",
    "**/.github/copilot/settings.local.json",
    "**/.copilot/hooks/",
    "**/.copilot/settings.json",
    "**/.copilot/config.json",
    ...(env.COPILOT_HOME
      ? ["hooks/", "settings.json", "config.json"].map((name) => `${env.COPILOT_HOME}/${name}`)
      : []),
    ...(MANAGED[platform]?.(env) ?? ["/etc/github-copilot/"]),
  ],
  programs: ["copilot", "@github/copilot"],
  // None is known.
  off: () => undefined,
  variables: ["COPILOT_HOME", "GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS"],
};
