import type { IHookResponse } from "../../protocol/response.ts";

/** A rule that stops a call, and what it judged. */
export interface RuleVerdict {
  rule: string;
  subject?: string | undefined;
}

/** The maximum number of exceptions that are combined, one for each rule that stops the call. */
const MAX_RULES = 6;

export const isStopped = ({ decision }: IHookResponse): boolean => decision === "deny" || decision === "ask";

/**
 * Finds exceptions that together let a hook pass a call, each verified by running the hook.
 * @param ask runs the hook with exceptions; undefined if it failed.
 * @param listCandidates lists the exceptions to try for a verdict, best first.
 * @returns undefined if there are none.
 */
export async function findExceptions<E>(
  first: RuleVerdict,
  ask: (exceptions: readonly E[]) => Promise<IHookResponse | undefined>,
  listCandidates: (verdict: RuleVerdict) => readonly E[],
): Promise<E[] | undefined> {
  const found: E[] = [];
  let verdict = first;
  while (found.length < MAX_RULES) {
    const { rule, subject } = verdict;
    let next: IHookResponse | undefined;
    for (const candidate of listCandidates(verdict)) {
      const response = await ask([...found, candidate]);
      if (response === undefined) return undefined;
      if (isStopped(response) && response.rule === rule && response.subject === subject) continue;
      found.push(candidate);
      next = response;
      break;
    }
    if (!next) return undefined;
    if (!isStopped(next)) return found;
    if (next.rule === undefined) return undefined;
    verdict = { rule: next.rule, subject: next.subject };
  }
  return undefined;
}
