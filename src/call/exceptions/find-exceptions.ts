import type { IHookResponse } from "../../protocol/response.ts";

/** A rule that stops a call, and the command or file it stops. */
export interface RuleVerdict {
  rule: string;
  subject?: string | undefined;
}

/** Maximum number of exceptions to combine, one for each rule that stops the call. */
const MAX_RULES = 6;

export const isStopped = ({ decision }: IHookResponse): boolean => decision === "deny" || decision === "ask";

/**
 * Finds a combination of exceptions that makes a hook allow the call. Each combination is verified by running the hook.
 * @param ask runs the hook with exceptions; returns undefined if the hook failed
 * @param listCandidates lists possible exceptions for a verdict, best first
 * @returns undefined if no combination works
 */
export async function findExceptions<E>(
  first: RuleVerdict,
  ask: (exceptions: readonly E[]) => Promise<IHookResponse | undefined>,
  listCandidates: (verdict: RuleVerdict) => readonly E[],
): Promise<E[] | undefined> {
  const chosenExceptions: E[] = [];
  let verdict = first;
  while (chosenExceptions.length < MAX_RULES) {
    const { rule, subject } = verdict;
    let nextResponse: IHookResponse | undefined;
    for (const candidate of listCandidates(verdict)) {
      const response = await ask([...chosenExceptions, candidate]);
      if (response === undefined) return undefined;
      if (isStopped(response) && response.rule === rule && response.subject === subject) continue;
      chosenExceptions.push(candidate);
      nextResponse = response;
      break;
    }
    if (!nextResponse) return undefined;
    if (!isStopped(nextResponse)) return chosenExceptions;
    if (nextResponse.rule === undefined) return undefined;
    verdict = { rule: nextResponse.rule, subject: nextResponse.subject };
  }
  return undefined;
}
