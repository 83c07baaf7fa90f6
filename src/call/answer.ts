import type { CapabilityRow } from "../protocol/capability.ts";
import type { AnyEvent } from "../protocol/event.ts";
import type { HookDescriptor } from "../protocol/hook.ts";
import {
  type HostAnswer,
  type Env,
  type HostIdentity,
  getCapabilityRow,
  type Payload,
  type ProcessInput as HostWorld,
} from "../protocol/host/host.ts";
import { hostRegistry } from "../hosts/registry.ts";
import { omitNulls } from "../protocol/object.ts";
import { askHooks } from "./ask.ts";
import { concludeCall } from "./conclude.ts";
import { type CallContext, formatWarnings } from "./context.ts";
import type { Deadline } from "./deadline/deadline.ts";
import type { HookOutcome } from "./ask/dispatch.ts";
import type { LoadBinding } from "./exceptions/apply.ts";
import { describeError } from "../system/errors.ts";
import type { ConcludedCall } from "./log/concluded-call.ts";
import { answerFailure, getLastResortAnswer } from "./failure.ts";
import { findHost, hasEvent, identifyEvent, identifyHost } from "./identify.ts";
import type { ModePolicy } from "../policy/modes.ts";
import type { LoadHookFilter } from "../system/quick-system.ts";
import { INVALID_PROBE, isProbe } from "../protocol/probe.ts";
import { type AnyOptions, readOptions } from "./options.ts";
import { CallError, parsePayload } from "./read.ts";
import { selectHooks } from "./select.ts";
import { listModeSources } from "../policy/sources.ts";

/**
 * Default time limit of a call in milliseconds: with everything that comes after, below the 5 s of the most impatient
 * host.
 */
export const DEADLINE_MS = 4_000;
/** Added to the time limit before the process is ended. */
const GRACE_MS = 350;
/** Payloads up to this many characters are parsed before the deadline is armed. */
const SMALL_PAYLOAD_LENGTH = 1 << 14;

/** The event as the hooks saw it, and their outcomes. */
export interface ObservedCall {
  event: AnyEvent;
  outcomes: readonly HookOutcome[];
}

/** The process that a call runs in, and its observers. */
export interface CallWorld extends HostWorld {
  /**
   * Called with what the hooks saw and answered, before the answer is returned; nothing is then written for the host.
   */
  onOutcomes?: (seen: ObservedCall) => void;
  /** Called with all that the decision log says about the call, before the answer is returned. */
  onConcluded?: (call: ConcludedCall) => void;
  /** Ends the process when the time is up, if the call has the process to itself. */
  deadline?: Deadline;
  /** What calls with the same flags, host and event get at the deadline, where a process has many of them. */
  lastAnswers?: Pick<Map<string, HostAnswer>, "get" | "set">;
  /** When the call began, in `performance.now()` time. Default: now. */
  started?: number;
  /** What `read` returns, where it has been parsed already. */
  payload?: Payload | undefined;
  /** Why no hooks can run. */
  problem?: string;
  /** Loads what tells the hooks that the call concerns, where that is known. */
  loadHookFilter?: LoadHookFilter | undefined;
  /** Loads what exceptions that a person made on purpose are bound by. Absent, as in trials: there are none. */
  loadBinding?: LoadBinding;
}

/**
 * Runs one hook call: reads the payload, runs the matching hooks, and returns the host's answer. Never throws.
 * @param entries all hooks, in the order in which they run.
 * @param explicit options from code; they win over `argv`.
 */
