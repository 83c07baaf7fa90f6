import { type AnyEvent, isToolCallEvent } from "../protocol/event.ts";
import type { Hook, HookDescriptor } from "../protocol/hook.ts";
import { matchHook, presentEvent } from "../protocol/match.ts";
import { patchShellArguments } from "../protocol/shell-call.ts";
import { checkResponse, type IHookResponse } from "../protocol/response.ts";
import type { ConfigFiles } from "./config.ts";
import type { Deadline, Known } from "./deadline.ts";
import { restoreIntrinsics } from "./intrinsics.ts";
import { limited, watchedFromOutside, within } from "./limit.ts";
import { defaultsOf, isConfigured } from "./settings.ts";
import { withOutput } from "./output.ts";
import { describeError } from "./errors.ts";

/** What one hook answered, or how it failed. */
export interface Outcome {
  entry: HookDescriptor;
  response: IHookResponse;
  /** Set when the hook failed: what happened. */
  failure?: string;
  /** What it threw then. */
  error?: unknown;
  /** The handler was not called: no command of the shell line fits the matcher. */
  unfit?: true;
  /** The hook gave no reason: the one in the response is ours. */
  unexplained?: true;
  /** What is wrong around it, although it ran. */
  warning?: string;
  /** What the hook logged. */
  log: readonly string[];
  /** Errors that nobody caught while it ran, and that it did not fail of. */
  strays: readonly unknown[];
  /** Milliseconds that it took, its module's loading included. */
  ms: number;
}

/** Hooks that can't be stopped have so much more time, all together, before others are asked without them. */
const UNSTOPPABLE_MS = 150;
/** One of them has so much more at most. */
const MOST_UNSTOPPABLE_MS = 75;

/**
 * Runs hooks one after another; each sees the input, or the result, as the ones before it changed it. What is left of the time is shared
 * by the hooks still to run, so that one that hangs does not keep the others from deciding.
 * @param expect where a deadline watches from outside: told what is known before each hook, and after the last.
 * @param fixed the call runs as it stands: what a hook would change is not what the next one judges.
 */
export async function dispatch(
  entries: readonly HookDescriptor[],
  event: AnyEvent,
  deadline: number,
  expect?: Deadline["expect"],
  fixed = false,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  if (entries.length === 0) return outcomes;
  if (expect) watchedFromOutside();
  checkFolders(event);
  let seen = freeze(event);
  const shared: Shared = {};
  const known: [string, Known][] = [];
  // What a hook leaves behind may keep the engine busy after it has answered: only the first of a process is sure to be what hangs.
  let others = false;
  const shareOf = ({ timeoutMs }: HookDescriptor) => {
    const left = deadline - performance.now();
    const share = Math.ceil(Math.max(left / (entries.length - outcomes.length), SHORTEST_MS));
    return Math.min(share, timeoutMs ?? share);
  };
  for (const entry of entries) {
    const ms = shareOf(entry);
    const hung: [string, Known][] = others ? [] : [[entry.name, { failure: `it took longer than ${ms} ms` }]];
    expect?.(ms + Math.min(UNSTOPPABLE_MS / entries.length, MOST_UNSTOPPABLE_MS), { known: [...known, ...hung] });
    const outcome = await call(entry, seen, ms, shared);
    restoreIntrinsics();
    outcomes.push(outcome);
    others ||= !entry.settled && !outcome.unfit;
    const { response, failure, log } = outcome;
    known.push([entry.name, failure === undefined ? { response, log } : { failure }]);
    const { modified_input, modified_output } = outcome.response;
    if (modified_input && !fixed && isToolCallEvent(seen))
      seen = freeze({ ...seen, input: { ...seen.input, ...modified_input } } as AnyEvent);
    if (modified_output !== undefined) seen = freeze(withOutput(seen, modified_output));
  }
  expect?.(Math.max(deadline - performance.now(), CONCLUDING_MS), { known, settled: true });
  return outcomes;
}

const SHORTEST_MS = 50;
/** The least for what comes after the hooks. */
const CONCLUDING_MS = 150;

const MOST_FROZEN = 10_000;

/**
 * Makes an event constant: a hook changes an input by returning a patch, not behind everybody's back. The input comes
 * first; of a payload with more parts than is reasonable, the rest stays as it is.
 */
function freeze(event: AnyEvent): AnyEvent {
  const parts: unknown[] = [event._native, "input" in event ? event.input : undefined];
  for (let left = MOST_FROZEN; parts.length > 0 && left > 0; left--) {
    const part = parts.pop();
    if (typeof part !== "object" || part === null || Object.isFrozen(part)) continue;
    // Freezing a list of millions takes the engine gigabytes.
    if (Array.isArray(part) && part.length > left) continue;
    Object.freeze(part);
    for (const key in part) {
      if (parts.length >= left) break;
      parts.push((part as Record<string, unknown>)[key]);
    }
  }
  return Object.freeze(event);
}

