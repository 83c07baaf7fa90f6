import { applyPatch } from "../../protocol/object.ts";
import type { AnyEvent } from "../../protocol/event.ts";
import type { RulePolicy } from "../../protocol/rule.ts";
import { isInside } from "../../policy/read.ts";
import { createId, deriveId } from "../state/create-id.ts";
import { askAgain } from "../ask/call-handler.ts";
import type { HookOutcome } from "../ask/outcome.ts";
import { type AllowPolicy, isInForce, UNLIMITED } from "../../policy/allow.ts";
import { getManagedConfig } from "../../policy/config-paths.ts";
import { policy as built } from "../built/policy.ts";
import { getOwnCommand } from "../../system/own-command.ts";
import { checkPath } from "../../system/file-checks.ts";
import { claimException, type ClaimingEvent } from "./claim.ts";
import type { CallBinding, LoadedException } from "./record.ts";
import { listPlaces } from "./place.ts";
import { loadExceptions } from "./record.ts";
import { listProjectFolders } from "../../protocol/project.ts";

export type GateCall = Extract<AnyEvent, { event: "PreToolUse" | "PermissionRequest" }>;

/** Describes what a call is recognized by; the code that reads shell lines and folders is loaded for it. */
export type LoadBinding = () => Promise<{ bindCall: (event: GateCall) => CallBinding }>;

/** A call that hooks stopped. */
export interface StoppedCall {
  outcomes: readonly HookOutcome[];
  event: AnyEvent;
  /** It repeats an earlier event of the same call. */
  isRepeat: boolean;
  /** The host was named as another one. */
  alias?: string | undefined;
  /** When the hooks must be done, in `performance.now()` time. */
  end: number;
}

/** What a person can allow on purpose. */
export interface DeniedCall {
  /** By which the person names it. */
  id: string;
  binding: CallBinding;
  verdicts: readonly HeldVerdict[];
  /** The command by which a person does so. */
  formatCommand: () => string;
}

/** A verdict that holds. */
export interface HeldVerdict {
  hook: string;
  rule?: string;
  subject?: string;
  reason?: string;
  said: string;
}

/** What became of a stopped call. */
export interface ExceptionResult {
  outcomes: readonly HookOutcome[];
  /** The call is still stopped, and takes an exception. */
  denied?: DeniedCall;
}

/** A hook can hide so many verdicts behind one. */
const MAX_VERDICTS = 8;

const isStopping = ({ response: { decision }, failure, withheld }: HookOutcome) =>
  (failure !== undefined && !withheld) || decision === "deny" || decision === "ask";

/**
 * Lets a stopped call pass if exceptions that a person made cover all that stops it. What guards the policy itself, what
 * the managed file locks, and what a replaced process left behind take none. If anything goes wrong, it stays stopped.
 */
export async function applyExceptions(call: StoppedCall, loadBinding: LoadBinding): Promise<ExceptionResult> {
  const { outcomes, event } = call;
  try {
    if (event.event !== "PreToolUse" && event.event !== "PermissionRequest") return { outcomes };
    const stopping = outcomes.filter(isStopping);
    if (stopping.some(({ entry }) => entry.enforced || entry.settled)) return { outcomes };
    // Most machines have no managed file, and need not load what reads it.
    const policy =
      checkPath(getManagedConfig()) === "absent"
        ? UNLIMITED
        : await (await import("../configured.ts")).loadAllowPolicy();
    if (policy.by === "nobody") return { outcomes };
    // Where whose an exception is can't be told, none can be made, and no message offers one.
    const places = listPlaces();
    if (places.length === 0) return { outcomes };
    const records = loadExceptions(places).records.filter((record) =>
      isInForce(record, policy, { hooks: built?.hooks }),
    );
    const pause = records.find((one) => one.pause);
    if (pause && !stopping.some((outcome) => isLocked(outcome, policy)))
      return { outcomes: outcomes.map((one) => (isStopping(one) ? lift(one, [pause.id]) : one)) };
    if (stopping.some(({ failure }) => failure !== undefined)) return { outcomes };
    const binding = (await loadBinding()).bindCall(event);
    return await applyRecords(call, event, records, policy, binding);
  } catch {
    return { outcomes };
  }
}

async function applyRecords(
  call: StoppedCall,
  event: GateCall,
  records: readonly LoadedException[],
  policy: AllowPolicy,
  binding: CallBinding,
): Promise<ExceptionResult> {
  const covering: LoadedException[][] = [];
  const find = (outcome: HookOutcome) =>
    isLocked(outcome, policy) ? [] : records.filter((record) => isCovering(record, outcome, event, binding));
  const judged: HookOutcome[] = [];
  let seen: AnyEvent = event;
  for (const outcome of call.outcomes) {
    judged.push(isStopping(outcome) ? await liftVerdicts(outcome, seen, call.end, find, covering) : outcome);
    const { modified_input } = outcome.response;
    if (modified_input) seen = { ...seen, input: applyPatch((seen as GateCall).input, modified_input) } as AnyEvent;
  }
  const isHeld = judged.some(isStopping);
  const by = isHeld ? undefined : claimAll(covering, createClaim(call, event, binding));
  if (by) return { outcomes: judged.map((one) => (one.allowed ? { ...one, allowed: { ...one.allowed, by } } : one)) };
  const outcomes = isHeld ? judged.map(restore) : call.outcomes;
  const held = outcomes.filter(isStopping);
  if (held.some((outcome) => outcome.failure !== undefined || isLocked(outcome, policy))) return { outcomes };
  const id = nameCall(event, binding);
  const formatCommand = () =>
    policy.by === "administrators"
      ? `${getOwnCommand("sudo")} allow ${id} --managed`
      : `${getOwnCommand("elsewhere")} allow ${id}`;
  return { outcomes, denied: { id, binding, verdicts: held.map(describeVerdict), formatCommand } };
}

