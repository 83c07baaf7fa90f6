import type { CapabilityRow } from "../protocol/capability.ts";
import type { AnyEvent } from "../protocol/event.ts";
import type { HookDescriptor } from "../protocol/hook.ts";
import {
  type HostAnswer,
  type Env,
  type HostIdentity,
  getCapabilityRow,
  type ProcessInput as HostWorld,
} from "../protocol/host/host.ts";
import { hostRegistry } from "../hosts/registry.ts";
import { omitNulls } from "../hosts/wire.ts";
import { askHooks } from "./ask.ts";
import { concludeCall } from "./conclude.ts";
import { type CallContext, formatWarnings } from "./context.ts";
import type { Deadline } from "./deadline.ts";
import type { Outcome } from "./dispatch.ts";
import { describeError } from "./errors.ts";
import { answerFailure, lastResort } from "./failure.ts";
import { findHost, hasEvent, identifyEvent, identifyHost } from "./identify.ts";
import { type AnyOptions, readOptions } from "./options.ts";
import { CallError, parsePayload } from "./payload.ts";
import { selectHooks } from "./select.ts";

/** Milliseconds that a call has, unless it says otherwise: with all that comes after, less than the 5 s that the most impatient host waits. */
export const DEADLINE_MS = 4_000;
/** The process is ended so much later. */
const GRACE_MS = 350;
/** Characters of a payload that are decoded before anybody looks at the clock. */
const SMALL = 1 << 14;

/** What was seen of a call on its way. */
export interface Seen {
  event: AnyEvent;
  outcomes: readonly Outcome[];
}

/** The state of the process, and who looks on. */
export interface World extends HostWorld {
  /** Told what the hooks saw and answered, before the answer is given; what they log goes here then, and not to the log file. */
  watch?: (seen: Seen) => void;
  /** Ends the process when the time is up, where the call has one to itself. */
  deadline?: Deadline;
  /** Why no hook is to be asked. */
  problem?: string;
}

/**
 * One hook call: reads the payload, runs the hooks that fit, and gives the host's answer. Never throws.
 * @param entries every hook, in the order in which they run.
 * @param explicit options from code; they win over `argv`.
 */
