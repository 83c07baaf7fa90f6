import type { AnyEvent } from "../../protocol/event.ts";

const MAX_FROZEN_VALUES = 10_000;

/**
 * Freezes an event so that returning a patch is the only way for hooks to change the input. Parts of an extremely large
 * payload may stay mutable, but the input is frozen first.
 */
export function freezeEvent(event: AnyEvent): AnyEvent {
  const parts: unknown[] = [event._native, "input" in event ? event.input : undefined];
  for (let remaining = MAX_FROZEN_VALUES; parts.length > 0 && remaining > 0; remaining--) {
    const part = parts.pop();
    if (typeof part !== "object" || part === null || Object.isFrozen(part)) continue;
    // Freezing an array with millions of items would take gigabytes of memory.
    if (Array.isArray(part) && part.length > remaining) continue;
    Object.freeze(part);
    for (const key in part) {
      if (parts.length >= remaining) break;
      parts.push((part as Record<string, unknown>)[key]);
    }
  }
  return Object.freeze(event);
}
