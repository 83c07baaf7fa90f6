import { hasContinuingDenial, type CapabilityRow } from "../protocol/capability.ts";
import type { AnyEvent } from "../protocol/event.ts";
import type { HookDescriptor } from "../protocol/hook.ts";
import type { DecodedPayload, Env } from "../protocol/host/host.ts";
import type { Deadline } from "./deadline/deadline.ts";
import { type HookOutcome, runHooks } from "./ask/dispatch.ts";
import type { DeniedCall, LoadBinding } from "./exceptions/apply.ts";
import type { ModePolicy } from "../policy/modes.ts";
import type { AnyOptions } from "./options.ts";
import type { HookFilter } from "../system/quick-system.ts";

/** A call and the hooks to run for it. */
interface HookQuestion {
  hooks: readonly HookDescriptor[];
  decoded: DecodedPayload;
  row: CapabilityRow;
  options: AnyOptions;
  /** When the hooks must be done, in `performance.now()` time. */
  end: number;
  deadline: Deadline | undefined;
  modes: ModePolicy | undefined;
  /** Absent: each of the hooks is asked. */
  isConcerned: HookFilter | undefined;
  /** The host was named as another one. */
  alias: string | undefined;
  /** Absent: nothing takes an exception that a person made on purpose. */
  loadBinding: LoadBinding | undefined;
}

interface HookReplies {
  outcomes: readonly HookOutcome[];
  warnings: readonly string[];
  /** An earlier event of the same call was already judged. */
  isRepeated: boolean;
  /** A person can let the call pass on purpose. */
  denied?: DeniedCall;
}

const NO_REPLIES: HookReplies = { outcomes: [], warnings: [], isRepeated: false };

/** Runs the hooks, if any wants the call. What is void in the config files is a warning of the first such call. */
export async function askHooks(question: HookQuestion, env: Env): Promise<HookReplies> {
  if (question.hooks.length === 0) return NO_REPLIES;
  const replies = await askAbout(question, env);
  const { voidParts } = question.modes ?? {};
  if (!voidParts || replies.isRepeated) return replies;
  const { session_id, cwd } = question.decoded.event;
  const { describeVoidParts } = await import("./configured.ts");
  const notice = describeVoidParts(voidParts, { session: session_id || cwd, env });
  return notice === undefined ? replies : { ...replies, warnings: [...replies.warnings, notice] };
}

async function askAbout(question: HookQuestion, env: Env): Promise<HookReplies> {
  if (hasContinuingDenial(question.row)) return askAtStop(question, env);
  const { decoded, options } = question;
  if (options.after === undefined) return { ...NO_REPLIES, ...(await judge(question, decoded.event)) };
  const { findMark, deleteMark, changesSameFields } = await import("./state/call-marks.ts");
  const mark = findMark(decoded.event, env);
  const judged = await judge(question, decoded.event, mark !== undefined);
  const { outcomes } = judged;
  if (mark === undefined) return { ...NO_REPLIES, ...judged };
  deleteMark(mark.path);
  const withoutRepeatedPatch = (outcome: HookOutcome): HookOutcome => {
    const { modified_input, ...response } = outcome.response;
    return modified_input && changesSameFields(mark, modified_input) ? { ...outcome, response } : outcome;
  };
  return { ...judged, warnings: [], isRepeated: true, outcomes: outcomes.map(withoutRepeatedPatch) };
}

async function askAtStop(question: HookQuestion, env: Env): Promise<HookReplies> {
  const { decoded, options } = question;
  const { readContinuations, limitContinuations } = await import("./ask/stop.ts");
  const continuations = readContinuations(decoded, env);
  const event = { ...decoded.event, continuations: continuations.count } as AnyEvent;
  const outcomes = await dispatchTo(question, event);
  return { ...limitContinuations(outcomes, continuations, options.maxContinuations ?? 1), isRepeated: false };
}

/** Asks the hooks. Only for a call that they stop, it is looked whether a person allowed it on purpose. */
async function judge(
  question: HookQuestion,
  event: AnyEvent,
  isFixed = false,
): Promise<Pick<HookReplies, "outcomes" | "denied">> {
  const outcomes = await dispatchTo(question, event, isFixed);
  const { alias, end, options, loadBinding } = question;
  const stopping = outcomes.filter(isStopping);
  // What guards the policy itself, and what a replaced process left behind, take no exception.
  if (!loadBinding || stopping.length === 0 || stopping.some(({ entry }) => entry.enforced || entry.settled))
    return { outcomes };
  const { applyExceptions } = await import("./exceptions/apply.ts");
  return applyExceptions({ outcomes, event, isRepeat: options.after !== undefined, alias, end }, loadBinding);
}

const isStopping = ({ response: { decision }, failure }: HookOutcome) =>
  decision === "deny" || decision === "ask" || failure !== undefined;

/** @param isFixed the input can't be changed any more: a hook's patch is not shown to the hooks after it. */
async function dispatchTo(
  { hooks, end, deadline, modes, isConcerned }: HookQuestion,
  event: AnyEvent,
  isFixed = false,
): Promise<HookOutcome[]> {
  return runHooks(hooks, event, end, { expect: deadline?.reportProgress, isFixed, modes, isConcerned });
}
