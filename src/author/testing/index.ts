import type { AnyEvent } from "../../protocol/event.ts";
import type { FailurePolicy, HookEntry } from "../../protocol/hook.ts";
import type { Host } from "../../protocol/host/host.ts";
import { hint } from "../../protocol/near.ts";
import { silence } from "../../protocol/host/silence.ts";
import { hosts } from "../../hosts/index.ts";
import { dispatch } from "../../run/dispatch.ts";
import { matchingHooks } from "../../run/select.ts";
import { DEADLINE_MS } from "../../run/run.ts";
import { limitContinuations } from "../../run/stop.ts";
import { apart } from "./apart.ts";
import { isThrownByHook } from "./blame.ts";
import { call, inProcess, tellContinuations, warningsIn } from "./call.ts";
import { completed, type GivenEvent } from "./event.ts";
import { type Files, filesIn, putFiles } from "./files.ts";
import { type HookModule, testedHook, testedHooks } from "./hooks.ts";
import { type Made, resultOf, type Simulated } from "./result.ts";

export type { GivenEvent } from "./event.ts";
export type { HookModule } from "./hooks.ts";
export type { Simulated, SimulatedHook } from "./result.ts";

export interface SimulateOptions {
  /** Asked as this host asks: the hook sees the event in the host's words, and `answer` is what the host would get. */
  host?: string;
  /** What config files would say of the hook; of several hooks, by their names. No config file is read. */
  options?: Readonly<Record<string, unknown>>;
  /** Files by their paths in a new folder, in which the event happens; in the result they are as they are afterwards. */
  files?: Files;
  /** Milliseconds for the call. Default 4000. */
  timeoutMs?: number;
  /**
   * What becomes of the call when a hook fails that does not say so itself, as `--on-error` has it. The failure is in the result then;
   * without this, a hook that fails fails the test.
   */
  onError?: FailurePolicy;
}

/**
 * Runs a hook, or several, as a call does: matcher, options, time limit and the check of the answer included. Nothing is written
 * to the log or the state of this machine; what `state(event)` keeps lasts for the events of one `session_id`.
 * @param event what matters of it; the rest is filled in.
 * @throws what a hook threw, and an Error when it failed otherwise (see `failure`), unless `onError` is given; Error when the event,
 *   a hook, or an option is none.
 */
export async function simulate(
  hook: HookModule | readonly HookModule[],
  event: GivenEvent,
  options: SimulateOptions = {},
): Promise<Simulated> {
  // An error that is not the hook's own is the test's: it begins where the test called.
  const error = new Error();
  Error.captureStackTrace(error, simulate);
  try {
    return await simulated(hook, event, options);
  } catch (problem) {
    if (problem instanceof Error && failures.has(problem)) throw problem;
    error.message = problem instanceof Error ? problem.message : String(problem);
    throw error;
  }
}

/** What hooks threw. */
const failures = new WeakSet<Error>();

const OPTIONS = ["host", "options", "files", "timeoutMs", "onError"] satisfies (keyof SimulateOptions)[];
/** What a hook is called that has no name and no file. */
const UNNAMED = "hook";

const POLICIES: readonly unknown[] = ["allow", "deny", undefined] satisfies (FailurePolicy | undefined)[];

function simulated(
  hook: HookModule | readonly HookModule[],
  event: GivenEvent,
  given: SimulateOptions,
): Promise<Simulated> {
  const unknown = Object.keys(given).find((name) => !(OPTIONS as string[]).includes(name));
  if (unknown !== undefined)
    throw new Error(`simulate has no option "${unknown}"${hint(unknown, OPTIONS) || `; known: ${OPTIONS.join(", ")}`}`);
  const { host, options, files, timeoutMs = DEADLINE_MS, onError } = given;
  if (!POLICIES.includes(onError)) throw new Error(`onError takes "allow" or "deny", not ${JSON.stringify(onError)}`);
  const hooks = isList(hook) ? testedHooks(hook, options) : [testedHook(hook, UNNAMED, options)];
  const asked = host === undefined ? undefined : hostOf(host);
  return inTurn(async (folder) => {
    const cwd = files ? folder : process.cwd();
    if (files) putFiles(folder, files);
    const whole = completed(event, { host: "bridge-hooks", session_id: `simulated-${++sessions}`, cwd });
    const entries = hooks.map(({ entry }) => entry).sort((a, b) => (a.order ?? 0) - (b.order ?? 0));
    const flags = ["--timeout-ms", String(timeoutMs), "--on-error", onError ?? "allow"];
    const made = asked ? await asHost(entries, whole, asked, flags) : await alone(entries, whole, timeoutMs);
    if (onError === undefined) throwFailure(made);
    return { ...resultOf(hooks, made, onError ?? "allow"), ...(files && { files: filesIn(folder) }) };
  });
}

