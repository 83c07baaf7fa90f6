import { type AnyEvent, isToolCallEvent } from "../../protocol/event.ts";
import type { Hook, HookDescriptor } from "../../protocol/hook.ts";
import { matchHook, presentEvent } from "../../protocol/match.ts";
import { checkResponse, type IHookResponse } from "../../protocol/response.ts";
import type { RulePolicy } from "../../protocol/rule.ts";
import { patchShellArguments } from "../../protocol/shell-call.ts";
import { describeError } from "../../system/errors.ts";
import { awaitWithin, runLimited } from "../../system/limit.ts";
import { freezeEvent } from "./freeze-event.ts";
import { restoreIntrinsics } from "./intrinsics.ts";
import { loadConfigured, loadSettings, type SharedConfig } from "./load-settings.ts";
import type { HookOutcome } from "./outcome.ts";

/** How a handler is called. */
interface HandlerTerms {
  /** Time limit in milliseconds. */
  ms: number;
  /** Limit of the time that it keeps the processor busy. Default: `ms`. */
  busyMs?: number;
  shared: SharedConfig;
  /** Changes what the config files say about rules. */
  adjust?: (rules: RulePolicy) => RulePolicy;
}

/** What a handler leaves beside its response. */
interface HandlerTraces {
  log: string[];
  strays: unknown[];
  warning?: string;
  /** Few hooks ask for its signal. */
  abort?: AbortController;
}

const loadedHooks = new WeakMap<HookDescriptor, Hook>();

/** Calls a hook's handler, unless no command of the shell line matches. Never throws. */
export async function callHandler(entry: HookDescriptor, event: AnyEvent, terms: HandlerTerms): Promise<HookOutcome> {
  const started = performance.now();
  const traces: HandlerTraces = { log: [], strays: [] };
  const createOutcome = (rest: Partial<HookOutcome>): HookOutcome => ({
    entry,
    response: {},
    log: traces.log,
    strays: traces.strays,
    ms: performance.now() - started,
    ...(terms.shared.configured !== undefined && { isConfigured: terms.shared.configured }),
    ...(traces.warning !== undefined && { warning: traces.warning }),
    ...rest,
  });
  try {
    const fit = matchHook(entry, event);
    if (fit === "argument" && !(await matchesCommand(entry, event))) return createOutcome({ isUnmatched: true });
    const seen = presentEvent(entry, event);
    const response = await runHandler(entry, seen, { ...terms, started, traces });
    const { decision, modified_input } = response;
    if (modified_input && seen !== event) response.modified_input = patchShellArguments(event, modified_input);
    const doubt = decision === "allow" && findDoubt(fit, event, seen);
    if (doubt) {
      delete response.decision;
      delete response.reason;
      traces.warning = `decision "allow" of the hook "${entry.name}" was dropped: ${doubt}`;
    }
    const isUnexplained = addMissingReason(entry, response);
    const outcome = createOutcome({
      response,
      ...(isToolCallEvent(event) && event.tool === "MCP" && seen !== event && { isShellView: true }),
      ...(isUnexplained && { isUnexplained }),
    });
    return response.mode === undefined ? outcome : (await loadConfigured()).withholdWarning(outcome);
  } catch (error) {
    // One that runs on may ask for it later.
    (traces.abort ??= new AbortController()).abort();
    return createOutcome({ failure: explainFailure(error), error });
  }
}

/** Loads a hook and its settings, and runs its handler. */
async function runHandler(
  entry: HookDescriptor,
  event: AnyEvent,
  { ms, busyMs, shared, adjust, started, traces }: HandlerTerms & { started: number; traces: HandlerTraces },
): Promise<IHookResponse> {
  const onStray = (error: unknown) => void traces.strays.push(error);
  const hook = loadedHooks.get(entry) ?? (await awaitWithin(entry.load(), ms, onStray));
  loadedHooks.set(entry, hook);
  const warn = (problem: string) => void (traces.warning = [traces.warning, problem].filter(Boolean).join("\n"));
  const { options, rules } = await loadSettings(hook, entry.name, event, { ms, shared, warn });
  const context = {
    options,
    rules: adjust ? adjust(rules) : rules,
    log: (text: string) => void traces.log.push(String(text)),
    get signal() {
      return (traces.abort ??= new AbortController()).signal;
    },
  };
  const left = Math.max(1, Math.ceil(ms - (performance.now() - started)));
  return runLimited(async () => checkResponse(await hook.handler(event as never, context as never)), left, {
    onStray,
    busyMs,
    // Loading counts: the limit is named as the author wrote it.
    spentMs: (entry.spentMs ?? 0) + ms - left,
  });
}

/** Gives a denial or question without a reason a default one; whether it did. */
function addMissingReason({ name }: HookDescriptor, response: IHookResponse): true | undefined {
  const { decision, reason } = response;
  if ((decision !== "deny" && decision !== "ask") || reason?.trim()) return undefined;
  response.reason =
    decision === "deny" ? `Denied by the hook "${name}".` : `The hook "${name}" wants a person to decide.`;
  return true;
}

/** Asks a hook again about an event, with other rules; nothing else runs meanwhile. */
export async function askAgain(
  entry: HookDescriptor,
  event: AnyEvent,
  ms: number,
  adjust: (rules: RulePolicy) => RulePolicy,
): Promise<HookOutcome> {
  const outcome = await callHandler(entry, freezeEvent(event), { ms: Math.max(1, Math.ceil(ms)), shared: {}, adjust });
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

/** @throws Error when the shell line can't be parsed, since the matcher can't be applied then. */
const matchesCommand = async ({ matcher = "" }: HookDescriptor, event: AnyEvent) =>
  (await import("./arguments.ts")).matchesArguments(matcher, event);
