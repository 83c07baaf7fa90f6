import { type AnyEvent, isToolCallEvent } from "../../../protocol/event.ts";
import type { Payload, RewriteResult } from "../../../protocol/host/host.ts";
import { getPatchableFields, patchCallInput } from "../../tool-table.ts";
import { patchMcpArguments, patchSingleEdit, toRecord } from "../../wire.ts";
import { TOOLS } from "../tools.ts";
import { toSnakeCase } from "./wire.ts";

/** Returns the whole patched input. The table turns a rewrite into a denial until a release is seen to accept one. */
export function rewriteInput(event: AnyEvent, patch: Payload): RewriteResult {
  if (!isToolCallEvent(event)) return { unsupported: "this event has no tool input; rewrite in a PreToolUse hook" };
  if (event.tool === "MCP") return patchMcpArguments(patch);
  const input = toRecord(toSnakeCase(event._native).tool_input);
  if (event.tool !== "Edit") return patchCallInput(TOOLS, event, input, patch);
  const refusal = `${event.tool_name} takes one replacement in one file; return one file with one edit, or deny`;
  return patchSingleEdit(input, patch, getPatchableFields(TOOLS, event.tool_name), refusal);
}
