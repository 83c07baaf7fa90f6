import { type AnyEvent, isToolCallEvent } from "../../protocol/event.ts";
import type { Hook, HookDescriptor } from "../../protocol/hook.ts";
import { matchHook, presentEvent } from "../../protocol/match.ts";
import { patchShellArguments } from "../../protocol/shell-call.ts";
import { DEFAULT_RULE_POLICY, type RulePolicy } from "../../protocol/rule.ts";
import { checkResponse, type IHookResponse } from "../../protocol/response.ts";
import type { ConfigFiles } from "../../policy/files.ts";
import type { Deadline, KnownResult } from "../deadline/deadline.ts";
import { restoreIntrinsics } from "./intrinsics.ts";
import { runLimited, markWatchedFromOutside, awaitWithin } from "../../system/limit.ts";
import { withoutSharedLooks } from "../../system/looks.ts";
import { loadDefaultOptions, isConfigured } from "../../policy/sources.ts";
import type { ModePolicy } from "../../policy/modes.ts";
import type { WithheldAnswer } from "./apply-mode.ts";
import type * as Configured from "../configured.ts";
import type { HookFilter } from "../../system/quick-system.ts";
import { applyModifiedOutput } from "./output.ts";
import { describeError } from "../../system/errors.ts";

/** An answer that did not count. */
export interface AllowedAnswer {
  /** The ids of the exceptions. */
  by: readonly string[];
  response: IHookResponse;
  failure?: string;
}

/** The result of one hook. */
export interface HookOutcome {
  entry: HookDescriptor;
  response: IHookResponse;
  /** What happened, if the hook failed. */
  failure?: string;
  /** The error, if the hook threw one. */
  error?: unknown;
  /** The handler was not called: no command of the shell line matches. */
  isUnmatched?: true;
  /** What the mode kept from the host. */
  withheld?: WithheldAnswer;
  /** What an exception let pass that a person made on purpose. */
  allowed?: AllowedAnswer;
  /** The hook gave no reason; the one in the response is a default. */
  isUnexplained?: true;
  /** A problem to report although the hook ran, e.g. an ignored config file. */
  warning?: string;
  /** Whether there are config files; absent if the hook has no settings. */
  isConfigured?: boolean;
  log: readonly string[];
  /** Uncaught errors that occurred while it ran and did not make it fail. */
  strays: readonly unknown[];
  /** Duration in milliseconds, loading the module included. */
  ms: number;
}

/**
 * Extra time for hooks that block the engine, for all of them together, before a new process runs the remaining ones.
 */
const UNSTOPPABLE_MS = 150;
/** The part of `UNSTOPPABLE_MS` that one hook can use. */
const MAX_UNSTOPPABLE_MS = 75;

interface RunOptions {
  /** Reports progress to a deadline outside the engine, before each hook and after the last. */
  expect?: Deadline["reportProgress"] | undefined;
  /** The input can't be changed any more: a hook's patch is not shown to the hooks after it. */
  isFixed?: boolean;
  /** Default: everything is enforced. */
  modes?: ModePolicy | undefined;
  /** Tells the hooks that have to be asked. Default: all. */
  isConcerned?: HookFilter | undefined;
}

/**
 * Runs hooks one after another; each sees the input or result as changed by the hooks before it. The remaining time is
 * divided among the remaining hooks, so that a hook that hangs does not keep the others from deciding.
 */
