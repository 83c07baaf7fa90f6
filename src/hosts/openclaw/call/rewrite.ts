import type { CallEvent } from "../../../protocol/event.ts";
import type { Payload, RewriteResult } from "../../../protocol/host/host.ts";
import { renderPatch } from "../../../protocol/patch.ts";
import { patchCall } from "../../codec/tool-table.ts";
import { parseEditFiles } from "../../codec/wire.ts";
import { TOOLS } from "../tools.ts";
import { getObject } from "./wire.ts";

/**
 * OpenClaw runs a policy's params as given, and merges an approved call's ones over the original
 * [seen 2026.9.6, 2026-11-22].
 */
export function rewriteInput(event: CallEvent, patch: Payload): RewriteResult {
  const input = getObject(event._native, "params");
  if (event.tool === "Edit") return rewriteEdit(event.tool_name, input, patch);
  const { timeout_ms, ...rest } = patch;
  if (event.tool !== "Bash" || event.guessed || typeof timeout_ms !== "number")
    return patchCall(TOOLS, event, input, patch);
  return patchCall(TOOLS, event, { ...input, timeoutSeconds: timeout_ms / 1000 }, rest);
}

function rewriteEdit(tool_name: string, input: Payload, patch: Payload): RewriteResult {
  const files = parseEditFiles(patch);
  if ("unsupported" in files) return files;
  if (tool_name === "apply_patch") return { input: { ...input, input: renderPatch(files) } };
  const [file, ...more] = files;
  if (!file || more.length > 0 || file.operation !== "update")
    return { unsupported: "edit changes one file that is there; give one file with operation update, or deny" };
  const edits = file.edits.map(({ old_string, new_string }) => ({ oldText: old_string, newText: new_string }));
  return { input: { ...input, path: file.file_path, edits } };
}
