import type { HookDescriptor } from "../protocol/hook.ts";
import { type HostAnswer, getCapabilityRow } from "../protocol/host/host.ts";
import { type CallContext, canDeny, formatWarnings, getHostSettings } from "./context.ts";
import { hasEvent } from "./identify.ts";

/** The answer when the call itself failed, by the failure policy of the call or of any hook for this event. */
export async function answerFailure(
  entries: readonly HookDescriptor[],
  context: CallContext,
  problem: string,
): Promise<HostAnswer> {
  const { native_event, modes } = context;
  // What the call as a whole fails at is nobody's denial: the mode of everything decides.
  const mayDeny = (hook?: string) => modes === undefined || modes.find(hook ?? "") === "enforce";
  const policy = mayDeny() ? context.policy : "allow";
  const host = await context.host?.loadHost();
  const stderr = formatWarnings(context, [problem]);
  const row = host && getCapabilityRow(host, native_event);
  const concerns = ({ events }: HookDescriptor) =>
    row !== undefined &&
    (native_event === "" || (host !== undefined && hasEvent(host, native_event) && events.includes(row.event)));
  const mustDeny =
    policy === "deny" || entries.some((entry) => entry.onError === "deny" && concerns(entry) && mayDeny(entry.name));
  if (!mustDeny) return { stdout: host?.neutralOutput ?? "", stderr, exit_code: host?.failureExitCode ?? 1 };
  if (!host || !row) return { stdout: "", stderr, exit_code: 2 };
  if (!canDeny(row, undefined)) return { stdout: host.neutralOutput, stderr, exit_code: 0 };
  const reason = `bridge-hooks: ${problem}. Nothing was decided, and the failure policy is to deny.`;
  const denial = host.encodeAnswer(
    { decision: "deny", reason },
    row.shape,
    native_event,
    getHostSettings(host, context),
  );
  return { ...denial, restricts: true, stderr: denial.stderr || stderr };
}

/** The answer when a hook broke built-ins that all code needs. */
export const getLastResortAnswer = (policy: CallContext["policy"]): HostAnswer => ({
  stdout: "",
  stderr:
    'bridge-hooks: the call failed, and its answer could not be made; run the hooks one by one with "bridge-hooks try"',
  exit_code: policy === "deny" ? 2 : 1,
});
