import { type AnyEvent, isToolCallEvent } from "../../protocol/event.ts";
import type { Hook, HookDescriptor } from "../../protocol/hook.ts";
import { matchHook, adaptEvent } from "../../protocol/match.ts";
import { checkResponse, type IHookResponse } from "../../protocol/response.ts";
import type { RulePolicy } from "../../protocol/rule.ts";
import { patchShellArguments } from "../../protocol/shell-call.ts";
import { describeError } from "../../system/errors.ts";
import { awaitWithTimeout, runLimited } from "../../system/limit.ts";
import { freezeEvent } from "./freeze-event.ts";
import { restoreIntrinsics } from "./intrinsics.ts";
import { loadConfigured, loadSettings, type SharedConfig } from "./load-settings.ts";
import type { HookOutcome } from "./outcome.ts";

interface HandlerCallOptions {
  /** Time limit in milliseconds. */
  ms: number;
  /** Processor time limit in milliseconds. Defaults to `ms`. */
  busyMs?: number;
  sharedConfig: SharedConfig;
  /** Adjusts the rule policy defined by the config files. */
  adjust?: (rules: RulePolicy) => RulePolicy;
}

/** Everything a handler produces besides its response. */
interface HandlerEffects {
  log: string[];
  strays: unknown[];
  warning?: string;
  exceptedRules?: Set<string>;
  /** Created on demand, since few hooks use the signal. */
  abort?: AbortController;
}

const loadedHooks = new WeakMap<HookDescriptor, Hook>();

/** Calls a hook's handler, unless the matcher has argument patterns and no command matches them. Never throws. */
export async function callHandler(
  entry: HookDescriptor,
  event: AnyEvent,
  terms: HandlerCallOptions,
): Promise<HookOutcome> {
  const startedAt = performance.now();
  const effects: HandlerEffects = { log: [], strays: [] };
  const createOutcome = (fields: Partial<HookOutcome>): HookOutcome => ({
    entry,
    response: {},
    log: effects.log,
    strays: effects.strays,
    ms: performance.now() - startedAt,
    ...(terms.sharedConfig.configured !== undefined && { isConfigured: terms.sharedConfig.configured }),
    ...(effects.warning !== undefined && { warning: effects.warning }),
    ...(effects.exceptedRules && { exceptedRules: [...effects.exceptedRules] }),
    ...fields,
  });
  try {
    const matchResult = matchHook(entry, event);
    if (matchResult === "argument" && !(await matchesCommand(entry, event)))
      return createOutcome({ isUnmatched: true });
    const adaptedEvent = adaptEvent(entry, event);
    const response = await runHandler(entry, adaptedEvent, { ...terms, started: startedAt, effects });
    const { decision, modified_input } = response;
    if (modified_input && adaptedEvent !== event) response.modified_input = patchShellArguments(event, modified_input);
    const doubt = decision === "allow" && explainDoubt(matchResult, event, adaptedEvent);
    if (doubt) {
      delete response.decision;
      delete response.reason;
      effects.warning = `decision "allow" from the hook "${entry.name}" was dropped: ${doubt}`;
    }
    const isUnexplained = addMissingReason(entry, response);
    const outcome = createOutcome({
      response,
      ...(isToolCallEvent(event) && event.tool === "MCP" && adaptedEvent !== event && { isShellView: true }),
      ...(isUnexplained && { isUnexplained }),
    });
    return response.mode === undefined ? outcome : (await loadConfigured()).withholdWarning(outcome);
  } catch (error) {
    // The handler may still be running and can check the signal later.
    (effects.abort ??= new AbortController()).abort();
    return createOutcome({ failure: explainFailure(error), error });
  }
}

