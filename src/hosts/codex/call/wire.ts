import * as v from "valibot";

/** Text fields of any event [shipped 0.169.0: the binary's own JSON Schemas]. */
export const COMMON_FIELDS = [
  "session_id",
  "transcript_path",
  "permission_mode",
  "model",
  "agent_id",
  "agent_type",
] as const;

/** Inputs that the tool table can't describe. */
export const inputs = {
  apply_patch: () => v.object({ command: v.string() }),
  /** `items`, which replaces a message, is a list of text, image and file blocks [unverified]. */
  spawn_agent: () => v.object({ items: v.nullish(v.array(v.looseObject({}))) }),
};