export async function runHooks(
  entries: readonly HookDescriptor[],
  event: AnyEvent,
  deadline: number,
  { expect, isFixed, modes, isConcerned }: RunOptions = {},
): Promise<HookOutcome[]> {
  const outcomes: HookOutcome[] = [];
  if (entries.length === 0) return outcomes;
  if (expect) markWatchedFromOutside();
  checkFolders(event);
  let seen = freezeEvent(event);
  const shared: SharedConfig = {};
  const known: [string, KnownResult][] = [];
  // Work that a hook leaves behind may keep the engine busy after its answer: only the first hook of a process can be
  // blamed for certain.
  let hasEarlierHook = false;
  let unasked = 0;
  const getShare = ({ timeoutMs }: HookDescriptor) => {
    const left = deadline - performance.now();
    const share = Math.ceil(Math.max(left / (entries.length - outcomes.length - unasked), MIN_SHARE_MS));
    return Math.min(share, timeoutMs ?? share);
  };
  // A hook that changes the call, or files, may make it concern another one.
  let isSame = true;
  for (const entry of entries) {
    if (isSame && isConcerned && !entry.settled && !isConcerned(entry.name)) {
      unasked++;
      continue;
    }
    const ms = getShare(entry);
    const hung: [string, KnownResult][] = hasEarlierHook
      ? []
      : [[entry.name, { failure: `it took longer than ${ms} ms` }]];
    expect?.(ms + Math.min(UNSTOPPABLE_MS / entries.length, MAX_UNSTOPPABLE_MS), { known: [...known, ...hung] });
    // It may change files, and ask about them; the next one has to see that, too.
    const given = await (entry.pure
      ? callHandler(entry, seen, ms, shared)
      : withoutSharedLooks(() => callHandler(entry, seen, ms, shared)));
    const outcome = modes ? (await loadConfigured()).applyMode(given, modes) : given;
    restoreIntrinsics();
    outcomes.push(outcome);
    hasEarlierHook ||= !entry.settled && !outcome.isUnmatched;
    const { response, failure, log } = outcome;
    known.push([entry.name, failure === undefined ? { response, log } : { failure }]);
    const { modified_input, modified_output } = outcome.response;
    isSame &&= entry.pure === true && modified_input === undefined;
    if (modified_input && !isFixed && isToolCallEvent(seen))
      seen = freezeEvent({ ...seen, input: { ...seen.input, ...modified_input } } as AnyEvent);
    if (modified_output !== undefined) seen = freezeEvent(applyModifiedOutput(seen, modified_output));
  }
  expect?.(Math.max(deadline - performance.now(), CONCLUDING_MS), { known, settled: true });
  return outcomes;
}

const MIN_SHARE_MS = 50;
/** Minimum time for the work after the hooks. */
const CONCLUDING_MS = 150;

const MAX_FROZEN = 10_000;

/**
 * Freezes an event: a hook changes the input by returning a patch, never in place. The input comes first; in an
 * unreasonably large payload the rest stays mutable.
 */
function freezeEvent(event: AnyEvent): AnyEvent {
  const parts: unknown[] = [event._native, "input" in event ? event.input : undefined];
  for (let left = MAX_FROZEN; parts.length > 0 && left > 0; left--) {
    const part = parts.pop();
    if (typeof part !== "object" || part === null || Object.isFrozen(part)) continue;
    // Freezing a list of millions takes gigabytes of memory.
    if (Array.isArray(part) && part.length > left) continue;
    Object.freeze(part);
    for (const key in part) {
      if (parts.length >= left) break;
      parts.push((part as Record<string, unknown>)[key]);
    }
  }
  return Object.freeze(event);
}

/** The longest path that any system accepts, in characters. */
const MAX_PATH_LENGTH = 4096;

/** @throws Error for a working directory that is too long to exist: hooks examine each of its parents. */
function checkFolders(event: AnyEvent): void {
  const { cwd } = ("input" in event ? event.input : {}) as { cwd?: unknown };
  for (const folder of [event.cwd, cwd])
    if (typeof folder === "string" && folder.length > MAX_PATH_LENGTH)
      throw new Error(
        `the working directory is too long (${folder.length} characters; at most ${MAX_PATH_LENGTH}); use a shorter path`,
      );
}

/** State shared by the hooks of a call. */
interface SharedConfig {
  configured?: boolean;
  files?: ConfigFiles;
}

async function loadOptions(hook: Hook, name: string, cwd: string, ms: number, shared: SharedConfig) {
  shared.configured ??= isConfigured(cwd);
  const defaultOptions = shared.configured ? undefined : await loadDefaultOptions(hook, ms);
  if (defaultOptions) return defaultOptions;
  // Loaded only if there are settings to read or errors to report.
  const { readOptionsOf } = await loadConfigured();
  return awaitWithin(readOptionsOf(hook, name, await openFiles(cwd, shared), ms), ms);
}

const openFiles = async (cwd: string, shared: SharedConfig): Promise<ConfigFiles> =>
  (shared.files ??= (await loadConfigured()).openConfigFiles(cwd));

/** What config files say about rules, and what is wrong in it. */
interface LoadedRules {
  rules: RulePolicy;
  problem?: string | undefined;
}

const NO_RULES: LoadedRules = { rules: DEFAULT_RULE_POLICY };

async function loadRulePolicy(
  name: string,
  { ruleTerms }: Hook,
  { cwd, session_id }: AnyEvent,
  shared: SharedConfig,
): Promise<LoadedRules> {
  const files = await openFiles(cwd, shared);
  const { readRulePolicy, describeRuleProblems } = await loadConfigured();
  const rules = await readRulePolicy(name, files, cwd, ruleTerms);
  if (rules.isDefault) return { rules };
  const reader = { session: session_id || cwd, env: process.env };
  return { rules, problem: await describeRuleProblems(name, files, ruleTerms, reader) };
}

