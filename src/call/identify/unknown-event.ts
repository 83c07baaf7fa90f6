import type { CapabilityRow } from "../../protocol/capability.ts";
import { type Host, type Payload, getCapabilityRow } from "../../protocol/host/host.ts";
import { CALL_KEYS, RESULT_KEYS } from "./call-fields.ts";
import { createCautiousRow } from "./cautious-row.ts";

/** The known event to assume when a payload's event is unknown. */
interface AssumedEvent {
  native_event: string;
  row: CapabilityRow;
  warning: string;
}

/** Why the host may ignore an answer to an unknown event. */
const UNKNOWN_EVENT = {
  call: "this event is unknown, and the host may not support that answer for it",
  result: "this event is unknown, and the model may read the original result",
};
const hasAnyKey = (payload: Payload, keys: readonly string[]) => keys.some((key) => payload[key] !== undefined);

const isKnownEvent = ({ capabilities }: Host, native_event: string | undefined): native_event is string =>
  native_event !== undefined && Object.hasOwn(capabilities, native_event);

/**
 * Finds the known event to assume for an unknown one. This is the event named by the entry, or the event before a call
 * if the payload contains a tool call, so that calls stay guarded even if a host renames an event. Returns undefined if
 * there is nothing to judge.
 * @param entry_event the event named by the entry
 */
export function findAssumedEvent(
  host: Host,
  unknownEvent: string,
  payload: Payload,
  entry_event?: string,
): AssumedEvent | undefined {
  const isCall = hasAnyKey(payload, CALL_KEYS) && !hasAnyKey(payload, RESULT_KEYS);
  const gate = isCall
    ? Object.keys(host.capabilities).find((name) => host.capabilities[name]?.().event === "PreToolUse")
    : undefined;
  const native_event = isKnownEvent(host, entry_event) ? entry_event : gate;
  if (native_event === undefined) return undefined;
  const warning = `unknown ${host.name} event "${unknownEvent}", evaluated as ${native_event}; update bridge-hooks, or correct --event`;
  return { native_event, row: createCautiousRow(getCapabilityRow(host, native_event), UNKNOWN_EVENT), warning };
}
