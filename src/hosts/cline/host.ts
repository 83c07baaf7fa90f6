import type { HookControls, HostFolders, HostIdentity } from "../../protocol/host/host.ts";

const folders = {
  /** Cline has no config directory for administrators [shipped 3.0.65]. */
  user: ({ home, env }) => env.CLINE_DIR?.trim() || `${home}/.cline`,
} satisfies HostFolders;

const hookControls: HookControls = {
  // Each of these directories contains one script per event [seen 3.0.65, 2026-11-29]. A plugin can still replace a
  // call's input after the scripts have run [shipped 3.0.65].
  files: (machine) => [
    "**/Documents/Cline/Hooks/",
    "**/Documents/Cline/Plugins/",
    ...["**/.cline", ...(machine.env.CLINE_DIR ? [folders.user(machine)] : [])].flatMap((folder) => [
      `${folder}/hooks/`,
      `${folder}/plugins/`,
    ]),
    "**/.clinerules/hooks/",
  ],
  // `--config` selects another config directory [shipped 3.0.65].
  describeBypass: (args) =>
    args.some((arg) => arg === "--config" || arg.startsWith("--config="))
      ? "starts Cline with a different config directory and therefore without the user's hooks"
      : undefined,
  variables: ["CLINE_DIR"],
};

export const hostIdentity = {
  id: "cline",
  name: "Cline",
  options: {},
  // All payloads have these fields. No environment variable identifies the host [seen 3.0.65, 2026-11-29].
  signs: [
    { label: '"clineVersion" and "hookName"', weight: 2, all: ["clineVersion", "hookName"] },
    { label: '"hookName" and "taskId"', weight: 2, all: ["hookName", "taskId", "workspaceRoots"] },
  ],
  programs: ["cline"],
  packages: ["cline"],
  childVariables: ["CLINE_CONNECTOR_CLI_LAUNCH", "CLINE_BUILD_ENV"],
  folders,
  // The directory in which the user started Cline [seen 3.0.65, 2026-11-29].
  project: { rootFields: ["workspaceRoots"], configFolders: "start" },
  hookControls,
} satisfies HostIdentity;
