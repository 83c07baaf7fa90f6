import type { AnyEvent } from "../protocol/event.ts";
import type { DecodedPayload } from "../protocol/host/host.ts";
import type { IdentifiedCall } from "./identify.ts";

/** A call as a unified event. */
export interface DecodedCall extends IdentifiedCall {
  decoded: DecodedPayload;
  event: AnyEvent;
}

/** Decodes the payload by the host's adapter. */
export function decodeCall(call: IdentifiedCall): DecodedCall {
  const { host, payload, raw, row, context } = call;
  const decoded = host.decodePayload(payload, context.native_event, row);
  decoded.event._native = raw;
  return { ...call, decoded, event: decoded.event };
}
