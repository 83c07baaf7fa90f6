import type { AnyEvent } from "../../src/protocol/event.ts";
import type { Hook } from "../../src/protocol/hook.ts";
import { checkResponse, type IHookResponse } from "../../src/protocol/response.ts";
import { checkedOptions } from "../../src/run/config.ts";

/** A hook's options as its schema gives them. @throws Error where they are none, or the hook has not all of them. */
export async function validateOptions(hook: Hook, configured: object = {}): Promise<unknown> {
  if (!hook.options) return {};
  const { options, wrong, unknown } = await checkedOptions("hook", hook.options, {
    values: configured as Record<string, unknown>,
    from: {},
  });
  const [problem] = [...wrong, ...unknown.map((key) => `hooks.hook.${key}: unknown setting`)];
  if (problem !== undefined) throw new Error(problem);
  return options;
}

/** What a hook answers to an event; an event needs to say only what the hook looks at. */
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
