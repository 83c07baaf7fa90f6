import { EVENTS, type EventName } from "../../protocol/event.ts";
import type { HookEntry } from "../../protocol/hook.ts";
import { alternatives, asksForServer } from "../../protocol/match.ts";
import { type Host, type Payload, rowOf } from "../../protocol/host/host.ts";
import { nearest } from "../../protocol/near.ts";
import type { EntryOrder, Setup, Subscription, Wanted } from "../../protocol/host/install.ts";
import type { Tool } from "../../protocol/tool.ts";
import { hosts } from "../../hosts/index.ts";
import { policyAt } from "../../hosts/setup.ts";

const mayNameServer = (matcher: string) => alternatives(matcher).some(({ name }) => asksForServer(name));

/** A matcher with names of MCP servers alone wants their tools, one with arguments alone wants shell lines; any other may want all. */
function toolsOf({ tools, matcher = "" }: HookEntry): readonly Tool[] | undefined {
  if (tools) return tools;
  const wanted = alternatives(matcher).map(({ name, argument }): Tool | undefined =>
    argument !== undefined ? "Bash" : name.startsWith("mcp__") ? "MCP" : undefined,
  );
  return wanted.length === 0 || wanted.includes(undefined) ? undefined : [...new Set(wanted as Tool[])];
}

/** What hooks want to be called for, by unified event. */
export function wantedOf(entries: readonly HookEntry[]): Wanted[] {
  return EVENTS.flatMap((event) => {
    const hooks = entries.filter(({ events }) => events.includes(event));
    if (hooks.length === 0) return [];
    const tools = hooks.map(toolsOf);
    const all = tools.includes(undefined) ? undefined : [...new Set(tools.flatMap((some) => some ?? []))];
    const servers = hooks.some(({ matcher }) => matcher && mayNameServer(matcher));
    return [{ event, ...(all && { tools: all }), ...(servers && { servers }) }];
  });
}

/** Which native events of a host get an entry, and for which of its tools. */
export function subscriptionsFor(
  host: Host,
  setup: Setup,
  entries: readonly HookEntry[],
  events: readonly string[],
): Subscription[] {
  const wanted = wantedOf(entries);
  if (events.length === 0) return setup.subscriptions(wanted);
  const isServed = (event: string) => wanted.some((one) => (event === "all" || event === one.event) && one.servers);
  if (events.includes("all")) return setup.subscriptions("all", isServed("all"));
  const all = setup.subscriptions("all");
  const found = events.flatMap((event): Subscription[] => {
    const why = setup.never[event];
    if (why) throw new Error(`${event} takes no entry: ${why}`);
    if (Object.hasOwn(host.capabilities, event) && !(EVENTS as readonly string[]).includes(event))
      return [{ native_event: event, after: all.find(({ native_event }) => native_event === event)?.after }];
    return setup.subscriptions([{ event: event as EventName, ...(isServed(event) && { servers: true }) }]);
  });
  const isFirst = ({ native_event }: Subscription, at: number) =>
    found.findIndex((other) => other.native_event === native_event) === at;
  // What stands by itself answers by itself.
  const isTold = (first: string | undefined) => found.some(({ native_event }) => native_event === first);
  return found.filter(isFirst).map(({ after, ...one }) => ({ ...one, ...(isTold(after) && { after }) }));
}

/** @param only the hosts that somebody named, whose events are the likelier ones. @throws Error for an event that no host has. */
export function checkEvents(events: readonly string[], only: readonly string[] = []): void {
  const named = hosts.filter(({ id }) => only.includes(id));
  const [likely, known] = [named, hosts].map((some) => [
    ...EVENTS,
    ...some.flatMap(({ capabilities }) => Object.keys(capabilities)),
  ]);
  const unknown = events.find((name) => name !== "all" && !known?.includes(name));
  if (unknown === undefined) return;
  const meant = nearest(unknown, [...(likely ?? []), ...(known ?? [])]);
  throw new Error(
    `there is no event "${unknown}"; ${meant ? `did you mean ${meant}?` : `bridge-hooks matrix ${named[0]?.id ?? "HOST"} shows the names`}`,
  );
}

/** The native events of a host that somebody means, in either vocabulary; "all" or none: no limit. */
export const nativesOf = (host: Host, events: readonly string[]): string[] | undefined =>
  events.length === 0 || events.includes("all")
    ? undefined
    : Object.keys(host.capabilities).filter(
        (native_event) => events.includes(native_event) || events.includes(rowOf(host, native_event).event),
      );

/** What an entry is to be, before its event is known. */
export type Order = Omit<EntryOrder, "native_event">;

/** An entry as it is to stand in a file. */
export interface Desired extends Subscription {
  /** All of it but the matcher; `more`: arguments that somebody gave it by hand. */
  handler: (more?: readonly string[]) => Payload;
}

export const desiredOf = (host: Host, setup: Setup, subscriptions: readonly Subscription[], order: Order): Desired[] =>
  subscriptions.map((subscription) => {
    const { native_event, after } = subscription;
    const on_error = policyAt(rowOf(host, native_event).event, order.on_error);
    return { ...subscription, handler: (more) => setup.handler({ ...order, native_event, on_error, after, more }) };
  });
