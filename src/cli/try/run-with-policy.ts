import { rerunHook } from "../../call/ask/call-handler.ts";
import type { AnyEvent } from "../../protocol/event.ts";
import type { HookDescriptor } from "../../protocol/hook.ts";
import type { IHookResponse } from "../../protocol/response.ts";
import type { RulePolicy } from "../../protocol/rule.ts";

/** The time limit in milliseconds. A hook call has the same limit. */
const MAX_CALL_MS = 4_000;

/** Runs a hook again with another rule policy. Returns undefined if the hook fails. */
export async function runWithPolicy(
  entry: HookDescriptor,
  event: AnyEvent,
  adjust: (policy: RulePolicy) => RulePolicy,
): Promise<IHookResponse | undefined> {
  const { response, failure } = await rerunHook(entry, event, MAX_CALL_MS, adjust);
  return failure === undefined ? response : undefined;
}
