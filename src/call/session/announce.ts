import { type CapabilityField, type CapabilityRow, getCells, pickCell } from "../../protocol/capability.ts";
import type { Hook, HookDescriptor } from "../../protocol/hook.ts";
import { listProjectFolders } from "../../protocol/project.ts";
import type { IHookResponse } from "../../protocol/response.ts";
import type { Audience } from "../../policy/modes.ts";
import type { DecodedCall } from "../decode.ts";

/** The fields that reach each audience. */
const AUDIENCE_FIELDS: Readonly<Record<Audience, readonly CapabilityField[]>> = {
  user: ["user_message"],
  model: ["additional_context"],
  both: ["user_message", "additional_context"],
};

/** The source of a SessionStart whose user has seen the line: only the model has forgotten it. */
const COMPACTED = "compact";

/** Of these fields, those that a host honours at an event. */
export const selectHonouredFields = (
  row: CapabilityRow,
  fields: readonly CapabilityField[],
  version?: string,
): CapabilityField[] => fields.filter((field) => pickCell(getCells(row, field), version).support !== "drop");

/** Describes the hook that tells an audience at the start of a session which policy is in force. */
export const describeAnnouncer = (
  audience: Audience,
  handler: Hook["handler"] = () => undefined,
): HookDescriptor & Required<Pick<HookDescriptor, "announces">> => ({
  // The log and `try` name it so.
  name: "announce",
  events: ["SessionStart"],
  announces: AUDIENCE_FIELDS[audience],
  load: async () => ({ event: "SessionStart", handler }),
});

/** The same for a call; undefined where nobody is to be told, or can be. */
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
    (field) => field !== "user_message" || source !== COMPACTED,
  );
  return fields.length > 0 ? announcer : undefined;
}
