import { type AnyEvent, isCall } from "../../core/event.ts";
import type { Payload, Rewritten } from "../../core/host.ts";
import type { FileChange } from "../../core/tool.ts";
import { patched, patchedArguments } from "../wire.ts";
import { renderPatch } from "./patch.ts";

/** Codex runs updatedInput as the whole input; for apply_patch that is another patch [seen 0.169.0, 2026-11-21]. */
export function rewrite(event: AnyEvent, patch: Payload): Rewritten {
  if (!isCall(event)) return { unsupported: "this event has no tool input; rewrite in a PreToolUse hook" };
  const input = event._native.tool_input as Payload;
  if (event.tool === "MCP") return patchedArguments(event.input.arguments, patch);
  if (event.tool_name === "apply_patch" && "files" in patch) {
    return { input: { ...input, command: renderPatch(patch.files as FileChange[]) } };
  }
  return { input: patched(input, patch, { file_path: "path", prompt: "message" }) };
}
