import { type AnyEvent, isCall } from "../../../protocol/event.ts";
import type { Payload, Rewritten } from "../../../protocol/host/host.ts";
import { renderPatch } from "../../../protocol/patch.ts";
import { patchedCall } from "../../tools.ts";
import { patchedArguments, patchedFiles } from "../../wire.ts";
import { TOOLS } from "../tools.ts";
import { objectIn } from "./wire.ts";

/** OpenClaw runs what it is given: of a policy as it is, of an approved call laid over the old [seen 2026.9.6, 2026-11-22]. */
export function rewrite(event: AnyEvent, patch: Payload): Rewritten {
  if (!isCall(event)) return { unsupported: "this event has no tool input; rewrite in a PreToolUse hook" };
  const input = objectIn(event._native, "params");
  if (event.tool === "MCP") return patchedArguments(patch);
  if (event.tool === "Edit") return edited(event.tool_name, input, patch);
  const { timeout_ms, ...rest } = patch;
  if (event.tool !== "Bash" || event.guessed || typeof timeout_ms !== "number")
    return patchedCall(TOOLS, event, input, patch);
  return patchedCall(TOOLS, event, { ...input, timeoutSeconds: timeout_ms / 1000 }, rest);
}

function edited(tool_name: string, input: Payload, patch: Payload): Rewritten {
  const files = patchedFiles(patch);
  if ("unsupported" in files) return files;
  if (tool_name === "apply_patch") return { input: { ...input, input: renderPatch(files) } };
  const [file, ...more] = files;
  if (!file || more.length > 0 || file.operation !== "update")
    return { unsupported: "edit changes one file that is there; give one file with operation update, or deny" };
  const edits = file.edits.map(({ old_string, new_string }) => ({ oldText: old_string, newText: new_string }));
  return { input: { ...input, path: file.file_path, edits } };
}
