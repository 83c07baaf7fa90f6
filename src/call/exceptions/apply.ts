import { applyPatch } from "../../protocol/object.ts";
import type { AnyEvent } from "../../protocol/event.ts";
import type { RulePolicy } from "../../protocol/rule.ts";
import { createId, deriveId } from "../state/create-id.ts";
import { rerunHook } from "../ask/call-handler.ts";
import type { HookOutcome } from "../ask/outcome.ts";
import { type AllowPolicy, isInForce, DEFAULT_ALLOW_POLICY } from "../../policy/allow.ts";
import { getManagedConfig } from "../../policy/config-paths.ts";
import { policy as built } from "../built/policy.ts";
import { getOwnCommand } from "../../system/own-command.ts";
import { checkPath } from "../../system/file-checks.ts";
import { claimException, type ClaimingEvent } from "./claim.ts";
import { describeVerdict, type GateCall, hashWords, type HeldVerdict, listCoveringExceptions } from "./covering.ts";
import type { CallBinding, LoadedException } from "./record.ts";
import { listExceptionDirectories } from "./exception-directories.ts";
import { loadExceptions } from "./record.ts";

/**
 * Loads the function that computes the hashes binding an exception to a call, along with the code that reads shell
 * commands and directories.
 */
export type LoadBinding = () => Promise<{ bindCall: (event: GateCall) => CallBinding }>;

/** A call that hooks stopped. */
export interface StoppedCall {
  outcomes: readonly HookOutcome[];
  event: AnyEvent;
  /** Whether this event repeats an earlier event for the same call. */
  isRepeat: boolean;
  /** The ID of the host named by the entry, if a different host sent the call. */
  alias?: string | undefined;
  /** When the hooks must be done, in `performance.now()` time. */
  end: number;
}

/** A stopped call that a user can allow with an exception. */
export interface DeniedCall {
  /** The ID to pass to `bridge-hooks allow`. */
  id: string;
  binding: CallBinding;
  verdicts: readonly HeldVerdict[];
  /** Returns the `bridge-hooks` command that allows the call. */
  formatCommand: () => string;
}

/** The outcome of applying exceptions to a stopped call. */
export interface ExceptionResult {
  outcomes: readonly HookOutcome[];
  /** The denied call, if it is still stopped and a user can allow it. */
  deniedCall?: DeniedCall;
}

/** Maximum number of consecutive verdicts from one hook. */
const MAX_VERDICTS = 8;

const isStopping = ({ response: { decision }, failure, withheld }: HookOutcome) =>
  (failure !== undefined && !withheld) || decision === "deny" || decision === "ask";

/**
 * Allows a stopped call if users' exceptions cover every verdict that stops it. Exceptions don't apply to hooks that
 * protect the policy itself, to parts locked by the managed file, or to results carried over from a replaced process.
 * On any error, the call stays stopped.
 */
