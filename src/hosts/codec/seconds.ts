import type { CallEvent } from "../../protocol/event.ts";
import type { RewriteResult } from "../../protocol/host/host.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import { toObject } from "../../protocol/object.ts";
import type { ToolCall } from "../../protocol/tool.ts";
import { patchCall } from "./patch-call.ts";
import type { ToolTable } from "./tool-table.ts";

// Supports shell tools whose timeout is in seconds, a unit that the tool table can't express.

/** Sets a shell call's timeout from a native field in seconds. */
export function readTimeout(call: ToolCall, rawInput: unknown, field: string): void {
  const { [field]: seconds } = toObject(rawInput);
  if (call.tool === "Bash") call.input.timeout_ms = typeof seconds === "number" ? seconds * 1000 : undefined;
}

/** Returns the native timeout field in seconds. */
export const buildTimeout = (timeout_ms: number | undefined, field: string): Payload => ({
  [field]: timeout_ms === undefined ? undefined : timeout_ms / 1000,
});

/** Applies a patch to a call, including a shell call's timeout. */
export function patchTimedCall(
  tools: ToolTable,
  event: CallEvent,
  { input, patch, field }: { input: Payload; patch: Payload; field: string },
): RewriteResult {
  const { timeout_ms, ...otherFields } = patch;
  if (event.tool !== "Bash" || event.guessed || typeof timeout_ms !== "number")
    return patchCall(tools, event, input, patch);
  return patchCall(tools, event, { ...input, ...buildTimeout(timeout_ms, field) }, otherFields);
}
