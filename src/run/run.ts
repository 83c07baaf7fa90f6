import { continues, pick, type Row } from "../protocol/capability.ts";
import { type AnyEvent, isCall } from "../protocol/event.ts";
import type { FailurePolicy, HookEntry } from "../protocol/hook.ts";
import {
  type Answer,
  type CallHost as Host,
  type Decoded,
  type HostEntry,
  isInstallable,
  type Payload,
  rowOf,
  type World as HostWorld,
} from "../protocol/host/host.ts";
import { lower } from "../protocol/lower.ts";
import { isRestriction, merge } from "../protocol/merge.ts";
import { lacksServer } from "../protocol/tool.ts";
import { isProbe } from "../protocol/probe.ts";
import type { IHookResponse } from "../protocol/response.ts";
import { registry } from "../hosts/registry.ts";
import { withoutNulls } from "../hosts/wire.ts";
import { detect } from "./detect.ts";
import type { Deadline, Progress } from "./deadline.ts";
import type { Outcome } from "./dispatch.ts";
import { type AnyOptions, readOptions, settingsOf } from "./options.ts";
import { oneLine, policyOf, strays, wanted } from "./wanted.ts";

/** Milliseconds that a call has, unless it says otherwise: with all that comes after, less than the 5 s that the most impatient host waits. */
export const DEADLINE_MS = 4_000;
/** The process is ended so much later. */
const GRACE_MS = 350;
/** Characters of a payload that are decoded before anybody looks at the clock. */
const SMALL = 1 << 14;

/** The only hook of a call that `doctor` makes. */
const DENYING: HookEntry = {
  name: "doctor",
  events: [],
  load: async () => ({
    event: [],
    handler: () => ({ decision: "deny", reason: "bridge-hooks doctor asked for this denial." }),
  }),
};

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

/** What a call knows of itself; it grows while the call goes on, so that a failure is told in the right form. */
interface Call {
  /** The named or detected host. */
  host?: HostEntry;
  native_event: string;
  policy: FailurePolicy;
  options: AnyOptions;
  /** The event is judged as one that the host is known to have. */
  strange?: boolean;
  /** The answer where no other can be made. */
  last?: Answer;
  /** Set once hooks are asked, where another process can take over. */
  deadline?: Deadline | undefined;
}

/**
 * One hook call: reads the payload, runs the hooks that fit, and gives the host's answer. Never throws.
 * @param entries every hook, in the order in which they run.
 * @param explicit options from code; they win over `argv`.
 */
export async function respond(
  entries: readonly HookEntry[],
  explicit: AnyOptions,
  argv: readonly string[],
  world: World,
): Promise<Answer> {
  const { options, problem } = readOptions(argv, explicit, registry);
  const named = hostOf(options.host);
  if (options.host !== undefined && !named)
    return (await import("./unknown-host.ts")).refuseUnknownHost(
      options,
      world,
      (options.timeoutMs ?? DEADLINE_MS) / 2,
    );
  const call: Call = {
    host: named,
    native_event: options.event ?? "",
    policy: options.onError ?? "allow",
    options,
  };
  try {
    return await answer(entries, problem, call, world);
  } catch (error) {
    // A hook may have broken what all code needs, but not that of a new process.
    call.deadline?.handOver();
    // A flag that is wrong may be the cause of all else.
    return await failed(entries, call, problem ?? oneLine(error)).catch(() => call.last ?? lastResort(call.policy));
  }
}

/** What is left where a hook has broken what all code needs. */
const lastResort = (policy: FailurePolicy): Answer => ({
  stdout: "",
  stderr:
    'bridge-hooks: the call failed, and its answer could not be made; run the hooks one by one with "bridge-hooks try"',
  exit_code: policy === "deny" ? 2 : 1,
});

