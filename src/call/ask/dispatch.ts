import { type AnyEvent, isToolCallEvent } from "../../protocol/event.ts";
import type { HookDescriptor } from "../../protocol/hook.ts";
import { applyPatch } from "../../protocol/object.ts";
import type { IHookResponse } from "../../protocol/response.ts";
import { hasUnifiedName } from "../../protocol/tool.ts";
import type { ModePolicy } from "../../policy/modes.ts";
import { markWatchedFromOutside } from "../../system/limit.ts";
import { runWithoutSharedLookups } from "../../system/lookups.ts";
import type { HookFilter } from "../../system/quick-types.ts";
import type { Deadline, KnownResult } from "../deadline/deadline.ts";
import { callHandler } from "./call-handler.ts";
import { freezeEvent } from "./freeze-event.ts";
import { restoreIntrinsics } from "./intrinsics.ts";
import { loadConfigured, type SharedConfig } from "./load-settings.ts";
import type { HookOutcome } from "./outcome.ts";
import { applyModifiedOutput } from "./output.ts";
import { DEFAULT_PROCESSOR_MS, allotTime } from "./share-time.ts";

/**
 * Total time, in milliseconds, by which hooks that block the engine may exceed their limits. Once it is used up, a new
 * process runs the remaining hooks.
 */
const UNSTOPPABLE_MS = 150;
/** Maximum share of `UNSTOPPABLE_MS` for a single hook. */
const MAX_UNSTOPPABLE_MS = 75;

interface RunOptions {
  /** Reports progress, before each hook and after the last one, to a deadline that runs outside the engine. */
  reportProgress?: Deadline["reportProgress"] | undefined;
  /** Whether the input can no longer change. If true, later hooks don't see an earlier hook's patch. */
  isFixed?: boolean;
  /** The modes in effect; absent if everything is enforced. */
  modes?: ModePolicy | undefined;
  /** Returns whether a hook applies to the call. If absent, all hooks run. */
  isConcerned?: HookFilter | undefined;
}

/**
 * Runs hooks one after another. Each hook sees the input or result as changed by earlier hooks. Hooks share the
 * remaining time, so that one that hangs can't keep the others from deciding.
 */
export async function runHooks(
  entries: readonly HookDescriptor[],
  event: AnyEvent,
  deadline: number,
  { reportProgress, isFixed, modes, isConcerned }: RunOptions = {},
): Promise<HookOutcome[]> {
  const outcomes: HookOutcome[] = [];
  if (entries.length === 0) return outcomes;
  if (reportProgress) markWatchedFromOutside();
  checkFolders(event);
  let currentEvent = freezeEvent(event);
  const sharedConfig: SharedConfig = {};
  const results: [string, KnownResult][] = [];
  // A hook can leave work behind that blocks the engine after the hook has responded. So the running hook is only
  // certain to be the culprit if it is the first one in this process.
  let hasEarlierHook = false;
  // Once a hook changes the call or files, more hooks may apply.
  let isSame = true;
  for (const [at, entry] of entries.entries()) {
    if (isSame && isConcerned && !entry.settled && !isConcerned(entry.name)) continue;
    const ms = allotTime(entry, entries.slice(at + 1), deadline - performance.now());
    const busyMs = Math.max(DEFAULT_PROCESSOR_MS, entry.timeoutMs ?? 0);
    const runningHook = {
      name: entry.name,
      at: Date.now(),
      ms,
      busyMs,
      earlierMs: entry.spentMs,
      isBlamed: !hasEarlierHook,
    };
    const graceMs = Math.min(UNSTOPPABLE_MS / entries.length, MAX_UNSTOPPABLE_MS);
    reportProgress?.({ ms: ms + graceMs, busyMs }, { known: [...results], runningHook });
    const terms = { ms, busyMs, sharedConfig };
    // A hook with side effects may change files that have already been looked up. The next hook must see the changes.
    const handlerOutcome = await (entry.pure
      ? callHandler(entry, currentEvent, terms)
      : runWithoutSharedLookups(() => callHandler(entry, currentEvent, terms)));
    const outcome = modes ? (await loadConfigured()).applyMode(handlerOutcome, modes) : handlerOutcome;
    restoreIntrinsics();
    outcomes.push(outcome);
    hasEarlierHook ||= !entry.settled && !outcome.isUnmatched;
    const { response, failure, log } = await translateNames(outcome, currentEvent, event);
    results.push([entry.name, failure === undefined ? { response, log } : { failure }]);
    isSame &&= entry.pure === true && response.modified_input === undefined;
    currentEvent = applyChanges(currentEvent, isFixed ? { modified_output: response.modified_output } : response);
  }
  const remainingMs = Math.max(deadline - performance.now(), CONCLUSION_RESERVE_MS);
  reportProgress?.({ ms: remainingMs, busyMs: DEFAULT_PROCESSOR_MS }, { known: results, settled: true });
  return outcomes;
}

/** Converts a patch from the host's field names to unified names, for the next hook and the host's adapter. */
async function translateNames(
  outcome: HookOutcome,
  currentEvent: AnyEvent,
  originalEvent: AnyEvent,
): Promise<HookOutcome> {
  const { modified_input } = outcome.response;
  if (!modified_input || !isToolCallEvent(currentEvent) || outcome.isShellView) return outcome;
  if (Object.keys(modified_input).every((name) => hasUnifiedName(currentEvent, name))) return outcome;
  const { translatePatch } = await import("./translate-patch.ts");
  outcome.response.modified_input = await translatePatch(currentEvent, originalEvent, modified_input);
  return outcome;
}

/** Returns the event for the next hook, with the previous hook's changes to the input and result. */
function applyChanges(event: AnyEvent, { modified_input, modified_output }: IHookResponse): AnyEvent {
  let currentEvent = event;
  if (modified_input && isToolCallEvent(currentEvent))
    currentEvent = freezeEvent({ ...currentEvent, input: applyPatch(currentEvent.input, modified_input) } as AnyEvent);
  if (modified_output !== undefined) currentEvent = freezeEvent(applyModifiedOutput(currentEvent, modified_output));
  return currentEvent;
}

/** Minimum time, in milliseconds, reserved for the work after the hooks. */
const CONCLUSION_RESERVE_MS = 150;

/** The longest path that any system accepts, in characters. */
const MAX_PATH_LENGTH = 4096;

/**
 * Limits the length of working directory paths, since hooks examine every parent directory.
 * @throws Error if the path is too long to exist
 */
function checkFolders(event: AnyEvent): void {
  const { cwd } = ("input" in event ? event.input : {}) as { cwd?: unknown };
  for (const folder of [event.cwd, cwd])
    if (typeof folder === "string" && folder.length > MAX_PATH_LENGTH)
      throw new Error(
        `the path of the working directory is too long (${folder.length} characters; at most ${MAX_PATH_LENGTH}); use a shorter path`,
      );
}
