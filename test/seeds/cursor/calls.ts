import { expect } from "bun:test";
import { type AnyEvent, EVENTS } from "../../../src/protocol/event.ts";
import { createHookEntry, defineHook, type Hook } from "../../../src/protocol/hook.ts";
import type { Payload } from "../../../src/protocol/host/host.ts";
import type { IHookResponse } from "../../../src/protocol/response.ts";
import { answerCall } from "../../support/answer-call.ts";
import { buildPayload } from "./fields.ts";
import type { Check } from "./section.ts";

/** Value of the `--host` flag; "" to detect the host. */
export interface CallOptions {
  host?: "cursor" | "claude" | "";
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
}

/**
 * Makes a call in this process whose only hook subscribes to every event. Returns the event seen by the hook and the
 * host's answer.
 */
export async function call(payload: Payload, response: IHookResponse, options: CallOptions = {}) {
  const { host = "cursor", args = [], env = {} } = options;
  let event: AnyEvent | undefined;
  const hook = defineHook({ event: EVENTS, handler: (seen) => ((event = seen), response) });
  const { stdout, ...answer } = await answerCall([createEntry(hook)], {}, [...(host && ["--host", host]), ...args], {
    env: { XDG_STATE_HOME: "/dev/null", ...env },
    read: () => JSON.stringify(payload),
  });
  return { ...answer, event, stdout: stdout && (JSON.parse(stdout) as unknown) };
}
export const createEntry = (hook: Hook) => createHookEntry(hook, "answer");

/**
 * Expects that a hook sees these event fields. By default, these are the payload's fields, which have no unified name.
 */
export const sees =
  (native_event: string, fields: object, expected: object = { _native: fields }, options?: CallOptions): Check =>
  async () =>
    expect((await call(buildPayload(native_event, fields), {}, options)).event).toMatchObject(expected);
/**
 * Expects that a hook sees every value of a field. With `unified`, the event field with the same name also contains the
 * value.
 */
export const each = (event: string, field: string, values: string, fields: object = {}, unified = false): Check[] =>
  values.split(" ").map((value) => {
    const _native = { ...fields, [field]: value };
    return sees(event, _native, { _native, ...(unified && { [field]: value }) });
  });
