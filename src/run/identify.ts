import type { CapabilityRow } from "../protocol/capability.ts";
import {
  type Host,
  type RegisteredHost,
  type Payload,
  getCapabilityRow,
  type ProcessInput,
} from "../protocol/host/host.ts";
import { hostRegistry } from "../hosts/registry.ts";
import { detect } from "./detect.ts";

/** The entry of a host by its id. */
export function findHost(id: string | undefined): RegisteredHost | undefined {
  for (const host of hostRegistry) if (host.id === id) return host;
  return undefined;
}

/** Whether the host is known to have an event. */
export const hasEvent = ({ capabilities }: Host, native_event: string): boolean =>
  Object.hasOwn(capabilities, native_event);

/** Whose payload it is. */
interface Identified {
  entry: RegisteredHost;
  host: Host;
  /** The host that was named although the payload is another's. */
  contradicted?: RegisteredHost | undefined;
}

/**
 * The host of a payload, and the one that was named although the payload is another's.
 * @param entry_event the event that the entry names.
 * @throws Error when no host, or more than one, can have sent it.
 */
export async function identifyHost(
  payload: Payload,
  named: RegisteredHost | undefined,
  entry_event: string | undefined,
  world: Pick<ProcessInput, "env">,
): Promise<Identified> {
  const found = await detect(hostRegistry, payload, world, named);
  if ("problem" in found) throw new Error(found.problem);
  const host = await found.host.loadHost();
  if (!named || found.contradicted || hasEvent(host, host.getEventName(payload, entry_event)))
    return { entry: found.host, host, contradicted: found.contradicted };
  // The named host has no such event: it is another's, where that can be told.
  const other = await detect(hostRegistry, payload, world);
  if (!("host" in other) || other.host === named) return { entry: named, host };
  const sender = await other.host.loadHost();
  return hasEvent(sender, sender.getEventName(payload, undefined))
    ? { entry: other.host, host: sender, contradicted: named }
    : { entry: named, host };
}

/** The event that a payload is judged as. */
interface IdentifiedEvent {
  native_event: string;
  row: CapabilityRow;
  /** The host is not known to have the payload's event: what it is judged as instead. */
  warning?: string;
}

/** @param entry_event the event that the entry names. */
export async function identifyEvent(
  host: Host,
  payload: Payload,
  entry_event: string | undefined,
): Promise<IdentifiedEvent> {
  const native_event = host.getEventName(payload, entry_event);
  const standIn = hasEvent(host, native_event)
    ? undefined
    : (await import("./unknown.ts")).standInFor(host, native_event, payload, entry_event);
  return standIn ?? { native_event, row: getCapabilityRow(host, native_event, payload) };
}
