import type { CapabilityRow } from "../protocol/capability.ts";
import { type Host, type Payload, type RegisteredHost, getCapabilityRow } from "../protocol/host/host.ts";
import type { PayloadProfile } from "../protocol/host/payload.ts";
import { hostRegistry } from "../hosts/registry.ts";
import { detectHost, type ForeignMarker } from "./identify/detect.ts";
import type { PayloadDifference } from "./identify/call-fields.ts";
import { formatMissingEvent } from "./identify/messages.ts";
import type { ParsedCall } from "./read.ts";

/** Returns whether the capability table contains the event. */
export const hasCapabilityRow = ({ capabilities }: Host, native_event: string): boolean =>
  Object.hasOwn(capabilities, native_event);

/** A call with a known host. */
export interface HostCall extends ParsedCall {
  host: Host;
  /** The host named by the entry, if a different host sent the payload. */
  contradicted: RegisteredHost | undefined;
  /** Another host's marker in a payload that otherwise matches the named host. */
  foreignMark: ForeignMarker | undefined;
}

/** Information about who sent a payload. */
type Sender = Omit<HostCall, keyof ParsedCall> & { entry: RegisteredHost };

/** A call with a known event. */
export interface EventCall extends HostCall {
  row: CapabilityRow;
  /** Warning that the event is unknown. Names the known event it is judged as. */
  eventWarning: string | undefined;
  /** How the payload differs from what the host itself sends; absent if no differences are known. */
  differences?: readonly PayloadDifference[] | undefined;
}

/** A call that can be judged. */
export interface IdentifiedCall extends EventCall {
  /**
   * Whether the host runs our command from another host's config or from a plugin even though its own config has an
   * entry for the same call.
   */
  isDuplicate: boolean;
}

/**
 * Identifies the host that sent the payload.
 * @throws Error if no host is named and the payload matches no host or more than one
 */
export async function identifyHost(call: ParsedCall): Promise<HostCall> {
  const { entry, ...found } = await findSender(call);
  return { ...call, ...found, context: { ...call.context, host: entry } };
}

async function findSender({ payload, namedHost, options, runtime }: ParsedCall): Promise<Sender> {
  const detection = await detectHost(hostRegistry, payload, runtime, namedHost);
  if ("problem" in detection) throw new Error(detection.problem);
  const { contradicted, foreignMark } = detection;
  const host = await detection.host.loadHost();
  const sender: Sender = { entry: detection.host, host, contradicted, foreignMark };
  if (!namedHost || contradicted || hasCapabilityRow(host, host.getEventName(payload, options.event))) return sender;
  // The named host doesn't have this event, so check whether the payload matches another host.
  const otherDetection = await detectHost(hostRegistry, payload, runtime);
  if (!("host" in otherDetection) || otherDetection.host === namedHost) return sender;
  const loadedHost = await otherDetection.host.loadHost();
  return hasCapabilityRow(loadedHost, loadedHost.getEventName(payload, undefined))
    ? { entry: otherDetection.host, host: loadedHost, contradicted: namedHost, foreignMark: undefined }
    : sender;
}

/**
 * Finds the event that the payload is judged as.
 * @throws Error if neither the payload nor the entry names an event and the payload isn't a tool call
 */
export async function identifyEvent(hostCall: HostCall): Promise<EventCall> {
  const call = await completeCall(hostCall);
  const { host, payload, options } = call;
  const name = host.getEventName(payload, options.event);
  const standIn = hasCapabilityRow(host, name)
    ? undefined
    : (await import("./identify/unknown-event.ts")).findAssumedEvent(host, name, payload, options.event);
  const { native_event, row } = standIn ?? { native_event: name, row: getCapabilityRow(host, name, payload) };
  if (native_event === "") throw new Error(formatMissingEvent(host));
  const context = { ...call.context, native_event, isStandIn: standIn !== undefined };
  return { ...call, row, eventWarning: standIn?.warning, context };
}

/** Fills in a payload's missing fields if other programs are known to run this host's entries. */
async function completeCall(call: HostCall): Promise<HostCall & Pick<EventCall, "differences">> {
  const { host, payload, options } = call;
  const profile = host.payloadProfile;
  if (!profile || hasProfile(profile, payload, host.getEventName(payload, options.event))) return call;
  const { completePayload } = await import("./identify/foreign-payload.ts");
  return { ...call, ...completePayload(host, profile, payload, options.event) };
}

/**
 * Returns whether a payload has all fields that its host sends. Uses loops, since this runs on every call from such a
 * host.
 */
function hasProfile({ fields, eventFields }: PayloadProfile, payload: Payload, native_event: string): boolean {
  for (const field of fields) if (payload[field] === undefined) return false;
  if (!Object.hasOwn(eventFields, native_event)) return false;
  for (const field of eventFields[native_event] ?? []) if (payload[field] === undefined) return false;
  return true;
}

/**
 * Checks the entry's flags. Waits until the host is identified, so that errors are reported in its format.
 * @throws Error if a flag is invalid
 */
export async function checkEntry(call: EventCall): Promise<IdentifiedCall> {
  const { flagProblem, contradicted, host, context, options, payload, runtime } = call;
  if (flagProblem !== undefined) throw new Error(flagProblem);
  const isDuplicate =
    (contradicted !== undefined || options.from !== undefined) &&
    (await (await import("./identify/own-entry.ts")).hasOwnEntry(host, context.native_event, payload, runtime));
  return { ...call, isDuplicate };
}
