import { EVENTS } from "../../protocol/event.ts";
import type {
  ConfigFile,
  EntrySpec,
  Setup,
  Subscription,
  ToolNames,
  EventRequirements,
} from "../../protocol/host/install.ts";
import type { TimeGrants } from "../../protocol/host/time-grants.ts";
import { quoteCommand } from "../../protocol/host/quote.ts";
import { cursor } from "../entries.ts";
import { buildEntryLine, defineSetup, listConfigFolders } from "../setup/define-setup.ts";
import {
  buildMatcher,
  buildSubscriptions,
  collectEntries,
  groupToolNames,
  selectMatchableTools,
} from "../setup/entries.ts";
import { buildTimeout } from "../setup/entry-time.ts";
import { capabilities } from "./capabilities.ts";
import { TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

/** For an MCP call, preToolUse sends `MCP:<tool>` without the server's name. */
export const TOOL_NAMES: ToolNames = { ...groupToolNames(TOOLS), MCP: ["MCP:.*", "mcp__.*"] };

/**
 * Chooses events so that exactly one of them decides each call. preToolUse reports all calls and can change them, but
 * its payload lacks the MCP server's name, as well as the file contents and prompt attachments that beforeReadFile has.
 * If a hook needs the server's name, beforeMCPExecution decides MCP calls instead. The CLI is said to report shell
 * calls only on beforeShellExecution [unverified], and only the SDK's release was run. A call that neither event
 * reports would run unchecked.
 */
const listEventsBeforeCall = ({ tools, servers }: EventRequirements): Subscription[] => [
  ...listGeneralEvents("preToolUse", selectMatchableTools("PreToolUse", tools), servers),
  ...(!tools || tools.includes("Bash") ? [{ native_event: "beforeShellExecution", after: "preToolUse" }] : []),
  ...(servers ? [{ native_event: "beforeMCPExecution" }] : []),
  ...(!tools || tools.includes("Read")
    ? [{ native_event: "beforeReadFile", after: "preToolUse" }, { native_event: "beforeTabFileRead" }]
    : []),
];

/**
 * Subscribes to one event for each completed call; more aren't needed, because hooks can't decide anything after the
 * call. Shell calls use postToolUse, which follows afterShellExecution.
 */
const listEventsAfterCall = ({ tools, servers }: EventRequirements): Subscription[] => [
  ...listGeneralEvents("postToolUse", tools, servers),
  ...(servers ? [{ native_event: "afterMCPExecution" }] : []),
  ...(!tools || tools.includes("Edit") ? [{ native_event: "afterTabFileEdit" }] : []),
];

/** Subscribes to the event that reports all calls, leaving out MCP calls if another event reports them. */
function listGeneralEvents(native_event: string, tools: EventRequirements["tools"], servers = false): Subscription[] {
  const otherTools = servers ? tools?.filter((tool) => tool !== "MCP") : tools;
  if (otherTools?.length === 0) return [];
  // Matcher syntax [seen @cursor/sdk 1.0.22 and 1.0.32, 2026-11-22].
  const matcher = buildMatcher(otherTools, TOOL_NAMES) ?? (servers ? "^(?!MCP:)" : undefined);
  return [{ native_event, ...(matcher && { matcher }) }];
}

function listSubscriptions(wantedEvent: EventRequirements): Subscription[] {
  if (wantedEvent.event === "PreToolUse") return listEventsBeforeCall(wantedEvent);
  return wantedEvent.event === "PostToolUse"
    ? listEventsAfterCall(wantedEvent)
    : buildSubscriptions([wantedEvent], capabilities, TOOL_NAMES);
}

/**
 * Events that report the same calls again with different payloads. They get entries only if all events are requested.
 */
const DUPLICATE_SUBSCRIPTIONS: readonly Subscription[] = [
  { native_event: "beforeMCPExecution", after: "preToolUse" },
  { native_event: "afterShellExecution", after: "postToolUse" },
  { native_event: "afterMCPExecution", after: "postToolUse" },
  { native_event: "afterFileEdit", after: "postToolUse" },
];

/** Lists every native event that can have an entry. */
function listAllSubscriptions(servers: boolean): Subscription[] {
  const subscriptions = EVENTS.flatMap((event) => listSubscriptions({ event, servers }));
  return [
    ...subscriptions,
    ...DUPLICATE_SUBSCRIPTIONS.filter(
      ({ native_event }) => !subscriptions.some((subscription) => subscription.native_event === native_event),
    ),
  ];
}

/**
 * Cursor's cloud agents also run a project's hooks, but in a separate machine image [docs
 * https://cursor.com/docs/hooks.md].
 */
function formatCloudAgentAdvice({ program, on_error }: Pick<EntrySpec, "program" | "on_error">): string {
  const effect = on_error === "deny" ? "is blocked" : "runs unguarded";
  const [location, advice] = /[\\/]/.test(program)
    ? [
        `at ${program}`,
        "put the executable there, or put it at /usr/local/bin/bridge-hooks and install with --bin bridge-hooks",
      ]
    : [`${program} on its PATH`, "put the executable there"];
  return `Cursor's cloud agents also run project hooks: if their image has no executable ${location}, every call ${effect}; ${advice}`;
}

/** The default timeout [shipped @cursor/sdk 1.0.32]. */
const timeGrants: TimeGrants = { default_s: 60 };

/**
 * Installs into hooks.json, a JSON file that can contain comments [docs https://cursor.com/docs/hooks.md; project and
 * user seen @cursor/sdk 1.0.32].
 */
export const setup: Setup = defineSetup({
  identity: cursor,
  capabilities,
  // Edits by the agent and edits by Tab fire different events; see call.ts [the other tool names seen @cursor/sdk
  // 1.0.32, 2026-11-21].
  tools: { ...TOOL_NAMES, Read: ["Read", "TabRead"], Edit: ["Delete", "Write", "TabWrite"], Other: UNMAPPED_TOOLS },
  listTraceFolders: ({ home, platform, env }) => [
    `${home}/.cursor`,
    ...(platform === "darwin" ? ["/Applications/Cursor.app"] : []),
    ...(platform === "win32" && env.LOCALAPPDATA ? [`${env.LOCALAPPDATA}/Programs/cursor`] : []),
  ],
  listConfigFiles: (machine): ConfigFile[] =>
    [
      { scope: "managed" as const, path: `${cursor.folders.managed(machine)}/hooks.json` },
      { scope: "user" as const, path: `${cursor.folders.user(machine)}/hooks.json` },
      ...listConfigFolders(cursor, machine.roots).map((folder) => ({
        scope: "project" as const,
        path: `${folder}/.cursor/hooks.json`,
      })),
    ].map((file) => ({ ...file, syntax: "json", target: true })),
  // Cursor imports these files if third-party configs are enabled [seen @cursor/sdk 1.0.32, 2026-11-21].
  listImportedFiles: ({ roots, home }) => [
    `${home}/.claude/settings.json`,
    ...listConfigFolders(cursor, roots).flatMap((folder) => [
      `${folder}/.claude/settings.json`,
      `${folder}/.claude/settings.local.json`,
    ]),
  ],
  parseEntries: (text) => collectEntries(Bun.JSONC.parse(text), "list"),
  listDialects: (platform) => [platform === "win32" ? "powershell" : "sh"],
  harmlessProperties: ["loop_limit"],
  // The values that each event's matcher is tested against [docs https://cursor.com/docs/hooks.md].
  matchedNames: {
    beforeSubmitPrompt: ["UserPromptSubmit"],
    stop: ["Stop"],
    beforeReadFile: ["Read"],
    beforeTabFileRead: ["TabRead"],
    afterFileEdit: ["Write"],
    afterTabFileEdit: ["TabWrite"],
    afterAgentResponse: ["AgentResponse"],
    afterAgentThought: ["AgentThought"],
  },
  layout: "list",
  // Cursor ignores a file without a version [seen @cursor/sdk 1.0.32, 2026-11-21].
  listSettings: () => [{ path: ["version"], value: 1, any: true }],
  // Cursor doesn't follow symbolic links, except in release 1.0.22 [seen @cursor/sdk 1.0.22 and 1.0.32, 2026-11-22].
  explainLinkRefusal: ({ scope }) =>
    scope === "project" ? "Cursor does not read a project's hooks.json through a symbolic link" : undefined,
  planSubscriptions: (wantedEvents, servers = false) =>
    wantedEvents === "all" ? listAllSubscriptions(servers) : wantedEvents.flatMap(listSubscriptions),
  timeGrants,
  buildHandler: (spec) => ({
    command: quoteCommand(buildEntryLine("cursor", spec, timeGrants), setup.listDialects(spec.platform)[0]),
    timeout: buildTimeout(timeGrants, spec),
    ...(spec.on_error === "deny" && { failClosed: true }),
  }),
  listManualSteps: (scope, spec) =>
    scope === "project"
      ? ["Cursor runs a project's hooks only in a trusted workspace", formatCloudAgentAdvice(spec)]
      : [],
});
