import * as v from "valibot";
import type { Payload } from "../../../protocol/host/host.ts";
import { createNumberSchema, createTextSchema } from "../../codec/wire.ts";

/** Returns a field's object; any other value counts as an empty one. */
export function getObject(payload: Payload, key: string): Payload {
  const value = payload[key];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Payload) : {};
}

/** A tool call, as a policy, a hook or a middleware receives it [seen 2026.9.6, 2026-11-22]. */
export const createCallSchema = () =>
  v.object({
    toolName: v.string(),
    params: v.optional(v.unknown()),
    toolCallId: createTextSchema(),
    /**
     * The outer call of code mode has the shell's name, but its input is a program [docs plugins/hooks/tool-policy].
     */
    toolKind: createTextSchema(),
  });

/** The plugin counts the continuations itself: `stopHookActive` is never true [seen 2026.9.6, 2026-11-22]. */
export const createFinalizeSchema = () =>
  v.object({ lastAssistantMessage: createTextSchema(), continuations: v.fallback(v.number(), 0) });

/** A tool's result; `details` is the tool's own, and the model never reads it. */
export const createResultSchema = () =>
  v.looseObject({ details: v.fallback(v.looseObject({ exitCode: createNumberSchema() }), {}) });

const createReplacementsSchema = () => v.array(v.object({ oldText: v.string(), newText: v.string() }));

/** Inputs that the tool table can't describe. */
export const inputs = {
  exec: () => v.object({ timeoutSeconds: createNumberSchema() }),
  edit: () => v.object({ path: v.string(), edits: createReplacementsSchema() }),
  apply_patch: () => v.object({ input: v.string() }),
};
