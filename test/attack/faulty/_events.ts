import { defineHook, type Hook, type IHookResponse } from "bridge-hooks";

/** Whether a test asks for something by a variable. */
export const isAskedFor = (variable: string, what: string): boolean => process.env[variable] === what;

/** A hook before calls, at prompts and at Stop. */
export const defineEverywhereHook = (name: string, order: number, handler: () => unknown): Hook =>
  defineHook({
    name,
    order,
    event: ["PreToolUse", "UserPromptSubmit", "Stop"],
    handler: handler as () => IHookResponse | Promise<IHookResponse>,
  });
