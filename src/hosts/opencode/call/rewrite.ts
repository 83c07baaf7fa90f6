import { type AnyEvent, isCall } from "../../../protocol/event.ts";
import type { Payload, Rewritten } from "../../../protocol/host/host.ts";
import { renderPatch } from "../../../protocol/patch.ts";
import { namesOf, patchedCall } from "../../tools.ts";
import { patchedArguments, patchedEdit, patchedFiles } from "../../wire.ts";
import { TOOLS } from "../tools.ts";

/** plugin.js makes the call's arguments what this gives: keys that are not in it go [seen 1.18.33, 2026-11-22]. */
export function rewrite(event: AnyEvent, patch: Payload): Rewritten {
  if (!isCall(event)) return { unsupported: "this event has no tool input; rewrite in a PreToolUse hook" };
  const { args } = event._native.output as { args: Payload };
  if (event.tool === "MCP") return patchedArguments(patch);
  if (event.tool === "Edit") return edited(event.tool_name, args, patch);
  return patchedCall(TOOLS, event, args, patch);
}

/** A patch of several files, or the one change that the edit tool can make. */
function edited(tool_name: string, args: Payload, patch: Payload): Rewritten {
  const refusal = "OpenCode's edit changes one place in one file; give one file with one edit, or deny";
  if (tool_name !== "apply_patch") return patchedEdit(args, patch, namesOf(TOOLS, tool_name), refusal);
  const files = patchedFiles(patch);
  return "unsupported" in files ? files : { input: { ...args, patchText: renderPatch(files) } };
}
