import * as v from "valibot";
import { createNumberSchema, createPolicyTextSchema, createTextSchema } from "../../wire.ts";

/** Texts that any event may carry [seen 2.1.330, 2026-11-21]. */
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
    duration_ms: createNumberSchema(),
    mcp_server: v.nullish(v.object({ name: v.string() })),
  });

/** Inputs that no table tells. */
export const inputs = {
  Edit: () =>
    v.object({
      file_path: v.string(),
      old_string: createPolicyTextSchema(),
      new_string: createPolicyTextSchema(),
      edits: v.nullish(v.array(v.object({ old_string: v.string(), new_string: v.string() })), () => []),
    }),
};

/** Results of Bash [seen 2.1.330, 2026-11-21]. */
export const createBashResultSchema = () => v.object({ stdout: v.string(), stderr: v.optional(v.string(), "") });

/** The result of Read on a text file [seen 2.1.330, 2026-11-21]. */
export const createReadResultSchema = () => v.object({ file: v.object({ content: v.string() }) });
