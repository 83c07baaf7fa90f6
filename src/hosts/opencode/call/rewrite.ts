import type { CallEvent } from "../../../protocol/event.ts";
import type { Payload, RewriteResult } from "../../../protocol/host/host.ts";
import { renderPatch } from "../../../protocol/patch.ts";
import { getPatchableFields, patchCall } from "../../codec/tool-table.ts";
import { patchSingleEdit, parseEditFiles } from "../../codec/wire.ts";
import { TOOLS } from "../tools.ts";

/**
 * plugin.js replaces the call's arguments by the returned ones: omitted keys are removed [seen 1.18.33, 2026-11-22].
 */
export function rewriteInput(event: CallEvent, patch: Payload): RewriteResult {
  const { args } = event._native.output as { args: Payload };
  return event.tool === "Edit" ? rewriteEdit(event.tool_name, args, patch) : patchCall(TOOLS, event, args, patch);
}

/** Rewrites a patch of several files, or the single change that the edit tool can make. */
function rewriteEdit(tool_name: string, args: Payload, patch: Payload): RewriteResult {
  const refusal = "OpenCode's edit changes one place in one file; give one file with one edit, or deny";
  if (tool_name !== "apply_patch") return patchSingleEdit(args, patch, getPatchableFields(TOOLS, tool_name), refusal);
  const files = parseEditFiles(patch);
  return "unsupported" in files ? files : { input: { ...args, patchText: renderPatch(files) } };
}
