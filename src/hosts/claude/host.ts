import type { HookControls, HostFolders, HostIdentity } from "../../protocol/host/host.ts";

const MANAGED_FOLDERS: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "/Library/Application Support/ClaudeCode",
  win32: "C:/Program Files/ClaudeCode",
};

const folders = {
  user: ({ home, env }) => env.CLAUDE_CONFIG_DIR || `${home}/.claude`,
  managed: ({ platform, system = "" }) => `${system}${MANAGED_FOLDERS[platform] ?? "/etc/claude-code"}`,
} satisfies HostFolders;

/** Whether settings passed on the command line disable hooks. */
const isDisablingHooks = (text: string) => /disableAllHooks\W*true|allowManagedHooksOnly\W*true/.test(text);

/** Whether a `claude plugin` command removes or disables our plugin, either by name or along with all others. */
const isRemovingPlugin = ([command = "", ...words]: readonly string[]) =>
  /^plugins?$/.test(command) &&
  words.some((arg) => /^(uninstall|remove|rm|disable)$/.test(arg)) &&
  words.some((arg) => arg.startsWith("bridge-hooks") || arg === "--all" || arg === "-a");

const isChangingHooks = ([command, verb = "", ...words]: readonly string[]) =>
  command === "config" &&
  [verb, ...words].some((arg) => /^(disableAllHooks|hooks)\b/.test(arg)) &&
  !/^(get|list)$/.test(verb);

const hookControls: HookControls = {
  files: (machine) => [
    "**/.claude/settings.json",
    "**/.claude/settings.local.json",
    ...(machine.env.CLAUDE_CONFIG_DIR ? [`${machine.env.CLAUDE_CONFIG_DIR}/settings.json`] : []),
    ...["known_marketplaces.json", "installed_plugins.json", "cache/bridge-hooks/"].map(
      (name) => `${folders.user(machine)}/plugins/${name}`,
    ),
    `${folders.managed(machine)}/`,
  ],
  describeBypass(args, readText) {
    if (isRemovingPlugin(args)) return "removes the bridge-hooks plugin from Claude Code";
    // Options that start Claude Code without hooks or settings [`--bare`: seen 2.1.330; the others: docs
    // https://code.claude.com/docs/en/cli-reference].
    if (args.includes("--bare") || args.includes("--safe-mode")) return "starts Claude Code without hooks";
    const at = args.findIndex((arg) => arg.startsWith("--setting-sources"));
    const sources = at < 0 ? "user" : (args[at]?.split("=")[1] ?? args[at + 1] ?? "");
    if (!sources.split(",").includes("user")) return "starts Claude Code without the user's settings";
    const flagIndex = args.findIndex((arg) => arg.startsWith("--settings"));
    const settings =
      flagIndex < 0 ? "{}" : (/^--settings=([^]*)/.exec(args[flagIndex] ?? "")?.[1] ?? args[flagIndex + 1] ?? "");
    const text = settings.trimStart().startsWith("{") ? settings : readText(settings);
    if (text === undefined) return "starts Claude Code with settings that can't be checked";
    if (isDisablingHooks(text)) return "starts Claude Code with hooks disabled";
    return isChangingHooks(args) ? "changes the hooks in Claude Code's settings" : undefined;
  },
  variables: ["CLAUDE_CONFIG_DIR", "CLAUDE_CODE_SAFE_MODE", "CLAUDE_CODE_SIMPLE"],
};

export const hostIdentity = {
  id: "claude",
  name: "Claude Code",
  options: {},
  signs: [
    // Qwen Code also sends `prompt_id`, but its value contains the session ID and "########" [seen Qwen Code 0.24.4,
    // 2026-11-27].
    {
      label: '"prompt_id"',
      all: ["prompt_id"],
      test: ({ prompt_id }) => typeof prompt_id !== "string" || !prompt_id.includes("########"),
    },
    // Hosts started by Claude Code inherit these variables, so a variable identifies the host only if it matches the
    // payload.
    {
      label: "the session id in CLAUDE_CODE_SESSION_ID",
      weight: 2,
      all: ["session_id"],
      test: ({ session_id }, env) => env.CLAUDECODE === "1" && env.CLAUDE_CODE_SESSION_ID === session_id,
    },
  ],
  loadHints: async () => (await import("./hints.ts")).hints,
  programs: ["claude"],
  packages: ["@anthropic-ai/claude-code"],
  // Variables that Claude Code sets for child processes [seen 2.1.332, 2026-11-28].
  childVariables: ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_PID", "AI_AGENT"],
  folders,
  // In a session started in a subdirectory, only that subdirectory's settings.json applies [seen 2.1.330, 2026-11-28].
  project: { rootVariables: ["CLAUDE_PROJECT_DIR"], configFolders: "start" },
  preferences: { domain: "com.anthropic.claudecode", registryKey: "SOFTWARE\\Policies\\ClaudeCode" },
  hookControls,
} satisfies HostIdentity;
