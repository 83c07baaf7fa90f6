import { type AnyEvent, isToolCallEvent } from "../../../protocol/event.ts";
import type { Payload, ReplaceResult } from "../../../protocol/host/host.ts";

/**
 * Cursor documents an object and reads one with a list of blocks as an MCP result
 * [seen @cursor/sdk 1.0.32, 2026-11-21].
 */
export function replaceOutput(event: AnyEvent, output: string | Payload): ReplaceResult {
  if (isToolCallEvent(event) && event.tool === "MCP")
    return { output: typeof output === "string" ? { content: [{ type: "text", text: output }] } : output };
  return {
    unsupported:
      "Cursor replaces results of MCP tools only; deny such a call at PreToolUse, or rewrite it to return less",
  };
}
