import type { AnyEvent } from "../../protocol/event.ts";
import { type Host, type Payload, getCapabilityRow } from "../../protocol/host/host.ts";
import { hostRegistry } from "../../hosts/registry.ts";
import { omitNulls } from "../../protocol/object.ts";
import { detectHost } from "../../call/identify/detect.ts";
import { findAssumedEvent } from "../../call/identify/unknown-event.ts";

/** A payload recorded from a host. */
export interface Recording {
  host: Host;
  native_event: string;
  payload: Payload;
  event: AnyEvent;
}

/**
 * Detects a payload's host and decodes the payload, as a hook call does.
 * @param knownHost the host, if known
 * @param hint the native event name, for payloads that don't contain it
 * @throws Error if the host can't be detected or doesn't send payloads of this shape.
 */
export async function decodeRecording(payload: Payload, knownHost?: Host, hint?: string): Promise<Recording> {
  const cleanPayload = omitNulls(payload);
  // Ignore this process's variables, because the payload was sent to another process.
  const detection = await detectHost(
    hostRegistry,
    cleanPayload,
    { env: {} },
    knownHost && hostRegistry.find(({ id }) => id === knownHost.id),
  );
  if ("problem" in detection)
    throw new Error(
      detection.problem
        .replace(/^stdin/, "it")
        .replace("--host <id>", "--from ID")
        .replaceAll("--host ", "--from "),
    );
  if (detection.contradicted)
    throw new Error(`this is a ${detection.host.id} payload, not a ${detection.contradicted.id} payload`);
  const host = await detection.host.loadHost();
  const eventName = host.getEventName(cleanPayload, hint);
  const fallbackEvent = Object.hasOwn(host.capabilities, eventName)
    ? undefined
    : findAssumedEvent(host, eventName, cleanPayload, hint);
  const native_event = fallbackEvent?.native_event ?? eventName;
  if (native_event === "") throw new Error(`the payload does not name its ${host.name} event; pass --event`);
  const { event } = host.decodePayload(cleanPayload, native_event, getCapabilityRow(host, native_event));
  event._native = payload;
  return { host, native_event, payload, event };
}
