import type { HookControls, HostFolders, HostIdentity } from "../../protocol/host/host.ts";
import type { HostOptionTable } from "../options.ts";

const ENTERPRISE_FOLDERS: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "/Library/Application Support/Cursor",
  win32: "C:/ProgramData/Cursor",
};

const folders = {
  user: ({ home }) => `${home}/.cursor`,
  managed: ({ platform, system = "" }) => `${system}${ENTERPRISE_FOLDERS[platform] ?? "/etc/cursor"}`,
} satisfies HostFolders;

const hookControls: HookControls = {
  files: (machine) => ["**/.cursor/hooks.json", `${folders.managed(machine)}/`],
  // Cursor has no known option that bypasses hooks.
  describeBypass: () => undefined,
  variables: [],
};

export const hostIdentity = {
  id: "cursor",
  name: "Cursor",
  options: {
    cursorAskFallback: {
      values: ["deny", "ask"],
      meaning: 'the answer to send for "ask" if Cursor would run the call without asking',
    },
    cursorDeny: {
      values: ["json", "exit"],
      meaning:
        "how to deny: with a JSON document and exit code 0, or with exit code 2 and the reason on stderr, in which case Cursor shows only the reason",
    },
  } satisfies HostOptionTable,
  signs: [
    { label: '"cursor_version"', all: ["cursor_version"] },
    { label: '"conversation_id" and "generation_id"', weight: 2, all: ["conversation_id", "generation_id"] },
  ],
  loadHints: async () => (await import("./hints.ts")).hints,
  programs: ["cursor-agent", "cursor"],
  packages: [],
  // Variables that Cursor sets for hooks [CURSOR_PROJECT_DIR seen @cursor/sdk 1.0.32, 2026-11-21; the others not seen].
  childVariables: ["CURSOR_AGENT", "CURSOR_TRACE_ID", "CURSOR_PROJECT_DIR"],
  folders,
  // Cursor reads config from the workspace roots [docs https://cursor.com/docs/hooks.md]. Which directory it opens when
  // started from a terminal in a subdirectory is unverified.
  project: { rootFields: ["workspace_roots"], rootVariables: ["CURSOR_PROJECT_DIR"], configFolders: "repository" },
  hookControls,
} satisfies HostIdentity;
