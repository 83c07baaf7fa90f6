import type { AnyEvent } from "../event.ts";
import type { Host } from "./host.ts";

/** Explains why a host doesn't send anything to its hooks for an event. */
export const explainMissingPayload = (host: Host, event: AnyEvent): string =>
  host.absentEvents.includes(event.event) || event.event === "Native" || !("tool" in event)
    ? `${host.name} has no such event`
    : `${host.name} doesn't report this ${event.tool} call to its hooks`;
