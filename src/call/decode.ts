import { type AnyEvent, isToolCallEvent } from "../protocol/event.ts";
import type { DecodedPayload } from "../protocol/host/host.ts";
import type { PayloadProfile } from "../protocol/host/payload.ts";
import { listNamedRoots } from "../protocol/project.ts";
import type { IdentifiedCall } from "./identify.ts";

/** A call as a unified event. */
export interface DecodedCall extends IdentifiedCall {
  decoded: DecodedPayload;
  event: AnyEvent;
}

/** Decodes the payload with the host's adapter. */
export async function decodeCall(call: IdentifiedCall): Promise<DecodedCall> {
  const decodedPayload = decodePayload(call);
  const profile = decodedPayload.host.payloadProfile;
  return profile && isForeign(profile, decodedPayload)
    ? (await import("./identify/foreign-payload.ts")).addDifferences(decodedPayload, profile)
    : decodedPayload;
}

/** Returns whether the payload's fields differ from what the host itself sends. */
function isForeign(profile: PayloadProfile, { event, differences }: DecodedCall): boolean {
  if (differences?.length) return true;
  if (!isToolCallEvent(event)) return false;
  const { tool_name, guessed } = event;
  return !profile.mayNameTool(tool_name) || (guessed === true && profile.listInputFields(tool_name) !== undefined);
}

function decodePayload(call: IdentifiedCall): DecodedCall {
  const { host, payload, raw, row, context, runtime } = call;
  const decoded = host.decodePayload(payload, context.native_event, row);
  const roots = listNamedRoots(host.project, payload, runtime.env);
  if (roots.length > 0) decoded.event.workspace_roots = roots;
  decoded.event._native = raw;
  return { ...call, decoded, event: decoded.event };
}
