import type { AnyEvent } from "../../protocol/event.ts";
import { applyPatch } from "../../protocol/object.ts";
import type { RuleException, RulePolicy } from "../../protocol/rule.ts";
import { askAgain } from "../ask/call-handler.ts";
import type { HookOutcome } from "../ask/outcome.ts";

/** Maximum number of exceptions of a rule that are tried one by one. */
const MAX_TRIED = 8;
/** Time that must be left for running hooks again, in milliseconds. */
const MIN_LEFT_MS = 500;

/**
 * Records which exceptions of config files let a call pass, by running the hooks that consulted them again without
 * exceptions. The answer to the host stays the same. If a mode withheld an answer, or time is short, nothing is recorded.
 */
export async function recordConfigExceptions(
  outcomes: readonly HookOutcome[],
  event: AnyEvent,
  end: number,
): Promise<readonly HookOutcome[]> {
  if (outcomes.some(({ withheld }) => withheld && !withheld.isWarning)) return outcomes;
  const recorded: HookOutcome[] = [];
  let seen = event;
  for (const outcome of outcomes) {
    recorded.push(await recordException(outcome, seen, end).catch(() => outcome));
    const { modified_input } = outcome.response;
    if (modified_input && "input" in seen)
      seen = { ...seen, input: applyPatch(seen.input as object, modified_input) } as AnyEvent;
  }
  return recorded;
}

async function recordException(outcome: HookOutcome, event: AnyEvent, end: number): Promise<HookOutcome> {
  const { entry, exceptedRules = [] } = outcome;
  if (exceptedRules.length === 0 || !entry.pure) return outcome;
  let policy: RulePolicy | undefined;
  const ask = async (choose: (id: string) => readonly RuleException[]) => {
    const left = end - performance.now();
    if (left < MIN_LEFT_MS) throw new Error("no time left");
    return askAgain(entry, event, left - MIN_LEFT_MS / 2, (rules) =>
      Object.create((policy = rules), { listExceptions: { value: choose } }),
    );
  };
  const { response, failure } = await ask(() => []);
  const { decision, rule } = response;
  const isStopped = decision === "deny" || decision === "ask";
  if (failure !== undefined || !isStopped || rule === undefined || !exceptedRules.includes(rule)) return outcome;
  const candidates = policy?.listExceptions(rule) ?? [];
  for (const candidate of candidates.length > 1 ? candidates.slice(0, MAX_TRIED) : []) {
    const alone = await ask((id) => (id === rule ? [candidate] : (policy?.listExceptions(id) ?? [])));
    if (alone.response.decision === undefined) return allow(outcome, response, [candidate]);
  }
  return allow(outcome, response, candidates);
}

const allow = (
  outcome: HookOutcome,
  response: HookOutcome["response"],
  exceptions: readonly RuleException[],
): HookOutcome => ({
  ...outcome,
  allowed: { by: exceptions.flatMap(({ source }) => source ?? []), response },
});
