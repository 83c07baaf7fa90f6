import type { Guard } from "../../protocol/host/host.ts";

const MANAGED: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "/Library/Application Support/ClaudeCode/",
  win32: "C:/Program Files/ClaudeCode/",
};

/** Whether settings that are given at the start turn hooks off. */
const says = (word: string | undefined) =>
  word !== undefined && /disableAllHooks\W*true|allowManagedHooksOnly\W*true/.test(word);

export const guarded: Guard = {
  files: ({ platform, env }) => [
    "**/.claude/settings.json",
    "**/.claude/settings.local.json",
    ...(env.CLAUDE_CONFIG_DIR ? [`${env.CLAUDE_CONFIG_DIR}/settings.json`] : []),
    MANAGED[platform] ?? "/etc/claude-code/",
  ],
  programs: ["claude", "@anthropic-ai/claude-code"],
  off(args) {
    // [--bare seen 2.1.330; the others docs https://code.claude.com/docs/en/cli-reference]
    if (args.includes("--bare") || args.includes("--safe-mode")) return "starts Claude Code without hooks";
    const at = args.findIndex((word) => word.startsWith("--setting-sources"));
    const sources = at < 0 ? "user" : (args[at]?.split("=")[1] ?? args[at + 1] ?? "");
    if (!sources.split(",").includes("user")) return "starts Claude Code without the user's settings";
    const settings = args.findIndex((word) => word.startsWith("--settings"));
    if (settings >= 0 && (says(args[settings]) || says(args[settings + 1])))
      return "starts Claude Code with its hooks turned off";
    return args[0] === "config" &&
      args.some((word) => /^(disableAllHooks|hooks)\b/.test(word)) &&
      args[1] !== "get" &&
      args[1] !== "list"
      ? "changes the hooks in Claude Code's settings"
      : undefined;
  },
  variables: ["CLAUDE_CONFIG_DIR", "CLAUDE_CODE_SAFE_MODE", "CLAUDE_CODE_SIMPLE"],
  managed: ["com.anthropic.claudecode", "SOFTWARE\\Policies\\ClaudeCode"],
};
