import type { HookDescriptor } from "../../protocol/hook.ts";

/** Minimum time for each hook in milliseconds, even after the deadline. */
const MIN_SHARE_MS = 50;

type Timed = Pick<HookDescriptor, "timeoutMs">;

const getClaim = ({ timeoutMs }: Timed): number => timeoutMs ?? BUSY_MS;

/** Returns the total time that hooks need when they run one after another, in milliseconds. */
export const sumClaims = (hooks: readonly Timed[]): number => hooks.reduce((sum, hook) => sum + getClaim(hook), 0);

/**
 * Limit for a hook without its own limit, in milliseconds of processor time. On a busy machine, the elapsed time is
 * longer. The same amount is reserved for such a hook when hooks share the time limit.
 */
export const BUSY_MS = 4_000;

/**
 * Returns the time for the next hook in milliseconds: its own limit, or all time that other hooks don't claim. If there
 * isn't enough time for all claims, they share what is left, and small claims are met in full.
 */
export function shareTime(hook: Timed, others: readonly Timed[], left: number): number {
  let claimed = 0;
  for (const other of others) claimed += getClaim(other);
  const own = getClaim(hook);
  const share = own + claimed > left ? Math.min(own, findLevel([hook, ...others].map(getClaim), left)) : left - claimed;
  return Math.ceil(Math.min(Math.max(share, MIN_SHARE_MS), hook.timeoutMs ?? Number.POSITIVE_INFINITY));
}

/** Returns the highest share at which each claim gets either the requested time or that share. */
function findLevel(claims: number[], left: number): number {
  let [rest, count] = [left, claims.length];
  for (const claim of claims.sort((a, b) => a - b)) {
    if (claim * count > rest) break;
    rest -= claim;
    count--;
  }
  return count === 0 ? left : rest / count;
}
