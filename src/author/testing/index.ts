import type { AnyEvent } from "../../protocol/event.ts";
import type { FailurePolicy, HookDescriptor } from "../../protocol/hook.ts";
import type { Host } from "../../protocol/host/host.ts";
import { suggestName } from "../../protocol/name-suggestions.ts";
import { explainMissingPayload } from "../../protocol/host/missing-payload.ts";
import { hosts } from "../../hosts/index.ts";
import { runHooks } from "../../call/ask/dispatch.ts";
import { findMatchingHooks } from "../../call/select.ts";
import { DEADLINE_MS } from "../../call/context.ts";
import { limitContinuations } from "../../call/ask/stop.ts";
import { runInTempDir } from "./temp-dir.ts";
import { isThrownByHook } from "./hook-modules.ts";
import { runHookCall, runInProcess, storeContinuations, extractWarnings } from "./call.ts";
import { completeEvent, type GivenEvent } from "./event.ts";
import { type FilesByPath, readFiles, writeFiles } from "./files.ts";
import { type HookModule, prepareHook, prepareHooks } from "./hooks.ts";
import { type SimulationRun, buildResult, type Simulated } from "./result.ts";

export type { GivenEvent } from "./event.ts";
export type { HookModule } from "./hooks.ts";
export type { Simulated, SimulatedHook } from "./result.ts";

export interface SimulateOptions {
  /**
   * The host to simulate. The hook receives the event as that host sends it, and `answer` contains the output for the
   * host. Defaults to none.
   */
  host?: string;
  /**
   * The hook's settings, as config files would contain them. For several hooks, an object keyed by hook name. Config
   * files aren't read.
   */
  options?: Readonly<Record<string, unknown>>;
  /**
   * Files to create in a new directory, keyed by path. The directory becomes the event's working directory. The result
   * contains the files' final state.
   */
  files?: FilesByPath;
  /** Time limit of the call in milliseconds. Defaults to 4000. */
  timeoutMs?: number;
  /**
   * Failure policy for hooks without their own, as in `--on-error`. If set, the result contains the failure; otherwise,
   * a failing hook fails the test.
   */
  onError?: FailurePolicy;
}

/**
 * Runs one or more hooks as in a real call, including matchers, options, the time limit and response validation.
 * Nothing is written to this machine's log or state. Values in `state(event)` persist for all events with the same
 * `session_id`.
 * @param event The relevant fields of the event; missing fields are filled in.
 * @throws The error that a hook threw, or an Error if the hook failed in another way (see `failure`), unless `onError`
 * is set. Error if the event, a hook or an option is invalid.
 */
export async function simulate(
  hook: HookModule | readonly HookModule[],
  event: GivenEvent,
  options: SimulateOptions = {},
): Promise<Simulated> {
  // For errors outside hooks, point the stack at the call in the test.
  const error = new Error();
  Error.captureStackTrace(error, simulate);
  try {
    return await runSimulation(hook, event, options);
  } catch (problem) {
    if (problem instanceof Error && thrownErrors.has(problem)) throw problem;
    error.message = problem instanceof Error ? problem.message : String(problem);
    throw error;
  }
}

/** Errors thrown by hooks. */
const thrownErrors = new WeakSet<Error>();

const OPTION_NAMES = ["host", "options", "files", "timeoutMs", "onError"] satisfies (keyof SimulateOptions)[];
/** Name of a hook that has neither a name nor a file. */
const UNNAMED_HOOK = "hook";

const FAILURE_POLICIES: readonly unknown[] = ["allow", "deny", undefined] satisfies (FailurePolicy | undefined)[];

function runSimulation(
  hook: HookModule | readonly HookModule[],
  event: GivenEvent,
  simulateOptions: SimulateOptions,
): Promise<Simulated> {
  const unknownOption = Object.keys(simulateOptions).find((name) => !(OPTION_NAMES as string[]).includes(name));
  if (unknownOption !== undefined)
    throw new Error(
      `simulate has no option "${unknownOption}"${suggestName(unknownOption, OPTION_NAMES) || `; known: ${OPTION_NAMES.join(", ")}`}`,
    );
  const { host, options, files, timeoutMs = DEADLINE_MS, onError } = simulateOptions;
  if (!FAILURE_POLICIES.includes(onError))
    throw new Error(`onError must be "allow" or "deny", not ${JSON.stringify(onError)}`);
  const hooks = isHookList(hook) ? prepareHooks(hook, options) : [prepareHook(hook, UNNAMED_HOOK, options)];
  const simulatedHost = host === undefined ? undefined : findHost(host);
  return runSerially(async (folder) => {
    const cwd = files ? folder : process.cwd();
    if (files) writeFiles(folder, files);
    const fullEvent = completeEvent(event, { host: "bridge-hooks", session_id: `simulated-${++sessionCount}`, cwd });
    const entries = hooks.map(({ entry }) => entry).sort((a, b) => (a.order ?? 0) - (b.order ?? 0));
    const flags = ["--timeout-ms", String(timeoutMs), "--on-error", onError ?? "allow"];
    const simulationRun = simulatedHost
      ? await runAsHost(entries, fullEvent, simulatedHost, flags)
      : await runWithoutHost(entries, fullEvent, timeoutMs);
    if (onError === undefined) throwFailure(simulationRun);
    return { ...buildResult(hooks, simulationRun, onError ?? "allow"), ...(files && { files: readFiles(folder) }) };
  });
}