/** @throws what the first hook failed of. */
function throwFailure({ outcomes, failure }: Made): void {
  const failed = outcomes.find((outcome) => outcome.failure !== undefined);
  if (failed === undefined && failure === undefined) return;
  const { error } = failed ?? {};
  if (isThrownByHook(error)) {
    failures.add(error);
    throw error;
  }
  const who = failed?.entry.name === UNNAMED ? "the hook" : `the hook "${failed?.entry.name}"`;
  throw new Error(failed ? `${who} failed: ${failed.failure}` : failure);
}

const isList = (hook: HookModule | readonly HookModule[]): hook is readonly HookModule[] => Array.isArray(hook);

let sessions = 0;
/** What `state(event)` kept so far: no test is told when the last one is over, so nothing may lie on the disk between two calls. */
let kept: Files = {};
let last: Promise<unknown> = Promise.resolve();

/** One call after the other: hooks of one process share its folder, its timers and its errors. */
function inTurn(work: (folder: string) => Promise<Simulated>): Promise<Simulated> {
  const next = last.then(() =>
    apart(async ({ folder, state }) => {
      putFiles(state, kept);
      const result = await work(folder);
      kept = filesIn(state);
      return result;
    }),
  );
  last = next.catch(() => {});
  return next;
}

function hostOf(id: string): Host {
  const ids = hosts.map((host) => host.id);
  const found = hosts.find((host) => host.id === id);
  if (!found) throw new Error(`there is no host "${id}"${hint(id, ids) || `; known: ${ids.join(", ")}`}`);
  return found;
}

/** The hooks as every host would run them. */
async function alone(entries: readonly HookEntry[], event: AnyEvent, timeoutMs: number): Promise<Made> {
  const outcomes = await inProcess(() => dispatch(matchingHooks(entries, event), event, performance.now() + timeoutMs));
  const count = "continuations" in event ? event.continuations : undefined;
  if (count === undefined) return { event, outcomes, warnings: [] };
  return { event, ...limitContinuations(outcomes, { count, first: count === 0, told: true }, 1) };
}

/** The hooks as a host has them run. Of an event that is several calls there, the one that is stopped, or else the first. */
async function asHost(
  entries: readonly HookEntry[],
  event: AnyEvent,
  host: Host,
  flags: readonly string[],
): Promise<Made> {
  const told = (await host.speech()).payloads(event);
  const [first] = told;
  if (!first) throw new Error(silence(host, event));
  const { native_event } = first;
  const argv = ["--host", host.id, "--event", native_event, ...flags];
  let made: Made | undefined;
  for (const { payload } of told.filter((one) => one.native_event === native_event)) {
    tellContinuations(host, native_event, event);
    const { answer, seen } = await call(entries, argv, JSON.stringify(payload), {});
    const { stdout, stderr, exit_code, restricts, append } = answer;
    const failure = seen ? undefined : stderr;
    if (made && !restricts) continue;
    made = {
      event: seen?.event ?? event,
      outcomes: seen?.outcomes ?? [],
      failure,
      warnings: warningsIn(stderr),
      answer: { stdout, stderr, exit_code, ...(append && { append }) },
      restricts: restricts === true,
    };
    if (restricts) break;
  }
  return made as Made;
}
