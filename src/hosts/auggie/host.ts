import type { HookControls, HostFolders, HostIdentity, Payload } from "../../protocol/host/host.ts";

const folders = {
  /** No variable moves it [shipped 0.36.0]. */
  user: ({ home }) => `${home}/.augment`,
  /** [shipped 0.36.0] */
  managed: ({ platform, env, system = "" }) =>
    platform === "win32" ? `${system}${env.ProgramData || "C:/ProgramData"}/augment` : `${system}/etc/augment`,
} satisfies HostFolders;

/** The files with hooks, and the directory of plugins, which may have hooks too [shipped 0.36.0]. */
const NAMES = ["settings.json", "settings.local.json", "plugins/"];

const hookControls: HookControls = {
  files: (place) => [...NAMES.map((name) => `**/.augment/${name}`), `${folders.managed(place)}/`],
  // No bypass is known.
  describeBypass: () => undefined,
  // With another root it reads the hooks of another project.
  variables: ["AUGMENT_WORKSPACE_ROOT"],
};

/**
 * Cursor's payloads have the same two fields, with a generation and a release, and events in camelCase or without a
 * name. One of its fields alone may come with a release of Auggie.
 */
const isOwnConversation = ({ generation_id, cursor_version, hook_event_name }: Payload) =>
  (generation_id === undefined || cursor_version === undefined) &&
  typeof hook_event_name === "string" &&
  /^[A-Z]/.test(hook_event_name);

/** Auggie's host identity. */
export const hostIdentity = {
  id: "auggie",
  name: "Auggie",
  options: {},
  // [shipped 0.36.0]
  signs: [
    {
      label: '"conversation_id" and "workspace_roots" at an event in PascalCase',
      weight: 2,
      all: ["conversation_id", "workspace_roots"],
      test: isOwnConversation,
    },
    { label: '"is_mcp_tool"', all: ["is_mcp_tool", "conversation_id"], test: isOwnConversation },
    // Other hosts inherit the environment, so it counts only if it matches the payload.
    {
      label: "the conversation of AUGMENT_CONVERSATION_ID",
      all: ["conversation_id"],
      test: (payload, env) => isOwnConversation(payload) && env.AUGMENT_CONVERSATION_ID === payload.conversation_id,
    },
  ],
  programs: ["auggie"],
  packages: ["@augmentcode/auggie"],
  // Of its hooks [shipped 0.36.0]; what its shell has is unverified.
  childVariables: ["AUGMENT_CONVERSATION_ID", "AUGMENT_HOOK_EVENT", "AUGMENT_PROJECT_DIR"],
  folders,
  // The root of the git working tree, whose settings alone it reads [shipped 0.36.0].
  project: { rootFields: ["workspace_roots"], rootVariables: ["AUGMENT_PROJECT_DIR"], configFolders: "repository" },
  hookControls,
} satisfies HostIdentity;
