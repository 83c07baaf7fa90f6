import type { ConfigEntry, Place, Scope, Setup } from "../../core/host.ts";
import { commandsOf } from "../setup.ts";

const MANAGED: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "/Library/Application Support/ClaudeCode",
  win32: "C:\\Program Files\\ClaudeCode",
};

/** Settings files that may hold hooks [docs https://code.claude.com/docs/en/settings; user and project seen 2.1.330]. */
export const setup: Setup = {
  configs({ roots, home, platform, env }: Place): Record<Scope, string[]> {
    const user = env.CLAUDE_CONFIG_DIR ?? `${home}/.claude`;
    return {
      project: roots.flatMap((root) => [`${root}/.claude/settings.json`, `${root}/.claude/settings.local.json`]),
      user: [`${user}/settings.json`],
      system: [`${MANAGED[platform] ?? "/etc/claude-code"}/managed-settings.json`],
    };
  },
  entries: (text): ConfigEntry[] => commandsOf(JSON.parse(text)),
};
