import type { AnyEvent } from "../../src/protocol/event.ts";
import type { Hook } from "../../src/protocol/hook.ts";
import { checkResponse, type IHookResponse } from "../../src/protocol/response.ts";
import { validateHookOptions } from "../../src/run/config.ts";

/** Validates options with a hook's schema. @throws Error if they are invalid, or unknown to the hook. */
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

/** A hook's response to an event, of which only the fields that the hook reads are needed. */
export async function askHook(
  hook: Hook,
  event: object,
  configured: object = {},
  signal = new AbortController().signal,
): Promise<IHookResponse | undefined> {
  const options = await validateOptions(hook, configured);
  const answer = await hook.handler(
    { host: "test", session_id: "", cwd: "", _native: {}, ...event } as AnyEvent as never,
    { options, log() {}, signal } as never,
  );
  return answer ? checkResponse(answer) : undefined;
}
