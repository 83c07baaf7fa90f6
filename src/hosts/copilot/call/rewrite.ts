import { type AnyEvent, isCall } from "../../../protocol/event.ts";
import type { Payload, Rewritten } from "../../../protocol/host/host.ts";
import type { Decision } from "../../../protocol/response.ts";
import { patchedOther } from "../../other.ts";
import { patched, patchedArguments, patchedFiles, recordOf } from "../../wire.ts";
import { inputOf, knownTool, snaked } from "./wire.ts";

/** The whole input with the patch, which Copilot takes as the call's [seen 1.0.102, 2026-11-22]. */
export function rewrite(event: AnyEvent, patch: Payload, decision: Decision | undefined): Rewritten {
  if (!isCall(event)) return { unsupported: "this event has no tool input; rewrite in a PreToolUse hook" };
  if (decision === "ask") return { unsupported: "Copilot was not seen to ask about a changed call; deny instead, or allow it" };
  const given = inputOf(snaked(event._native).tool_input);
  if (typeof given === "string") return { unsupported: "Copilot takes no other patch from a hook; deny instead, and say what to do" };
  const input = recordOf(given);
  if (event.tool === "MCP") return patchedArguments(patch);
  if (knownTool(event.tool_name)[0] === "Other") return patchedOther(event, input, patch);
  const names = namesIn(input, event.tool_name);
  return event.tool === "Edit" ? edited(input, patch, names) : patched(input, patch, names);
}

/** The unified fields that this call has under other names. */
function namesIn(input: Payload, tool_name: string): Record<string, string> {
  const names: Record<string, string> = {};
  for (const [native, unified] of Object.entries(knownTool(tool_name)[1])) if (Object.hasOwn(input, native)) names[unified] = native;
  return names;
}

/** An edit is one change of one file. */
function edited(input: Payload, patch: Payload, names: Record<string, string>): Rewritten {
  const files = patchedFiles(patch);
  if ("unsupported" in files) return files;
  const [file, ...more] = files;
  const [edit, ...others] = file?.edits ?? [];
  if (!file || !edit || more.length > 0 || others.length > 0 || file.operation !== "update")
    return { unsupported: "this edit is one update of one file with one change; change that, or deny" };
  return patched(input, { file_path: file.file_path, old_string: edit.old_string, new_string: edit.new_string }, names);
}