/** With what is called: a host may use a number again, and nobody is to allow another call than the one that was shown. */
const nameCall = ({ host, session_id, native_event, ...gate }: GateCall, { act }: CallBinding): string =>
  "tool_use_id" in gate && gate.tool_use_id
    ? deriveId(host, session_id, native_event, gate.tool_use_id, act)
    : createId();

const createClaim = ({ isRepeat, alias }: StoppedCall, gate: GateCall, { act }: CallBinding): ClaimingEvent => ({
  host: gate.host,
  session: gate.session_id || gate.cwd,
  act,
  call: ("tool_use_id" in gate && gate.tool_use_id) || undefined,
  payload: hashWords([gate._native]),
  rank: gate.event === "PermissionRequest" ? 2 : isRepeat ? 1 : 0,
  ...(alias !== undefined && { alias }),
});

/** Takes one exception for each verdict; undefined if one of them has none that is left. */
function claimAll(covering: readonly LoadedException[][], claim: ClaimingEvent): string[] | undefined {
  const taken = new Set<string>();
  const take = (record: LoadedException) => !record.once || taken.has(record.id) || claimException(record, claim);
  for (const records of covering) {
    const record = records.toSorted((a, b) => Number(a.once ?? false) - Number(b.once ?? false)).find(take);
    if (!record) return undefined;
    taken.add(record.id);
  }
  return [...taken];
}

/** Asks a hook again and again, each time without the rules that exceptions cover, until it lets the call pass. */
async function liftVerdicts(
  first: HookOutcome,
  event: AnyEvent,
  end: number,
  find: (outcome: HookOutcome) => LoadedException[],
  covering: LoadedException[][],
): Promise<HookOutcome> {
  const rules: string[] = [];
  let current = first;
  for (let count = 0; isStopping(current) && count < MAX_VERDICTS; count++) {
    const records = find(current);
    if (records.length === 0) return current;
    covering.push(records);
    const { rule } = current.response;
    const hook = await first.entry.load();
    const isAsked = rule !== undefined && !rules.includes(rule) && first.entry.pure && (hook.rules || hook.ruleTerms);
    if (!isAsked) return lift(first, []);
    rules.push(rule);
    current = await askAgain(first.entry, event, end - performance.now(), (policy) => exceptRules(policy, rules));
  }
  return isStopping(current) ? current : { ...lift(first, []), response: current.response };
}

/** A policy with an exception from rules, for everything. */
const exceptRules = (policy: RulePolicy, rules: readonly string[]): RulePolicy => ({
  isDefault: false,
  setRules: policy.setRules,
  addedPrograms: policy.addedPrograms,
  findAdded: policy.findAdded,
  addsCallRules: policy.addsCallRules,
  findCallRules: policy.findCallRules,
  resolveAction: policy.resolveAction,
  listExceptions: (id) => (rules.includes(id) ? [{}] : policy.listExceptions(id)),
});

/** Whether an exception is about what a hook decided. */
function isCovering(record: LoadedException, outcome: HookOutcome, event: GateCall, binding: CallBinding): boolean {
  const { call, rule, project, pause } = record;
  if (pause) return false;
  const verdict = describeVerdict(outcome);
  if (!call)
    return (
      rule !== undefined &&
      rule === verdict.rule &&
      (project === undefined || isInside(listProjectFolders(event)[0] ?? "", project))
    );
  if (call.host !== event.host) return false;
  const isSame = call.native_event === event.native_event;
  const [exact, act] =
    project === undefined ? [binding.exact, binding.act] : [binding.exactInProject, binding.actInProject];
  if (isSame ? call.exact !== exact : call.act !== act) return false;
  // Another event of the same call may word it differently.
  return call.verdicts.some(
    ({ hook, rule: id, said }) =>
      hook === verdict.hook && id === verdict.rule && (said === verdict.said || (!isSame && id !== undefined)),
  );
}

const lift = (outcome: HookOutcome, by: readonly string[]): HookOutcome => {
  const { response, failure, error: _, withheld: __, ...rest } = outcome;
  return { ...rest, response: {}, allowed: { by, response, ...(failure !== undefined && { failure }) } };
};

const restore = ({ allowed, ...outcome }: HookOutcome): HookOutcome =>
  allowed ? { ...outcome, response: allowed.response } : outcome;

/** Whether the managed file lets nobody loosen what decided. */
const isLocked = ({ entry, response: { rule } }: HookOutcome, policy: AllowPolicy): boolean =>
  policy.isLocked(entry.name, rule);

function describeVerdict({ entry, response: { rule, subject, reason } }: HookOutcome): HeldVerdict {
  const words = [entry.name, rule ?? "", subject ?? "", reason ?? ""];
  return {
    hook: entry.name,
    ...(rule !== undefined && { rule }),
    ...(subject !== undefined && { subject }),
    ...(reason !== undefined && { reason }),
    said: hashWords(words),
  };
}

const hashWords = (words: readonly unknown[]): string =>
  new Bun.CryptoHasher("sha256").update(JSON.stringify(words)).digest("hex").slice(0, 40);