/** Loads a hook and its settings, then runs its handler. */
async function runHandler(
  entry: HookDescriptor,
  event: AnyEvent,
  {
    ms,
    busyMs,
    sharedConfig,
    adjust,
    started,
    effects,
  }: HandlerCallOptions & { started: number; effects: HandlerEffects },
): Promise<IHookResponse> {
  const onStray = (error: unknown) => void effects.strays.push(error);
  const hook = loadedHooks.get(entry) ?? (await awaitWithTimeout(entry.load(), ms, onStray));
  loadedHooks.set(entry, hook);
  const warn = (problem: string) => void (effects.warning = [effects.warning, problem].filter(Boolean).join("\n"));
  const { options, rules } = await loadSettings(hook, entry.name, event, { ms, sharedConfig, warn });
  const context = {
    options,
    rules: adjust ? adjust(rules) : rules.isDefault ? rules : traceExceptions(rules, effects),
    log: (text: string) => void effects.log.push(String(text)),
    get signal() {
      return (effects.abort ??= new AbortController()).signal;
    },
  };
  const remainingMs = Math.max(1, Math.ceil(ms - (performance.now() - started)));
  return runLimited(async () => checkResponse(await hook.handler(event as never, context as never)), remainingMs, {
    onStray,
    busyMs,
    // Include the loading time so that the message names the limit that the author set.
    spentMs: (entry.spentMs ?? 0) + ms - remainingMs,
  });
}

/**
 * Wraps a rule policy to record which rules' exceptions a hook looks up. Everything else is inherited from the policy.
 */
const traceExceptions = (rules: RulePolicy, effects: HandlerEffects): RulePolicy =>
  Object.create(rules, {
    listExceptions: {
      value: (id: string) => {
        const exceptions = rules.listExceptions(id);
        if (exceptions.length > 0) (effects.exceptedRules ??= new Set()).add(id);
        return exceptions;
      },
    },
  }) as RulePolicy;

/** Adds a default reason to a denial or question that has none. Returns whether one was added. */
function addMissingReason({ name }: HookDescriptor, response: IHookResponse): true | undefined {
  const { decision, reason } = response;
  if ((decision !== "deny" && decision !== "ask") || reason?.trim()) return undefined;
  response.reason =
    decision === "deny" ? `Denied by the hook "${name}".` : `The hook "${name}" asks the user to decide.`;
  return true;
}

/** Runs a hook again on the same event with adjusted rules. No other hook may run at the same time. */
export async function rerunHook(
  entry: HookDescriptor,
  event: AnyEvent,
  ms: number,
  adjustRules: (rules: RulePolicy) => RulePolicy,
): Promise<HookOutcome> {
  const outcome = await callHandler(entry, freezeEvent(event), {
    ms: Math.max(1, Math.ceil(ms)),
    sharedConfig: {},
    adjust: adjustRules,
  });
  restoreIntrinsics();
  return outcome;
}

/**
 * Returns why the call that runs may differ from the call that the hook judged. In that case a denial still applies,
 * but an approval is dropped.
 */
function explainDoubt(
  matchResult: ReturnType<typeof matchHook>,
  event: AnyEvent,
  adaptedEvent: AnyEvent,
): string | undefined {
  if (matchResult === "server")
    return "can't tell which MCP server provides this tool; to approve the call, use a matcher for any server";
  if (adaptedEvent === event || !isToolCallEvent(event) || event.tool !== "MCP") return undefined;
  return "this MCP call merely has arguments that look like a shell call; to approve MCP calls, match the tool by name";
}

/** Returns the failure's message, with advice if the engine's own message isn't helpful. */
function explainFailure(error: unknown): string {
  const text = describeError(error);
  return text.startsWith("Attempted to assign to readonly property")
    ? `${text.replace(/\.$/, "")}; return modify(…) to change the input`
    : text;
}

/**
 * Returns whether a command matches the hook's matcher.
 * @throws Error if the shell command can't be parsed
 */
const matchesCommand = async ({ matcher = "" }: HookDescriptor, event: AnyEvent) =>
  (await import("./match-arguments.ts")).matchesArguments(matcher, event);
