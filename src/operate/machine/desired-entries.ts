import { type CapabilityField, getCells, pickCell } from "../../protocol/capability.ts";
import { EVENTS, type EventName } from "../../protocol/event.ts";
import type { HookDescriptor } from "../../protocol/hook.ts";
import { parseMatcher, isServerSpecific } from "../../protocol/match.ts";
import { type Host, getCapabilityRow } from "../../protocol/host/host.ts";
import { findNearestName } from "../../protocol/name-suggestions.ts";
import type { DesiredEntry, EntrySpec, Setup, Subscription, EventRequirements } from "../../protocol/host/install.ts";
import type { Tool } from "../../protocol/tool.ts";
import { hosts } from "../../hosts/index.ts";
import { listHostFlags } from "../../call/options.ts";
import { getFailurePolicyAt } from "../../hosts/setup/entries.ts";
import { getRequestedMs } from "../../hosts/setup/entry-time.ts";
import { selectHonouredFields } from "../../call/session/announce.ts";
import { sumRequestedMs } from "../../call/ask/share-time.ts";
import { getOwnCommand } from "../../system/own-command.ts";

const mayNameMcpServer = (matcher: string) => parseMatcher(matcher).some(({ name }) => isServerSpecific(name));

/**
 * Returns the tools that a hook needs, or undefined for all tools. A matcher that names only MCP servers needs MCP
 * tools, and one that names only command arguments needs Bash.
 */
function listRequiredTools({ tools, matcher = "" }: HookDescriptor): readonly Tool[] | undefined {
  if (tools) return tools;
  const wantedTools = parseMatcher(matcher).map(({ name, argument }): Tool | undefined =>
    argument !== undefined ? "Bash" : name.startsWith("mcp__") ? "MCP" : undefined,
  );
  return wantedTools.length === 0 || wantedTools.includes(undefined) ? undefined : [...new Set(wantedTools as Tool[])];
}

/** Returns whether the hooks of a native event declare only response fields that the host would drop. */
function isUndeliverable(host: Host, entries: readonly HookDescriptor[], native_event: string): boolean {
  const row = getCapabilityRow(host, native_event);
  const hooks = entries.filter(({ events }) => events.includes(row.event));
  return (
    hooks.length > 0 && hooks.every(({ announces }) => announces && selectHonouredFields(row, announces).length === 0)
  );
}

/** Lists the response fields that hooks declare but a host can't deliver, each with the reason. */
export const listUndeliverable = (host: Host, entries: readonly HookDescriptor[]): string[] =>
  entries.flatMap(({ announces = [], events }) =>
    announces.flatMap((field) => {
      const cells = Object.keys(host.capabilities)
        .map((native_event) => getCapabilityRow(host, native_event))
        .filter((row) => events.includes(row.event))
        .map((row) => pickCell(getCells(row, field), undefined));
      if (cells.some(({ support }) => support !== "drop")) return [];
      return [`${FIELD_READERS[field]}: ${cells[0]?.how ?? `${host.name} has no such event`}`];
    }),
  );

/** Who reads each response field that a hook can declare. */
const FIELD_READERS: Partial<Record<CapabilityField, string>> = {
  user_message: "the user",
  additional_context: "the model",
};

/** Collects the tools and the time that the hooks need for each unified event. */
export function collectEventRequirements(entries: readonly HookDescriptor[]): EventRequirements[] {
  return EVENTS.flatMap((event) => {
    const hooks = entries.filter(({ events }) => events.includes(event));
    if (hooks.length === 0) return [];
    const tools = hooks.map(listRequiredTools);
    const all = tools.includes(undefined) ? undefined : [...new Set(tools.flatMap((toolList) => toolList ?? []))];
    const mayNameServers = hooks.some(({ matcher }) => matcher && mayNameMcpServer(matcher));
    const isTimed = hooks.some(({ timeoutMs }) => timeoutMs !== undefined);
    return [
      {
        event,
        ...(all && { tools: all }),
        ...(mayNameServers && { servers: mayNameServers }),
        ...(isTimed && { ms: sumRequestedMs(hooks) }),
      },
    ];
  });
}

