import { type AnyEvent, isCall } from "../../../protocol/event.ts";
import type { Payload, Rewritten } from "../../../protocol/host/host.ts";
import type { Decision } from "../../../protocol/response.ts";
import { patchedOther } from "../../other.ts";
import { rowOf } from "../../tools.ts";
import { patched, patchedArguments, patchedEdit, recordOf } from "../../wire.ts";
import { TOOLS } from "../tools.ts";
import { inputOf, ownNames, snaked } from "./wire.ts";

/** The whole input with the patch, which Copilot takes as the call's [seen 1.0.102, 2026-11-22]. */
export function rewrite(event: AnyEvent, patch: Payload, decision: Decision | undefined): Rewritten {
  if (!isCall(event)) return { unsupported: "this event has no tool input; rewrite in a PreToolUse hook" };
  if (decision === "ask")
    return { unsupported: "Copilot was not seen to ask about a changed call; deny instead, or allow it" };
  const given = inputOf(snaked(event._native).tool_input);
  if (typeof given === "string")
    return { unsupported: "Copilot takes no other patch from a hook; deny instead, and say what to do" };
  const input = recordOf(given);
  if (event.tool === "MCP") return patchedArguments(patch);
  if (rowOf(TOOLS, event.tool_name).length === 0) return patchedOther(event, input, patch);
  // A call may have a field by either of its names.
  const names = Object.fromEntries(ownNames(event.tool_name).filter(([, native]) => Object.hasOwn(input, native)));
  return event.tool === "Edit"
    ? patchedEdit(input, patch, names, "this edit is one update of one file with one change; change that, or deny")
    : patched(input, patch, names);
}