async function answer(
  entries: readonly HookEntry[],
  problem: string | undefined,
  call: Call,
  world: World,
): Promise<Answer> {
  const { options } = call;
  const time = options.timeoutMs ?? DEADLINE_MS;
  const end = performance.now() + time;
  const given = world.read(time / 2);
  const isLarge = typeof given === "string" && given.length > SMALL;
  const wants = ({ event }: Row) => entries.some(({ events }) => events.includes(event));
  const watched = async () =>
    watchOver(given, end, call, await failed(entries, call, `the hooks did not answer within ${time} ms`), world);
  let deadline: Deadline | undefined;
  if (world.problem !== undefined) {
    if (typeof given === "string") call.native_event ||= eventNameIn(given);
    throw new Error(world.problem);
  }
  if (isLarge && call.host && options.event && wants(rowOf(await call.host.load(), options.event)))
    deadline = await watched();
  const raw = parse(given, call);
  const payload = withoutNulls(raw);
  const { host, contradicted } = await hostOfCall(payload, call, world);
  call.host = host;
  const named = host.eventName(payload, options.event);
  const standIn = knows(host, named)
    ? undefined
    : (await import("./unknown.ts")).standInFor(host, named, payload, options.event);
  call.native_event = standIn?.native_event ?? named;
  call.strange = standIn !== undefined;
  if (problem) throw new Error(problem);
  const row = standIn?.row ?? rowOf(host, call.native_event, payload);
  const warnings: string[] = standIn ? [standIn.warning] : [];
  const stoodIn =
    contradicted !== undefined &&
    (await (await import("./double.ts")).hasOwnEntry(host, call.native_event, payload, world));
  if (contradicted && !stoodIn) {
    warnings.push(
      `called with --host ${contradicted.id} by ${host.name}; answered as ${host.id}. Give ${host.name} an entry of its own with --host ${host.id}`,
    );
  }
  // Once more: the payload says whose call it is.
  if ((isLarge || entries.some(isDear)) && wants(row)) deadline = await watched();
  const decoded = host.decode(payload, call.native_event, row);
  decoded.event._native = raw;
  let hooks = isProbe(decoded.event) ? [DENYING] : wanted(entries, decoded.event);
  if (isCall(decoded.event) && lacksServer(decoded.event)) {
    const { event, warning } = await (await import("./servers.ts")).nameServer(hooks, decoded.event, host, payload);
    if (warning) warnings.push(warning);
    if (event !== decoded.event) hooks = wanted(hooks, (decoded.event = event));
  }
  if (hooks.length === 0 && !knows(host, call.native_event))
    warnings.push(`no such event of ${host.name} is known, and no hook was asked; look at --host and --event`);
  if (hooks.length > 0) deadline ??= await watched();
  const expect = (ms: number, progress: Progress) => {
    call.deadline = deadline;
    deadline?.expect(ms, progress);
  };
  const mark =
    options.after !== undefined && hooks.length > 0
      ? (await import("./judged.ts")).findMark(decoded.event, world.env)
      : undefined;
  const clock = { end, expect: deadline && expect };
  const outcomes = continues(row)
    ? await dispatchStop(hooks, decoded, options.maxContinuations ?? 1, clock, warnings, world)
    : await run(hooks, decoded.event, clock, mark !== undefined);
  if (mark !== undefined) {
    const { dropMark, isMade } = await import("./judged.ts");
    dropMark(mark.path);
    for (const { response } of outcomes)
      if (response.modified_input && isMade(mark, response.modified_input)) delete response.modified_input;
  }
  const result = conclude(outcomes, decoded.event, row, host, call, warnings);
  const logged = mark === undefined && hasLogged(outcomes);
  if (host.told_again?.includes(call.native_event) && (result.patch || logged))
    (await import("./judged.ts")).keepMark(decoded.event, result.patch, world.env);
  delete result.patch;
  if (world.watch) world.watch({ event: decoded.event, outcomes });
  else if (logged) {
    const lines = outcomes.flatMap(({ entry, log }) => log.map((message) => ({ hook: entry.name, message })));
    (await import("./log.ts")).writeLog(lines, decoded.event.session_id, world.env);
  }
  // Another entry says what there is to say. A restriction is told twice rather than not at all.
  const answered = stoodIn || (options.after !== undefined && result.exit_code === 0);
  if (answered && !result.restricts) return { stdout: host.neutral, stderr: "", exit_code: 0 };
  if (!result.append || world.watch) return result;
  const lost = (await import("./append.ts")).appendTo(result.append, world.env);
  return lost === undefined
    ? result
    : { ...result, stderr: [result.stderr, told(call, [lost])].filter(Boolean).join("\n") };
}

