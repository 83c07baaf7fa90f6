import type { AnyEvent } from "../../core/event.ts";
import { isCall } from "../../core/event.ts";
import type { Payload, Rewritten } from "../../core/host.ts";
import type { Decision } from "../../core/response.ts";
import type { FileChange } from "../../core/tool.ts";
import { patched, patchedArguments } from "../wire.ts";

/** Claude Code replaces the whole input [seen 2.1.330, 2026-11-21], so the patch is laid over what it sent. */
export function rewrite(event: AnyEvent, patch: Payload, decision: Decision | undefined): Rewritten {
  if (!isCall(event)) return { unsupported: "this event has no tool input; rewrite in a PreToolUse hook" };
  if (event.event === "PermissionRequest" && decision !== "allow") {
    return { unsupported: 'a rewrite here needs decision "allow" beside it; return both, or rewrite in a PreToolUse hook' };
  }
  const input = event._native.tool_input as Payload;
  switch (event.tool) {
    case "MCP":
      return patchedArguments(event.input.arguments, patch);
    case "Edit":
      return "files" in patch ? oneEdit(event.tool_name, input, patch.files as FileChange[]) : { input: patched(input, patch) };
    case "Task":
      return { input: patched(input, patch, { agent_type: "subagent_type" }) };
    default:
      return { input: patched(input, patch, { timeout_ms: "timeout" }) };
  }
}

/** Edit takes one replacement in one file. */
function oneEdit(tool_name: string, input: Payload, files: FileChange[]): Rewritten {
  const [file, ...others] = files;
  const [edit, ...more] = file?.edits ?? [];
  if (tool_name !== "Edit" || !file || !edit || others.length + more.length > 0 || file.operation !== "update") {
    return { unsupported: `${tool_name} takes one replacement in one file; return one file with one edit, or deny` };
  }
  return { input: { ...input, file_path: file.file_path, old_string: edit.old_string, new_string: edit.new_string } };
}
