import { type AnyEvent, isCall } from "../../../protocol/event.ts";
import type { Payload, Rewritten } from "../../../protocol/host/host.ts";
import type { Decision } from "../../../protocol/response.ts";
import { patchedOther } from "../../other.ts";
import { patched, patchedArguments, patchedFiles } from "../../wire.ts";
import { renderPatch } from "../../patch.ts";

/** The unified fields of each tool, by Codex's names. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Bash: { command: "command" },
  view_image: { file_path: "path" },
  spawn_agent: { prompt: "message", agent_type: "agent_type" },
};

/** Codex runs updatedInput as the whole input; for apply_patch that is another patch [seen 0.169.0, 2026-11-21]. */
export function rewrite(event: AnyEvent, patch: Payload, decision: Decision | undefined): Rewritten {
  if (!isCall(event)) return { unsupported: "this event has no tool input; rewrite in a PreToolUse hook" };
  if (decision === "ask")
    return { unsupported: "Codex takes a rewrite only with \"allow\", so it can't be left to Codex's own approval; deny instead" };
  const input = event._native.tool_input as Payload;
  if (event.tool === "MCP") return patchedArguments(patch);
  if (event.tool === "Edit") {
    const files = patchedFiles(patch);
    return "unsupported" in files ? files : { input: { ...input, command: renderPatch(files) } };
  }
  const names = FIELDS[event.tool_name];
  return names ? patched(input, patch, names) : patchedOther(event, input, patch);
}
