import * as v from "valibot";
import { createNumberSchema } from "../../codec/wire.ts";

/** Text fields of every event [seen 0.61.0, 2026-11-21]. */
export const COMMON_FIELDS = ["session_id", "transcript_path"] as const;

export const createCallSchema = () =>
  v.object({
    tool_name: v.string(),
    tool_input: v.optional(v.unknown()),
    // For an MCP call, the server's own names.
    mcp_context: v.nullish(v.object({ server_name: v.string(), tool_name: v.string() }), () => undefined),
  });

/** Inputs that the tool table can't describe [shipped 0.61.0]. */
export const inputs = {
  read_file: () => v.object({ end_line: createNumberSchema() }),
  read_many_files: () => v.object({ include: v.array(v.string()) }),
};

/** A tool's result [seen 0.61.0, 2026-11-21]; `error` is present if the call failed. */
export const createResultSchema = () => v.object({ llmContent: v.unknown(), error: v.optional(v.unknown()) });
