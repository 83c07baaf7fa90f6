import type { CallEvent } from "../../../protocol/event.ts";
import type { Payload, RewriteResult } from "../../../protocol/host/host.ts";
import { patchCall } from "../../codec/tool-table.ts";
import { patchMcpArguments } from "../../codec/wire.ts";
import { TOOLS } from "../tools.ts";

/**
 * 0.61.0 replaces the original input by the new one [seen 2026-11-22]; its documentation says that the new one is
 * merged over the original, as in earlier releases [shipped 0.61.0]. The whole patched input means the same to both.
 */
export function rewriteInput(event: CallEvent, patch: Payload): RewriteResult {
  const input = event._native.tool_input as Payload;
  return event.tool === "MCP" ? replaceArguments(event.input.arguments, patch) : patchCall(TOOLS, event, input, patch);
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
