import * as v from "valibot";
import { flag, number, policyText, text } from "../../wire.ts";

/** Texts that every event carries [seen 0.61.0, 2026-11-21]. */
export const COMMON = ["session_id", "transcript_path"] as const;

/** Tools without a unified name, whatever a model adds to their input. */
export const OTHERS = ["save_memory", "write_todos"];

export const Call = () =>
  v.object({
    tool_name: v.string(),
    tool_input: v.optional(v.unknown()),
    // Of an MCP call, the server's own names.
    mcp_context: v.nullish(v.object({ server_name: v.string(), tool_name: v.string() }), () => undefined),
  });

/** Inputs of the built-in tools, as far as policies need them [shipped 0.61.0]. */
export const inputs = {
  run_shell_command: () => v.object({ command: v.string(), description: text(), dir_path: policyText(), is_background: flag() }),
  read_file: () => v.object({ file_path: v.string(), start_line: number(), end_line: number() }),
  read_many_files: () => v.object({ include: v.array(v.string()) }),
  write_file: () => v.object({ file_path: v.string(), content: v.string() }),
  replace: () => v.object({ file_path: v.string(), old_string: v.string(), new_string: v.string() }),
  glob: () => v.object({ pattern: v.string(), dir_path: policyText() }),
  list_directory: () => v.object({ dir_path: policyText() }),
  grep_search: () => v.object({ pattern: v.string(), dir_path: policyText(), include_pattern: policyText() }),
  web_fetch: () => v.object({ prompt: policyText(), url: policyText() }),
  google_web_search: () => v.object({ query: v.string() }),
  invoke_agent: () => v.object({ agent_name: policyText(), prompt: policyText() }),
};

/** A tool's result [seen 0.61.0, 2026-11-21]; `error` is there when the call failed. */
export const Result = () => v.object({ llmContent: v.unknown(), error: v.optional(v.unknown()) });
