import type { AnyEvent } from "../../../protocol/event.ts";
import { hideSecrets } from "../../../call/log/redact.ts";
import { describeSubject } from "../../try/subject.ts";
import type { Cause } from "../causes.ts";
import type { RecordedCall } from "./past-calls.ts";
import { countName } from "./past-calls.ts";
import type { Verdict } from "./policy.ts";
import type { HistoryTotals, RuleHistory } from "./report.ts";

/** The maximum number of subjects stored per rule. Further subjects are only counted. */
const MAX_SUBJECTS = 10_000;
/** The maximum length of a subject, in UTF-16 code units. */
const MAX_SUBJECT_LENGTH = 300;
/** The number of subjects per rule in a report, except for a rule shown in full. */
const MAX_REPORTED_SUBJECTS = 10;

type Subject = RuleHistory["subjects"][number] & { time: number };

interface RuleTally extends Omit<RuleHistory, "sessions" | "subjects" | "more_subjects"> {
  sessions: Set<string>;
  subjects: Map<string, Subject>;
  more: number;
}

/** Aggregates the policies' decisions on past calls. */
export interface HistoryTally {
  add: (pastCall: RecordedCall, verdict: Verdict | undefined, previous?: Verdict) => Promise<void>;
  totals: HistoryTotals;
  unasked: Record<string, number>;
  failures: Record<string, number>;
  /** @param ruleOrHook the rule or hook whose subjects are all listed */
  listRules: (ruleOrHook?: string) => RuleHistory[];
}

const createTotals = (isComparison: boolean): HistoryTotals => ({
  calls: 0,
  prompts: 0,
  sessions: 0,
  denied: 0,
  asked: 0,
  withheld: 0,
  warned: 0,
  not_held: 0,
  failed: 0,
  invalid: 0,
  unknown: 0,
  ...(isComparison && { changes: {}, changed: 0, not_compared: 0 }),
});

export function createTally({ isComparison }: { isComparison: boolean }): HistoryTally {
  const totals = createTotals(isComparison);
  const unasked: Record<string, number> = {};
  const failures: Record<string, number> = {};
  const rules = new Map<string, RuleTally>();
  const sessions = new Set<string>();
  const countVerdict = ({ decision, causes, unknown, failures: failed }: Verdict): void => {
    if (decision === "deny") totals.denied++;
    else if (decision === "ask") totals.asked++;
    else if (causes.some((cause) => cause.decision === "deny" && cause.passes === undefined)) totals.not_held++;
    else if (causes.some(({ passes }) => passes !== undefined)) totals.withheld++;
    else if (causes.some((cause) => cause.decision === "warn")) totals.warned++;
    else if (causes.length > 0) totals.not_held++;
    else if (unknown.length > 0) totals.unknown++;
    if (failed.length > 0) totals.failed++;
    for (const hook of unknown) unasked[hook] = (unasked[hook] ?? 0) + 1;
    for (const failure of failed) countName(failures, failure);
  };
  return {
    totals,
    unasked,
    failures,
    async add(pastCall, verdict, previous) {
      const session = `${pastCall.host.id} ${pastCall.call.session}`;
      sessions.add(session);
      totals.sessions = sessions.size;
      if (!verdict?.event) {
        totals.invalid++;
        return;
      }
      const { event } = verdict;
      if (event.event === "UserPromptSubmit") totals.prompts++;
      else totals.calls++;
      countVerdict(verdict);
      if (isComparison && previous === undefined) totals.not_compared = (totals.not_compared ?? 0) + 1;
      for (const cause of isComparison ? listChanges(previous, verdict) : verdict.causes) {
        const rule = findRule(rules, cause);
        rule.calls++;
        rule.sessions.add(session);
        rule.hosts[pastCall.host.id] = (rule.hosts[pastCall.host.id] ?? 0) + 1;
        await addSubject(rule, cause, event, pastCall);
      }
      if (!previous || !isDecidedDifferently(previous, verdict)) return;
      totals.changed = (totals.changed ?? 0) + 1;
      if (totals.changes) countName(totals.changes, nameChange(previous, verdict));
    },
    listRules: (ruleOrHook) =>
      [...rules.values()]
        .sort((a, b) => b.calls - a.calls || nameRule(a).localeCompare(nameRule(b)))
        .map((rule) => toReport(rule, nameRule(rule) === ruleOrHook || rule.hook === ruleOrHook)),
  };
}

