import type { ConfigEntry, Place, Scope, Setup } from "../../core/host.ts";
import { commandsOf } from "../setup.ts";

const ENTERPRISE: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "/Library/Application Support/Cursor",
  win32: "C:\\ProgramData\\Cursor",
};

/** hooks.json, JSON with comments [docs https://cursor.com/docs/hooks.md; project and user seen @cursor/sdk 1.0.32]. */
export const setup: Setup = {
  configs: ({ roots, home, platform }: Place): Record<Scope, string[]> => ({
    project: roots.map((root) => `${root}/.cursor/hooks.json`),
    user: [`${home}/.cursor/hooks.json`],
    system: [`${ENTERPRISE[platform] ?? "/etc/cursor"}/hooks.json`],
  }),
  entries: (text): ConfigEntry[] => commandsOf(Bun.JSONC.parse(text)),
};
