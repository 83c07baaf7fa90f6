import { type CapabilityField, type CapabilityRow, getCells, pickCell } from "../../protocol/capability.ts";
import type { Hook, HookDescriptor } from "../../protocol/hook.ts";
import { listProjectFolders } from "../../protocol/project.ts";
import type { IHookResponse } from "../../protocol/response.ts";
import type { Audience } from "../../policy/modes.ts";
import type { DecodedCall } from "../decode.ts";

/** Maps each audience to the response fields that reach it. */
const AUDIENCE_FIELDS: Readonly<Record<Audience, readonly CapabilityField[]>> = {
  user: ["user_message"],
  model: ["additional_context"],
  both: ["user_message", "additional_context"],
};

/** SessionStart source after a compaction. The user has already seen the message, but the model has lost it. */
const COMPACT_SOURCE = "compact";

/** Returns the fields that a host honors on an event. */
export const selectHonouredFields = (
  row: CapabilityRow,
  fields: readonly CapabilityField[],
  version?: string,
): CapabilityField[] => fields.filter((field) => pickCell(getCells(row, field), version).support !== "drop");

/** Builds the descriptor for the hook that announces the active policy when a session starts. */
export const describeAnnouncer = (
  audience: Audience,
  handler: Hook["handler"] = () => undefined,
): HookDescriptor & Required<Pick<HookDescriptor, "announces">> => ({
  // Name of the announcer hook in the log and in `try`.
  name: "announce",
  events: ["SessionStart"],
  announces: AUDIENCE_FIELDS[audience],
  load: async () => ({ event: "SessionStart", handler }),
});

/**
 * Creates the announcer for a call. Returns undefined if nobody is to get the message or the host can't show messages.
 */
export function createAnnouncer(call: DecodedCall): HookDescriptor | undefined {
  const { context, event, row, host, entries } = call;
  const audience = context.modes?.announce;
  if (event.event !== "SessionStart" || audience === undefined) return undefined;
  const { host_version, source } = event;
  const announcer = describeAnnouncer(audience, async (): Promise<IHookResponse> => {
    const { describeSessionPolicy, formatSessionPolicy } = await import("./session-policy.ts");
    const policy = await describeSessionPolicy({ host, host_version, entries, folders: listProjectFolders(event) });
    return Object.fromEntries(fields.map((field) => [field, `bridge-hooks: ${formatSessionPolicy(policy)}`]));
  });
  const fields = selectHonouredFields(row, announcer.announces, host_version).filter(
    (field) => field !== "user_message" || source !== COMPACT_SOURCE,
  );
  return fields.length > 0 ? announcer : undefined;
}
