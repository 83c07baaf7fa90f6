import { readFileSync, statSync } from "node:fs";
import { type Capabilities, type CapabilityRow, pickCell } from "../../protocol/capability.ts";
import type { EventName } from "../../protocol/event.ts";
import type { FailurePolicy } from "../../protocol/hook.ts";
import type {
  ConfigEntry,
  EntrySpec,
  Setup,
  Subscription,
  ToolNames,
  EventRequirements,
} from "../../protocol/host/install.ts";
import type { TimeGrants } from "../../protocol/host/time-grants.ts";
import { isObject } from "../../protocol/object.ts";
import type { Tool } from "../../protocol/tool.ts";
import { isCallEventName } from "../codec/session-events.ts";
import type { ToolTable } from "../codec/tool-table.ts";
import { buildTimeFlags } from "./entry-time.ts";

const toUnknownList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const toOptionalString = (value: unknown) => (typeof value === "string" ? value : undefined);

/** Collects entries from a list in which each command names its event. */
const collectFlatEntries = (hooks: unknown): ConfigEntry[] =>
  toUnknownList(hooks).flatMap((handler, at): ConfigEntry[] => {
    if (!isObject(handler)) return [];
    const [native_event, command] = [handler.event, handler.command].map(toOptionalString);
    if (!native_event || !command) return [];
    return [{ native_event, command, matcher: toOptionalString(handler.matcher), handler, path: ["hooks", at] }];
  });

/**
 * Collects entries from a config's `hooks` in the host's layout: `{ Event: [{ command, matcher }] }` (list), `{ Event:
 * [{ matcher, hooks: [{ command, args }] }] }` (groups), or `[{ event, command, matcher }]` (flat).
 */
export function collectEntries(config: unknown, layout: Setup["layout"]): ConfigEntry[] {
  const hooks = isObject(config) ? config.hooks : undefined;
  if (layout === "flat") return collectFlatEntries(hooks);
  if (!isObject(hooks)) return [];
  return Object.entries(hooks).flatMap(([native_event, elements]) =>
    toUnknownList(elements).flatMap((element, at) => {
      if (!isObject(element)) return [];
      const path = ["hooks", native_event, at];
      const matcher = toOptionalString(element.matcher);
      const handlers =
        layout === "list"
          ? [{ handler: element, path }]
          : toUnknownList(element.hooks).map((handler, index) => ({ handler, path: [...path, "hooks", index] }));
      return handlers.flatMap(({ handler, path }): ConfigEntry[] => {
        const command = isObject(handler) ? toOptionalString(handler.command) : undefined;
        if (!isObject(handler) || !command) return [];
        const { args } = handler;
        return [
          { native_event, command, ...(Array.isArray(args) && { args: args.map(String) }), matcher, handler, path },
        ];
      });
    }),
  );
}

export const hasHooks = (config: unknown): boolean =>
  isObject(config) &&
  (isObject(config.hooks)
    ? Object.values(config.hooks).some((list) => toUnknownList(list).length > 0)
    : toUnknownList(config.hooks).length > 0);

/** Maximum config size in bytes. No handwritten file is this large. */
export const MAX_CONFIG_LENGTH = 1_000_000;

/**
 * Reads a config file.
 * @throws Error when the path is not a regular file of reasonable size, since a repository can contain anything at this
 * path.
 */
export function readConfigText(path: string): string {
  const stats = statSync(path);
  if (!stats.isFile() || stats.size > MAX_CONFIG_LENGTH)
    throw new Error(`${path} can't be read as a config: it is a directory, a device, or too large`);
  return readFileSync(path, "utf8");
}

/** Groups the host's tool names by unified tool. */
export const groupToolNames = (tools: ToolTable): ToolNames =>
  Object.fromEntries(
    [...Map.groupBy(Object.entries(tools), ([, [tool]]) => tool)].map(([tool, toolEntries]) => [
      tool,
      toolEntries.map(([name]) => name),
    ]),
  );

/**
 * Builds a matcher for exactly these tools: a `|` list if all names are plain, otherwise a regular expression. Returns
 * undefined if the tools can't be identified by name.
 */
export function buildMatcher(tools: readonly Tool[] | undefined, names: ToolNames): string | undefined {
  if (!tools || tools.some((tool) => !names[tool])) return undefined;
  const toolNames = tools.flatMap((tool) => names[tool] ?? []);
  return toolNames.every((name) => /^\w+$/.test(name)) ? toolNames.join("|") : `^(${toolNames.join("|")})$`;
}

/**
 * Returns the tools that a matcher can select. Before a call, a tool that runs commands or writes files might have an
 * unknown name (see unlisted-tools.ts), so hooks that guard such tools must receive every call.
 */
export const selectMatchableTools = (
  event: EventName,
  tools: readonly Tool[] | undefined,
): readonly Tool[] | undefined =>
  DENIABLE_EVENTS.includes(event) && (tools?.includes("Bash") || tools?.includes("Write")) ? undefined : tools;

/** Returns the native events to subscribe to for these unified events. */
export function buildSubscriptions(
  wantedEvents: readonly EventRequirements[] | "all",
  capabilities: Capabilities<string>,
  names: ToolNames = {},
): Subscription[] {
  return Object.entries(capabilities).flatMap(([native_event, row]) => {
    const { event } = row();
    if (wantedEvents === "all") return [{ native_event }];
    const match = wantedEvents.find((wantedEvent) => wantedEvent.event === event);
    if (!match) return [];
    const matcher = isCallEventName(event) ? buildMatcher(selectMatchableTools(event, match.tools), names) : undefined;
    return [{ native_event, ...(matcher && { matcher }) }];
  });
}

const DENIABLE_EVENTS: readonly EventName[] = ["PreToolUse", "PermissionRequest", "UserPromptSubmit"];

/**
 * Returns an entry's failure policy, which is "allow" on events that can't be denied, such as events after a call and,
 * on some hosts, prompts.
 */
export const getFailurePolicyAt = (
  row: Pick<CapabilityRow, "event" | "deny"> | undefined,
  on_error: FailurePolicy,
): FailurePolicy =>
  row && DENIABLE_EVENTS.includes(row.event) && pickCell(row.deny, undefined).support !== "unenforceable"
    ? on_error
    : "allow";

/**
 * Builds the arguments of an entry's command. Some hosts trust a command by its exact text, so a new argument or a
 * different order creates a new, untrusted command.
 */
export function buildEntryArguments(host: string, spec: EntrySpec, grants: TimeGrants): string[] {
  const { native_event, on_error, after, more = [] } = spec;
  const policy = on_error === "deny" ? ["--on-error", "deny"] : [];
  const event = ["--event", native_event, ...(after ? ["--after", after] : [])];
  return ["--host", host, ...policy, ...buildTimeFlags(grants, spec, more), ...event, ...more];
}
