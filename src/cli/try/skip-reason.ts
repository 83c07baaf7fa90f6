import { type AnyEvent, isToolCallEvent } from "../../protocol/event.ts";
import type { HookDescriptor } from "../../protocol/hook.ts";
import type { HookOutcome } from "../../call/ask/outcome.ts";

/** Explains why a hook didn't run for an event; undefined if the hook ran. */
export function findSkipReason(
  entry: HookDescriptor,
  event: AnyEvent,
  outcome: HookOutcome | undefined,
): string | undefined {
  const { events, tools, matcher } = entry;
  if (!events.includes(event.event)) return `it subscribes to ${events.join(", ")}`;
  if (!isToolCallEvent(event)) return undefined;
  if (outcome) return outcome.isUnmatched && `no command in the line matches its matcher ${matcher}`;
  const names = event.tool === event.tool_name ? event.tool : `${event.tool} (${event.tool_name})`;
  if (tools && !tools.includes(event.tool)) return `it subscribes to ${tools.join(", ")}, and this is ${names}`;
  return `its matcher ${matcher} does not match ${names}`;
}
