import * as v from "valibot";
import { createTextSchema } from "../../wire.ts";

/** Texts that any event may carry [shipped 0.169.0: the binary's own JSON Schemas]. */
export const COMMON_FIELDS = [
  "session_id",
  "transcript_path",
  "permission_mode",
  "model",
  "agent_id",
  "agent_type",
] as const;

export const createCallSchema = () =>
  v.object({
    tool_name: v.string(),
    tool_input: v.optional(v.unknown()),
    tool_use_id: createTextSchema(),
  });

/** Inputs that no table tells. */
export const inputs = {
  apply_patch: () => v.object({ command: v.string() }),
  /** `items`, in the place of a message, are blocks of text, images and files [unverified]. */
  spawn_agent: () => v.object({ items: v.nullish(v.array(v.looseObject({}))) }),
};