/** Characters of the longest path that a system takes. */
const LONGEST_PATH = 4096;

/** @throws Error for a working directory that can't exist: hooks look at each folder on the way to it. */
function checkFolders(event: AnyEvent): void {
  const { cwd } = ("input" in event ? event.input : {}) as { cwd?: unknown };
  for (const folder of [event.cwd, cwd])
    if (typeof folder === "string" && folder.length > LONGEST_PATH)
      throw new Error(
        `the working directory is too long (${folder.length} characters; at most ${LONGEST_PATH}); use a shorter path`,
      );
}

/** What the hooks of a call have in common. */
interface Shared {
  configured?: boolean;
  files?: ConfigFiles;
}

async function optionsOf(hook: Hook, name: string, cwd: string, ms: number, shared: Shared) {
  shared.configured ??= isConfigured(cwd);
  const unsaid = shared.configured ? undefined : await defaultsOf(hook, ms);
  if (unsaid) return unsaid;
  // Loaded where there is something to read, or to say.
  const config = await import("./config.ts");
  shared.files ??= config.configFiles(cwd);
  return within(config.optionsOf(hook, name, shared.files, ms), ms);
}

async function call(entry: HookDescriptor, event: AnyEvent, ms: number, shared: Shared): Promise<Outcome> {
  const abort = new AbortController();
  const started = performance.now();
  const log: string[] = [];
  const strays: unknown[] = [];
  const onStray = (error: unknown) => void strays.push(error);
  let warning: string | undefined;
  const outcome = (rest: Partial<Outcome>): Outcome => ({
    entry,
    response: {},
    log,
    strays,
    ms: performance.now() - started,
    ...(warning !== undefined && { warning }),
    ...rest,
  });
  try {
    const fit = matchHook(entry, event);
    if (fit === "argument" && !(await fits(entry, event))) return outcome({ unfit: true });
    const hook = await within(entry.load(), ms, onStray);
    const said = hook.options && (await optionsOf(hook, entry.name, event.cwd, ms, shared));
    if (said?.problem !== undefined)
      warning = `${said.problem}; nothing of that file counts for the hook "${entry.name}"`;
    const context = {
      options: said?.options ?? NO_OPTIONS,
      log: (text: string) => void log.push(String(text)),
      signal: abort.signal,
    };
    const left = Math.max(1, Math.ceil(ms - (performance.now() - started)));
    const seen = presentEvent(entry, event);
    const response = await limited(
      async () => checkResponse(await hook.handler(seen as never, context as never)),
      left,
      onStray,
    );
    const { decision, reason, modified_input } = response;
    if (modified_input && seen !== event) response.modified_input = patchShellArguments(event, modified_input);
    const doubt = decision === "allow" && doubtOf(fit, event, seen);
    if (doubt) {
      delete response.decision;
      delete response.reason;
      warning = `decision "allow" of the hook "${entry.name}" was dropped: ${doubt}`;
    }
    const unexplained = (decision === "deny" || decision === "ask") && !reason?.trim();
    if (unexplained)
      response.reason =
        decision === "deny"
          ? `Denied by the hook "${entry.name}".`
          : `The hook "${entry.name}" wants a person to decide.`;
    return outcome({ response, ...(unexplained && { unexplained }) });
  } catch (error) {
    abort.abort();
    return outcome({ failure: failureOf(error), error });
  }
}

/** Why a call may not be what its hook was asked about, lest something pass: then a denial counts, and an approval does not. */
function doubtOf(fit: ReturnType<typeof matchHook>, event: AnyEvent, seen: AnyEvent): string | undefined {
  if (fit === "server") return "the call's MCP server is not known; match the tool of any server to approve it";
  if (seen === event || !isToolCallEvent(event) || event.tool !== "MCP") return undefined;
  return "only its arguments make this MCP call look like one of the shell; match MCP tools by name to approve them";
}

/** What happened, and what to do about what a handler can't know. */
function failureOf(error: unknown): string {
  const text = describeError(error);
  return text.startsWith("Attempted to assign to readonly property")
    ? `${text.replace(/\.$/, "")}; return modify(…) to change the input`
    : text;
}

const NO_OPTIONS = Object.freeze({});

/** @throws Error when the shell line can't be read: whether the hook wants it is not known then. */
const fits = async ({ matcher = "" }: HookDescriptor, event: AnyEvent) =>
  (await import("./arguments.ts")).fitsArguments(matcher, event);
