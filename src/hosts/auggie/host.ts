import type { HookControls, HostFolders, HostIdentity, Payload } from "../../protocol/host/host.ts";

const folders = {
  /** Path of the user's config directory; no environment variable overrides it [shipped 0.36.0]. */
  user: ({ home }) => `${home}/.augment`,
  /** Path of the managed config directory [shipped 0.36.0]. */
  managed: ({ platform, env, system = "" }) =>
    platform === "win32" ? `${system}${env.ProgramData || "C:/ProgramData"}/augment` : `${system}/etc/augment`,
} satisfies HostFolders;

/** Auggie reads hooks from hook files and from installed plugins [shipped 0.36.0]. */
const FILE_NAMES = ["settings.json", "settings.local.json", "plugins/"];

const hookControls: HookControls = {
  files: (machine) => [...FILE_NAMES.map((name) => `**/.augment/${name}`), `${folders.managed(machine)}/`],
  // Auggie has no known option that bypasses hooks.
  describeBypass: () => undefined,
  // This variable changes the workspace root, which would make Auggie read another project's hooks.
  variables: ["AUGMENT_WORKSPACE_ROOT"],
};

/**
 * Whether a payload with Auggie's two ID fields really comes from Auggie. Cursor sends the same two fields, but adds a
 * generation ID and a version, and its event name is in camelCase or missing. A later release of Auggie might add one
 * of these fields, but is unlikely to add both.
 */
const isOwnConversation = ({ generation_id, cursor_version, hook_event_name }: Payload) =>
  (generation_id === undefined || cursor_version === undefined) &&
  typeof hook_event_name === "string" &&
  /^[A-Z]/.test(hook_event_name);

export const hostIdentity = {
  id: "auggie",
  name: "Auggie",
  options: {},
  // Payload fields and environment variables that identify Auggie [shipped 0.36.0].
  signs: [
    {
      label: '"conversation_id" and "workspace_roots" with an event name in PascalCase',
      weight: 2,
      all: ["conversation_id", "workspace_roots"],
      test: isOwnConversation,
    },
    { label: '"is_mcp_tool"', all: ["is_mcp_tool", "conversation_id"], test: isOwnConversation },
    // Hosts started by Auggie inherit this variable, so it identifies the host only if its value matches the payload.
    {
      label: "the conversation id in AUGMENT_CONVERSATION_ID",
      all: ["conversation_id"],
      test: (payload, env) => isOwnConversation(payload) && env.AUGMENT_CONVERSATION_ID === payload.conversation_id,
    },
  ],
  programs: ["auggie"],
  packages: ["@augmentcode/auggie"],
  // Variables that Auggie sets for hooks [shipped 0.36.0]. Whether it also sets them for shells is unverified.
  childVariables: ["AUGMENT_CONVERSATION_ID", "AUGMENT_HOOK_EVENT", "AUGMENT_PROJECT_DIR"],
  folders,
  // Auggie reads only the settings at the root of the git working tree [shipped 0.36.0].
  project: { rootFields: ["workspace_roots"], rootVariables: ["AUGMENT_PROJECT_DIR"], configFolders: "repository" },
  hookControls,
} satisfies HostIdentity;