export const nameRule = ({ hook, rule }: Pick<Cause, "hook" | "rule">): string => rule ?? hook;

interface CountedCause extends Cause {
  change?: string;
}

const isDecidedDifferently = (previous: Verdict, current: Verdict): boolean =>
  nameDecision(previous) !== nameDecision(current);

/** Names the outcome of a call, for example `deny`, `warn`, or `would deny` if a mode withholds the denial. */
function nameDecision({ decision, causes }: Verdict): string {
  if (decision === "deny" || decision === "ask") return decision;
  const outcomes = causes.map((cause) => (cause.passes === undefined ? cause.decision : `would ${cause.decision}`));
  return PASSING_OUTCOMES.find((name) => outcomes.includes(name)) ?? decision;
}
/** Outcomes of allowed calls, strictest first. */
const PASSING_OUTCOMES: readonly string[] = ["would deny", "would ask", "warn", "would warn"];

const nameChange = (previous: Verdict, current: Verdict) => `${nameDecision(previous)} → ${nameDecision(current)}`;

/** Lists the causes of a changed decision, taken from the stricter of the two policies. */
function listChanges(previous: Verdict | undefined, current: Verdict): CountedCause[] {
  if (!previous || !isDecidedDifferently(previous, current)) return [];
  const change = nameChange(previous, current);
  const causes = current.causes.length > 0 ? current.causes : previous.causes;
  return causes.map((cause) => ({ ...cause, change }));
}

function findRule(rules: Map<string, RuleTally>, cause: CountedCause): RuleTally {
  const { hook, rule, decision, passes, change } = cause;
  const key = JSON.stringify([hook, rule, decision, passes, change]);
  const tally = rules.get(key) ?? {
    hook,
    ...(rule !== undefined && { rule }),
    decision,
    ...(passes !== undefined && { passes }),
    ...(change !== undefined && { change }),
    calls: 0,
    sessions: new Set<string>(),
    hosts: {},
    subjects: new Map<string, Subject>(),
    more: 0,
  };
  rules.set(key, tally);
  return tally;
}

async function addSubject(rule: RuleTally, cause: Cause, event: AnyEvent, pastCall: RecordedCall): Promise<void> {
  const text = await describeCause(cause, event);
  const subject = rule.subjects.get(text);
  if (!subject && rule.subjects.size >= MAX_SUBJECTS) {
    rule.more++;
    return;
  }
  const calls = (subject?.calls ?? 0) + 1;
  const { file, line, id, at: time } = pastCall;
  const latest = {
    file,
    ...(line !== undefined && { line }),
    ...(id !== undefined && { id }),
    ...{ time, at: new Date(time).toISOString() },
  };
  rule.subjects.set(text, subject && subject.time > time ? { ...subject, calls } : { text, calls, ...latest });
}

/** Describes the judged text in one string without secrets. A prompt is described only by its length. */
async function describeCause({ subject }: Cause, event: AnyEvent): Promise<string> {
  if (event.event === "UserPromptSubmit") return `a prompt of ${event.prompt.length} characters`;
  const text = subject ?? describeSubject(event);
  return truncateSubject(await hideSecrets(text));
}

const truncateSubject = (text: string) =>
  text.length <= MAX_SUBJECT_LENGTH ? text : `${text.slice(0, MAX_SUBJECT_LENGTH - 1)}…`;

function toReport({ sessions, subjects, more, ...rule }: RuleTally, isWhole: boolean): RuleHistory {
  const sortedSubjects = [...subjects.values()].sort((a, b) => b.calls - a.calls || b.time - a.time);
  const listedSubjects = isWhole ? sortedSubjects : sortedSubjects.slice(0, MAX_REPORTED_SUBJECTS);
  return {
    ...rule,
    sessions: sessions.size,
    subjects: listedSubjects.map(({ time: _, ...subject }) => subject),
    more_subjects: sortedSubjects.length - listedSubjects.length + more,
  };
}
