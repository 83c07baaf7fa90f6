import type { AnyEvent } from "../../protocol/event.ts";
import type { HookDescriptor } from "../../protocol/hook.ts";
import type { RulePolicy } from "../../protocol/rule.ts";
import type { HookSet } from "../find-hooks.ts";
import type { ListedRule } from "../rules/report.ts";
import { findExceptions, isStopped, type RuleVerdict } from "../../call/exceptions/find-exceptions.ts";
import { runWithPolicy } from "../try/run-with-policy.ts";

/** An exception in a config file, reduced to the fields that matter for a call. */
export interface CallException {
  rule: string;
  /** The exception's pattern; absent to cover everything that the rule matches. */
  match?: string;
}

const PLAIN_WORD = /^[\w@%+=:,./-]+$/;

/**
 * Lists patterns for the judged text, narrowest first. Patterns contain no quotes, and their `*` matches any text. If
 * messages display a word in a form that patterns don't match, a `*` replaces it.
 */
function listMatches(subject: string | undefined): (string | undefined)[] {
  if (subject === undefined) return [undefined];
  const words = subject.split(/\s+/).map((word) => (PLAIN_WORD.test(word) ? word : "*"));
  const open = words.join(" ").replaceAll(/\*(?: \*)+/g, "*");
  // A pattern that consists only of a program name is too broad.
  const hasSubcommand = words.length > 2 && words.slice(0, 2).every((word) => word !== "*");
  return [...new Set([subject, subject.replaceAll(/["']/g, ""), ...(hasSubcommand ? [open] : [])])];
}

const addExceptions = (policy: RulePolicy, exceptions: readonly CallException[]): RulePolicy => ({
  ...policy,
  isDefault: false,
  listExceptions: (id) => [...policy.listExceptions(id), ...exceptions.filter(({ rule }) => rule === id)],
});

/**
 * Finds exceptions that make a hook allow a call, and verifies each of them on the call itself.
 * @returns undefined if no exception works, because some rules don't support exceptions.
 */
export const findWorkingExceptions = (
  entry: HookDescriptor,
  event: AnyEvent,
  first: RuleVerdict,
): Promise<CallException[] | undefined> =>
  findExceptions<CallException>(
    first,
    (exceptions) => runWithPolicy(entry, event, (policy) => addExceptions(policy, exceptions)),
    ({ rule, subject }) => listMatches(subject).map((match) => ({ rule, ...(match !== undefined && { match }) })),
  );

/** A config exception without which a hook would stop a call. */
export type EffectiveException = ListedRule["exceptions"][number] & { rule: string };

/** The config exceptions that allow a call, and the call's first verdict without them. */
export interface ExceptedCall {
  hook: string;
  decision: "deny" | "ask";
  rule: string;
  subject?: string | undefined;
  reason?: string | undefined;
  exceptions: readonly EffectiveException[];
}

/** Finds the config exceptions that allow a call, by running the hooks without them. */
export async function findExceptedCall(
  hooks: HookSet,
  event: AnyEvent,
  rules: readonly ListedRule[],
): Promise<ExceptedCall | undefined> {
  const isExcepted = (hook: string) => rules.some((rule) => rule.hook === hook && rule.exceptions.length > 0);
  for (const entry of hooks.entries.filter(
    ({ name, pure, events }) => pure && isExcepted(name) && events.includes(event.event),
  )) {
    const ask = (appliedExceptions: readonly EffectiveException[]) =>
      runWithPolicy(entry, event, (policy) =>
        addExceptions({ ...policy, listExceptions: () => [] }, appliedExceptions),
      );
    const firstVerdict = await ask([]);
    if (!firstVerdict || !isStopped(firstVerdict) || firstVerdict.rule === undefined) continue;
    const { decision, rule, subject, reason } = firstVerdict;
    const exceptions = await findExceptions({ rule, subject }, ask, (verdict) =>
      (rules.find(({ id }) => id === verdict.rule)?.exceptions ?? []).map((exception) => ({
        ...exception,
        rule: verdict.rule,
      })),
    );
    if (exceptions)
      return { hook: entry.name, decision: decision as "deny" | "ask", rule, subject, reason, exceptions };
  }
  return undefined;
}

/**
 * Guesses the exception for a call that can't be replayed. Returns undefined if the call's text can't serve as a
 * pattern.
 */
export const guessExceptions = ({ rule, subject }: RuleVerdict): CallException[] | undefined =>
  subject === undefined || subject.split(" ").every((word) => PLAIN_WORD.test(word))
    ? [{ rule, ...(subject !== undefined && { match: subject }) }]
    : undefined;
