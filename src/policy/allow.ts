import type { ConfigScope } from "./sources.ts";
import type { ALLOWERS, CONFIRMATIONS } from "./vocabulary.ts";

type Allower = (typeof ALLOWERS)[number];

/** Where a person confirmed an exception. */
export type Confirmation = (typeof CONFIRMATIONS)[number];

/** What the managed file says about exceptions on purpose, in `allow`. */
export interface AllowPolicy {
  by: Allower;
  /** How long one lasts at most, and a pause, in milliseconds. */
  longest: number;
  longestPause: number;
  /** Where an exception has to be confirmed. Absent: anywhere. */
  from?: readonly Confirmation[];
  /** Whether the managed file locks what a hook decides, or decides by a rule: it takes no exception. */
  isLocked: (hook: string, rule: string | undefined) => boolean;
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

export const DURATION = /^(\d{1,5})([smhdw])$/;

/** Reads `10m`, `1h`, `7d`, in milliseconds; NaN for anything else. */
export function readDuration(text: unknown): number {
  const [, count, unit = ""] = (typeof text === "string" && DURATION.exec(text)) || [];
  return count === undefined ? Number.NaN : Number(count) * (UNITS[unit] ?? Number.NaN);
}

/** A pause is for an emergency, not for a week. */
export const LONGEST_PAUSE_MS = 8 * 3_600_000;
/** The policy where no managed file limits it. */
export const UNLIMITED: AllowPolicy = {
  ...{ by: "users", longest: Number.POSITIVE_INFINITY, longestPause: LONGEST_PAUSE_MS },
  isLocked: () => false,
};

/** An exception that a person made on purpose, as far as a policy limits it. */
interface LimitedException {
  scope: ConfigScope;
  made: string;
  until: string;
  pause?: unknown;
  user?: number;
  call?: unknown;
  confirmed?: string;
  policy?: string;
}

/** When, and for which hooks, an exception is judged. */
export interface ExceptionMoment {
  now?: number;
  /** The hash of the hooks in this executable; undefined in a run from source. */
  hooks: string | undefined;
}

/** How long an exception, or a pause, lasts at most, in milliseconds. */
export const getLongest = ({ longest, longestPause }: AllowPolicy, pause: unknown): number =>
  pause ? longestPause : longest;

/** How much the clock may have been set back since an exception was made, in milliseconds. */
const CLOCK_TOLERANCE_MS = 60_000;

/**
 * Why an exception does not count, whenever it ends: the policy does not let it, nobody can have made it, or the hooks
 * have changed. An exception for a call is bound to what its hook said instead.
 * @returns undefined if it counts.
 */
export function findVoidReason(
  record: LimitedException,
  policy: AllowPolicy,
  { now = Date.now(), hooks }: ExceptionMoment,
): string | undefined {
  const { made, until, pause, scope, confirmed } = record;
  if (policy.by === "nobody" || (policy.by === "administrators" && scope !== "managed"))
    return "the managed config file does not let it count";
  if (Date.parse(made) > now + CLOCK_TOLERANCE_MS) return "it says that it was made in the future";
  if (Date.parse(until) - Date.parse(made) > getLongest(policy, pause)) return "it lasts longer than one may last";
  if (policy.from && !policy.from.some((kind) => kind === confirmed))
    return `it was confirmed in ${confirmed ?? "an unknown terminal"}, and the managed config file wants ${formatPlaces(policy.from)}`;
  return record.call === undefined && record.policy !== hooks
    ? `it was made for other hooks (hash ${record.policy ?? "unknown"}, here ${hooks ?? "unknown"}): revoke it, and make it again if it is still needed`
    : undefined;
}

/** `ssh or tmux` */
export const formatPlaces = (places: readonly Confirmation[]): string => places.join(" or ") || "none that there is";

/** Whether a policy lets an exception count now, for this account. */
export function isInForce(record: LimitedException, policy: AllowPolicy, moment: ExceptionMoment): boolean {
  if (record.user !== undefined && record.user !== process.geteuid?.()) return false;
  const { now = Date.now() } = moment;
  return now < Date.parse(record.until) && findVoidReason(record, policy, moment) === undefined;
}
