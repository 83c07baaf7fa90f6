import type { Guard } from "../../protocol/host/host.ts";

/** [docs https://docs.x.ai/build/features/hooks; config.toml and GROK_HOME unverified] */
export const guarded: Guard = {
  files: ({ env }) => [
    "**/.grok/hooks/",
    "**/.grok/config.toml",
    // In a folder that is not trusted no project's hook runs.
    "**/.grok/trusted_folders.toml",
    ...(env.GROK_HOME
      ? ["hooks/", "config.toml", "trusted_folders.toml"].map((name) => `${env.GROK_HOME}/${name}`)
      : []),
  ],
  programs: ["grok"],
  // None is known.
  off: () => undefined,
  variables: ["GROK_HOME"],
};
