import type { Guard } from "../../protocol/host/host.ts";

/** The plugin's name for OpenClaw. */
export const ID = "bridge-hooks";

export const guarded: Guard = {
  files: ({ home, env }) => {
    const folder = env.OPENCLAW_STATE_DIR || `${env.OPENCLAW_HOME || home}/.openclaw`;
    return [
      "**/.openclaw/openclaw.json",
      `**/.openclaw/extensions/${ID}/`,
      `${folder}/openclaw.json`,
      `${folder}/extensions/${ID}/`,
      ...(env.OPENCLAW_CONFIG_PATH ? [env.OPENCLAW_CONFIG_PATH] : []),
    ];
  },
  programs: ["openclaw"],
  off(args) {
    const [group, verb] = args.filter((word) => !word.startsWith("-"));
    // [seen 2026.9.6, 2026-11-22]
    if (args.includes("--isolated") || args.includes("--auth-env-only"))
      return "runs an agent of OpenClaw's without plugins";
    if (args.some((word) => /^--(profile|dev)\b/.test(word))) return "starts OpenClaw with another config";
    if (group === "plugins" && /^(disable|uninstall|remove)$/.test(verb ?? "") && args.includes(ID))
      return `takes the plugin ${ID} from OpenClaw`;
    return group === "config" && /^(set|unset)$/.test(verb ?? "") && args.some((word) => /^plugins\b/.test(word))
      ? "changes the plugins in OpenClaw's config"
      : undefined;
  },
  variables: ["OPENCLAW_HOME", "OPENCLAW_STATE_DIR", "OPENCLAW_CONFIG_PATH", "OPENCLAW_PROFILE"],
};
