import type { HookDescriptor } from "../../protocol/hook.ts";

/** Minimum time for each hook in milliseconds, even after the deadline. */
const MIN_SHARE_MS = 50;

type TimeLimitedHook = Pick<HookDescriptor, "timeoutMs">;

const getRequestedMs = ({ timeoutMs }: TimeLimitedHook): number => timeoutMs ?? DEFAULT_PROCESSOR_MS;

/** Returns how long hooks may take in total when they run one after another, in milliseconds. */
export const sumRequestedMs = (hooks: readonly TimeLimitedHook[]): number =>
  hooks.reduce((sum, hook) => sum + getRequestedMs(hook), 0);

/**
 * Processor time limit for hooks that don't set a limit, in milliseconds. On a busy machine, the elapsed time may be
 * longer. This is also the amount reserved for such a hook when hooks share the call's time.
 */
export const DEFAULT_PROCESSOR_MS = 4_000;

/**
 * Returns the time for the next hook, in milliseconds. A hook gets its own limit, or all the time that other hooks
 * don't claim. If there isn't enough time for all claims, small claims are met in full and the others are cut to the
 * same length.
 */
export function allotTime(hook: TimeLimitedHook, otherHooks: readonly TimeLimitedHook[], remainingMs: number): number {
  let claimedMs = 0;
  for (const otherHook of otherHooks) claimedMs += getRequestedMs(otherHook);
  const ownClaim = getRequestedMs(hook);
  const share =
    ownClaim + claimedMs > remainingMs
      ? Math.min(ownClaim, findLevel([hook, ...otherHooks].map(getRequestedMs), remainingMs))
      : remainingMs - claimedMs;
  return Math.ceil(Math.min(Math.max(share, MIN_SHARE_MS), hook.timeoutMs ?? Number.POSITIVE_INFINITY));
}

/** Returns the level to which claims are cut. Smaller claims are met in full; larger claims get exactly this much. */
function findLevel(claims: number[], remainingMs: number): number {
  let [rest, count] = [remainingMs, claims.length];
  for (const claim of claims.sort((a, b) => a - b)) {
    if (claim * count > rest) break;
    rest -= claim;
    count--;
  }
  return count === 0 ? remainingMs : rest / count;
}
