import type { AnyEvent } from "./core/event.ts";
import type { FailurePolicy, HookEntry } from "./core/hook.ts";
import type { Answer, Host } from "./core/host.ts";
import { merge } from "./core/merge.ts";
import { hint } from "./core/near.ts";
import type { IHookResponse } from "./core/response.ts";
import { silence } from "./core/speech.ts";
import { hosts } from "./hosts/index.ts";
import { dispatch, type Outcome, wanted } from "./run/dispatch.ts";
import { DEADLINE_MS } from "./run/run.ts";
import { limitContinuations } from "./run/stop.ts";
import { apart } from "./testing/apart.ts";
import { call, inProcess, tellContinuations, warningsIn } from "./testing/call.ts";
import { completed, type GivenEvent } from "./testing/event.ts";
import { type Files, filesIn, putFiles } from "./testing/files.ts";
import { type HookModule, type Tested, testedHook, testedHooks } from "./testing/hooks.ts";

export type { GivenEvent } from "./testing/event.ts";
export type { HookModule } from "./testing/hooks.ts";

export interface SimulateOptions {
  /** Asked as this host asks: the hook sees the event in the host's words, and `answer` is what the host would get. */
  host?: string;
  /** What config files would say of the hook; of several hooks, by their names. No config file is read. */
  options?: Readonly<Record<string, unknown>>;
  /** Files by their paths in a new folder, in which the event happens; in the result they are as they are afterwards. */
  files?: Files;
  /** Milliseconds for the call. Default 5000. */
  timeout_ms?: number;
  /** With a host: what becomes of the call when a hook fails. Default "allow". */
  onError?: FailurePolicy;
}

/** What one of the hooks did. */
export interface SimulatedHook extends IHookResponse {
  name: string;
  /** Whether event, tool and matcher fit. */
  matched: boolean;
  /** What went wrong: it threw, took too long, answered nonsense, or its options are not as its schema wants them. */
  failure?: string;
  log: readonly string[];
  /** The options that its handler got. */
  options: unknown;
  ms: number;
}

/** What hooks made of an event. `decision`, `reason` and the other fields of an answer are those of all hooks together. */
export interface Simulated extends IHookResponse {
  /** Whether event, tool and matcher of a hook fit. */
  matched: boolean;
  /** The first that there is. */
  failure?: string;
  log: readonly string[];
  /** Of the first hook. */
  options: unknown;
  hooks: readonly SimulatedHook[];
  /** The event as the hooks saw it. */
  event: AnyEvent;
  /** What is told beside the answer, a line each: what the host can't do, and denials at Stop that were one too many. */
  warnings: readonly string[];
  /** With `files`: all files of that folder afterwards. */
  files?: Files;
  /** With `host`: what it would get, byte for byte. */
  answer?: Pick<Answer, "stdout" | "stderr" | "exit_code">;
}

/**
 * Runs a hook, or several, as a call does: matcher, options, time limit and the check of the answer included. Nothing is written
 * to the log or the state of this machine; what `state(event)` keeps lasts for the events of one `session_id`.
 * @param event what matters of it; the rest is filled in.
 * @throws Error when the event, or a hook, is none. What goes wrong in a hook is in `failure`.
 */
export async function simulate(
  hook: HookModule | readonly HookModule[],
  event: GivenEvent,
  { host, options, files, timeout_ms = DEADLINE_MS, onError = "allow" }: SimulateOptions = {},
): Promise<Simulated> {
  const hooks = isList(hook) ? testedHooks(hook, options) : [testedHook(hook, "hook", options)];
  const asked = host === undefined ? undefined : hostOf(host);
  return inTurn(async (folder) => {
    const cwd = files ? folder : process.cwd();
    if (files) putFiles(folder, files);
    const whole = completed(event, { host: "bridge-hooks", session_id: `simulated-${++sessions}`, cwd });
    const entries = hooks.map(({ entry }) => entry).sort((a, b) => (a.order ?? 0) - (b.order ?? 0));
    const flags = ["--timeout-ms", String(timeout_ms), "--on-error", onError];
    const made = asked ? await asHost(entries, whole, asked, flags) : await alone(entries, whole, timeout_ms);
    return { ...resultOf(hooks, made), ...(files && { files: filesIn(folder) }) };
  });
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

/** What became of an event. */
interface Made extends Pick<Simulated, "event" | "warnings" | "answer"> {
  outcomes: readonly Outcome[];
  /** The call failed before it came to the hooks. */
  failure?: string;
}

/** The hooks as every host would run them. */
async function alone(entries: readonly HookEntry[], event: AnyEvent, timeout_ms: number): Promise<Made> {
  const outcomes = await inProcess(() => dispatch(wanted(entries, event), event, performance.now() + timeout_ms));
  const count = "continuations" in event ? event.continuations : undefined;
  const warnings = count === undefined ? [] : limitContinuations(outcomes, { count, first: count === 0, told: true }, 1);
  return { event, outcomes, warnings };
}

/** The hooks as a host has them run. Of an event that is several calls there, the one that is stopped, or else the first. */
async function asHost(entries: readonly HookEntry[], event: AnyEvent, host: Host, flags: readonly string[]): Promise<Made> {
  const told = (await host.speech()).payloads(event);
  const [first] = told;
  if (!first) throw new Error(silence(host, event));
  const { native_event } = first;
  const argv = ["--host", host.id, "--event", native_event, ...flags];
  let made: Made | undefined;
  for (const { payload } of told.filter((one) => one.native_event === native_event)) {
    tellContinuations(host, native_event, event);
    const { answer, seen } = await call(entries, argv, JSON.stringify(payload), {});
    const { stdout, stderr, exit_code, restricts } = answer;
    const failure = seen ? undefined : stderr;
    if (made && !restricts) continue;
    made = {
      event: seen?.event ?? event,
      outcomes: seen?.outcomes ?? [],
      failure,
      warnings: warningsIn(stderr),
      answer: { stdout, stderr, exit_code },
    };
    if (restricts) break;
  }
  return made as Made;
}

function resultOf(hooks: readonly Tested[], { event, outcomes, failure, warnings, answer }: Made): Simulated {
  const each = hooks.map(({ entry, options }): SimulatedHook => {
    const outcome = outcomes.find((one) => one.entry === entry);
    const problem = outcome?.failure;
    return {
      name: entry.name,
      matched: outcome !== undefined && !outcome.unfit,
      ...(outcome && merge([outcome.response])),
      ...(problem !== undefined && { failure: problem }),
      log: outcome?.log ?? [],
      options,
      ms: outcome?.ms ?? 0,
    };
  });
  const problem = failure ?? outcomes.find((outcome) => outcome.failure !== undefined)?.failure;
  return {
    matched: each.some(({ matched }) => matched),
    ...merge(outcomes.map(({ response }) => response)),
    ...(problem !== undefined && { failure: problem }),
    log: outcomes.flatMap(({ log }) => log),
    options: each[0]?.options,
    hooks: each,
    event,
    warnings,
    ...(answer && { answer }),
  };
}
