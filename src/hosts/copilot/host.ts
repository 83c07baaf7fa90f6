import type { HookControls, HostFolders, HostIdentity } from "../../protocol/host/host.ts";
import { isIsoDate, isPascalCase } from "../codec/value-tests.ts";

/**
 * Event names that VS Code shares with Claude Code. VS Code also sends a timestamp, which Claude Code never does.
 * Gemini CLI uses the same names only for session events.
 */
const CLAUDE_EVENT_NAMES: readonly unknown[] = [
  "PreToolUse",
  "PostToolUse",
  "UserPromptSubmit",
  "Stop",
  "SubagentStart",
  "SubagentStop",
  "PreCompact",
];

// Grok Build uses the same event names and timestamps, plus a "workspaceRoot" [docs
// https://docs.x.ai/build/features/hooks].

const folders = {
  user: ({ home, env }) => env.COPILOT_HOME || `${home}/.copilot`,
  /**
   * Directory of the policy files, the same on Linux and macOS. On Windows, no environment variable changes it [shipped
   * 1.0.102].
   */
  managed: ({ platform, system = "" }) =>
    `${system}${platform === "win32" ? "C:/ProgramData/GitHub/Copilot" : "/etc/github-copilot"}`,
  /** Directory of the managed settings [seen 1.0.102, 2026-11-22; shipped, not run, on macOS and Windows]. */
  settings: ({ platform, env, system = "" }) =>
    platform === "darwin"
      ? `${system}/Library/Application Support/GitHubCopilot`
      : platform === "win32"
        ? `${system}${env.ProgramFiles ?? "C:/Program Files"}/GitHubCopilot`
        : `${system}/etc/github-copilot`,
} satisfies HostFolders;

const hookControls: HookControls = {
  files: (machine) => [
    "**/.github/hooks/",
    "**/.github/copilot/settings.json",
    "**/.github/copilot/settings.local.json",
    "**/.copilot/hooks/",
    "**/.copilot/settings.json",
    "**/.copilot/config.json",
    ...(machine.env.COPILOT_HOME
      ? ["hooks/", "settings.json", "config.json"].map((name) => `${machine.env.COPILOT_HOME}/${name}`)
      : []),
    ...new Set([folders.managed, folders.settings].map((folder) => `${folder(machine)}/`)),
  ],
  // Copilot has no known option that bypasses hooks.
  describeBypass: () => undefined,
  variables: ["COPILOT_HOME", "GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS"],
};

/** Host identity of GitHub Copilot, covering both Copilot CLI and VS Code. */
export const hostIdentity = {
  id: "copilot",
  name: "GitHub Copilot",
  options: {},
  signs: [
    // The timestamp is in milliseconds in camelCase payloads and an ISO date in other payloads.
    {
      label: '"sessionId" and a number in "timestamp"',
      weight: 2,
      all: ["sessionId", "timestamp", "cwd"],
      test: ({ timestamp }) => typeof timestamp === "number",
    },
    // Older releases and the cloud agent don't send a session ID [docs
    // https://docs.github.com/en/copilot/reference/hooks-configuration].
    {
      label: '"toolArgs" and a number in "timestamp"',
      weight: 2,
      all: ["toolName", "toolArgs", "timestamp", "cwd"],
      test: ({ timestamp }) => typeof timestamp === "number",
    },
    {
      label: '"hookEventName" and a date in "timestamp"',
      weight: 2,
      all: ["sessionId", "hookEventName", "timestamp"],
      test: ({ timestamp, workspaceRoot }) => isIsoDate(timestamp) && workspaceRoot === undefined,
    },
    {
      label: 'a date in "timestamp" without a "transcript_path"',
      weight: 2,
      all: ["session_id", "timestamp", "hook_event_name"],
      test: ({ timestamp, hook_event_name, transcript_path, workspaceRoot }) =>
        transcript_path === undefined &&
        isPascalCase(hook_event_name) &&
        isIsoDate(timestamp) &&
        workspaceRoot === undefined,
    },
    {
      label: 'a date in "timestamp"',
      all: ["session_id", "timestamp", "hook_event_name"],
      // Unlike Copilot, Qwen Code sends a permission mode [seen Qwen Code 0.24.4, 2026-11-27].
      test: ({ timestamp, hook_event_name, workspaceRoot, permission_mode }, { QWEN_PROJECT_DIR }) =>
        CLAUDE_EVENT_NAMES.includes(hook_event_name) &&
        isIsoDate(timestamp) &&
        permission_mode === undefined &&
        QWEN_PROJECT_DIR === undefined &&
        workspaceRoot === undefined,
    },
  ],
  loadHints: async () => (await import("./hints.ts")).hints,
  programs: ["copilot"],
  packages: ["@github/copilot"],
  // Variables that Copilot sets for child processes [seen 1.0.102, 2026-11-21].
  childVariables: ["COPILOT_CLI", "COPILOT_PROJECT_DIR"],
  folders,
  // With --add-dir, Copilot also reads the config at the root of the repository that contains the added directory [seen
  // 1.0.102, 2026-11-28].
  project: { rootVariables: ["COPILOT_PROJECT_DIR"], configFolders: "start" },
  hookControls,
} satisfies HostIdentity;