export async function answerCall(
  entries: readonly HookDescriptor[],
  explicit: AnyOptions,
  argv: readonly string[],
  world: CallWorld,
): Promise<HostAnswer> {
  const { options, problem: flagProblem } = readOptions(argv, explicit, hostRegistry);
  const timeoutMs = options.timeoutMs ?? DEADLINE_MS;
  const inputMs = Math.ceil(timeoutMs / 2);
  const named = findHost(options.host);
  const { event: entryEvent = "", onError: policy = "allow" } = options;
  // Replaced as more is known, so that a failure is reported in the right form.
  const modes = await loadModes();
  let context: CallContext = { host: named, native_event: entryEvent, policy, options, modes };
  let armed: ArmedDeadline | undefined;
  let event: AnyEvent | undefined;
  let raw: Payload | undefined;
  const started = world.started ?? performance.now();
  const conclude = (
    call: Pick<ConcludedCall, "outcomes" | "response" | "decision" | "losses" | "isRepeated" | "problem" | "denied">,
  ) =>
    world.onConcluded?.({
      host: context.host?.id,
      native_event: context.native_event,
      ...(event && { event }),
      payload: raw,
      ms: performance.now() - started,
      lacksLogConfig: modes === undefined,
      ...call,
    });
  if (options.host !== undefined && !named) {
    const answer = await (await import("./identify/unknown-host.ts")).refuseUnknownHost(options, world, inputMs);
    conclude({ ...describeFailure(answer), problem: `unknown host "${options.host}"` });
    return answer;
  }
  let isInvalidProbe = false;
  try {
    const end = started + timeoutMs;
    const given = world.read(inputMs);
    isInvalidProbe = given === INVALID_PROBE;
    if (world.problem !== undefined) throw new CallError(world.problem, given);
    const arm = async (known: CallContext) => {
      const key = [...argv, known.host?.id, known.native_event, known.isStandIn].join("\0");
      const last =
        (modes ? undefined : world.lastAnswers?.get(key)) ??
        (await answerFailure(entries, known, `the hooks did not answer within ${timeoutMs} ms`));
      if (!modes) world.lastAnswers?.set(key, last);
      return armDeadline(world.deadline, end + GRACE_MS, last, given);
    };
    const isLarge = typeof given === "string" && given.length > SMALL_PAYLOAD_LENGTH;
    const isWanted = ({ event }: CapabilityRow) => entries.some(({ events }) => events.includes(event));
    // A large payload may take long to parse: the flags alone say enough to deny in time.
    if (isLarge && named && entryEvent && isWanted(getCapabilityRow(await named.loadHost(), entryEvent)))
      armed = await arm(context);

    raw = world.payload ?? parsePayload(given);
    const payload = omitNulls(raw);
    const { entry, host, contradicted } = await identifyHost(payload, named, options.event, world);
    context = { ...context, host: entry };
    const { native_event, row, warning } = await identifyEvent(host, payload, options.event);
    context = { ...context, native_event, isStandIn: warning !== undefined };
    if (flagProblem !== undefined) throw new Error(flagProblem);
    const isDuplicate =
      contradicted !== undefined &&
      (await (await import("./identify/own-entry.ts")).hasOwnEntry(host, native_event, payload, world));
    if ((isLarge || entries.some(hasSlowMatcher)) && isWanted(row)) armed = await arm(context);

    const decoded = host.decodePayload(payload, native_event, row);
    decoded.event._native = raw;
    event = decoded.event;
    const { hooks, warnings, ...selected } = await selectHooks(entries, event, host, payload);
    event = selected.event;
    if (hooks.length > 0) armed ??= await arm(context);
    const question = {
      ...{ hooks, decoded: { ...decoded, event }, row, options, end, deadline: armed?.deadline, modes },
      isConcerned: hooks.length > 1 ? await world.loadHookFilter?.() : undefined,
      alias: contradicted && named?.id,
      loadBinding: isProbe(event) ? undefined : world.loadBinding,
    };
    const replies = await askHooks(question, world.env);

    const notes = [
      ...(warning === undefined ? [] : [warning]),
      ...(contradicted && !isDuplicate ? [formatMismatch(contradicted, host)] : []),
      ...warnings,
      ...(hooks.length === 0 && !hasEvent(host, native_event) ? [formatUnknownEvent(host)] : []),
      ...replies.warnings,
    ];
    const { outcomes, denied } = replies;
    const asked = { outcomes, event, row, host, warnings: notes, denied };
    const { answer, patch, ...conclusion } = concludeCall(asked, context);
    const hasLogged = !replies.isRepeated && outcomes.some(({ log }) => log.length > 0);
    if (host.repeatedEvents?.includes(native_event) && (patch || hasLogged))
      (await import("./state/call-marks.ts")).writeMark(event, patch, world.env);
    world.onOutcomes?.({ event, outcomes });
    // Another entry reports everything else. A restriction is better reported twice than not at all.
    const isAnswered = isDuplicate || (options.after !== undefined && answer.exit_code === 0);
    const isSilent = isAnswered && !answer.restricts;
    // Of a call that another entry answers, only what hooks logged is ours to keep.
    if ((!isSilent || hasLogged) && !isProbe(event))
      conclude({
        ...{ outcomes, ...(isSilent ? NOTHING_DECIDED : conclusion), isRepeated: replies.isRepeated },
        ...(denied && { denied }),
      });
    if (isSilent) return { stdout: host.neutralOutput, stderr: "", exit_code: 0 };
    return world.onOutcomes ? answer : await appendVariables(answer, context, world.env);
  } catch (error) {
    // A hook may have broken built-ins in this process, but not in a new one.
    armed?.deadline?.handOver();
    const native_event = context.native_event || (error instanceof CallError ? error.native_event : "");
    // An invalid flag may have caused all other problems.
    const problem = flagProblem ?? describeError(error);
    const answer = await answerFailure(entries, { ...context, native_event }, problem).catch(
      () => armed?.last ?? getLastResortAnswer(policy),
    );
    if (!isInvalidProbe) conclude({ ...describeFailure(answer), problem });
    return answer;
  }
}

