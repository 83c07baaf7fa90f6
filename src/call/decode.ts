import type { AnyEvent } from "../protocol/event.ts";
import type { DecodedPayload } from "../protocol/host/host.ts";
import { listNamedRoots } from "../protocol/project.ts";
import type { IdentifiedCall } from "./identify.ts";

/** A call as a unified event. */
export interface DecodedCall extends IdentifiedCall {
  decoded: DecodedPayload;
  event: AnyEvent;
}

/** Decodes the payload by the host's adapter. */
export function decodeCall(call: IdentifiedCall): DecodedCall {
  const { host, payload, raw, row, context, world } = call;
  const decoded = host.decodePayload(payload, context.native_event, row);
  const roots = listNamedRoots(host.project, payload, world.env);
  if (roots.length > 0) decoded.event.workspace_roots = roots;
  decoded.event._native = raw;
  return { ...call, decoded, event: decoded.event };
}
