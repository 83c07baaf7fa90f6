import type { CapabilityRow } from "../protocol/capability.ts";
import {
  type Host,
  type RegisteredHost,
  type Payload,
  getCapabilityRow,
  type ProcessInput,
} from "../protocol/host/host.ts";
import { hostRegistry } from "../hosts/registry.ts";
import { detectHost } from "./identify/detect.ts";

/** The registered host with this id. */
export function findHost(id: string | undefined): RegisteredHost | undefined {
  for (const host of hostRegistry) if (host.id === id) return host;
  return undefined;
}

/** Whether the capability table has the event. */
export const hasEvent = ({ capabilities }: Host, native_event: string): boolean =>
  Object.hasOwn(capabilities, native_event);

/** The host that sent a payload. */
interface IdentifiedHost {
  entry: RegisteredHost;
  host: Host;
  /** The named host, if the payload is another host's. */
  contradicted?: RegisteredHost | undefined;
}

/**
 * Identifies the host of a payload; `contradicted` is the named host if the payload is another host's.
 * @param entry_event the event that the entry names.
 * @throws Error when no host, or more than one, could have sent it.
 */
export async function identifyHost(
  payload: Payload,
  named: RegisteredHost | undefined,
  entry_event: string | undefined,
  world: Pick<ProcessInput, "env">,
): Promise<IdentifiedHost> {
  const found = await detectHost(hostRegistry, payload, world, named);
  if ("problem" in found) throw new Error(found.problem);
  const host = await found.host.loadHost();
  if (!named || found.contradicted || hasEvent(host, host.getEventName(payload, entry_event)))
    return { entry: found.host, host, contradicted: found.contradicted };
  // The named host does not have this event: try to detect another host.
  const other = await detectHost(hostRegistry, payload, world);
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
  /** Set if the payload's event is unknown: names the event that it is judged as. */
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
    : (await import("./identify/unknown-event.ts")).findStandIn(host, native_event, payload, entry_event);
  return standIn ?? { native_event, row: getCapabilityRow(host, native_event, payload) };
}
