import type { AnyEvent } from "../../protocol/event.ts";
import type { HookDescriptor } from "../../protocol/hook.ts";
import type { RulePolicy } from "../../protocol/rule.ts";
import type { IHookResponse } from "../../protocol/response.ts";
import type { HookSet } from "../find-hooks.ts";
import type { ListedRule } from "../rules/report.ts";
import { askAgain } from "../../call/ask/call-handler.ts";

/** An exception in a config file, reduced to the fields that concern a call. */
export interface CallException {
  rule: string;
  /** Absent to cover everything that the rule matches. */
  match?: string;
}

/** A rule that stops a call, and what it judged. */
export interface RuleVerdict {
  rule: string;
  subject?: string | undefined;
}

/** The maximum number of rules of one hook that are tried; only the first ones are named. */
const MAX_RULES = 6;
/** The time limit in milliseconds, as for a call. */
const MAX_MS = 4_000;

const PLAIN_WORD = /^[\w@%+=:,./-]+$/;

/**
 * Lists patterns for what was judged, narrowest first. A pattern has words without quotes, and one `*` for any text; a
 * word that messages display differently from how patterns match it becomes a wildcard.
 */
function listMatches(subject: string | undefined): (string | undefined)[] {
  if (subject === undefined) return [undefined];
  const words = subject.split(/\s+/).map((word) => (PLAIN_WORD.test(word) ? word : "*"));
  const open = words.join(" ").replaceAll(/\*(?: \*)+/g, "*");
  // A program name alone is too broad.
  const isNamed = words.length > 2 && words.slice(0, 2).every((word) => word !== "*");
  return [...new Set([subject, subject.replaceAll(/["']/g, ""), ...(isNamed ? [open] : [])])];
}

const addExceptions = (policy: RulePolicy, added: readonly CallException[]): RulePolicy => ({
  ...policy,
  isDefault: false,
  listExceptions: (id) => [...policy.listExceptions(id), ...added.filter(({ rule }) => rule === id)],
});

const isStopped = ({ decision }: IHookResponse) => decision === "deny" || decision === "ask";

/**
 * Finds exceptions that make a hook let a call through, each verified on the call itself.
 * @returns undefined if there are none, because some rules don't support exceptions.
 */
export async function findWorkingExceptions(
  entry: HookDescriptor,
  event: AnyEvent,
  first: RuleVerdict,
): Promise<CallException[] | undefined> {
  const found: CallException[] = [];
  let verdict = first;
  while (found.length < MAX_RULES) {
    const { rule, subject } = verdict;
    let next: IHookResponse | undefined;
    for (const match of listMatches(subject)) {
      const exception = { rule, ...(match !== undefined && { match }) };
      const { response, failure } = await askAgain(entry, event, MAX_MS, (policy) =>
        addExceptions(policy, [...found, exception]),
      );
      if (failure !== undefined) return undefined;
      if (isStopped(response) && response.rule === rule && response.subject === subject) continue;
      found.push(exception);
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

/** A config exception without which a hook would stop a call. */
export type EffectiveException = ListedRule["exceptions"][number] & { rule: string };

/** A call that passes because of config exceptions: the first verdict without them, and the exceptions. */
export interface ExceptedCall {
  hook: string;
  decision: "deny" | "ask";
  rule: string;
  subject?: string | undefined;
  reason?: string | undefined;
  exceptions: readonly EffectiveException[];
}

/** Finds the config exceptions that let a call pass, by asking the hooks without them. */
export async function findExceptedCall(
  hooks: HookSet,
  event: AnyEvent,
  rules: readonly ListedRule[],
): Promise<ExceptedCall | undefined> {
  const isExcepted = (hook: string) => rules.some((rule) => rule.hook === hook && rule.exceptions.length > 0);
  for (const entry of hooks.entries.filter(
    ({ name, pure, events }) => pure && isExcepted(name) && events.includes(event.event),
  )) {
    const found: EffectiveException[] = [];
    const askWith = async (added: readonly EffectiveException[]) =>
      (await askAgain(entry, event, MAX_MS, (policy) => addExceptions({ ...policy, listExceptions: () => [] }, added)))
        .response;
    const first = await askWith([]);
    let response = first;
    while (isStopped(response) && found.length < MAX_RULES) {
      const { rule, subject } = response;
      const listed = rules.find(({ id }) => id === rule)?.exceptions ?? [];
      const before = found.length;
      for (const exception of listed.map((one) => ({ ...one, rule: rule as string }))) {
        const next = await askWith([...found, exception]);
        if (isStopped(next) && next.rule === rule && next.subject === subject) continue;
        found.push(exception);
        response = next;
        break;
      }
      if (found.length === before) break;
    }
    const { decision, rule, subject, reason } = first;
    if (found.length > 0 && !isStopped(response) && rule !== undefined)
      return { hook: entry.name, decision: decision as "deny" | "ask", rule, subject, reason, exceptions: found };
  }
  return undefined;
}

/** Guesses the exception for a call that can't be replayed, if its text can be used as a pattern unchanged. */
export const guessException = ({ rule, subject }: RuleVerdict): CallException[] | undefined =>
  subject === undefined || subject.split(" ").every((word) => PLAIN_WORD.test(word))
    ? [{ rule, ...(subject !== undefined && { match: subject }) }]
    : undefined;
