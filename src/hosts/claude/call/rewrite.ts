import type { CallEvent } from "../../../protocol/event.ts";
import type { Payload, RewriteResult } from "../../../protocol/host/host.ts";
import type { Decision } from "../../../protocol/response.ts";
import { patchCall } from "../../codec/tool-table.ts";
import { TOOLS } from "../tools.ts";

/** Claude Code replaces the whole input [seen 2.1.330, 2026-11-21], so the patch is merged over the original. */
export const rewriteInput = (event: CallEvent, patch: Payload, decision: Decision | undefined): RewriteResult =>
  event.event === "PermissionRequest" && decision !== "allow"
    ? { unsupported: 'a rewrite here needs decision "allow" beside it; return both, or rewrite in a PreToolUse hook' }
    : patchCall(TOOLS, event, event._native.tool_input as Payload, patch);
