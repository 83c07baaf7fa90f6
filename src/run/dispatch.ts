import { type AnyEvent, isCall } from "../core/event.ts";
import type { FailurePolicy, Hook, HookEntry } from "../core/hook.ts";
import { matches } from "../core/match.ts";
import { checkResponse, type IHookResponse } from "../core/response.ts";
import { limited, within } from "./limit.ts";

/** What one hook answered, or how it failed. */
export interface Outcome {
  entry: HookEntry;
  response: IHookResponse;
  /** Set when the hook failed: what happened. */
  failure?: string;
}

/** The hooks that want this event, in order. */
export function wanted(entries: readonly HookEntry[], event: AnyEvent): HookEntry[] {
  const found: HookEntry[] = [];
  for (const entry of entries) if (matches(entry, event)) found.push(entry);
  return found;
}

/** Runs hooks one after another; each sees the input as the ones before it changed it. */
export async function dispatch(entries: readonly HookEntry[], event: AnyEvent, deadline: number): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let seen = event;
  // Modules load together, handlers run in order.
  const loading: Promise<Hook>[] = [];
  for (const entry of entries) {
    const hook = entry.load();
    hook.catch(() => {});
    loading.push(hook);
  }
  for (const entry of entries) {
    const outcome = await call(entry, loading[outcomes.length] as Promise<Hook>, seen, deadline);
    outcomes.push(outcome);
    const { modified_input } = outcome.response;
    if (modified_input && isCall(seen)) seen = { ...seen, input: { ...seen.input, ...modified_input } } as AnyEvent;
  }
  return outcomes;
}

async function call(entry: HookEntry, loading: Promise<Hook>, event: AnyEvent, deadline: number): Promise<Outcome> {
  const left = () => Math.round(deadline - performance.now());
  const abort = new AbortController();
  try {
    const hook = await within(loading, left());
    const time = Math.min(left(), entry.timeout_ms ?? Infinity);
    const response = checkResponse(await limited(() => hook.handler(event as never, { signal: abort.signal }), time));
    const { decision, reason } = response;
    if ((decision === "deny" || decision === "ask") && !reason?.trim()) {
      response.reason = decision === "deny" ? `Denied by the hook "${entry.name}".` : `The hook "${entry.name}" wants a person to decide.`;
    }
    return { entry, response };
  } catch (error) {
    abort.abort();
    return { entry, response: {}, failure: oneLine(error) };
  }
}

/** An error as one line of text. */
export function oneLine(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.replace(/\s*\n\s*/g, " ").trim() || "unknown error";
}

/** The policy for a hook that failed. */
export const policyOf = (entry: HookEntry, callPolicy: FailurePolicy): FailurePolicy => entry.onError ?? callPolicy;
