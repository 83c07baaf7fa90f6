import type { EventName, Events } from "../protocol/event.ts";
import {
  createHookEntry,
  type Handler,
  type Hook,
  HOOK_FIELDS,
  type HookDescriptor,
  listAuthoredFields,
} from "../protocol/hook.ts";
import type { HostOptions } from "../hosts/options.ts";
import { runCall } from "./call.ts";
import type { CallOptions } from "./options.ts";

/** Handlers, keyed by unified event name. */
export type HandlerMap = { [E in EventName]?: Handler<E> };

export interface RunOptions extends CallOptions, HostOptions {
  /** Arguments including `--host` and other flags. Defaults to the process's arguments. */
  argv?: readonly string[];
  /** The payload. Defaults to the process's stdin. */
  stdin?: string;
}

/**
 * Runs one hook call. Reads the host's event from stdin, runs the hooks, answers in the host's own format through
 * stdout, stderr and the exit code, and ends the process.
 * @param hooks one handler per event, or a list of hooks
 */
export async function run(hooks: HandlerMap | readonly Hook[], options: RunOptions = {}): Promise<never> {
  const { argv = process.argv.slice(2), stdin, ...rest } = options;
  return runCall(createEntries(hooks), { ...rest }, argv, { stdin });
}

function createEntries(hooks: HandlerMap | readonly Hook[]): HookDescriptor[] {
  if (Array.isArray(hooks))
    return (hooks as readonly Hook[])
      .map((hook, index) => createCheckedEntry(hook, `hook ${index + 1}`))
      .sort((a, b) => (a.order ?? 0) - (b.order ?? 0));
  return Object.entries(hooks as HandlerMap).map(([event, handler]) =>
    createHookEntry({ event: event as keyof Events, handler: handler as Hook["handler"] }, event),
  );
}

/**
 * Checks a hook's field names. A hook with an unknown field fails on each of its events, since a misspelled field may
 * be part of a policy.
 */
function createCheckedEntry(hook: Hook, name: string): HookDescriptor {
  const unknownField = Object.keys(hook).find((field) => !(HOOK_FIELDS as readonly string[]).includes(field));
  if (unknownField === undefined) return createHookEntry(hook, name);
  const problem = new Error(`defineHook has no field "${unknownField}"; known: ${listAuthoredFields().join(", ")}`);
  return { ...createHookEntry(hook, name), load: () => Promise.reject(problem) };
}
