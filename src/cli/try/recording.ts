import type { AnyEvent } from "../../protocol/event.ts";
import { type Host, type Payload, getCapabilityRow } from "../../protocol/host/host.ts";
import { hostRegistry } from "../../hosts/registry.ts";
import { omitNulls } from "../../protocol/object.ts";
import { detectHost } from "../../call/identify/detect.ts";
import { findStandIn } from "../../call/identify/unknown-event.ts";

/** A payload recorded from a host. */
export interface Recording {
  host: Host;
  native_event: string;
  payload: Payload;
  event: AnyEvent;
}

/**
 * Detects a payload's host and decodes the payload, as a hook call does.
 * @param named The host, if known.
 * @param hint The native event name, for payloads that don't contain it.
 * @throws Error if the host can't be detected or doesn't send payloads of this shape.
 */
export async function decodeRecording(payload: Payload, named?: Host, hint?: string): Promise<Recording> {
  const given = omitNulls(payload);
  // Ignore this process's variables, because the payload was sent to another process.
  const found = await detectHost(
    hostRegistry,
    given,
    { env: {} },
    named && hostRegistry.find(({ id }) => id === named.id),
  );
  if ("problem" in found)
    throw new Error(
      found.problem
        .replace(/^stdin/, "it")
        .replace("--host <id>", "--from ID")
        .replaceAll("--host ", "--from "),
    );
  if (found.contradicted) throw new Error(`it is a ${found.host.id} payload, not a ${found.contradicted.id} one`);
  const host = await found.host.loadHost();
  const eventName = host.getEventName(given, hint);
  const standIn = Object.hasOwn(host.capabilities, eventName) ? undefined : findStandIn(host, eventName, given, hint);
  const native_event = standIn?.native_event ?? eventName;
  if (native_event === "") throw new Error(`the payload does not name its ${host.name} event; pass --event`);
  const { event } = host.decodePayload(given, native_event, getCapabilityRow(host, native_event));
  event._native = payload;
  return { host, native_event, payload, event };
}
