import { readFileSync, statSync } from "node:fs";
import type { Capabilities } from "../protocol/capability.ts";
import type { EventName } from "../protocol/event.ts";
import type { FailurePolicy } from "../protocol/hook.ts";
import type { ConfigEntry, EntrySpec, Setup, Subscription, ToolNames, WantedEvent } from "../protocol/host/install.ts";
import type { Tool } from "../protocol/tool.ts";
import { isCallEventName } from "./session-events.ts";
import type { ToolTable } from "./tool-table.ts";
import { isObject } from "../protocol/object.ts";

const toUnknownList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const toOptionalText = (value: unknown) => (typeof value === "string" ? value : undefined);

/**
 * The commands of a `hooks` object in the host's layout: `{ Event: [{ command, matcher }] }` (list), or
 * `{ Event: [{ matcher, hooks: [{ command, args }] }] }` (groups).
 */
export function collectEntries(config: unknown, layout: Setup["layout"]): ConfigEntry[] {
  const hooks = isObject(config) ? config.hooks : undefined;
  if (!isObject(hooks)) return [];
  return Object.entries(hooks).flatMap(([native_event, elements]) =>
    toUnknownList(elements).flatMap((element, at) => {
      if (!isObject(element)) return [];
      const path = ["hooks", native_event, at];
      const matcher = toOptionalText(element.matcher);
      const handlers =
        layout === "list"
          ? [{ handler: element, path }]
          : toUnknownList(element.hooks).map((handler, index) => ({ handler, path: [...path, "hooks", index] }));
      return handlers.flatMap(({ handler, path }): ConfigEntry[] => {
        const command = isObject(handler) ? toOptionalText(handler.command) : undefined;
        if (!isObject(handler) || !command) return [];
        const { args } = handler;
        return [
          { native_event, command, ...(Array.isArray(args) && { args: args.map(String) }), matcher, handler, path },
        ];
      });
    }),
  );
}

/** Whether a document has hooks of any kind at any event. */
export const hasHooks = (config: unknown): boolean =>
  isObject(config) &&
  isObject(config.hooks) &&
  Object.values(config.hooks).some((one) => toUnknownList(one).length > 0);

/** More than any config has that people write. */
const MAX_CONFIG_LENGTH = 1_000_000;

/** A config's text. @throws Error where there is no plain file of a sensible size: a repository may have put anything there. */
export function readConfigText(path: string): string {
  const found = statSync(path);
  if (!found.isFile() || found.size > MAX_CONFIG_LENGTH)
    throw new Error(`${path} is no config: a folder, a device, or too large`);
  return readFileSync(path, "utf8");
}

/** A host's names for each unified tool. */
export const groupToolNames = (tools: ToolTable): ToolNames =>
  Object.fromEntries(
    [...Map.groupBy(Object.entries(tools), ([, [tool]]) => tool)].map(([tool, all]) => [
      tool,
      all.map(([name]) => name),
    ]),
  );

/** A matcher that lets exactly these tools' calls through, as a list where all are plain names; nothing where names can't tell. */
export function buildMatcher(tools: readonly Tool[] | undefined, names: ToolNames): string | undefined {
  if (!tools || tools.some((tool) => !names[tool])) return undefined;
  const all = tools.flatMap((tool) => names[tool] ?? []);
  return all.every((name) => /^\w+$/.test(name)) ? all.join("|") : `^(${all.join("|")})$`;
}

/**
 * The tools whose calls a matcher may pick. Before a call, a shell or a tool that writes may have a name that nobody knows
 * (see other.ts), so that every call has to reach the hooks that guard them.
 */
export const selectMatchableTools = (
  event: EventName,
  tools: readonly Tool[] | undefined,
): readonly Tool[] | undefined =>
  DENIABLE_EVENTS.includes(event) && (tools?.includes("Bash") || tools?.includes("Write")) ? undefined : tools;

/** Every native event that becomes a wanted unified event. */
export function buildSubscriptions(
  wanted: readonly WantedEvent[] | "all",
  capabilities: Capabilities<string>,
  names: ToolNames = {},
): Subscription[] {
  return Object.entries(capabilities).flatMap(([native_event, row]) => {
    const { event } = row();
    if (wanted === "all") return [{ native_event }];
    const found = wanted.find((one) => one.event === event);
    if (!found) return [];
    const matcher = isCallEventName(event) ? buildMatcher(selectMatchableTools(event, found.tools), names) : undefined;
    return [{ native_event, ...(matcher && { matcher }) }];
  });
}

const DENIABLE_EVENTS: readonly EventName[] = ["PreToolUse", "PermissionRequest", "UserPromptSubmit"];

/** The failure policy of an entry at a unified event: behind a call there is nothing left to deny. */
export const getFailurePolicyAt = (event: EventName | undefined, on_error: FailurePolicy): FailurePolicy =>
  event && DENIABLE_EVENTS.includes(event) ? on_error : "allow";

/** Seconds that a host waits for the executable: more than it takes itself, whatever it does. */
export const ENTRY_TIMEOUT_S = 20;

/** The arguments of an entry's command. Some hosts trust a command by its letters: another order, or one more, and it is a new one. */
export function buildEntryArguments(
  host: string,
  { native_event, on_error, after, more = [] }: EntrySpec,
  closed: readonly string[] = [],
): string[] {
  const policy = on_error === "deny" ? ["--on-error", "deny", ...closed] : [];
  return ["--host", host, ...policy, "--event", native_event, ...(after ? ["--after", after] : []), ...more];
}
