import type { HookControls, HostFolders, HostIdentity } from "../../protocol/host/host.ts";
import { hasPathPart } from "../codec/value-tests.ts";

const SYSTEM_FOLDERS: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "/Library/Application Support/QwenCode",
  win32: "C:/ProgramData/qwen-code",
};

const folders = {
  user: ({ home, env }) => env.QWEN_HOME || `${home}/.qwen`,
  managed: ({ platform, system = "" }) => `${system}${SYSTEM_FOLDERS[platform] ?? "/etc/qwen-code"}`,
} satisfies HostFolders;

/** Environment variables that disable all hooks, including managed ones [seen 0.24.4, 2026-11-29]. */
export const HOOK_DISABLING_VARIABLES = ["QWEN_CODE_SAFE_MODE", "QWEN_CODE_SIMPLE"];

/** Files in Qwen Code's directory that determine which hooks it calls. */
const FILE_NAMES = [
  "settings.json",
  // This file can set the variables that disable all hooks.
  ".env",
  // Project hooks don't run in an untrusted directory.
  "trustedFolders.json",
  // Hooks from extensions run last, so their answers override other hooks' answers [shipped 0.24.4].
  "extensions/",
];

const hookControls: HookControls = {
  files: (machine) => [
    ...FILE_NAMES.map((name) => `**/.qwen/${name}`),
    ...(machine.env.QWEN_HOME ? FILE_NAMES.map((name) => `${folders.user(machine)}/${name}`) : []),
    `${machine.home}/.env`,
    `${folders.managed(machine)}/`,
    ...[
      machine.env.QWEN_CODE_SYSTEM_SETTINGS_PATH,
      machine.env.QWEN_CODE_SYSTEM_DEFAULTS_PATH,
      machine.env.QWEN_CODE_TRUSTED_FOLDERS_PATH,
    ].filter((path) => path !== undefined),
  ],
  // Options that disable hooks [seen 0.24.4, 2026-11-29].
  describeBypass: (args) =>
    args.some((arg) => /^--(bare|safe-mode|safeMode)(=|$)/.test(arg)) ? "starts Qwen Code without hooks" : undefined,
  variables: [
    ...HOOK_DISABLING_VARIABLES,
    "QWEN_HOME",
    "QWEN_CODE_SYSTEM_SETTINGS_PATH",
    "QWEN_CODE_SYSTEM_DEFAULTS_PATH",
    "QWEN_CODE_TRUSTED_FOLDERS_PATH",
  ],
};

/** Qwen Code's host identity. The payloads use Claude Code's fields and event names [seen 0.24.4, 2026-11-27]. */
export const hostIdentity = {
  id: "qwen",
  name: "Qwen Code",
  options: {},
  signs: [
    {
      label: '"prompt_id" with "########"',
      all: ["prompt_id", "timestamp"],
      test: ({ prompt_id }) => typeof prompt_id === "string" && prompt_id.includes("########"),
    },
    { label: '"tool_call_id" and "tool_use_id"', all: ["tool_call_id", "tool_use_id", "prompt_id"] },
    {
      label: 'a "transcript_path" in ".qwen/projects"',
      all: ["timestamp", "transcript_path"],
      test: ({ transcript_path }) => hasPathPart(transcript_path, "/.qwen/projects/"),
    },
    // Hosts started by Qwen Code inherit this variable, so it identifies the host only if its value matches the
    // payload.
    {
      label: "the session id in QWEN_CODE_SESSION_ID",
      weight: 2,
      all: ["session_id", "timestamp"],
      test: ({ session_id }, env) => env.QWEN_CODE_SESSION_ID === session_id,
    },
  ],
  loadHints: async () => (await import("./hints.ts")).hints,
  programs: ["qwen"],
  packages: ["@qwen-code/qwen-code"],
  // Qwen Code sets QWEN_CODE for shells [shipped 0.24.4] and the other variables for hooks [seen 0.24.4, 2026-11-27].
  childVariables: ["QWEN_CODE", "QWEN_CODE_SESSION_ID", "QWEN_PROJECT_DIR"],
  folders,
  project: { rootVariables: ["QWEN_PROJECT_DIR"], configFolders: "start" },
  hookControls,
} satisfies HostIdentity;
