import type { AnyEvent } from "../../protocol/event.ts";
import { type Host, type Payload, getCapabilityRow } from "../../protocol/host/host.ts";
import { hostRegistry } from "../../hosts/registry.ts";
import { omitNulls } from "../../hosts/wire.ts";
import { detect } from "../../run/detect.ts";
import { standInFor } from "../../run/unknown.ts";

/** A payload that a host sent once. */
export interface Recording {
  host: Host;
  native_event: string;
  payload: Payload;
  event: AnyEvent;
}

/**
 * Whose payload it is, and what it means; found out as a call does.
 * @param named the host, where it is known.
 * @param hint the host's own event name, for a payload that does not say it.
 * @throws Error when nobody can tell, or the payload is not as that host sends it.
 */
export async function decodeRecording(payload: Payload, named?: Host, hint?: string): Promise<Recording> {
  const given = omitNulls(payload);
  // Not this process's variables: it was sent to another.
  const found = await detect(hostRegistry, given, { env: {} }, named && hostRegistry.find(({ id }) => id === named.id));
  if ("problem" in found)
    throw new Error(
      found.problem
        .replace(/^stdin/, "it")
        .replace("--host <id>", "--from ID")
        .replaceAll("--host ", "--from "),
    );
  if (found.contradicted) throw new Error(`it is a payload of ${found.host.id}, not of ${found.contradicted.id}`);
  const host = await found.host.loadHost();
  const eventName = host.getEventName(given, hint);
  const standIn = Object.hasOwn(host.capabilities, eventName) ? undefined : standInFor(host, eventName, given, hint);
  const native_event = standIn?.native_event ?? eventName;
  if (native_event === "") throw new Error(`it does not say which event of ${host.name} it is; name that with --event`);
  const { event } = host.decodePayload(given, native_event, getCapabilityRow(host, native_event));
  event._native = payload;
  return { host, native_event, payload, event };
}
