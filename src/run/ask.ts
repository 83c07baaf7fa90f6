import { hasContinuingDenial, type CapabilityRow } from "../protocol/capability.ts";
import type { AnyEvent } from "../protocol/event.ts";
import type { HookDescriptor } from "../protocol/hook.ts";
import type { DecodedPayload, Env } from "../protocol/host/host.ts";
import type { Deadline } from "./deadline.ts";
import type { HookOutcome } from "./dispatch.ts";
import type { ModePolicy } from "./modes.ts";
import type { AnyOptions } from "./options.ts";

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
}

interface HookReplies {
  outcomes: readonly HookOutcome[];
  warnings: readonly string[];
  /** An earlier event of the same call was already judged. */
  isRepeated: boolean;
}

const NO_REPLIES: HookReplies = { outcomes: [], warnings: [], isRepeated: false };

/** Runs the hooks. No hook concerns most calls, so the dispatcher is only loaded when there is one. */
export async function askHooks(question: HookQuestion, env: Env): Promise<HookReplies> {
  if (question.hooks.length === 0) return NO_REPLIES;
  if (hasContinuingDenial(question.row)) return askAtStop(question, env);
  const { decoded, options } = question;
  if (options.after === undefined) return { ...NO_REPLIES, outcomes: await dispatchTo(question, decoded.event) };
  const { findMark, deleteMark, changesSameFields } = await import("./call-marks.ts");
  const mark = findMark(decoded.event, env);
  const outcomes = await dispatchTo(question, decoded.event, mark !== undefined);
  if (mark === undefined) return { ...NO_REPLIES, outcomes };
  deleteMark(mark.path);
  const withoutRepeatedPatch = (outcome: HookOutcome): HookOutcome => {
    const { modified_input, ...response } = outcome.response;
    return modified_input && changesSameFields(mark, modified_input) ? { ...outcome, response } : outcome;
  };
  return { warnings: [], isRepeated: true, outcomes: outcomes.map(withoutRepeatedPatch) };
}

async function askAtStop(question: HookQuestion, env: Env): Promise<HookReplies> {
  const { decoded, options } = question;
  const { readContinuations, limitContinuations } = await import("./stop.ts");
  const continuations = readContinuations(decoded, env);
  const event = { ...decoded.event, continuations: continuations.count } as AnyEvent;
  const outcomes = await dispatchTo(question, event);
  return { ...limitContinuations(outcomes, continuations, options.maxContinuations ?? 1), isRepeated: false };
}

/** @param isFixed the input can't be changed any more: a hook's patch is not shown to the hooks after it. */
async function dispatchTo(
  { hooks, end, deadline, modes }: HookQuestion,
  event: AnyEvent,
  isFixed = false,
): Promise<HookOutcome[]> {
  return (await import("./dispatch.ts")).runHooks(hooks, event, end, deadline?.reportProgress, isFixed, modes);
}
