import type { CallEvent } from "../../../protocol/event.ts";
import type { Payload, RewriteResult } from "../../../protocol/host/host.ts";
import type { Decision } from "../../../protocol/response.ts";
import { patchUnlistedCall } from "../../codec/unlisted-tools.ts";
import { getToolRow } from "../../codec/tool-table.ts";
import { patchInput, patchMcpArguments, patchSingleEdit, toRecord } from "../../codec/wire.ts";
import { TOOLS } from "../tools.ts";
import { parseInput, ownNames, toSnakeCase } from "./wire.ts";

/** Returns the whole patched input, with which Copilot replaces the call's [seen 1.0.102, 2026-11-22]. */
export function rewriteInput(event: CallEvent, patch: Payload, decision: Decision | undefined): RewriteResult {
  if (decision === "ask")
    return { unsupported: "Copilot was not seen to ask about a changed call; deny instead, or allow it" };
  const given = parseInput(toSnakeCase(event._native).tool_input);
  if (typeof given === "string")
    return { unsupported: "Copilot takes no other patch from a hook; deny instead, and say what to do" };
  const input = toRecord(given);
  if (event.tool === "MCP") return patchMcpArguments(patch);
  if (getToolRow(TOOLS, event.tool_name).length === 0) return patchUnlistedCall(event, input, patch);
  // A call may have a field under either of its names.
  const names = Object.fromEntries(ownNames(event.tool_name).filter(([, native]) => Object.hasOwn(input, native)));
  return event.tool === "Edit"
    ? patchSingleEdit(input, patch, names, "this edit is one update of one file with one change; change that, or deny")
    : patchInput(input, patch, names);
}
