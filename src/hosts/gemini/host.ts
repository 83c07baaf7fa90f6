import type { HookControls, HostFolders, HostIdentity } from "../../protocol/host/host.ts";
import { hasPathPart } from "../codec/value-tests.ts";
import type { HostOptionTable } from "../options.ts";

/** Event names that only this host uses. */
const OWN_EVENT_NAMES = [
  "BeforeTool",
  "AfterTool",
  "BeforeAgent",
  "AfterAgent",
  "BeforeModel",
  "AfterModel",
  "BeforeToolSelection",
  "PreCompress",
];

const SYSTEM_FOLDERS: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "/Library/Application Support/GeminiCli",
  win32: "C:/ProgramData/gemini-cli",
};

const folders = {
  user: ({ home, env }) => `${env.GEMINI_CLI_HOME || home}/.gemini`,
  managed: ({ platform, system = "" }) => `${system}${SYSTEM_FOLDERS[platform] ?? "/etc/gemini-cli"}`,
} satisfies HostFolders;

const hookControls: HookControls = {
  files: (machine) => [
    "**/.gemini/settings.json",
    // This file determines which directories are trusted. No hooks run in an untrusted directory.
    "**/.gemini/trustedFolders.json",
    // This file sets environment variables for the shell that runs hooks.
    "**/.gemini/.env",
    `${folders.managed(machine)}/`,
    ...[machine.env.GEMINI_CLI_SYSTEM_SETTINGS_PATH, machine.env.GEMINI_CLI_TRUSTED_FOLDERS_PATH].filter(
      (path) => path !== undefined,
    ),
  ],
  // Gemini CLI has no known option that bypasses hooks.
  describeBypass: () => undefined,
  variables: [
    "GEMINI_CLI_HOME",
    "GEMINI_CLI_SYSTEM_SETTINGS_PATH",
    "GEMINI_CLI_SYSTEM_DEFAULTS_PATH",
    "GEMINI_CLI_TRUSTED_FOLDERS_PATH",
    "GEMINI_CLI_TRUST_WORKSPACE",
    "GEMINI_RESTRICTED_MODE",
  ],
};

export const hostIdentity = {
  id: "gemini",
  name: "Gemini CLI",
  options: {
    geminiAskFallback: {
      values: ["deny", "ask"],
      meaning: 'the answer to send for "ask"; with "ask", Gemini CLI hangs or exits if nobody can answer',
    },
    geminiDeny: {
      values: ["exit", "json"],
      meaning:
        "how to deny: with exit code 2 and the JSON document, or with the document alone, which fails if other output precedes it",
    },
  } satisfies HostOptionTable,
  signs: [
    {
      label: "the event's name",
      all: ["hook_event_name"],
      test: ({ hook_event_name }) => OWN_EVENT_NAMES.includes(hook_event_name as string),
    },
    // Gemini CLI stores chats in ~/.gemini/tmp [seen 0.61.0, 2026-11-21].
    {
      label: 'a "transcript_path" in ".gemini/tmp"',
      all: ["timestamp", "transcript_path"],
      // Unlike Gemini CLI's payloads, Grok Build's have a workspace root.
      test: ({ transcript_path, workspaceRoot }) =>
        workspaceRoot === undefined && hasPathPart(transcript_path, "/.gemini/tmp/"),
    },
    // Hosts started by Gemini CLI inherit this variable, so it identifies the host only if its value matches the
    // payload.
    {
      label: "the session id in GEMINI_SESSION_ID",
      weight: 2,
      all: ["session_id", "timestamp"],
      // Qwen Code also sets this variable [seen Qwen Code 0.24.4, 2026-11-21].
      test: ({ session_id }, env) => env.GEMINI_SESSION_ID === session_id && env.QWEN_PROJECT_DIR === undefined,
    },
  ],
  loadHints: async () => (await import("./hints.ts")).hints,
  programs: ["gemini"],
  packages: ["@google/gemini-cli"],
  // Variables that Gemini CLI sets for child processes [read in the program of 0.61.0, 2026-11-28].
  childVariables: ["GEMINI_CLI", "GEMINI_SESSION_ID"],
  folders,
  // Gemini CLI reads config only from the directory it starts in [seen 0.61.0, 2026-11-28].
  project: { rootVariables: ["GEMINI_PROJECT_DIR"], configFolders: "start" },
  hookControls,
} satisfies HostIdentity;
