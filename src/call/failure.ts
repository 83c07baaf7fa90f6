import type { HookDescriptor } from "../protocol/hook.ts";
import { type HostAnswer, getCapabilityRow } from "../protocol/host/host.ts";
import { hasProbeMarker, isInvalidProbe } from "../protocol/probe.ts";
import { describeError } from "../system/errors.ts";
import { type CallContext, canDeny, formatWarnings, getHostSettings, type OpenedCall } from "./context.ts";
import type { DecodedCall } from "./decode.ts";
import { hasCapabilityRow } from "./identify.ts";
import { describeCall, NO_DECISION_RESULT } from "./log/concluded-call.ts";
import { CallError, getInputMs } from "./read.ts";
import type { AnsweredCall } from "./write.ts";

/** A call with the results of the stages it completed. */
export type ReachedCall = OpenedCall & Partial<DecodedCall>;

export async function answerFailedCall(call: ReachedCall, error: unknown): Promise<AnsweredCall> {
  const { entries, context, flagProblem, armed, rawInput, raw } = call;
  // A hook may have broken built-ins in this process. A new process has working ones.
  armed?.deadline?.handOver();
  const native_event = context.native_event || (error instanceof CallError ? error.native_event : "");
  // Report an invalid flag first, since it may have caused all other problems.
  const problem = flagProblem === undefined ? describeError(error) : await qualifyProblem(flagProblem);
  const answer = await answerFailure(entries, { ...context, native_event }, problem).catch(
    () => armed?.last ?? getLastResortAnswer(context.policy),
  );
  // With an unknown flag but no host or payload, this is a typo at the terminal, not a call.
  const isFlagTypo = flagProblem !== undefined && call.options.host === undefined;
  const isTyped = isFlagTypo && typeof rawInput === "string" && rawInput.trim() === "";
  return isTyped || isInvalidProbe(rawInput) || hasProbeMarker(raw)
    ? { answer }
    : describeFailure(call, answer, problem);
}

/** Expands the commands in a message so that they work in the terminal where a user would fix the entry. */
const qualifyProblem = (problem: string): Promise<string> =>
  import("../system/own-command.ts")
    .then(({ getOwnCommand, qualifyCommands }) => qualifyCommands(problem, getOwnCommand("elsewhere")))
    .catch(() => problem);

/** Answers a call whose entry names an unknown host. */
export async function answerUnknownHost(call: OpenedCall): Promise<AnsweredCall> {
  const { refuseUnknownHost } = await import("./identify/unknown-host.ts");
  const { answer, isProbe } = await refuseUnknownHost(call.options, call.runtime, getInputMs(call));
  return isProbe ? { answer } : describeFailure(call, answer, `unknown host "${call.options.host}"`);
}

/** Describes a failed call for the log: denied in the host's format, denied by the exit code, or allowed. */
function describeFailure(call: ReachedCall, answer: HostAnswer, problem: string): AnsweredCall {
  const decision = answer.restricts === true || answer.exit_code === 2 ? "deny" : undefined;
  return { answer, concluded: describeCall(call, { ...NO_DECISION_RESULT, outcomes: [], decision, problem }) };
}

/** Builds the answer to a failed call from the failure policy of the call or of any hook for this event. */
export async function answerFailure(
  entries: readonly HookDescriptor[],
  context: CallContext,
  problem: string,
): Promise<HostAnswer> {
  const { native_event, modes } = context;
  // The failure isn't tied to a hook, so the general mode decides.
  const mayDeny = (hook?: string) => modes === undefined || modes.find(hook ?? "") === "enforce";
  const policy = mayDeny() ? context.policy : "allow";
  const host = await context.host?.loadHost();
  const stderr = formatWarnings(context, [problem]);
  const row = host && getCapabilityRow(host, native_event);
  const concerns = ({ events }: HookDescriptor) =>
    row !== undefined &&
    (native_event === "" || (host !== undefined && hasCapabilityRow(host, native_event) && events.includes(row.event)));
  const mustDeny =
    policy === "deny" || entries.some((entry) => entry.onError === "deny" && concerns(entry) && mayDeny(entry.name));
  if (!mustDeny) return { stdout: host?.neutralOutput ?? "", stderr, exit_code: host?.failureExitCode ?? 1 };
  if (!host || !row) return { stdout: "", stderr, exit_code: 2 };
  if (!canDeny(row, undefined)) return { stdout: host.neutralOutput, stderr, exit_code: 0 };
  const reason = `bridge-hooks: ${problem}. No hook made a decision, and the failure policy is to deny.`;
  const denial = host.encodeAnswer(
    { decision: "deny", reason },
    row.shape,
    native_event,
    getHostSettings(host, context),
  );
  return { ...denial, restricts: true, stderr: denial.stderr || stderr };
}

/** Builds the answer if a hook broke essential built-ins in this process. */
export const getLastResortAnswer = (policy: CallContext["policy"]): HostAnswer => ({
  stdout: "",
  stderr:
    'bridge-hooks: the call failed, and its answer could not be built; run the hooks one by one with "bridge-hooks try"',
  exit_code: policy === "deny" ? 2 : 1,
});