/** Selects the native events of a host that need an entry, and the tools for each event. */
export function selectSubscriptions(
  host: Host,
  setup: Setup,
  entries: readonly HookDescriptor[],
  events: readonly string[],
): Subscription[] {
  const wantedEvents = collectEventRequirements(entries);
  if (events.length === 0)
    return setup
      .planSubscriptions(wantedEvents)
      .filter(({ native_event }) => !isUndeliverable(host, entries, native_event));
  const isServed = (event: string) =>
    wantedEvents.some((one) => (event === "all" || event === one.event) && one.servers);
  if (events.includes("all")) return setup.planSubscriptions("all", isServed("all"));
  const all = setup.planSubscriptions("all");
  const subscriptions = events.flatMap((event): Subscription[] => {
    const reason = setup.forbiddenEvents[event];
    if (reason) throw new Error(`${event} can't have an entry: ${reason}`);
    if (Object.hasOwn(host.capabilities, event) && !(EVENTS as readonly string[]).includes(event))
      return [{ native_event: event, after: all.find(({ native_event }) => native_event === event)?.after }];
    return setup.planSubscriptions([{ event: event as EventName, ...(isServed(event) && { servers: true }) }]);
  });
  const isFirst = ({ native_event }: Subscription, at: number) =>
    subscriptions.findIndex((other) => other.native_event === native_event) === at;
  // `after` names an event that answers first. Drop it if that event has no entry, because this event must then answer
  // itself.
  const isTold = (first: string | undefined) => subscriptions.some(({ native_event }) => native_event === first);
  return subscriptions.filter(isFirst).map(({ after, ...one }) => ({ ...one, ...(isTold(after) && { after }) }));
}

/**
 * Checks event names.
 * @param hostIds hosts named by the user, whose events are suggested first
 * @throws Error for an event that no host has.
 */
export function checkEventNames(events: readonly string[], hostIds: readonly string[] = []): void {
  const namedHosts = hosts.filter(({ id }) => hostIds.includes(id));
  const [likelyNames, allNames] = [namedHosts, hosts].map((hostList) => [
    ...EVENTS,
    ...hostList.flatMap(({ capabilities }) => Object.keys(capabilities)),
  ]);
  const unknown = events.find((name) => name !== "all" && !allNames?.includes(name));
  if (unknown === undefined) return;
  const suggestion = findNearestName(unknown, [...(likelyNames ?? []), ...(allNames ?? [])]);
  throw new Error(
    `unknown event "${unknown}"; ${suggestion ? `did you mean ${suggestion}?` : `${getOwnCommand()} matrix ${namedHosts[0]?.id ?? "HOST"} lists the event names`}`,
  );
}

/** Lists the native events that unified or native names select. Returns undefined for "all" or an empty list. */
export const listNativeEvents = (host: Host, events: readonly string[]): string[] | undefined =>
  events.length === 0 || events.includes("all")
    ? undefined
    : Object.keys(host.capabilities).filter(
        (native_event) => events.includes(native_event) || events.includes(getCapabilityRow(host, native_event).event),
      );

/** Everything a desired entry needs except the event. */
export interface EntryTemplate extends Omit<EntrySpec, "native_event" | "wanted_ms" | "more"> {
  /** Events that the hooks subscribe to. */
  wantedEvents: readonly EventRequirements[];
  /** Host-specific options for the entries. */
  settings?: Readonly<Record<string, string>>;
}

export const planEntries = (
  host: Host,
  setup: Setup,
  subscriptions: readonly Subscription[],
  { wantedEvents, settings, ...order }: EntryTemplate,
): DesiredEntry[] =>
  subscriptions.map((subscription) => {
    const { native_event, after } = subscription;
    const row = getCapabilityRow(host, native_event);
    const on_error = getFailurePolicyAt(row, order.on_error);
    const wanted_ms = getRequestedMs(wantedEvents, row.event);
    return {
      ...subscription,
      handler: (flags = []) =>
        setup.buildHandler({
          ...order,
          native_event,
          on_error,
          after,
          wanted_ms,
          more: [...listHostFlags(host, settings), ...flags],
        }),
    };
  });
