import type { CallEvent } from "../../protocol/event.ts";
import type { RewriteResult } from "../../protocol/host/host.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import { toObject } from "../../protocol/object.ts";
import type { ToolCall } from "../../protocol/tool.ts";
import { patchCall } from "./patch-call.ts";
import type { ToolTable } from "./tool-table.ts";

// A shell whose time limit is in seconds, which a tool table can't describe.

/** Adds the time limit of a shell call, from the field that has it in seconds. */
export function readTimeout(call: ToolCall, given: unknown, field: string): void {
  const { [field]: seconds } = toObject(given);
  if (call.tool === "Bash") call.input.timeout_ms = typeof seconds === "number" ? seconds * 1000 : undefined;
}

/** The field in which a built call has the time limit. */
export const buildTimeout = (timeout_ms: number | undefined, field: string): Payload => ({
  [field]: timeout_ms === undefined ? undefined : timeout_ms / 1000,
});

/** Applies a patch to a call; that of a shell may change the time limit. */
export function patchTimedCall(
  tools: ToolTable,
  event: CallEvent,
  { input, patch, field }: { input: Payload; patch: Payload; field: string },
): RewriteResult {
  const { timeout_ms, ...rest } = patch;
  if (event.tool !== "Bash" || event.guessed || typeof timeout_ms !== "number")
    return patchCall(tools, event, input, patch);
  return patchCall(tools, event, { ...input, ...buildTimeout(timeout_ms, field) }, rest);
}
