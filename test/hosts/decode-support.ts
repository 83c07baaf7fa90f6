import { hosts } from "../../src/hosts/index.ts";
import { omitNulls } from "../../src/protocol/object.ts";
import { type Host, type Payload, getCapabilityRow } from "../../src/protocol/host/host.ts";

export const getHost = (id: string): Host => hosts.find((known) => known.id === id) as Host;

/** Decodes a payload to its unified event, as `any` because each case checks different fields. */
export function decodePayload(id: string, payload: Payload, hint?: string): any {
  const clean = omitNulls(payload);
  const name = getHost(id).getEventName(clean, hint);
  return getHost(id).decodePayload(clean, name, getCapabilityRow(getHost(id), name)).event;
}

/** Returns the native event. If a recording's payload lacks an event name, the file is named after the event. */
export const getEventName = (file: string, { hook_event_name, event }: Payload) =>
  String(hook_event_name ?? event ?? /^(?:PascalCase-)?(\w+)/.exec(file)?.[1]);