let configured: typeof Configured | undefined;

/** Loads what calls need where there are config files. A resident process has it then, and an import takes time again. */
const loadConfigured = async (): Promise<typeof Configured> => (configured ??= await import("../configured.ts"));

const loadedHooks = new WeakMap<HookDescriptor, Hook>();

/** @param adjust changes what the config files say about rules. */
async function callHandler(
  entry: HookDescriptor,
  event: AnyEvent,
  ms: number,
  shared: SharedConfig,
  adjust?: (rules: RulePolicy) => RulePolicy,
): Promise<HookOutcome> {
  let abort: AbortController | undefined;
  const started = performance.now();
  const log: string[] = [];
  const strays: unknown[] = [];
  const onStray = (error: unknown) => void strays.push(error);
  let warning: string | undefined;
  const createOutcome = (rest: Partial<HookOutcome>): HookOutcome => ({
    entry,
    response: {},
    log,
    strays,
    ms: performance.now() - started,
    ...(shared.configured !== undefined && { isConfigured: shared.configured }),
    ...(warning !== undefined && { warning }),
    ...rest,
  });
  try {
    const fit = matchHook(entry, event);
    if (fit === "argument" && !(await matchesCommand(entry, event))) return createOutcome({ isUnmatched: true });
    const hook = loadedHooks.get(entry) ?? (await awaitWithin(entry.load(), ms, onStray));
    loadedHooks.set(entry, hook);
    const loadedOptions = hook.options && (await loadOptions(hook, entry.name, event.cwd, ms, shared));
    if (loadedOptions?.problem !== undefined)
      warning = `${loadedOptions.problem}; that file is ignored for the hook "${entry.name}"`;
    const hasRules = hook.rules !== undefined || hook.ruleTerms !== undefined;
    const policy =
      hasRules && (shared.configured ??= isConfigured(event.cwd))
        ? await loadRulePolicy(entry.name, hook, event, shared)
        : NO_RULES;
    if (policy.problem !== undefined) warning = [warning, policy.problem].filter(Boolean).join("\n");
    const context = {
      options: loadedOptions?.options ?? NO_OPTIONS,
      rules: adjust ? adjust(policy.rules) : policy.rules,
      log: (text: string) => void log.push(String(text)),
      // Few hooks ask for it.
      get signal() {
        return (abort ??= new AbortController()).signal;
      },
    };
    const left = Math.max(1, Math.ceil(ms - (performance.now() - started)));
    const seen = presentEvent(entry, event);
    const response = await runLimited(
      async () => checkResponse(await hook.handler(seen as never, context as never)),
      left,
      onStray,
    );
    const { decision, reason, modified_input } = response;
    if (modified_input && seen !== event) response.modified_input = patchShellArguments(event, modified_input);
    const doubt = decision === "allow" && findDoubt(fit, event, seen);
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
    return createOutcome({ response, ...(unexplained && { isUnexplained: unexplained }) });
  } catch (error) {
    // One that runs on may ask for it later.
    (abort ??= new AbortController()).abort();
    return createOutcome({ failure: explainFailure(error), error });
  }
}

/** Asks a hook again about an event, with other rules; nothing else runs meanwhile. */
export async function askAgain(
  entry: HookDescriptor,
  event: AnyEvent,
  ms: number,
  adjust: (rules: RulePolicy) => RulePolicy,
): Promise<HookOutcome> {
  const outcome = await callHandler(entry, freezeEvent(event), Math.max(1, Math.ceil(ms)), {}, adjust);
  restoreIntrinsics();
  return outcome;
}

/** Why the call may not be the one that the hook was asked about. A denial counts anyway; an approval is dropped. */
function findDoubt(fit: ReturnType<typeof matchHook>, event: AnyEvent, seen: AnyEvent): string | undefined {
  if (fit === "server") return "the call's MCP server is not known; match the tool of any server to approve it";
  if (seen === event || !isToolCallEvent(event) || event.tool !== "MCP") return undefined;
  return "only by its arguments does this MCP call look like a shell call; match MCP tools by name to approve them";
}

/** The failure's message, with advice where the engine's own message does not help. */
function explainFailure(error: unknown): string {
  const text = describeError(error);
  return text.startsWith("Attempted to assign to readonly property")
    ? `${text.replace(/\.$/, "")}; return modify(…) to change the input`
    : text;
}

const NO_OPTIONS = Object.freeze({});

/** @throws Error when the shell line can't be parsed, since the matcher can't be applied then. */
const matchesCommand = async ({ matcher = "" }: HookDescriptor, event: AnyEvent) =>
  (await import("./arguments.ts")).matchesArguments(matcher, event);
