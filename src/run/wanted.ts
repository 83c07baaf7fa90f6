import type { AnyEvent } from "../protocol/event.ts";
import type { FailurePolicy, HookEntry } from "../protocol/hook.ts";
import { matches } from "../protocol/match.ts";

/** The hooks that want this event, in order; of those that look at a call's arguments, all that may. */
export function wanted(entries: readonly HookEntry[], event: AnyEvent): HookEntry[] {
  const found: HookEntry[] = [];
  for (const entry of entries) if (matches(entry, event)) found.push(entry);
  return found;
}

/** The policy for a hook that failed. */
export const policyOf = (entry: HookEntry, callPolicy: FailurePolicy): FailurePolicy => entry.onError ?? callPolicy;

/** An error as one line of text; anything can be thrown, and not everything can be printed. */
export function oneLine(error: unknown): string {
  try {
    const text = String(error instanceof Error ? error.message || error.name : error);
    return text.replace(/(?<!\s)\s*\n\s*/g, " ").trim() || "unknown error";
  } catch {
    return "it threw something that can't be printed";
  }
}

/** Errors that nobody caught while hooks ran, and that no hook failed of. */
export const strays: unknown[] = [];
