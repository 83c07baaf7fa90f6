import type { CallEvent } from "../../../protocol/event.ts";
import type { Payload, RewriteResult } from "../../../protocol/host/host.ts";
import type { Decision } from "../../../protocol/response.ts";
import { patchCall } from "../../codec/tool-table.ts";
import { parseEditFiles } from "../../codec/wire.ts";
import { renderPatch } from "../../../protocol/patch.ts";
import { TOOLS } from "../tools.ts";

/** Codex runs updatedInput as the whole input; for apply_patch that is another patch [seen 0.169.0, 2026-11-21]. */
export function rewriteInput(event: CallEvent, patch: Payload, decision: Decision | undefined): RewriteResult {
  if (decision === "ask")
    return {
      unsupported:
        "Codex takes a rewrite only with \"allow\", so it can't be left to Codex's own approval; deny instead",
    };
  const input = event._native.tool_input as Payload;
  if (event.tool !== "Edit") return patchCall(TOOLS, event, input, patch);
  const files = parseEditFiles(patch);
  return "unsupported" in files ? files : { input: { ...input, command: renderPatch(files) } };
}
