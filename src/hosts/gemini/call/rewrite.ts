import { type AnyEvent, isToolCallEvent } from "../../../protocol/event.ts";
import type { Payload, RewriteResult } from "../../../protocol/host/host.ts";
import { getPatchableFields, patchCallInput } from "../../tool-table.ts";
import { patchMcpArguments, patchSingleEdit } from "../../wire.ts";
import { TOOLS } from "../tools.ts";

/**
 * 0.61.0 replaces the original input by the new one [seen 2026-11-22]; its documentation says that the new one is
 * merged over the original, as in earlier releases [shipped 0.61.0]. The whole patched input means the same to both.
 */
export function rewriteInput(event: AnyEvent, patch: Payload): RewriteResult {
  if (!isToolCallEvent(event)) return { unsupported: "this event has no tool input; rewrite in a PreToolUse hook" };
  const input = event._native.tool_input as Payload;
  if (event.tool === "MCP") return replaceArguments(event.input.arguments, patch);
  if (event.tool !== "Edit") return patchCallInput(TOOLS, event, input, patch);
  const { tool_name } = event;
  const refusal = `${tool_name} takes one replacement in one file; return one file with one edit, or deny`;
  return patchSingleEdit(input, patch, getPatchableFields(TOOLS, tool_name), refusal);
}

/** A release that merges would keep a removed argument. */
function replaceArguments(given: Payload, patch: Payload): RewriteResult {
  const result = patchMcpArguments(patch);
  if (!("input" in result)) return result;
  const gone = Object.keys(given).find((key) => !Object.hasOwn(result.input, key));
  return gone === undefined
    ? result
    : { unsupported: `releases of Gemini CLI keep the argument "${gone}" that a hook takes away; deny instead` };
}