/** The modes that config files set; undefined where everything is enforced, as in most calls. */
async function loadModes(): Promise<ModePolicy | undefined> {
  const sources = listModeSources();
  return sources.length === 0 ? undefined : (await import("./configured.ts")).readModes(sources);
}
const NOTHING_DECIDED = { response: {}, decision: undefined, losses: [] } as const;

/** What became of a call that failed: it is denied in the host's words, or by the exit code; or it goes on. */
const describeFailure = ({ restricts, exit_code }: HostAnswer) => ({
  ...NOTHING_DECIDED,
  outcomes: [],
  decision: restricts === true || exit_code === 2 ? ("deny" as const) : undefined,
});

/** Whether the matcher contains a regular expression that may be slow; it is matched before the hooks run. */
const hasSlowMatcher = ({ matcher }: HookDescriptor) => matcher !== undefined && matcher.split(/[*+{]/).length > 2;

/** The answer at the deadline, and the deadline that gives it. */
interface ArmedDeadline {
  last: HostAnswer;
  /** Set if another process can take over. */
  deadline?: Deadline;
}

/**
 * From here on the process ends in time, with the `last` answer if there is no other.
 * @param end in `performance.now()` time.
 */
async function armDeadline(
  deadline: Deadline | undefined,
  end: number,
  last: HostAnswer,
  given: unknown,
): Promise<ArmedDeadline> {
  const left = end - performance.now();
  if (typeof given !== "string" || !deadline) return { last };
  const progress = { known: [], problem: "it took too long to read the payload" };
  return (await deadline.arm(left, last, given, progress)) ? { last, deadline } : { last };
}

const formatMismatch = (named: HostIdentity, { id, name }: HostIdentity) =>
  `called with --host ${named.id} by ${name}; answered as ${id}. Give ${name} its own entry with --host ${id}`;

const formatUnknownEvent = ({ name }: HostIdentity) =>
  `unknown event of ${name}, so no hook was asked; check --host and --event`;

/** Writes the answer's variables to the file that the host reads; if that fails, adds a warning to stderr. */
async function appendVariables(answer: HostAnswer, context: CallContext, env: Env): Promise<HostAnswer> {
  if (!answer.append) return answer;
  const loss = (await import("./process/append.ts")).appendToHostFile(answer.append, env);
  if (loss === undefined) return answer;
  return { ...answer, stderr: [answer.stderr, formatWarnings(context, [loss])].filter(Boolean).join("\n") };
}
