import * as v from "valibot";
import { createPolicyTextSchema } from "../../codec/wire.ts";

/** Text fields of any event [seen 2.1.330, 2026-11-21]. */
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
  Edit: () =>
    v.object({
      file_path: v.string(),
      old_string: createPolicyTextSchema(),
      new_string: createPolicyTextSchema(),
      edits: v.nullish(v.array(v.object({ old_string: v.string(), new_string: v.string() })), () => []),
    }),
};

/** A result of Bash [seen 2.1.330, 2026-11-21]. */
export const createBashResultSchema = () => v.object({ stdout: v.string(), stderr: v.optional(v.string(), "") });

/** A result of Read for a text file [seen 2.1.330, 2026-11-21]. */
export const createReadResultSchema = () => v.object({ file: v.object({ content: v.string() }) });
