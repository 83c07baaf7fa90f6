import * as v from "valibot";
import type { Payload } from "../../../protocol/host/host.ts";
import { number, text } from "../../wire.ts";

/** A field that is to be an object; anything else counts as an empty one. */
export function objectIn(payload: Payload, key: string): Payload {
  const value = payload[key];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Payload) : {};
}

/** A tool call as a policy, a hook or a middleware is told of it [seen 2026.9.6, 2026-11-22]. */
export const Call = () =>
  v.object({
    toolName: v.string(),
    params: v.optional(v.unknown()),
    toolCallId: text(),
    /** The outer call of code mode bears the name of the shell, and its input is a program [docs plugins/hooks/tool-policy]. */
    toolKind: text(),
  });

/** The plugin counts how often it made the agent go on: `stopHookActive` is never true [seen 2026.9.6, 2026-11-22]. */
export const Finalize = () => v.object({ lastAssistantMessage: text(), continuations: v.fallback(v.number(), 0) });

/** A tool's result; `details` is the tool's own, and the model never reads it. */
export const Result = () => v.looseObject({ details: v.fallback(v.looseObject({ exitCode: number() }), {}) });

const replacements = () => v.array(v.object({ oldText: v.string(), newText: v.string() }));

/** Inputs that no table tells. */
export const inputs = {
  exec: () => v.object({ timeoutSeconds: number() }),
  edit: () => v.object({ path: v.string(), edits: replacements() }),
  apply_patch: () => v.object({ input: v.string() }),
};
