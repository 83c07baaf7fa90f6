import * as v from "valibot";
import { createNumberSchema } from "../../wire.ts";

/** Texts that every event carries [seen 0.61.0, 2026-11-21]. */
export const COMMON_FIELDS = ["session_id", "transcript_path"] as const;

export const createCallSchema = () =>
  v.object({
    tool_name: v.string(),
    tool_input: v.optional(v.unknown()),
    // Of an MCP call, the server's own names.
    mcp_context: v.nullish(v.object({ server_name: v.string(), tool_name: v.string() }), () => undefined),
  });

/** Inputs that no table tells [shipped 0.61.0]. */
export const inputs = {
  read_file: () => v.object({ end_line: createNumberSchema() }),
  read_many_files: () => v.object({ include: v.array(v.string()) }),
};

/** A tool's result [seen 0.61.0, 2026-11-21]; `error` is there when the call failed. */
export const createResultSchema = () => v.object({ llmContent: v.unknown(), error: v.optional(v.unknown()) });
