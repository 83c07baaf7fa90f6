import type { DecodedPayload, Env } from "../../protocol/host/host.ts";
import { openCounter } from "../state/continuations.ts";
import type { HookOutcome } from "./outcome.ts";

/**
 * How many times in a row hooks have made the agent continue. The host's own count if it sends one, otherwise a count
 * stored per session.
 */
interface ContinuationCount {
  count: number;
  /** Saves the new count and returns false on failure. Absent if the host keeps the count. */
  saveCount?: (count: number) => boolean;
  /** Whether the host reports this as the first of several consecutive stops. */
  isFirst: boolean;
  /** Whether the host marks the first of several consecutive stops at all. */
  isFirstKnown: boolean;
}

/** Reads the count before the hooks of a Stop event run. */
export function readContinuations(
  { event, isContinuing, continuations, subject = "" }: DecodedPayload,
  env: Env,
): ContinuationCount {
  if (continuations !== undefined) return { count: continuations, isFirst: continuations === 0, isFirstKnown: true };
  const session = event.session_id || event.cwd;
  const counter = openCounter(env, [event.host, event.native_event, session, event.agent_id ?? "", subject]);
  const count = isContinuing === false ? 0 : Math.max(counter.read(), isContinuing ? 1 : 0);
  return { count, saveCount: counter.write, isFirst: isContinuing === false, isFirstKnown: isContinuing !== undefined };
}

/**
 * Drops denials beyond the limit of consecutive continuations, so that no Stop hook can keep the agent going forever.
 * @returns the other outcomes, and a warning for each dropped denial
 */
export function limitContinuations(
  outcomes: readonly HookOutcome[],
  { count, saveCount, isFirst, isFirstKnown }: ContinuationCount,
  defaultLimit: number,
): { outcomes: readonly HookOutcome[]; warnings: readonly string[] } {
  const droppedReasons = new Map<HookOutcome, string>();
  const denials = outcomes.filter(({ response }) => response.decision === "deny");
  const getLimit = ({ entry }: HookOutcome) => entry.maxContinuations ?? defaultLimit;
  for (const outcome of denials) {
    if (count < getLimit(outcome)) continue;
    const countText = `${count} time${count === 1 ? "" : "s"} in a row`;
    droppedReasons.set(
      outcome,
      `hooks already did so ${countText}; to allow more, raise maxContinuations (now ${getLimit(outcome)})`,
    );
  }
  const continuingDenials = denials.filter((denial) => !droppedReasons.has(denial));
  if (continuingDenials.length === 0) {
    // If the host marks the first stop, the count restarts by itself. Leave the stored count alone, since another
    // executable may be using it.
    if (count > 0 && !isFirstKnown) saveCount?.(0);
  } else if (
    saveCount &&
    (!isFirstKnown || continuingDenials.some((denial) => getLimit(denial) > 1)) &&
    !saveCount(count + 1) &&
    !isFirst
  ) {
    for (const denial of continuingDenials)
      droppedReasons.set(denial, "the count can't be saved; make the state directory writable");
  }
  return {
    outcomes: outcomes.map((outcome) => (droppedReasons.has(outcome) ? dropDecision(outcome) : outcome)),
    warnings: [...droppedReasons].map(
      ([{ entry }, cause]) => `hook "${entry.name}" could not make the agent continue: ${cause}`,
    ),
  };
}

function dropDecision(outcome: HookOutcome): HookOutcome {
  const { decision, reason, ...response } = outcome.response;
  return { ...outcome, response };
}
