import * as v from "valibot";
import { flag, number, record, text } from "../wire.ts";

/** Texts that any event may carry [seen 2.1.330, 2026-11-21]. */
export const COMMON = ["session_id", "cwd", "transcript_path", "permission_mode", "model", "agent_id", "agent_type"] as const;

export const Call = () =>
  v.object({
    tool_name: v.string(),
    tool_input: record(),
    tool_use_id: text(),
    duration_ms: number(),
    error: text(),
    mcp_server: v.fallback(v.optional(v.object({ name: v.string() })), undefined),
  });

/** Inputs of the built-in tools, as far as policies need them. */
export const inputs = {
  Bash: () =>
    v.object({
      command: v.string(),
      description: text(),
      timeout: number(),
      run_in_background: flag(),
    }),
  Read: () => v.object({ file_path: v.string(), offset: number(), limit: number() }),
  Write: () => v.object({ file_path: v.string(), content: v.string() }),
  Edit: () =>
    v.object({
      file_path: v.string(),
      old_string: text(),
      new_string: text(),
      edits: v.fallback(v.optional(v.array(v.object({ old_string: v.string(), new_string: v.string() }))), undefined),
    }),
  NotebookEdit: () => v.object({ notebook_path: v.string(), new_source: text() }),
  NotebookRead: () => v.object({ notebook_path: v.string() }),
  Glob: () => v.object({ pattern: v.string(), path: text() }),
  Grep: () => v.object({ pattern: v.string(), path: text(), glob: text() }),
  WebFetch: () => v.object({ url: v.string(), prompt: text() }),
  WebSearch: () => v.object({ query: v.string() }),
  Agent: () => v.object({ prompt: text(), description: text(), subagent_type: text() }),
};

/** Results of Bash [seen 2.1.330, 2026-11-21]. */
export const BashResult = () => v.object({ stdout: v.string(), stderr: v.optional(v.string(), "") });

/** The result of Read on a text file [seen 2.1.330, 2026-11-21]. */
export const ReadResult = () => v.object({ file: v.object({ content: v.string() }) });