export async function applyExceptions(call: StoppedCall, loadBinding: LoadBinding): Promise<ExceptionResult> {
  const { outcomes, event } = call;
  try {
    if (event.event !== "PreToolUse" && event.event !== "PermissionRequest") return { outcomes };
    const stoppingOutcomes = outcomes.filter(isStopping);
    if (stoppingOutcomes.some(({ entry }) => entry.enforced || entry.settled)) return { outcomes };
    // Most machines don't have a managed file, so load the code that reads it only if needed.
    const policy =
      checkPath(getManagedConfig()) === "absent"
        ? DEFAULT_ALLOW_POLICY
        : await (await import("../config-modules.ts")).loadAllowPolicy();
    if (policy.by === "nobody") return { outcomes };
    // If file ownership can't be checked, nobody can create an exception, so messages don't suggest one.
    const directories = listExceptionDirectories();
    if (directories.length === 0) return { outcomes };
    const records = loadExceptions(directories).records.filter((record) =>
      isInForce(record, policy, { hooks: built?.hooks }),
    );
    const pause = records.find((exception) => exception.pause);
    if (pause && !stoppingOutcomes.some((outcome) => isLocked(outcome, policy)))
      return {
        outcomes: outcomes.map((outcome) => (isStopping(outcome) ? allowOutcome(outcome, [pause.id]) : outcome)),
      };
    if (stoppingOutcomes.some(({ failure }) => failure !== undefined)) return { outcomes };
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
  const coveringExceptions: LoadedException[][] = [];
  const find = ({ entry, response }: HookOutcome) =>
    listCoveringExceptions(records, { event, binding, verdict: describeVerdict(entry.name, response) }, policy);
  const judgedOutcomes: HookOutcome[] = [];
  let currentEvent: AnyEvent = event;
  for (const outcome of call.outcomes) {
    judgedOutcomes.push(
      isStopping(outcome) ? await allowVerdicts(outcome, currentEvent, call.end, find, coveringExceptions) : outcome,
    );
    const { modified_input } = outcome.response;
    if (modified_input)
      currentEvent = {
        ...currentEvent,
        input: applyPatch((currentEvent as GateCall).input, modified_input),
      } as AnyEvent;
  }
  const isStillStopped = judgedOutcomes.some(isStopping);
  const by = isStillStopped ? undefined : claimAll(coveringExceptions, createClaim(call, event, binding));
  if (by)
    return {
      outcomes: judgedOutcomes.map((outcome) =>
        outcome.allowed ? { ...outcome, allowed: { ...outcome.allowed, by } } : outcome,
      ),
    };
  const outcomes = isStillStopped ? judgedOutcomes.map(restore) : call.outcomes;
  const stoppingVerdicts = outcomes.filter(isStopping);
  if (stoppingVerdicts.some((outcome) => outcome.failure !== undefined || isLocked(outcome, policy)))
    return { outcomes };
  const id = computeCallId(event, binding);
  const verdicts = stoppingVerdicts.map(({ entry, response }) => describeVerdict(entry.name, response));
  const formatCommand = () =>
    policy.by === "administrators"
      ? `${getOwnCommand("sudo")} allow ${id} --managed`
      : `${getOwnCommand("elsewhere")} allow ${id}`;
  return { outcomes, deniedCall: { id, binding, verdicts, formatCommand } };
}

/**
 * Returns a call's ID. Hosts may reuse call numbers, so the ID is also derived from the command or file. Approving it
 * then allows only the call that the user was shown.
 */
const computeCallId = ({ host, session_id, native_event, ...gate }: GateCall, { act }: CallBinding): string =>
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

/** Claims one exception for each verdict. Returns undefined if any verdict has no unused exception left. */
function claimAll(coveringExceptions: readonly LoadedException[][], claim: ClaimingEvent): string[] | undefined {
  const claimedIds = new Set<string>();
  const mayUse = (record: LoadedException) =>
    !record.once || claimedIds.has(record.id) || claimException(record, claim);
  for (const records of coveringExceptions) {
    const record = records.toSorted((a, b) => Number(a.once ?? false) - Number(b.once ?? false)).find(mayUse);
    if (!record) return undefined;
    claimedIds.add(record.id);
  }
  return [...claimedIds];
}

/** Reruns a hook, each time without the rules that exceptions cover, until the hook allows the call. */
async function allowVerdicts(
  first: HookOutcome,
  event: AnyEvent,
  end: number,
  find: (outcome: HookOutcome) => LoadedException[],
  coveringExceptions: LoadedException[][],
): Promise<HookOutcome> {
  const rules: string[] = [];
  let currentOutcome = first;
  for (let count = 0; isStopping(currentOutcome) && count < MAX_VERDICTS; count++) {
    const records = find(currentOutcome);
    if (records.length === 0) return currentOutcome;
    coveringExceptions.push(records);
    const { rule } = currentOutcome.response;
    const hook = await first.entry.load();
    const canRerun = rule !== undefined && !rules.includes(rule) && first.entry.pure && (hook.rules || hook.ruleTerms);
    if (!canRerun) return allowOutcome(first, []);
    rules.push(rule);
    currentOutcome = await rerunHook(first.entry, event, end - performance.now(), (policy) =>
      exceptRules(policy, rules),
    );
  }
  return isStopping(currentOutcome)
    ? currentOutcome
    : { ...allowOutcome(first, []), response: currentOutcome.response };
}

/** Returns a policy that makes an unconditional exception to each of the given rules. */
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

const allowOutcome = (outcome: HookOutcome, by: readonly string[]): HookOutcome => {
  const { response, failure, error: _, withheld: __, ...rest } = outcome;
  return { ...rest, response: {}, allowed: { by, response, ...(failure !== undefined && { failure }) } };
};

const restore = ({ allowed, ...outcome }: HookOutcome): HookOutcome =>
  allowed ? { ...outcome, response: allowed.response } : outcome;

/** Returns whether the managed file locks the deciding hook or rule. */
const isLocked = ({ entry, response: { rule } }: HookOutcome, policy: AllowPolicy): boolean =>
  policy.isLocked(entry.name, rule);
