import { hasContinuingDenial } from "../protocol/capability.ts";
import type { AnyEvent } from "../protocol/event.ts";
import { isProbe } from "../protocol/probe.ts";
import { runHooks } from "./ask/dispatch.ts";
import type { HookOutcome } from "./ask/outcome.ts";
import type { DeniedCall } from "./exceptions/apply.ts";
import { formatDifferences, formatForeignMarker } from "./identify/messages.ts";
import type { SelectedCall } from "./select.ts";

/** The hooks' responses to a call. */
export interface HookReplies {
  outcomes: readonly HookOutcome[];
  warnings: readonly string[];
  /** Whether the hooks have already judged an earlier event for the same call. */
  isRepeated: boolean;
  /** The denied call, if a user can allow it with an exception. */
  deniedCall?: DeniedCall;
}

/** A call after its hooks have responded. */
export interface AskedCall extends SelectedCall {
  replies: HookReplies;
}

const NO_REPLIES: HookReplies = { outcomes: [], warnings: [], isRepeated: false };

/**
 * Runs the hooks that apply to the call. On the first such call in a session, also warns about invalid parts of the
 * config files, another host's marker in the payload, and differences from what the host itself sends.
 */
export async function askHooks(call: SelectedCall): Promise<AskedCall> {
  if (call.hooks.length === 0) return { ...call, replies: NO_REPLIES };
  const replies = await collectReplies(call);
  const isForeign = call.foreignMark !== undefined || call.differences?.length;
  const needsNotice = call.context.modes?.voidParts !== undefined || isForeign;
  if (!needsNotice || replies.isRepeated) return { ...call, replies };
  return { ...call, replies: { ...replies, warnings: [...replies.warnings, ...(await listNotices(call))] } };
}

async function listNotices({ context, event, foreignMark, differences, runtime }: SelectedCall): Promise<string[]> {
  const { describeVoidParts, sayOnce } = await import("./config-modules.ts");
  const reader = { session: event.session_id || event.cwd, env: runtime.env };
  const { host, modes } = context;
  return [
    modes?.voidParts && describeVoidParts(modes.voidParts, reader),
    host && foreignMark && sayOnce(formatForeignMarker(host, foreignMark), reader),
    host && differences?.length && sayOnce(formatDifferences(host, differences), reader, "differences"),
  ].filter((notice) => typeof notice === "string");
}

async function collectReplies(call: SelectedCall): Promise<HookReplies> {
  if (hasContinuingDenial(call.row)) return askAtStop(call);
  const { event, options, runtime } = call;
  if (options.after === undefined) return { ...NO_REPLIES, ...(await judgeCall(call)) };
  const { findMarker, deleteMarker, changesSameFields } = await import("./state/call-marks.ts");
  const mark = findMarker(event, runtime.env);
  const judgedCall = await judgeCall(call, mark && { isFixed: true });
  const { outcomes } = judgedCall;
  if (mark === undefined) return { ...NO_REPLIES, ...judgedCall };
  deleteMarker(mark.path);
  const withoutRepeatedPatch = (outcome: HookOutcome): HookOutcome => {
    const { modified_input, ...response } = outcome.response;
    return modified_input && changesSameFields(mark, modified_input) ? { ...outcome, response } : outcome;
  };
  return { ...judgedCall, warnings: [], isRepeated: true, outcomes: outcomes.map(withoutRepeatedPatch) };
}

async function askAtStop(call: SelectedCall): Promise<HookReplies> {
  const { decoded, event, host, options, runtime } = call;
  const { readContinuations, limitContinuations } = await import("./ask/stop.ts");
  const continuations = readContinuations({ ...decoded, event }, runtime.env);
  const outcomes = await dispatch({ ...call, event: { ...event, continuations: continuations.count } as AnyEvent });
  // Don't use the host's own limit unless the host marks the first of several consecutive stops.
  const limit = continuations.isFirstKnown ? host.maxContinuations : undefined;
  const maxInRow = options.maxContinuations ?? limit ?? 1;
  return { ...limitContinuations(outcomes, continuations, maxInRow), isRepeated: false };
}

/** Options for running hooks. */
interface DispatchMode {
  /** Whether the input can no longer change. If true, later hooks don't see an earlier hook's patch. */
  isFixed: boolean;
}

/** Runs the hooks. If a hook stops the call, checks for exceptions. */
async function judgeCall(
  call: SelectedCall,
  mode?: DispatchMode,
): Promise<Pick<HookReplies, "outcomes" | "deniedCall">> {
  const outcomes = await dispatch(call, mode);
  const { event, options, end, contradicted, namedHost, runtime } = call;
  const { loadBinding } = runtime;
  const stoppingOutcomes = outcomes.filter(isStopping);
  if (stoppingOutcomes.length === 0 && outcomes.some(({ exceptedRules }) => exceptedRules) && !isProbe(event)) {
    const { recordConfigExceptions } = await import("./exceptions/config-exceptions.ts");
    return { outcomes: await recordConfigExceptions(outcomes, event, end) };
  }
  // Exceptions don't apply to hooks that protect the policy itself, or to results carried over from a replaced process.
  const allowsNoException = stoppingOutcomes.some(({ entry }) => entry.enforced || entry.settled);
  if (!loadBinding || stoppingOutcomes.length === 0 || allowsNoException || isProbe(event)) return { outcomes };
  const { applyExceptions } = await import("./exceptions/apply.ts");
  const alias = contradicted && namedHost?.id;
  return applyExceptions({ outcomes, event, isRepeat: options.after !== undefined, alias, end }, loadBinding);
}

const isStopping = ({ response: { decision }, failure }: HookOutcome) =>
  decision === "deny" || decision === "ask" || failure !== undefined;

async function dispatch(
  { hooks, event, end, armed, context, runtime }: SelectedCall,
  { isFixed } = { isFixed: false },
): Promise<HookOutcome[]> {
  const isConcerned = hooks.length > 1 ? await runtime.loadHookFilter?.() : undefined;
  const reportProgress = armed?.deadline?.reportProgress;
  return runHooks(hooks, event, end, { reportProgress, isFixed, modes: context.modes, isConcerned });
}
