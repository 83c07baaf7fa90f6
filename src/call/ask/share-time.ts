import type { HookDescriptor } from "../../protocol/hook.ts";

/** Minimum time of each hook in milliseconds, even after the deadline. */
const MIN_SHARE_MS = 50;

type Timed = Pick<HookDescriptor, "timeoutMs">;

const getClaim = ({ timeoutMs }: Timed): number => timeoutMs ?? BUSY_MS;

/** Returns the time that hooks need one after another, in milliseconds. */
export const sumClaims = (hooks: readonly Timed[]): number => hooks.reduce((sum, hook) => sum + getClaim(hook), 0);

/**
 * How long a hook without its own limit may use the processor, in milliseconds of the process's own time; on a busy
 * machine that takes longer. It is also the time reserved for such a hook when others share the limit.
 */
export const BUSY_MS = 4_000;

/**
 * Returns the time for the next hook in milliseconds: its own limit, or everything that the other hooks don't claim. If
 * the time is too short for all claims, it is divided among them, and small claims are met in full.
 */
export function shareTime(hook: Timed, others: readonly Timed[], left: number): number {
  let claimed = 0;
  for (const other of others) claimed += getClaim(other);
  const own = getClaim(hook);
  const share = own + claimed > left ? Math.min(own, findLevel([hook, ...others].map(getClaim), left)) : left - claimed;
  return Math.ceil(Math.min(Math.max(share, MIN_SHARE_MS), hook.timeoutMs ?? Number.POSITIVE_INFINITY));
}

/** Returns the highest share such that each claim gets either what it asks for or that share. */
function findLevel(claims: number[], left: number): number {
  let [rest, count] = [left, claims.length];
  for (const claim of claims.sort((a, b) => a - b)) {
    if (claim * count > rest) break;
    rest -= claim;
    count--;
  }
  return count === 0 ? left : rest / count;
}
