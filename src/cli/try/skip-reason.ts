import { type AnyEvent, isToolCallEvent } from "../../protocol/event.ts";
import type { HookDescriptor } from "../../protocol/hook.ts";
import type { HookOutcome } from "../../call/ask/outcome.ts";

/** Explains why a hook didn't run for an event. Returns undefined if the hook ran. */
export function findSkipReason(
  entry: HookDescriptor,
  event: AnyEvent,
  outcome: HookOutcome | undefined,
): string | undefined {
  const { events, tools, matcher } = entry;
  if (!events.includes(event.event)) return `the hook subscribes to ${events.join(", ")}`;
  if (!isToolCallEvent(event)) return undefined;
  if (outcome) return outcome.isUnmatched && `no command in the line matches the hook's matcher ${matcher}`;
  const names = event.tool === event.tool_name ? event.tool : `${event.tool} (${event.tool_name})`;
  if (tools && !tools.includes(event.tool))
    return `the hook subscribes to ${tools.join(", ")}, but the call is ${names}`;
  return `the hook's matcher ${matcher} does not match ${names}`;
}
