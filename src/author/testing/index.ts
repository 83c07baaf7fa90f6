import type { AnyEvent } from "../../protocol/event.ts";
import type { FailurePolicy, HookDescriptor } from "../../protocol/hook.ts";
import type { Host } from "../../protocol/host/host.ts";
import { suggestName } from "../../protocol/name-suggestions.ts";
import { explainMissingPayload } from "../../protocol/host/silence.ts";
import { hosts } from "../../hosts/index.ts";
import { dispatch } from "../../run/dispatch.ts";
import { matchingHooks } from "../../run/select.ts";
import { DEADLINE_MS } from "../../run/run.ts";
import { limitContinuations } from "../../run/stop.ts";
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
  /** Asked as this host asks: the hook sees the event in the host's words, and `answer` is what the host would get. */
  host?: string;
  /** What config files would say of the hook; of several hooks, by their names. No config file is read. */
  options?: Readonly<Record<string, unknown>>;
  /** Files by their paths in a new folder, in which the event happens; in the result they are as they are afterwards. */
  files?: FilesByPath;
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
    return await runSimulation(hook, event, options);
  } catch (problem) {
    if (problem instanceof Error && thrownErrors.has(problem)) throw problem;
    error.message = problem instanceof Error ? problem.message : String(problem);
    throw error;
  }
}

/** What hooks threw. */
const thrownErrors = new WeakSet<Error>();

const OPTION_NAMES = ["host", "options", "files", "timeoutMs", "onError"] satisfies (keyof SimulateOptions)[];
/** What a hook is called that has no name and no file. */
const UNNAMED_HOOK = "hook";

const POLICIES: readonly unknown[] = ["allow", "deny", undefined] satisfies (FailurePolicy | undefined)[];

function runSimulation(
  hook: HookModule | readonly HookModule[],
  event: GivenEvent,
  given: SimulateOptions,
): Promise<Simulated> {
  const unknown = Object.keys(given).find((name) => !(OPTION_NAMES as string[]).includes(name));
  if (unknown !== undefined)
    throw new Error(
      `simulate has no option "${unknown}"${suggestName(unknown, OPTION_NAMES) || `; known: ${OPTION_NAMES.join(", ")}`}`,
    );
  const { host, options, files, timeoutMs = DEADLINE_MS, onError } = given;
  if (!POLICIES.includes(onError)) throw new Error(`onError takes "allow" or "deny", not ${JSON.stringify(onError)}`);
  const hooks = isHookList(hook) ? prepareHooks(hook, options) : [prepareHook(hook, UNNAMED_HOOK, options)];
  const asked = host === undefined ? undefined : findHost(host);
  return runInTurn(async (folder) => {
    const cwd = files ? folder : process.cwd();
    if (files) writeFiles(folder, files);
    const whole = completeEvent(event, { host: "bridge-hooks", session_id: `simulated-${++sessionCount}`, cwd });
    const entries = hooks.map(({ entry }) => entry).sort((a, b) => (a.order ?? 0) - (b.order ?? 0));
    const flags = ["--timeout-ms", String(timeoutMs), "--on-error", onError ?? "allow"];
    const made = asked
      ? await runAsHost(entries, whole, asked, flags)
      : await runWithoutHost(entries, whole, timeoutMs);
    if (onError === undefined) throwFailure(made);
    return { ...buildResult(hooks, made, onError ?? "allow"), ...(files && { files: readFiles(folder) }) };
  });
}

/** @throws what the first hook failed of. */
function throwFailure({ outcomes, failure }: SimulationRun): void {
  const failed = outcomes.find((outcome) => outcome.failure !== undefined);
  if (failed === undefined && failure === undefined) return;
  const { error } = failed ?? {};
  if (isThrownByHook(error)) {
    thrownErrors.add(error);
    throw error;
  }
  const who = failed?.entry.name === UNNAMED_HOOK ? "the hook" : `the hook "${failed?.entry.name}"`;
  throw new Error(failed ? `${who} failed: ${failed.failure}` : failure);
}

const isHookList = (hook: HookModule | readonly HookModule[]): hook is readonly HookModule[] => Array.isArray(hook);

let sessionCount = 0;
/** What `state(event)` kept so far: no test is told when the last one is over, so nothing may lie on the disk between two calls. */
let keptState: FilesByPath = {};
let lastSimulation: Promise<unknown> = Promise.resolve();

/** One call after the other: hooks of one process share its folder, its timers and its errors. */
function runInTurn(work: (folder: string) => Promise<Simulated>): Promise<Simulated> {
  const next = lastSimulation.then(() =>
    runInTempDir(async ({ folder, state }) => {
      writeFiles(state, keptState);
      const result = await work(folder);
      keptState = readFiles(state);
      return result;
    }),
  );
  lastSimulation = next.catch(() => {});
  return next;
}

function findHost(id: string): Host {
  const ids = hosts.map((host) => host.id);
  const found = hosts.find((host) => host.id === id);
  if (!found) throw new Error(`there is no host "${id}"${suggestName(id, ids) || `; known: ${ids.join(", ")}`}`);
  return found;
}

/** The hooks as every host would run them. */
async function runWithoutHost(
  entries: readonly HookDescriptor[],
  event: AnyEvent,
  timeoutMs: number,
): Promise<SimulationRun> {
  const outcomes = await runInProcess(() =>
    dispatch(matchingHooks(entries, event), event, performance.now() + timeoutMs),
  );
  const count = "continuations" in event ? event.continuations : undefined;
  if (count === undefined) return { event, outcomes, warnings: [] };
  return { event, ...limitContinuations(outcomes, { count, first: count === 0, told: true }, 1) };
}

/** The hooks as a host has them run. Of an event that is several calls there, the one that is stopped, or else the first. */
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
  let made: SimulationRun | undefined;
  for (const { payload } of payloads.filter((one) => one.native_event === native_event)) {
    storeContinuations(host, native_event, event);
    const { answer, seen } = await runHookCall(entries, argv, JSON.stringify(payload), {});
    const { stdout, stderr, exit_code, restricts, append } = answer;
    const failure = seen ? undefined : stderr;
    if (made && !restricts) continue;
    made = {
      event: seen?.event ?? event,
      outcomes: seen?.outcomes ?? [],
      failure,
      warnings: extractWarnings(stderr),
      answer: { stdout, stderr, exit_code, ...(append && { append }) },
      restricts: restricts === true,
    };
    if (restricts) break;
  }
  return made as SimulationRun;
}
