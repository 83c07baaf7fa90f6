import type { AnyEvent } from "../../protocol/event.ts";
import { applyPatch } from "../../protocol/object.ts";
import type { RuleException, RulePolicy } from "../../protocol/rule.ts";
import { rerunHook } from "../ask/call-handler.ts";
import type { HookOutcome } from "../ask/outcome.ts";
import { findExceptions, isStopped } from "./find-exceptions.ts";

/** Maximum number of exceptions per rule to try individually. */
const MAX_TRIED_EXCEPTIONS = 8;
/** Minimum time left for rerunning hooks, in milliseconds. */
const MIN_LEFT_MS = 500;

/**
 * Records which config file exceptions allowed a call by rerunning the hooks that looked up exceptions, this time
 * without them. The answer to the host doesn't change. Records nothing if a mode withheld an answer or time is short.
 */
export async function recordConfigExceptions(
  outcomes: readonly HookOutcome[],
  event: AnyEvent,
  end: number,
): Promise<readonly HookOutcome[]> {
  if (outcomes.some(({ withheld }) => withheld && !withheld.isWarning)) return outcomes;
  const recordedOutcomes: HookOutcome[] = [];
  let currentEvent = event;
  for (const outcome of outcomes) {
    recordedOutcomes.push(await recordException(outcome, currentEvent, end).catch(() => outcome));
    const { modified_input } = outcome.response;
    if (modified_input && "input" in currentEvent)
      currentEvent = { ...currentEvent, input: applyPatch(currentEvent.input as object, modified_input) } as AnyEvent;
  }
  return recordedOutcomes;
}

/** An exception and its rule. */
interface ChosenException {
  rule: string;
  exception: RuleException;
}

async function recordException(outcome: HookOutcome, event: AnyEvent, end: number): Promise<HookOutcome> {
  const { entry, exceptedRules = [] } = outcome;
  if (exceptedRules.length === 0 || !entry.pure) return outcome;
  let policy: RulePolicy | undefined;
  const ask = async (chosenExceptions: readonly ChosenException[]) => {
    const remainingMs = end - performance.now();
    if (remainingMs < MIN_LEFT_MS) return undefined;
    const choose = (id: string) => chosenExceptions.flatMap(({ rule, exception }) => (rule === id ? [exception] : []));
    const { response, failure } = await rerunHook(entry, event, remainingMs - MIN_LEFT_MS / 2, (rules) =>
      Object.create((policy = rules), { listExceptions: { value: choose } }),
    );
    return failure === undefined ? response : undefined;
  };
  const first = await ask([]);
  if (!first || !isStopped(first) || first.rule === undefined) return outcome;
  const combination = await findExceptions({ rule: first.rule, subject: first.subject }, ask, ({ rule }) =>
    (policy?.listExceptions(rule) ?? []).slice(0, MAX_TRIED_EXCEPTIONS).map((exception) => ({ rule, exception })),
  );
  return combination
    ? { ...outcome, allowed: { by: combination.flatMap(({ exception }) => exception.source ?? []), response: first } }
    : outcome;
}
