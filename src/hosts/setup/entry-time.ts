import type { EventName } from "../../protocol/event.ts";
import type { ConfigEntry, EntrySpec, TimeGrant, TimeGrants, WantedEvent } from "../../protocol/host/install.ts";

/** Seconds that an entry grants where no hook asks for more. */
const ENTRY_TIMEOUT_S = 20;
/** Between the end of a call's time and that of its entry's: the answer has to arrive, on a busy machine, too. */
const [LEAST_MARGIN_MS, MOST_MARGIN_MS] = [1_000, 5_000];

/** What an entry is planned by. */
type TimedEntry = Pick<EntrySpec, "native_event" | "wanted_ms">;

/** What a host grants at an event. */
export const getTimeGrant = ({ events, ...usual }: TimeGrants, native_event: string): TimeGrant =>
  events?.[native_event] ?? usual;

/** The time that hooks need at a unified event; undefined if none asks for any. */
export const findWantedMs = (
  wanted: readonly WantedEvent[] | "all",
  event: EventName | undefined,
): number | undefined => (wanted === "all" ? undefined : wanted.find((one) => one.event === event)?.ms);

/** The time of a call whose entry grants so many seconds, in milliseconds. */
export const getCallMs = (timeout_s: number): number =>
  timeout_s * 1000 - Math.min(MOST_MARGIN_MS, Math.max(LEAST_MARGIN_MS, timeout_s * 100));

/** The limit of an entry, in seconds, and of the call that it starts, in milliseconds. */
interface EntryTime {
  timeout_s: number;
  call_ms: number;
}

/** Plans the limits of an entry: as much as the hooks need, as far as the host grants it. */
export function planEntryTime(grants: TimeGrants, { native_event, wanted_ms = 0 }: TimedEntry): EntryTime {
  let timeout_s = Math.max(ENTRY_TIMEOUT_S, Math.ceil((wanted_ms + LEAST_MARGIN_MS) / 1000));
  while (getCallMs(timeout_s) < wanted_ms) timeout_s++;
  timeout_s = Math.min(timeout_s, getTimeGrant(grants, native_event).max_s ?? timeout_s);
  return { timeout_s, call_ms: getCallMs(timeout_s) };
}

/** An entry's `timeout`, as the host reads it. */
export function buildTimeout(grants: TimeGrants, entry: TimedEntry): number {
  const { timeout_s } = planEntryTime(grants, entry);
  return grants.unit === "ms" || timeout_s >= getMsLimit(grants) ? timeout_s * 1000 : timeout_s;
}

const getMsLimit = ({ msFrom = Number.POSITIVE_INFINITY }: TimeGrants): number => msFrom;

/** The seconds that a host waits for an entry's command; undefined if its `timeout` is not a number. */
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

/** The flag with a call's time; a limit that was set by hand stays. */
export const buildTimeFlags = (grants: TimeGrants, entry: TimedEntry, more: readonly string[]): string[] =>
  more.includes(TIME_FLAG) ? [] : [TIME_FLAG, String(planEntryTime(grants, entry).call_ms)];
