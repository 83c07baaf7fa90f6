import { downgrade, emulated, pickCell, type CapabilityRow } from "../../protocol/capability.ts";
import { type Host, type Payload, getCapabilityRow } from "../../protocol/host/host.ts";

/** A known event that a payload with an unknown one is judged as. */
interface StandIn {
  native_event: string;
  row: CapabilityRow;
  warning: string;
}

const CALL_KEYS = ["tool_name", "toolName", "tool_input", "toolInput", "toolArgs"];
const RESULT_KEYS = ["tool_response", "tool_result", "toolResult", "tool_output"];
const hasAnyKey = (payload: Payload, keys: readonly string[]) => keys.some((key) => payload[key] !== undefined);

const isKnownEvent = ({ capabilities }: Host, native_event: string | undefined): native_event is string =>
  native_event !== undefined && Object.hasOwn(capabilities, native_event);

/**
 * Finds the event to judge an unknown one as: the event that the entry names, or, if the payload carries a tool call,
 * the event before a call runs. A host that renames an event must stay guarded. Undefined if there is nothing to judge.
 * @param entry_event the event that the entry names.
 */
export function findStandIn(host: Host, unknown: string, payload: Payload, entry_event?: string): StandIn | undefined {
  const isCall = hasAnyKey(payload, CALL_KEYS) && !hasAnyKey(payload, RESULT_KEYS);
  const gate = isCall
    ? Object.keys(host.capabilities).find((name) => host.capabilities[name]?.().event === "PreToolUse")
    : undefined;
  const native_event = isKnownEvent(host, entry_event) ? entry_event : gate;
  if (native_event === undefined) return undefined;
  const warning = `unknown event "${unknown}" of ${host.name}, judged as ${native_event}; update bridge-hooks, or correct --event`;
  return { native_event, row: makeCautious(getCapabilityRow(host, native_event)), warning };
}

/** A denial holds by its exit code. The host may ignore fields of the JSON document under an unknown event name. */
function makeCautious(row: CapabilityRow): CapabilityRow {
  if (row.event === "PostToolUse" || row.event === "PostToolUseFailure") {
    if (pickCell(row.modified_output, undefined).support === "unenforceable") return row;
    return {
      ...row,
      modified_output: emulated(
        "the name of this event is not known, and the model may read the original",
        "unverified",
      ),
    };
  }
  if (row.event !== "PreToolUse" && row.event !== "PermissionRequest") return row;
  const stricter = downgrade(
    [
      "the name of this event is not known, and the host may not take that answer here",
      "deny instead, or update bridge-hooks",
    ],
    "unverified",
  );
  return { ...row, ask: stricter, modified_input: stricter };
}
