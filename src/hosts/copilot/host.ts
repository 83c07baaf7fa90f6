import type { HookControls, HostFolders, HostIdentity } from "../../protocol/host/host.ts";
import { isIsoDate, isPascalCase } from "../value-tests.ts";

/** Claude Code's names that VS Code sends, with a date as Claude Code never does; Gemini CLI has the session's alone. */
const CLAUDES: readonly unknown[] = [
  "PreToolUse",
  "PostToolUse",
  "UserPromptSubmit",
  "Stop",
  "SubagentStart",
  "SubagentStop",
  "PreCompact",
];

// Grok Build names the same events and times, and a "workspaceRoot" beside them [docs https://docs.x.ai/build/features/hooks].

const folders = {
  user: ({ home, env }) => env.COPILOT_HOME || `${home}/.copilot`,
  /** Policies: the same path in the programs for Linux and macOS, without a variable in the one for Windows [shipped 1.0.102]. */
  managed: ({ platform, system = "" }) =>
    `${system}${platform === "win32" ? "C:/ProgramData/GitHub/Copilot" : "/etc/github-copilot"}`,
  /** Managed settings [seen 1.0.102, 2026-11-22; shipped, not run, on macOS and Windows]. */
  settings: ({ platform, env, system = "" }) =>
    platform === "darwin"
      ? `${system}/Library/Application Support/GitHubCopilot`
      : platform === "win32"
        ? `${system}${env.ProgramFiles ?? "C:/Program Files"}/GitHubCopilot`
        : `${system}/etc/github-copilot`,
} satisfies HostFolders;

const hookControls: HookControls = {
  files: (place) => [
    "**/.github/hooks/",
    "**/.github/copilot/settings.json",
    "**/.github/copilot/settings.local.json",
    "**/.copilot/hooks/",
    "**/.copilot/settings.json",
    "**/.copilot/config.json",
    ...(place.env.COPILOT_HOME
      ? ["hooks/", "settings.json", "config.json"].map((name) => `${place.env.COPILOT_HOME}/${name}`)
      : []),
    ...new Set([folders.managed, folders.settings].map((folder) => `${folder(place)}/`)),
  ],
  // None is known.
  describeBypass: () => undefined,
  variables: ["COPILOT_HOME", "GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS"],
};

/** GitHub Copilot as every call knows it: Copilot CLI, and VS Code. */
export const hostIdentity = {
  id: "copilot",
  name: "GitHub Copilot",
  options: {},
  signs: [
    // Payloads in camelCase have milliseconds there, the others an ISO date.
    {
      label: '"sessionId" and a number in "timestamp"',
      weight: 2,
      all: ["sessionId", "timestamp", "cwd"],
      test: ({ timestamp }) => typeof timestamp === "number",
    },
    // Older releases, and the cloud agent, tell no session [docs https://docs.github.com/en/copilot/reference/hooks-configuration].
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
      test: ({ timestamp, hook_event_name, workspaceRoot }, { QWEN_PROJECT_DIR }) =>
        CLAUDES.includes(hook_event_name) &&
        isIsoDate(timestamp) &&
        QWEN_PROJECT_DIR === undefined &&
        workspaceRoot === undefined,
    },
  ],
  loadHints: async () => (await import("./hints.ts")).hints,
  programs: ["copilot"],
  packages: ["@github/copilot"],
  folders,
  hookControls,
} satisfies HostIdentity;
