import type { Decoded, Env } from "../protocol/host/host.ts";
import { counter } from "./continuations.ts";
import type { Outcome } from "./dispatch.ts";

/** How often in a row hooks made the agent go on: the host's own count where it counts, else one kept per session. */
interface Continuations {
  count: number;
  /** Keeps the new count; false when that can't be done. Absent where the host counts. */
  keep?: (count: number) => boolean;
  /** The host says that this is the first stop in a row. */
  first: boolean;
  /** The host at least says whether this is the first. */
  told: boolean;
}

/** The count before the hooks of a Stop run. */
export function continuationsOf({ event, continuing, continuations, subject = "" }: Decoded, env: Env): Continuations {
  if (continuations !== undefined) return { count: continuations, first: continuations === 0, told: true };
  const session = event.session_id || event.cwd;
  const kept = counter(env, [event.host, event.native_event, session, event.agent_id ?? "", subject]);
  const count = continuing === false ? 0 : Math.max(kept.read(), continuing ? 1 : 0);
  return { count, keep: kept.write, first: continuing === false, told: continuing !== undefined };
}

/**
 * Drops the denials that would go on more often in a row than they may, so that no Stop hook goes on for ever.
 * @returns a line for each denial that was dropped.
 */
export function limitContinuations(
  outcomes: readonly Outcome[],
  { count, keep, first, told }: Continuations,
  allowed: number,
): string[] {
  const lines: string[] = [];
  const undo = (outcome: Outcome, why: string) => {
    outcome.response = { ...outcome.response, decision: undefined, reason: undefined };
    lines.push(`hook "${outcome.entry.name}" could not make the agent go on: ${why}`);
  };
  const denials = outcomes.filter(({ response }) => response.decision === "deny");
  const limitOf = ({ entry }: Outcome) => entry.maxContinuations ?? allowed;
  for (const outcome of denials.filter((denial) => count >= limitOf(denial))) {
    undo(
      outcome,
      `hooks already did so ${count} time${count === 1 ? "" : "s"} in a row; raise maxContinuations, now ${limitOf(outcome)}`,
    );
  }
  const going = denials.filter(({ response }) => response.decision === "deny");
  if (going.length === 0) {
    // Where the host tells the first stop, the next one starts anew; another executable may still be counting here.
    if (count > 0 && !told) keep?.(0);
  } else if (keep && (!told || going.some((denial) => limitOf(denial) > 1)) && !keep(count + 1) && !first) {
    for (const outcome of going) undo(outcome, "how often it did can't be kept; make the state directory writable");
  }
  return lines;
}
