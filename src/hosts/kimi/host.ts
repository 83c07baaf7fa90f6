import type { HookControls, HostFolders, HostIdentity } from "../../protocol/host/host.ts";

const folders = {
  user: ({ home, env }) => env.KIMI_CODE_HOME || `${home}/.kimi-code`,
} satisfies HostFolders;

const hookControls: HookControls = {
  files: (machine) => [
    "**/.kimi-code/config.toml",
    ...(machine.env.KIMI_CODE_HOME ? [`${folders.user(machine)}/config.toml`] : []),
  ],
  // Kimi Code has no known option that bypasses hooks.
  describeBypass: () => undefined,
  variables: ["KIMI_CODE_HOME"],
};

export const hostIdentity = {
  id: "kimi",
  name: "Kimi Code",
  options: {},
  // Kimi Code sets no environment variables for hooks [seen 2.1.0, 2026-11-27].
  signs: [
    {
      label: '"client_type"',
      all: ["client_type", "hook_event_name"],
      test: ({ client_type }) => typeof client_type === "string" && client_type.startsWith("kimi_"),
    },
    {
      label: '"tool_call_id" without a "tool_use_id"',
      all: ["tool_call_id", "tool_name", "hook_event_name"],
      test: ({ tool_use_id, timestamp }) => tool_use_id === undefined && timestamp === undefined,
    },
  ],
  loadHints: async () => (await import("./hints.ts")).hints,
  programs: ["kimi"],
  packages: ["@moonshot-ai/kimi-code"],
  childVariables: [],
  folders,
  // Kimi Code reads no project config [seen 2.1.0, 2026-11-27].
  project: { configFolders: "start" },
  hookControls,
} satisfies HostIdentity;
