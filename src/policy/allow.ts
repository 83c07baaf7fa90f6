import type { ConfigScope } from "./sources.ts";
import type { ALLOWERS, CONFIRMATIONS } from "./vocabulary.ts";

type Allower = (typeof ALLOWERS)[number];

/** The kind of terminal in which the user confirmed the exception. */
export type Confirmation = (typeof CONFIRMATIONS)[number];

/** Limits on the exceptions and pauses that users create. `allow` in the managed config file sets them. */
export interface AllowPolicy {
  by: Allower;
  /** Maximum durations in milliseconds, for exceptions (`maxMs`) and for pauses (`maxPauseMs`). */
  maxMs: number;
  maxPauseMs: number;
  /** The kinds of terminal in which exceptions have to be confirmed. If absent, any kind is accepted. */
  from?: readonly Confirmation[];
  /**
   * Returns whether the managed file locks a hook, or a rule of that hook. Exceptions to anything locked aren't
   * allowed.
   */
  isLocked: (hook: string, rule: string | undefined) => boolean;
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

export const DURATION = /^(\d{1,5})([smhdw])$/;

/** Parses a duration such as `10m`, `1h` or `7d`. Returns milliseconds, or NaN if the input is invalid. */
export function readDuration(text: unknown): number {
  const [, count, unit = ""] = (typeof text === "string" && DURATION.exec(text)) || [];
  return count === undefined ? Number.NaN : Number(count) * (UNITS[unit] ?? Number.NaN);
}

/** Maximum duration of a pause, in milliseconds. Pauses are meant for emergencies. */
export const MAX_PAUSE_DURATION_MS = 8 * 3_600_000;
/** The limits that apply if the managed file doesn't set any. */
export const DEFAULT_ALLOW_POLICY: AllowPolicy = {
  ...{ by: "users", maxMs: Number.POSITIVE_INFINITY, maxPauseMs: MAX_PAUSE_DURATION_MS },
  isLocked: () => false,
};

/** The fields of an exception that policy limits apply to. */
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

/** What is needed to tell whether an exception applies. */
export interface ExceptionContext {
  now?: number;
  /** Hash of the hooks in this executable. Undefined when run from source. */
  hooks: string | undefined;
}

/** Returns how long an exception or a pause may last, in milliseconds. */
export const getMaxDuration = ({ maxMs, maxPauseMs }: AllowPolicy, pause: unknown): number =>
  pause ? maxPauseMs : maxMs;

/**
 * How far an exception's creation time may lie in the future, in milliseconds. The clock may have been set back since
 * then.
 */
const CLOCK_TOLERANCE_MS = 60_000;

/**
 * Explains why an exception that hasn't ended is void: the policy doesn't allow it, it was created in the future, or
 * the hooks have changed since. An exception for a single call depends on the hook's decision rather than on the hooks.
 * @returns undefined if the exception is valid.
 */
export function findInvalidReason(
  record: LimitedException,
  policy: AllowPolicy,
  { now = Date.now(), hooks }: ExceptionContext,
): string | undefined {
  const { made, until, pause, scope, confirmed } = record;
  if (policy.by === "nobody" || (policy.by === "administrators" && scope !== "managed"))
    return "the managed config file doesn't allow this exception";
  if (Date.parse(made) > now + CLOCK_TOLERANCE_MS) return "the creation time is in the future";
  if (Date.parse(until) - Date.parse(made) > getMaxDuration(policy, pause)) return "the duration exceeds the limit";
  if (policy.from && !policy.from.some((kind) => kind === confirmed))
    return `the confirmation came from ${confirmed ?? "an unknown terminal"}, but the managed config file requires ${formatTerminals(policy.from)}`;
  return record.call === undefined && record.policy !== hooks
    ? `the exception was created for other hooks (hash ${record.policy ?? "unknown"}, here ${hooks ?? "unknown"}); revoke it, and create it again if needed`
    : undefined;
}

/** Joins terminal kinds into a phrase such as `ssh or tmux`. */
export const formatTerminals = (places: readonly Confirmation[]): string =>
  places.join(" or ") || "no kind of terminal";

/** Returns whether an exception is in force for the current account. */
export function isInForce(record: LimitedException, policy: AllowPolicy, moment: ExceptionContext): boolean {
  if (record.user !== undefined && record.user !== process.geteuid?.()) return false;
  const { now = Date.now() } = moment;
  return now < Date.parse(record.until) && findInvalidReason(record, policy, moment) === undefined;
}
