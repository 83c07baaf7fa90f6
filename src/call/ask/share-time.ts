import type { HookDescriptor } from "../../protocol/hook.ts";

/** Minimum time for each hook in milliseconds, even after the deadline. */
const MIN_SHARE_MS = 50;

type Timed = Pick<HookDescriptor, "timeoutMs">;

const getClaim = ({ timeoutMs }: Timed): number => timeoutMs ?? BUSY_MS;

/** Returns how long hooks may take in total if they run one after another, in milliseconds. */
export const sumClaims = (hooks: readonly Timed[]): number => hooks.reduce((sum, hook) => sum + getClaim(hook), 0);

/**
 * Time limit for a hook that sets no limit, in milliseconds of processor time. On a busy machine, the elapsed time is
 * longer. When hooks share the call's time, this amount is reserved for each hook without a limit.
 */
export const BUSY_MS = 4_000;

/**
 * Returns the time for the next hook in milliseconds: its own limit, or all time that other hooks don't claim. If there
 * isn't enough time for all claims, the hooks share the remaining time, and small claims are met in full.
 */
export function shareTime(hook: Timed, otherHooks: readonly Timed[], remainingMs: number): number {
  let claimedMs = 0;
  for (const otherHook of otherHooks) claimedMs += getClaim(otherHook);
  const ownClaim = getClaim(hook);
  const share =
    ownClaim + claimedMs > remainingMs
      ? Math.min(ownClaim, findLevel([hook, ...otherHooks].map(getClaim), remainingMs))
      : remainingMs - claimedMs;
  return Math.ceil(Math.min(Math.max(share, MIN_SHARE_MS), hook.timeoutMs ?? Number.POSITIVE_INFINITY));
}

/** Returns the limit for every claim: smaller claims are met in full, and larger claims get exactly the limit. */
function findLevel(claims: number[], remainingMs: number): number {
  let [rest, count] = [remainingMs, claims.length];
  for (const claim of claims.sort((a, b) => a - b)) {
    if (claim * count > rest) break;
    rest -= claim;
    count--;
  }
  return count === 0 ? remainingMs : rest / count;
}
