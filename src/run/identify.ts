import type { Row } from "../protocol/capability.ts";
import { type CallHost, type HostEntry, isInstallable, type Payload, rowOf } from "../protocol/host/host.ts";
import { registry } from "../hosts/registry.ts";
import { detect } from "./detect.ts";
import type { World } from "./run.ts";

/** The entry of a host by its id. */
export function findHost(id: string | undefined): HostEntry | undefined {
  for (const host of registry) if (host.id === id) return host;
  return undefined;
}

/** Whether the host is known to have an event. */
export const hasEvent = ({ capabilities }: CallHost, native_event: string): boolean =>
  Object.hasOwn(capabilities, native_event);

/**
 * The host of a payload, and the one that was named although the payload is another's.
 * @param entry_event the event that the entry names.
 * @throws Error when no host, or more than one, can have sent it.
 */
export async function identifyHost(
  payload: Payload,
  named: HostEntry | undefined,
  entry_event: string | undefined,
  world: World,
): Promise<{ host: CallHost; contradicted?: HostEntry }> {
  const found = await detect(registry, payload, world, named);
  if ("problem" in found) throw new Error(found.problem);
  const host = await found.host.load();
  // A host without entries of its own was meant to find this one.
  if (!isInstallable(host)) return { host };
  if (!named || found.contradicted || hasEvent(host, host.eventName(payload, entry_event)))
    return { host, contradicted: found.contradicted };
  // The named host has no such event: it is another's, where that can be told.
  const other = await detect(registry, payload, world);
  const sender = "host" in other && other.host !== named ? await other.host.load() : undefined;
  return sender && hasEvent(sender, sender.eventName(payload, undefined))
    ? { host: sender, contradicted: named }
    : { host };
}

/** The event that a payload is judged as. */
interface IdentifiedEvent {
  native_event: string;
  row: Row;
  /** The host is not known to have the payload's event: what it is judged as instead. */
  warning?: string;
}

/** @param entry_event the event that the entry names. */
export async function identifyEvent(
  host: CallHost,
  payload: Payload,
  entry_event: string | undefined,
): Promise<IdentifiedEvent> {
  const native_event = host.eventName(payload, entry_event);
  const standIn = hasEvent(host, native_event)
    ? undefined
    : (await import("./unknown.ts")).standInFor(host, native_event, payload, entry_event);
  return standIn ?? { native_event, row: rowOf(host, native_event, payload) };
}
