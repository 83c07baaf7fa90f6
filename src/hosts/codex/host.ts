import type { HookControls, HostFolders, HostIdentity } from "../../protocol/host/host.ts";
import type { HostOptionTable } from "../options.ts";

const folders = {
  user: ({ home, env }) => env.CODEX_HOME || `${home}/.codex`,
  /** Path of Codex's system-wide config directory. */
  managed: ({ platform, env, system = "" }) =>
    `${system}${platform === "win32" ? `${env.ProgramData ?? "C:/ProgramData"}/OpenAI/Codex` : "/etc/codex"}`,
} satisfies HostFolders;

/** Matches a `-c` argument that disables the hooks feature or overrides the hooks table. */
const HOOKS_SETTING_ARGUMENT =
  /^(--config=|-c=?)?(features\.(codex_)?hooks\s*=\s*"?false|features\s*=.*hooks\s*=\s*false|hooks\b)/;
const HOOKS_FEATURE = /^(codex_)?hooks$/;

const hookControls: HookControls = {
  files: (machine) => [
    "**/.codex/hooks.json",
    "**/.codex/config.toml",
    "**/.codex/managed_config.toml",
    ...(machine.env.CODEX_HOME
      ? [`${machine.env.CODEX_HOME}/hooks.json`, `${machine.env.CODEX_HOME}/config.toml`]
      : []),
    `${folders.managed(machine)}/`,
    `${folders.user(machine)}/plugins/cache/bridge-hooks/`,
  ],
  describeBypass(args) {
    if (args[0] === "plugin" && args.includes("remove") && args.some((arg) => arg.startsWith("bridge-hooks")))
      return "removes the bridge-hooks plugin from Codex";
    const changesHooks = args.some(
      (arg, at) =>
        (/^(-c|--config)/.test(arg) &&
          (HOOKS_SETTING_ARGUMENT.test(arg) || HOOKS_SETTING_ARGUMENT.test(args[at + 1] ?? ""))) ||
        (arg === "--disable" && HOOKS_FEATURE.test(args[at + 1] ?? "")) ||
        (arg.startsWith("--disable=") && HOOKS_FEATURE.test(arg.slice(10))),
    );
    if (changesHooks) return "starts Codex with different hooks or none";
    return args[0] === "features" && args[1] === "disable" && args.some((arg) => HOOKS_FEATURE.test(arg))
      ? "disables Codex's hooks"
      : undefined;
  },
  variables: ["CODEX_HOME"],
};

export const hostIdentity = {
  id: "codex",
  name: "Codex",
  options: {
    codexAskFallback: {
      values: ["deny", "ask"],
      meaning: 'the answer to send for "ask": a denial, or no answer, so that Codex\'s own approval policy applies',
    },
    codexDeny: {
      values: ["exit", "json"],
      meaning:
        "how to deny: with exit code 2 and the reason on stderr, or with a JSON document, which PowerShell doesn't alter",
    },
  } satisfies HostOptionTable,
  signs: [{ label: '"turn_id"', all: ["turn_id", "model"], test: ({ prompt_id }) => prompt_id === undefined }],
  loadHints: async () => (await import("./hints.ts")).hints,
  programs: ["codex"],
  packages: ["@openai/codex"],
  // Variables that Codex sets for child processes [read in the program of 0.171.0, 2026-11-28].
  childVariables: ["CODEX_SESSION_ID", "CODEX_THREAD_ID", "CODEX_TOOL_CALL_ID", "CODEX_SANDBOX", "CODEX_CI"],
  folders,
  // Codex reads every config directory up to the repository root [seen 0.169.0, 2026-11-28].
  project: { configFolders: "repository" },
  preferences: { domain: "com.openai.codex" },
  hookControls,
} satisfies HostIdentity;