/** @throws The first hook's failure. */
function throwFailure({ outcomes, failure }: SimulationRun): void {
  const failed = outcomes.find((outcome) => outcome.failure !== undefined);
  if (failed === undefined && failure === undefined) return;
  const { error } = failed ?? {};
  if (isThrownByHook(error)) {
    thrownErrors.add(error);
    throw error;
  }
  const hookLabel = failed?.entry.name === UNNAMED_HOOK ? "the hook" : `the hook "${failed?.entry.name}"`;
  throw new Error(failed ? `${hookLabel} failed: ${failed.failure}` : failure);
}

const isHookList = (hook: HookModule | readonly HookModule[]): hook is readonly HookModule[] => Array.isArray(hook);

let sessionCount = 0;
/**
 * State kept between simulations. It's in memory, because nothing signals the end of the last test and files would be
 * left on disk.
 */
let preservedState: FilesByPath = {};
let lastSimulation: Promise<unknown> = Promise.resolve();

/** Runs simulations one at a time, because hooks share the process's working directory, timers and errors. */
function runSerially(work: (folder: string) => Promise<Simulated>): Promise<Simulated> {
  const nextSimulation = lastSimulation.then(() =>
    runInTempDir(async ({ folder, state }) => {
      writeFiles(state, preservedState);
      const result = await work(folder);
      preservedState = readFiles(state);
      return result;
    }),
  );
  lastSimulation = nextSimulation.catch(() => {});
  return nextSimulation;
}

function findHost(id: string): Host {
  const ids = hosts.map((host) => host.id);
  const registeredHost = hosts.find((host) => host.id === id);
  if (!registeredHost) throw new Error(`unknown host "${id}"${suggestName(id, ids) || `; known: ${ids.join(", ")}`}`);
  return registeredHost;
}

/** Runs the hooks without a host. */
async function runWithoutHost(
  entries: readonly HookDescriptor[],
  event: AnyEvent,
  timeoutMs: number,
): Promise<SimulationRun> {
  const outcomes = await runInProcess(() =>
    runHooks(findMatchingHooks(entries, event), event, performance.now() + timeoutMs),
  );
  const count = "continuations" in event ? event.continuations : undefined;
  if (count === undefined) return { event, outcomes, warnings: [] };
  return { event, ...limitContinuations(outcomes, { count, isFirst: count === 0, isFirstKnown: true }, 1) };
}

/**
 * Runs the hooks as a host would. If the event corresponds to several calls on that host, returns the first restricted
 * call, or the first call if none is restricted.
 */
async function runAsHost(
  entries: readonly HookDescriptor[],
  event: AnyEvent,
  host: Host,
  flags: readonly string[],
): Promise<SimulationRun> {
  const payloads = (await host.loadScriptCodec()).buildPayloads(event);
  const [first] = payloads;
  if (!first) throw new Error(explainMissingPayload(host, event));
  const { native_event } = first;
  const argv = ["--host", host.id, "--event", native_event, ...flags];
  let firstRun: SimulationRun | undefined;
  for (const { payload } of payloads.filter((nativePayload) => nativePayload.native_event === native_event)) {
    storeContinuations(host, native_event, event);
    const { answer, observedCall } = await runHookCall(entries, argv, JSON.stringify(payload), {});
    const { stdout, stderr, exit_code, restricts, append } = answer;
    const failure = observedCall ? undefined : stderr;
    if (firstRun && !restricts) continue;
    firstRun = {
      event: observedCall?.event ?? event,
      outcomes: observedCall?.outcomes ?? [],
      failure,
      warnings: extractWarnings(answer),
      answer: { stdout, stderr, exit_code, ...(append && { append }) },
      restricts: restricts === true,
    };
    if (restricts) break;
  }
  return firstRun as SimulationRun;
}
