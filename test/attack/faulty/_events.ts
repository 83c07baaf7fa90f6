import { defineHook, type Hook, type IHookResponse } from "bridge-hooks";

/** Whether a test has requested a fault through an environment variable. */
export const isAskedFor = (variable: string, what: string): boolean => process.env[variable] === what;

/** Defines a hook for tool calls, prompts and Stop. */
export const defineEverywhereHook = (name: string, order: number, handler: () => unknown): Hook =>
  defineHook({
    name,
    order,
    event: ["PreToolUse", "UserPromptSubmit", "Stop"],
    handler: handler as () => IHookResponse | Promise<IHookResponse>,
  });
