import type { AnyEvent } from "../../src/protocol/event.ts";
import type { Hook } from "../../src/protocol/hook.ts";
import { checkResponse, type IHookResponse } from "../../src/protocol/response.ts";
import { mergeResponses } from "../../src/protocol/merge.ts";
import { DEFAULT_RULE_POLICY } from "../../src/protocol/rule.ts";
import { validateHookOptions } from "../../src/policy/merge.ts";

/** Validates options with a hook's schema. @throws Error if they're invalid, or unknown to the hook. */
export async function validateOptions(hook: Hook, configured: object = {}): Promise<unknown> {
  if (!hook.options) return {};
  const { options, wrong, unknown } = await validateHookOptions("hook", hook.options, {
    values: configured as Record<string, unknown>,
    sources: {},
  });
  const [problem] = [...wrong, ...unknown.map((key) => `hooks.hook.${key}: unknown setting`)];
  if (problem !== undefined) throw new Error(problem);
  return options;
}

/** Formats a response as it's sent to a host, with the rule in its reason. */
export function formatResponse(response: IHookResponse): IHookResponse {
  const { rule: _, subject: __, ...shown } = mergeResponses([response]);
  return shown;
}

/**
 * Returns a hook's response to an event, the way the engine passes it on. Events need only the fields the hook reads.
 */
export async function askHook(
  hook: Hook,
  event: object,
  configured: object = {},
  signal = new AbortController().signal,
): Promise<IHookResponse | undefined> {
  const options = await validateOptions(hook, configured);
  const answer = await hook.handler(
    { host: "test", session_id: "", cwd: "", _native: {}, ...event } as AnyEvent as never,
    { options, rules: DEFAULT_RULE_POLICY, log() {}, signal } as never,
  );
  return answer ? formatResponse(checkResponse(answer)) : undefined;
}
