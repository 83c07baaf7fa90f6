import type { EventName } from "../../protocol/event.ts";
import type { ConfigEntry, EntrySpec, EventRequirements } from "../../protocol/host/install.ts";
import type { TimeGrant, TimeGrants } from "../../protocol/host/time-grants.ts";

/** Default timeout of an entry in seconds. Hooks can request more time. */
const ENTRY_TIMEOUT_S = 20;
/**
 * Margin between the time limits of a call and its entry, so that the answer arrives in time even on a busy machine.
 */
const [MIN_MARGIN_MS, MAX_MARGIN_MS] = [1_000, 5_000];

/** The fields of an entry that determine its time limit. */
type TimedEntry = Pick<EntrySpec, "native_event" | "wanted_ms">;

/** Returns the time that the host grants an event's hooks. */
export const getTimeGrant = ({ events, ...defaults }: TimeGrants, native_event: string): TimeGrant =>
  events?.[native_event] ?? defaults;

/** Returns the time that hooks need on a unified event; undefined if none of them requests a time. */
export const getRequestedMs = (
  wantedEvents: readonly EventRequirements[] | "all",
  event: EventName | undefined,
): number | undefined =>
  wantedEvents === "all" ? undefined : wantedEvents.find((wantedEvent) => wantedEvent.event === event)?.ms;

/** Converts an entry's timeout in seconds to the time limit of its calls in milliseconds. */
export const getCallMs = (timeout_s: number): number =>
  timeout_s * 1000 - Math.min(MAX_MARGIN_MS, Math.max(MIN_MARGIN_MS, timeout_s * 100));

interface EntryTime {
  timeout_s: number;
  call_ms: number;
}

/** Computes an entry's time limits. Hooks get as much time as they need, up to the host's maximum. */
export function planEntryTime(grants: TimeGrants, { native_event, wanted_ms = 0 }: TimedEntry): EntryTime {
  let timeout_s = Math.max(ENTRY_TIMEOUT_S, Math.ceil((wanted_ms + MIN_MARGIN_MS) / 1000));
  while (getCallMs(timeout_s) < wanted_ms) timeout_s++;
  timeout_s = Math.min(timeout_s, getTimeGrant(grants, native_event).max_s ?? timeout_s);
  return { timeout_s, call_ms: getCallMs(timeout_s) };
}

/** Returns an entry's `timeout` in the host's unit. */
export function buildTimeout(grants: TimeGrants, entry: TimedEntry): number {
  const { timeout_s } = planEntryTime(grants, entry);
  return grants.unit === "ms" || timeout_s >= getMsLimit(grants) ? timeout_s * 1000 : timeout_s;
}

const getMsLimit = ({ msFrom = Number.POSITIVE_INFINITY }: TimeGrants): number => msFrom;

/**
 * Returns how many seconds a host waits for an entry's command; undefined if its `timeout` is not a positive number.
 */
export function readGrantedSeconds(
  grants: TimeGrants,
  { native_event, handler }: Pick<ConfigEntry, "native_event" | "handler">,
): number | undefined {
  const { default_s, max_s = Number.POSITIVE_INFINITY } = getTimeGrant(grants, native_event);
  const timeout = handler.timeout ?? (grants.alias && handler[grants.alias]);
  if (timeout === undefined) return default_s;
  if (typeof timeout !== "number" || !(timeout > 0)) return undefined;
  return Math.min(grants.unit === "ms" || timeout >= getMsLimit(grants) ? timeout / 1000 : timeout, max_s);
}

const TIME_FLAG = "--timeout-ms";

/** Returns the flag that sets a call's time limit, or nothing if the user has set the flag. */
export const buildTimeFlags = (grants: TimeGrants, entry: TimedEntry, extraArguments: readonly string[]): string[] =>
  extraArguments.includes(TIME_FLAG) ? [] : [TIME_FLAG, String(planEntryTime(grants, entry).call_ms)];
