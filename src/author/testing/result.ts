import type { AnyEvent } from "../../protocol/event.ts";
import type { FailurePolicy } from "../../protocol/hook.ts";
import type { HostAnswer } from "../../protocol/host/host.ts";
import { isRestriction, mergeResponses } from "../../protocol/merge.ts";
import type { IHookResponse } from "../../protocol/response.ts";
import type { HookOutcome } from "../../call/ask/outcome.ts";
import { resolveFailurePolicy } from "../../call/select.ts";
import type { FilesByPath } from "./files.ts";
import type { PreparedHook } from "./hooks.ts";

/** The result of one hook. */
export interface SimulatedHook extends IHookResponse {
  name: string;
  /** Whether the hook's event, tool and matcher match the event. */
  matched: boolean;
  /**
   * Why the hook failed: it threw an error, timed out, returned an invalid response, or has invalid options. Set only
   * with `onError`.
   */
  failure?: string;
  log: readonly string[];
  /** The options that the handler received. */
  options: unknown;
  ms: number;
}

/**
 * The combined result of all hooks for an event. `decision`, `reason` and the other response fields are merged from all
 * hooks.
 */
export interface Simulated extends IHookResponse {
  /** Whether any hook's event, tool and matcher match the event. */
  matched: boolean;
  /** The first failure. Set only with `onError`. */
  failure?: string;
  log: readonly string[];
  /** The options that the first hook received. */
  options: unknown;
  hooks: readonly SimulatedHook[];
  /** The event as the hooks received it. */
  event: AnyEvent;
  /**
   * Warnings that accompany the answer, one per line: fields that the host doesn't support, and denials on Stop beyond
   * the limit.
   */
  warnings: readonly string[];
  /** All files in the directory after the event. Present only if `files` is. */
  files?: FilesByPath;
  /** The output that the host would receive, byte for byte. Set only with `host`. */
  answer?: Pick<HostAnswer, "stdout" | "stderr" | "exit_code" | "append">;
}

/** The outcome of running the hooks on an event. */
export interface SimulationRun extends Pick<Simulated, "event" | "warnings" | "answer"> {
  outcomes: readonly HookOutcome[];
  /** Why the call failed before it reached the hooks. Absent if the hooks ran. */
  failure?: string;
  /** Whether the answer restricts the call. Set only if a host is simulated. */
  restricts?: boolean;
}

/** Merges the responses and applies the failure policy to failed hooks, as in a real call. */
function mergeRunResponses(
  { event, outcomes, answer, restricts = true }: SimulationRun,
  policy: FailurePolicy,
): IHookResponse {
  const answers = outcomes.map(({ response }) => response);
  const failed = outcomes.filter((outcome) => outcome.failure !== undefined);
  // On Stop, a denial would make the agent continue. If a host is simulated, its answer shows whether the denial has an
  // effect.
  const canDeny = answer ? restricts : event.event !== "Stop" && event.event !== "SubagentStop";
  const failureDenials = failed
    .filter(({ entry }) => canDeny && resolveFailurePolicy(entry, policy) === "deny")
    .map(({ entry, failure }): IHookResponse => {
      return {
        decision: "deny",
        reason: `The hook "${entry.name}" failed (${failure}), and its failure policy is to deny.`,
      };
    });
  const response = mergeResponses([...answers, ...failureDenials]);
  // The failed hook allows the call, so the other hooks' responses are dropped unless they restrict it.
  return failed.some(({ entry }) => resolveFailurePolicy(entry, policy) === "allow") && !isRestriction(response)
    ? {}
    : response;
}

/** Builds the result that the test receives. */
export function buildResult(
  hooks: readonly PreparedHook[],
  simulationRun: SimulationRun,
  policy: FailurePolicy,
): Simulated {
  const { event, outcomes, failure, warnings, answer } = simulationRun;
  const simulatedHooks = hooks.map(({ entry, options }): SimulatedHook => {
    const outcome = outcomes.find((candidate) => candidate.entry === entry);
    const problem = outcome?.failure;
    return {
      name: entry.name,
      matched: outcome !== undefined && !outcome.isUnmatched,
      ...(outcome && mergeResponses([outcome.response])),
      ...(problem !== undefined && { failure: problem }),
      log: outcome?.log ?? [],
      options,
      ms: outcome?.ms ?? 0,
    };
  });
  const problem = failure ?? outcomes.find((outcome) => outcome.failure !== undefined)?.failure;
  return {
    matched: simulatedHooks.some(({ matched }) => matched),
    ...mergeRunResponses(simulationRun, policy),
    ...(problem !== undefined && { failure: problem }),
    log: outcomes.flatMap(({ log }) => log),
    options: simulatedHooks[0]?.options,
    hooks: simulatedHooks,
    event,
    warnings,
    ...(answer && { answer }),
  };
}
