import type { DecodedPayload, Env } from "../protocol/host/host.ts";
import { counter } from "./continuations.ts";
import type { Outcome } from "./dispatch.ts";

/**
 * How many times in a row hooks made the agent go on: the host's own count if it sends one, otherwise a count kept per
 * session.
 */
interface Continuations {
  count: number;
  /** Saves the new count; false if that fails. Absent if the host counts. */
  keep?: (count: number) => boolean;
  /** The host says that this is the first stop in a row. */
  first: boolean;
  /** The host says whether this is the first stop in a row. */
  told: boolean;
}

/** Reads the count before the hooks of a Stop event run. */
export function continuationsOf(
  { event, isContinuing, continuations, subject = "" }: DecodedPayload,
  env: Env,
): Continuations {
  if (continuations !== undefined) return { count: continuations, first: continuations === 0, told: true };
  const session = event.session_id || event.cwd;
  const kept = counter(env, [event.host, event.native_event, session, event.agent_id ?? "", subject]);
  const count = isContinuing === false ? 0 : Math.max(kept.read(), isContinuing ? 1 : 0);
  return { count, keep: kept.write, first: isContinuing === false, told: isContinuing !== undefined };
}

/**
 * Drops denials that exceed the number of continuations in a row, so that no Stop hook goes on forever.
 * @returns the outcomes without those denials, and a warning for each.
 */
export function limitContinuations(
  outcomes: readonly Outcome[],
  { count, keep, first, told }: Continuations,
  allowed: number,
): { outcomes: readonly Outcome[]; warnings: readonly string[] } {
  const dropped = new Map<Outcome, string>();
  const denials = outcomes.filter(({ response }) => response.decision === "deny");
  const limitOf = ({ entry }: Outcome) => entry.maxContinuations ?? allowed;
  for (const outcome of denials) {
    if (count < limitOf(outcome)) continue;
    const times = `${count} time${count === 1 ? "" : "s"} in a row`;
    dropped.set(outcome, `hooks already did so ${times}; raise maxContinuations, now ${limitOf(outcome)}`);
  }
  const going = denials.filter((denial) => !dropped.has(denial));
  if (going.length === 0) {
    // If the host marks the first stop, the next count starts over by itself; another executable may still be counting
    // here.
    if (count > 0 && !told) keep?.(0);
  } else if (keep && (!told || going.some((denial) => limitOf(denial) > 1)) && !keep(count + 1) && !first) {
    for (const denial of going)
      dropped.set(denial, "how often it did can't be kept; make the state directory writable");
  }
  return {
    outcomes: outcomes.map((outcome) => (dropped.has(outcome) ? withoutDecision(outcome) : outcome)),
    warnings: [...dropped].map(([{ entry }, why]) => `hook "${entry.name}" could not make the agent go on: ${why}`),
  };
}

function withoutDecision(outcome: Outcome): Outcome {
  const { decision, reason, ...response } = outcome.response;
  return { ...outcome, response };
}