/** Whether a regular expression of the hook's author is matched before it is asked that may take any time. */
const isDear = ({ matcher = "" }: HookEntry) => matcher.split(/[*+{]/).length > 2;

/** From here on the process ends in time, with this answer if there is no other. The deadline, where another process can take over. */
async function watchOver(
  payload: unknown,
  end: number,
  call: Call,
  last: Answer,
  { deadline }: World,
): Promise<Deadline | undefined> {
  call.last = last;
  const left = end + GRACE_MS - performance.now();
  if (typeof payload !== "string" || !deadline || !(await deadline.arm(left, last, payload))) return undefined;
  deadline.expect(left, { known: [], problem: "it took too long to read the payload" });
  return deadline;
}

const knows = ({ capabilities }: Host, native_event: string) => Object.hasOwn(capabilities, native_event);

/** Whose call it is, and the host that was named although it is another's. */
async function hostOfCall(
  payload: Payload,
  { host: named, options }: Call,
  world: World,
): Promise<{ host: Host; contradicted?: HostEntry }> {
  const found = await detect(registry, payload, world, named);
  if ("problem" in found) throw new Error(found.problem);
  const host = await found.host.load();
  // A host without entries of its own was meant to find this one.
  if (!isInstallable(host)) return { host };
  if (!named || found.contradicted || knows(host, host.eventName(payload, options.event)))
    return { host, contradicted: found.contradicted };
  // The named host has no such event: it is another's, where that can be told.
  const other = await detect(registry, payload, world);
  const theirs = "host" in other && other.host !== named ? await other.host.load() : undefined;
  return theirs && knows(theirs, theirs.eventName(payload, undefined))
    ? { host: theirs, contradicted: named }
    : { host };
}

function hasLogged(outcomes: readonly Outcome[]): boolean {
  for (const { log } of outcomes) if (log.length > 0) return true;
  return false;
}

/** Until when hooks may run, and who is told how far they are. */
interface Clock {
  end: number;
  expect: Deadline["expect"] | undefined;
}

/** Most calls concern no hook: what runs them is loaded for those that do. */
const run = async (
  hooks: readonly HookEntry[],
  event: AnyEvent,
  { end, expect }: Clock,
  fixed = false,
): Promise<Outcome[]> =>
  hooks.length === 0 ? [] : (await import("./dispatch.ts")).dispatch(hooks, event, end, expect, fixed);

async function dispatchStop(
  hooks: readonly HookEntry[],
  decoded: Decoded,
  allowed: number,
  clock: Clock,
  warnings: string[],
  { env }: World,
) {
  if (hooks.length === 0) return [];
  const { continuationsOf, limitContinuations } = await import("./stop.ts");
  const continuations = continuationsOf(decoded, env);
  const outcomes = await run(hooks, { ...decoded.event, continuations: continuations.count } as AnyEvent, clock);
  warnings.push(...limitContinuations(outcomes, continuations, allowed));
  return outcomes;
}

/** An answer, and what it changes of the call. */
type Concluded = Answer & { patch?: Payload | undefined };

/** The outcomes of all hooks as the host's answer. */
function conclude(
  outcomes: readonly Outcome[],
  event: AnyEvent,
  row: Row,
  host: Host,
  call: Call,
  warnings: string[],
): Concluded {
  const { native_event } = call;
  for (const error of strays) warnings.push(`no hook caught an error: ${oneLine(error)}`);
  for (const { warning } of outcomes) if (warning !== undefined) warnings.push(warning);
  if (isSilent(outcomes)) return { stdout: host.neutral, stderr: told(call, warnings), exit_code: 0 };
  const failures = outcomes.filter(({ failure }) => failure !== undefined);
  const lines = failures.map(({ entry, failure }) => `hook "${entry.name}" failed: ${failure}`);
  const refusals: IHookResponse[] = failures
    .filter(({ entry }) => policyOf(entry, call.policy) === "deny" && canDeny(row, event.host_version))
    .map(({ entry, failure }) => ({
      decision: "deny",
      reason: `The hook "${entry.name}" failed (${failure}), and its policy is to deny then.`,
    }));
  const response = merge([...outcomes.map((outcome) => outcome.response), ...refusals]);
  const restricts = isRestriction(response);
  if (failures.some(({ entry }) => policyOf(entry, call.policy) === "allow") && !restricts) {
    const dropped = isSilent(outcomes.filter(({ failure }) => failure === undefined))
      ? []
      : ["the answers of the other hooks were dropped"];
    return {
      stdout: host.neutral,
      stderr: told(call, [...warnings, ...lines, ...dropped]),
      exit_code: host.failure_code ?? 1,
    };
  }
  const settings = settingsAt(host, call);
  const { lowered, losses } = lower(response, { host, row, event, settings });
  const encoded = host.encode(lowered, row.shape, native_event, settings);
  // Nobody misses a reason that no hook gave.
  const unexplained =
    outcomes.every((outcome) => outcome.unexplained || outcome.response.reason === undefined) && refusals.length === 0;
  // Where stderr is the answer, the model reads all of it: what arrives some other way needs no word there.
  const isAnswer = encoded.unheard !== undefined;
  const missed = losses.filter(
    ({ field, support }) => !(unexplained && field === "reason") && !(isAnswer && support === "emulated"),
  );
  const said = told(call, [...warnings, ...lines, ...missed.map((loss) => loss.message)]);
  const stderr = [encoded.stderr, said].filter(Boolean).join("\n");
  return { ...encoded, stderr, restricts, ...(lowered.input && { patch: response.modified_input }) };
}

/** Whether no hook had anything to say, or failed. */
function isSilent(outcomes: readonly Outcome[]): boolean {
  for (const { response, failure } of outcomes) {
    if (failure !== undefined) return false;
    for (const _ in response) return false;
  }
  return true;
}

function hostOf(id: string | undefined): HostEntry | undefined {
  for (const host of registry) if (host.id === id) return host;
  return undefined;
}

/** The answer when the call itself failed: what the policy (of the call, or of a hook for this event) asks for. */
async function failed(entries: readonly HookEntry[], call: Call, problem: string): Promise<Answer> {
  const { native_event } = call;
  const host = await call.host?.load();
  const stderr = told(call, [problem]);
  const row = host && rowOf(host, native_event);
  const concerns = ({ events }: HookEntry) =>
    row !== undefined &&
    (native_event === "" || (Object.hasOwn(host?.capabilities ?? {}, native_event) && events.includes(row.event)));
  const guarded = entries.some((entry) => entry.onError === "deny" && concerns(entry));
  if (call.policy === "allow" && !guarded)
    return { stdout: host?.neutral ?? "", stderr, exit_code: host?.failure_code ?? 1 };
  if (!host || !row) return { stdout: "", stderr, exit_code: 2 };
  if (!canDeny(row, undefined)) return { stdout: host.neutral, stderr, exit_code: 0 };
  const reason = `bridge-hooks: ${problem}. Nothing was decided, and the policy is to deny then.`;
  const denial = host.encode({ decision: "deny", reason }, row.shape, native_event, settingsAt(host, call));
  return { ...denial, restricts: true, stderr: denial.stderr || stderr };
}

/** The host's options for this call. */
const settingsAt = (host: Host, { options, strange }: Call) => ({
  ...settingsOf(host, options),
  ...(strange && host.strange),
});

/** Whether a failure can end in a denial here. At Stop it must not: it would make the agent go on because of a fault. */
const canDeny = (row: Row, version: string | undefined) =>
  !continues(row) && pick(row.deny, version).support !== "unenforceable";

/** Warnings as lines for stderr. */
function told({ host, native_event }: Call, lines: string[]): string {
  if (lines.length === 0) return "";
  const place = [host?.id, native_event].filter(Boolean).join(" ");
  return lines.map((line) => `bridge-hooks: ${place ? `${place}: ` : ""}${line}`).join("\n");
}

const EVENT_NAME = /"hook_event_name"\s*:\s*"(\w{1,64})"/;

const eventNameIn = (text: string): string => EVENT_NAME.exec(text.slice(0, 65_536))?.[1] ?? "";

/** The payload; a broken text still tells its event's name where that can be read. */
function parse(given: unknown, call: Call): Payload {
  const payload = typeof given === "string" ? parseText(given, call) : given;
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) {
    throw new Error("stdin is JSON, but no object; a host sends one JSON object there");
  }
  return payload as Payload;
}

function parseText(text: string, call: Call): unknown {
  if (text.trim() === "") throw new Error("stdin is empty; a host sends one JSON object there");
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch (error) {
    call.native_event ||= eventNameIn(text);
    throw new Error(`stdin is no JSON (${oneLine(error)}); a host sends one JSON object there`);
  }
}