export async function respond(
  entries: readonly HookDescriptor[],
  explicit: AnyOptions,
  argv: readonly string[],
  world: World,
): Promise<HostAnswer> {
  const { options, problem: flagProblem } = readOptions(argv, explicit, hostRegistry);
  const timeoutMs = options.timeoutMs ?? DEADLINE_MS;
  const named = findHost(options.host);
  if (options.host !== undefined && !named)
    return (await import("./unknown-host.ts")).refuseUnknownHost(options, world, timeoutMs / 2);
  const { event: entryEvent = "", onError: policy = "allow" } = options;
  // Replaced as more is known, so that a failure is reported in the right form.
  let context: CallContext = { host: named, native_event: entryEvent, policy, options };
  let armed: ArmedDeadline | undefined;
  try {
    const end = performance.now() + timeoutMs;
    const given = world.read(timeoutMs / 2);
    if (world.problem !== undefined) throw new CallError(world.problem, given);
    const arm = async (known: CallContext) => {
      const last = await answerFailure(entries, known, `the hooks did not answer within ${timeoutMs} ms`);
      return armDeadline(world.deadline, end + GRACE_MS, last, given);
    };
    const isLarge = typeof given === "string" && given.length > SMALL;
    const isWanted = ({ event }: CapabilityRow) => entries.some(({ events }) => events.includes(event));
    // The payload may take long to parse: what the flags say is enough to deny in time.
    if (isLarge && named && entryEvent && isWanted(getCapabilityRow(await named.loadHost(), entryEvent)))
      armed = await arm(context);

    const raw = parsePayload(given);
    const payload = omitNulls(raw);
    const { entry, host, contradicted } = await identifyHost(payload, named, options.event, world);
    context = { ...context, host: entry };
    const { native_event, row, warning } = await identifyEvent(host, payload, options.event);
    context = { ...context, native_event, isStandIn: warning !== undefined };
    if (flagProblem !== undefined) throw new Error(flagProblem);
    const isDuplicate =
      contradicted !== undefined &&
      (await (await import("./double.ts")).hasOwnEntry(host, native_event, payload, world));
    if ((isLarge || entries.some(hasSlowMatcher)) && isWanted(row)) armed = await arm(context);

    const decoded = host.decodePayload(payload, native_event, row);
    decoded.event._native = raw;
    const { hooks, event, warnings } = await selectHooks(entries, decoded.event, host, payload);
    if (hooks.length > 0) armed ??= await arm(context);
    const question = { hooks, decoded: { ...decoded, event }, row, options, end, deadline: armed?.deadline };
    const replies = await askHooks(question, world.env);

    const notes = [
      ...(warning === undefined ? [] : [warning]),
      ...(contradicted && !isDuplicate ? [mismatchWarning(contradicted, host)] : []),
      ...warnings,
      ...(hooks.length === 0 && !hasEvent(host, native_event) ? [unknownEventWarning(host)] : []),
      ...replies.warnings,
    ];
    const { outcomes } = replies;
    const { answer, patch } = concludeCall({ outcomes, event, row, host, warnings: notes }, context);
    const hasLogged = !replies.isRepeated && outcomes.some(({ log }) => log.length > 0);
    if (host.repeatedEvents?.includes(native_event) && (patch || hasLogged))
      (await import("./call-marks.ts")).keepMark(event, patch, world.env);
    if (world.watch) world.watch({ event, outcomes });
    else if (hasLogged) (await import("./log.ts")).logMessages(outcomes, event.session_id, world.env);
    // Another entry says what there is to say. A restriction is told twice rather than not at all.
    const isAnswered = isDuplicate || (options.after !== undefined && answer.exit_code === 0);
    if (isAnswered && !answer.restricts) return { stdout: host.neutralOutput, stderr: "", exit_code: 0 };
    return world.watch ? answer : await appendVariables(answer, context, world.env);
  } catch (error) {
    // A hook may have broken what all code needs, but not that of a new process.
    armed?.deadline?.handOver();
    const native_event = context.native_event || (error instanceof CallError ? error.native_event : "");
    // A flag that is wrong may be the cause of all else.
    const problem = flagProblem ?? describeError(error);
    return answerFailure(entries, { ...context, native_event }, problem).catch(() => armed?.last ?? lastResort(policy));
  }
}

/** Whether a regular expression of the hook's author is matched before it is asked that may take any time. */
const hasSlowMatcher = ({ matcher = "" }: HookDescriptor) => matcher.split(/[*+{]/).length > 2;

/** The answer that is given when the time is up, and what gives it. */
interface ArmedDeadline {
  last: HostAnswer;
  /** Set where another process can take over. */
  deadline?: Deadline;
}

/**
 * From here on the process ends in time, with the `last` answer if there is no other.
 * @param end when, as `performance.now()` counts.
 */
async function armDeadline(
  deadline: Deadline | undefined,
  end: number,
  last: HostAnswer,
  given: unknown,
): Promise<ArmedDeadline> {
  const left = end - performance.now();
  if (typeof given !== "string" || !deadline || !(await deadline.arm(left, last, given))) return { last };
  deadline.expect(left, { known: [], problem: "it took too long to read the payload" });
  return { last, deadline };
}

const mismatchWarning = (named: HostIdentity, { id, name }: HostIdentity) =>
  `called with --host ${named.id} by ${name}; answered as ${id}. Give ${name} an entry of its own with --host ${id}`;

const unknownEventWarning = ({ name }: HostIdentity) =>
  `no such event of ${name} is known, and no hook was asked; look at --host and --event`;

/** The answer, once its variables are in the file that the host reads; a failure of that is one more line. */
async function appendVariables(answer: HostAnswer, context: CallContext, env: Env): Promise<HostAnswer> {
  if (!answer.append) return answer;
  const loss = (await import("./append.ts")).appendTo(answer.append, env);
  if (loss === undefined) return answer;
  return { ...answer, stderr: [answer.stderr, formatWarnings(context, [loss])].filter(Boolean).join("\n") };
}
