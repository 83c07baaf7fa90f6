import type { AnyEvent } from "../../../protocol/event.ts";
import { isToolCallEvent } from "../../../protocol/event.ts";
import type { Payload, RewriteResult } from "../../../protocol/host/host.ts";
import type { Decision } from "../../../protocol/response.ts";
import { getPatchableFields, patchCallInput } from "../../tool-table.ts";
import { patchMcpArguments, patchSingleEdit } from "../../wire.ts";
import { TOOLS } from "../tools.ts";

/** Claude Code replaces the whole input [seen 2.1.330, 2026-11-21], so the patch is merged over the original. */
export function rewriteInput(event: AnyEvent, patch: Payload, decision: Decision | undefined): RewriteResult {
  if (!isToolCallEvent(event)) return { unsupported: "this event has no tool input; rewrite in a PreToolUse hook" };
  if (event.event === "PermissionRequest" && decision !== "allow") {
    return {
      unsupported: 'a rewrite here needs decision "allow" beside it; return both, or rewrite in a PreToolUse hook',
    };
  }
  const input = event._native.tool_input as Payload;
  if (event.tool === "MCP") return patchMcpArguments(patch);
  if (event.tool !== "Edit") return patchCallInput(TOOLS, event, input, patch);
  const { tool_name } = event;
  const refusal = `${tool_name} takes one replacement in one file; return one file with one edit, or deny`;
  return patchSingleEdit(input, patch, getPatchableFields(TOOLS, tool_name), refusal);
}
